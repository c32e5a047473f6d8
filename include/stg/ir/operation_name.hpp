// The name of a user's operation as a number: the attribute of its statements.
#pragma once

#include <cstdint>      // int64_t
#include <string_view>  // string_view

#include <stg/base/text.hpp>  // text

namespace stg::ir {

/// Names are of a to z, 0 to 9 and _, begin with a letter, and have so many letters at most: so each name is a number,
/// and a statement holds all of it.
inline constexpr int most_operation_name = 12;

namespace detail {
inline constexpr std::string_view operation_letters = "abcdefghijklmnopqrstuvwxyz_0123456789";
inline constexpr std::int64_t operation_base = 38;  // 38 to the 12th is below 2 to the 63rd
}  // namespace detail

/// The number of a name, above 0; 0 for a text that is no name of an operation.
constexpr std::int64_t operation_number(std::string_view name) {
  if (name.empty() || name.size() > most_operation_name || name[0] < 'a' || name[0] > 'z') return 0;
  std::int64_t number = 0;
  for (std::size_t k = name.size(); k-- > 0;) {
    const std::size_t letter = detail::operation_letters.find(name[k]);
    if (letter == std::string_view::npos) return 0;
    number = number * detail::operation_base + static_cast<std::int64_t>(letter) + 1;
  }
  return number;
}

/// The name that a number stands for; empty if there is none.
constexpr text operation_name(std::int64_t number) {
  text name;
  while (number > 0) {
    const std::int64_t letter = number % detail::operation_base;
    if (letter == 0 || name.length == most_operation_name) return {};
    name.append(detail::operation_letters.substr(static_cast<std::size_t>(letter) - 1, 1));
    number /= detail::operation_base;
  }
  return operation_number(name.view()) == 0 ? text() : name;
}

}  // namespace stg::ir
