// How often the largest logit is the label's.
#pragma once

#include <stg/runtime/counted_rows.hpp>  // counted_rows
#include <stg/runtime/tensor.hpp>        // tensor

namespace stg {

/// Share of the counted vertices whose largest logit is that of their label, in [0, 1]; the first wins among equal
/// logits and a row with NaN is wrong. logits: (vertices, classes) of float or double, labels and mask: (vertices). 0
/// when none is counted. Errors: shapes that do not agree, a counted label outside [0, classes), tensors on a device.
/// What else there is to measure: stg/runtime/metrics.hpp.
///
///   double a = stg::accuracy(logits, data.labels, data.test);
template <class T>
double accuracy(const const_tensor<T>& logits, const const_tensor<std::int32_t>& labels, counted_rows over = {});

}  // namespace stg
