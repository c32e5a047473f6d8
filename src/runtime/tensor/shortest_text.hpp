// Numbers in messages.
#pragma once

#include <charconv>     // to_chars
#include <string>       // string, to_string
#include <type_traits>  // is_floating_point_v

namespace stg::detail {

/// The shortest text that reads back as the same number: 1e-09, where std::to_string says 0.000000.
template <class T> std::string shortest_text(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    char letters[32];
    return {letters, std::to_chars(letters, letters + sizeof letters, value).ptr};
  } else {
    return std::to_string(value);
  }
}

}  // namespace stg::detail
