// How often the largest logit is the label's.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor

namespace stg {

/// Share of the masked vertices whose largest logit is that of their label, in [0, 1]; the first wins among equal
/// logits and a row with NaN is wrong. logits: (vertices, classes), labels and mask: (vertices). 0 when the mask is
/// empty. Errors: shapes that do not agree, a masked label outside [0, classes), tensors on a device.
///
///   double a = stg::accuracy(logits, data.labels, data.test);
double accuracy(const tensor<float>& logits, const tensor<std::int32_t>& labels, const tensor<bool>& mask);

}  // namespace stg
