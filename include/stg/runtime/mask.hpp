// Masks from lists of ids.
#pragma once

#include <stg/base/instead.hpp>    // STG_INSTEAD_FREE
#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>           // int32_t, int64_t
#include <initializer_list>  // initializer_list
#include <span>              // span

namespace stg {

/// True at each of the ids, (n). Error when an id is outside [0, n), or the ids lie on a device.
///
///   auto train = stg::mask_of({0, 4, 9}, graph.vertices());
///   auto test  = stg::mask_of(stg::read_npy<std::int32_t>("test.npy"), 2708);
tensor<bool> mask_of(const const_tensor<std::int32_t>& ids, std::int64_t n);
tensor<bool> mask_of(const const_tensor<std::int64_t>& ids, std::int64_t n);
tensor<bool> mask_of(std::span<const std::int32_t> ids, std::int64_t n);
tensor<bool> mask_of(std::span<const std::int64_t> ids, std::int64_t n);
inline tensor<bool> mask_of(std::initializer_list<std::int64_t> ids, std::int64_t n) {
  return mask_of(std::span<const std::int64_t>(ids.begin(), ids.size()), n);
}

/// Without the length: what to write.
STG_INSTEAD_FREE("stg: mask_of takes the ids and the number of rows: mask_of({4, 9, 30}, graph.vertices())",
                 inline tensor<bool> mask_of(detail::any))

}  // namespace stg
