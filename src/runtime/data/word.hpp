// Words of foreign text: the numbers that they stand for, and how messages show them.
#pragma once

#include <cstdint>      // int64_t
#include <optional>     // optional
#include <string>       // string
#include <string_view>  // string_view

namespace stg::detail {

/// Without the blanks and tabs around it.
std::string_view without_blanks(std::string_view word);

/// A number as all of a word has it: blanks around it and a plus sign before it are allowed. What is too small for a
/// double is the nearest that it has, 0 mostly; what is too large for one is no number.
std::optional<double> real_number(std::string_view word);
/// An integer of 64 bits, likewise.
std::optional<std::int64_t> integer(std::string_view word);

/// A word for a message, in quotes: what would do something to a terminal, and what is no UTF-8, is shown as \n, \t, \r
/// or \x1b, a quote as \" and a backslash as \\. Of a long one the first 24 characters, with ... behind the quotes.
std::string in_quotes(std::string_view text);

}  // namespace stg::detail
