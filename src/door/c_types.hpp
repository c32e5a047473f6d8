// The numbers and names of scalar types at the border to C.
#pragma once

#include <cstdint>      // int32_t
#include <iterator>     // size
#include <string>       // string, to_string
#include <string_view>  // string_view

#include <stg/ir/scalar.hpp>  // scalar_type

namespace stg::door::c {

/// Types by number, from 1 on: 0, as in memory without values, is no type. Part of the ABI of every library: types are
/// added behind, and none moves.
struct named_type {
  scalar_type type;
  std::string_view name;
};
inline constexpr named_type types[] = {{f32, "STG_F32"},      {f64, "STG_F64"},   {i32, "STG_I32"},
                                       {boolean, "STG_BOOL"}, {bf16, "STG_BF16"}, {f16, "STG_F16"}};

constexpr std::int32_t number_of(scalar_type type) {
  std::int32_t number = 1;
  for (const named_type& t : types) {
    if (t.type == type) return number;
    ++number;
  }
  return 0;
}
inline std::string spelled_type(std::int32_t number) {
  if (number < 1 || number > static_cast<std::int32_t>(std::size(types)))
    return "type " + std::to_string(number) + ", which is none";
  return std::string(types[number - 1].name);
}

/// The text of stg/door/c_arrays.h, which every written header holds.
const char* arrays_text();

}  // namespace stg::door::c
