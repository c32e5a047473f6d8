// The header of an .npy file: what it says, and where in the file that stands.
#pragma once

#include <stg/runtime/dimensions.hpp>  // dimensions

#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view

namespace stg::npy {

/// Types that arrays in files have.
enum class type { f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1 };

/// As the header spells it: "<f4", "|b1".
std::string_view name_of(type);
int bytes_of(type);

struct header {
  npy::type type = npy::type::f4;
  dimensions shape;
  bool is_fortran = false;       // the first axis is the fastest, as of a transposed array
  std::int64_t data_offset = 0;  // of the first element, in bytes from the beginning of the file
};

/// The bytes of a header, known from the first ten: these and the dictionary behind them; 10 where they are wrong.
inline constexpr std::size_t preamble_bytes = 10;
std::size_t bytes_of_header(std::string_view preamble);

/// Parses the beginning of a file: magic string, version, length and the dictionary. `bytes` holds as many of the
/// file's bytes as `bytes_of_header` says, or all that there are. Errors name the path and the byte offset.
header parse_header(std::string_view bytes, const std::string& path);

/// The text that `parse_header` reads back, padded so that data begin at a multiple of 64.
std::string format_header(type, const dimensions&);

}  // namespace stg::npy
