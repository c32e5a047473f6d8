// A hash of numbers and letters in order: the same in every run and with every compiler.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>      // int64_t, uint64_t
#include <string_view>  // string_view

namespace stg::detail {

/// Takes in numbers one after the other: xorshift and multiply of the state with each (the finaliser of MurmurHash3).
struct hash_state {
  std::uint64_t state = 0x9E3779B97F4A7C15u;
  constexpr void add(std::uint64_t n) {
    state = (state ^ n) * 0xFF51AFD7ED558CCDu;
    state = (state ^ (state >> 33)) * 0xC4CEB9FE1A85EC53u;
    state ^= state >> 29;
  }
  constexpr void add_number(std::int64_t n) { add(static_cast<std::uint64_t>(n)); }
  constexpr void add(std::string_view s) {
    add(s.size());
    for (const char c : s) add(static_cast<unsigned char>(c));
  }
};

}  // namespace stg::detail
