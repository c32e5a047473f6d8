// CRC-32C, the checksum of TensorBoard's records: Castagnoli's polynomial (IEEE Transactions on Communications 41,
// 1993).
#pragma once

#include <array>        // array
#include <cstddef>      // size_t
#include <cstdint>      // uint32_t
#include <string_view>  // string_view

namespace stg::detail {

/// Remainders of each byte, bits in reversed order.
inline constexpr auto crc32c_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ (rest % 2 == 1 ? 0x82F63B78u : 0u);
    table[byte] = rest;
  }
  return table;
}();

constexpr std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t sum = 0xFFFFFFFFu;
  for (const char c : bytes) sum = (sum >> 8) ^ crc32c_table[(sum ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~sum;
}
static_assert(crc32c("123456789") == 0xE3069283u);

/// As records store it: a sum over bytes that hold sums would be 0 too often.
constexpr std::uint32_t masked_crc32c(std::string_view bytes) {
  const std::uint32_t sum = crc32c(bytes);
  return ((sum >> 15) | (sum << 17)) + 0xA282EAD8u;
}

}  // namespace stg::detail
