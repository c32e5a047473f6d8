// A short piece of text that lives inside a constexpr value: names of inputs, scopes and extents.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>      // uint64_t
#include <string_view>  // string_view

namespace stg {

/// At most `capacity` characters, stored in place. Longer text raises `is_too_long`.
struct text {
  static constexpr int capacity = 62;
  struct is_too_long {};  // thrown in constant evaluation: the name of a feature, scope or extent is too long

  char letters[capacity + 1]{};
  unsigned char length = 0;

  constexpr text() = default;
  /// The members in order: how nvcc spells a text inside a template argument.
  constexpr text(const char (&all)[capacity + 1], int n) : length(static_cast<unsigned char>(n)) {
    for (int i = 0; i < n; ++i) letters[i] = all[i];
  }
  constexpr text(std::string_view from) {
    for (char c : from) append(c);
  }

  constexpr void append(char c) {
    if (length == capacity) throw is_too_long();
    letters[length++] = c;
  }
  constexpr void append(std::string_view from) {
    for (char c : from) append(c);
  }
  /// The digits of a number that is not negative.
  constexpr void append_number(std::uint64_t n) {
    if (n >= 10) append_number(n / 10);
    append(static_cast<char>('0' + n % 10));
  }
  constexpr void shorten(int to) {
    while (length > to) letters[--length] = 0;
  }

  constexpr std::string_view view() const { return std::string_view(letters, length); }
  constexpr bool operator==(const text& other) const { return view() == other.view(); }
};

}  // namespace stg
