// How often the largest logit is the label's.
#pragma once

#include <stg/runtime/counted_rows.hpp>  // counted_rows
#include <stg/runtime/tensor.hpp>        // tensor

#include <cstdint>      // int32_t
#include <type_traits>  // is_same_v

namespace stg {

/// Share of the counted vertices whose largest logit is that of their label, in [0, 1]; the first wins among equal
/// logits and a row with NaN is wrong. logits: (vertices, classes) of float or double, labels and mask: (vertices). 0
/// when none is counted. Errors: shapes that do not agree, a counted label outside [0, classes), tensors on a device.
/// What else there is to measure: stg/runtime/metrics.hpp.
///
///   double a = stg::accuracy(logits, data.labels, data.test);
template <class T>
double accuracy(const const_tensor<T>& logits, const const_tensor<std::int32_t>& labels, counted_rows over = {});
/// Of labels of another type: what to write.
template <class T, class Label>
  requires(!std::is_same_v<Label, std::int32_t>)
double accuracy(const const_tensor<T>&, const const_tensor<Label>&, counted_rows = {}) {
  constexpr bool fits = sizeof(Label) == 0;
  static_assert(fits, "stg: accuracy takes logits, then labels of type tensor<std::int32_t>");
  return 0;
}

}  // namespace stg
