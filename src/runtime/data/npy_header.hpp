// The header of an .npy file: what it says, and where in the file that stands.
#pragma once

#include <stg/runtime/dimensions.hpp>  // dimensions

#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view

namespace stg::npy {

/// Types that arrays in files have.
enum class type { f4, f8, i1, i4, i8, u1, u2, b1 };

/// As the header spells it: "<f4", "|b1".
std::string_view name_of(type);
int bytes_of(type);

struct header {
  npy::type type = npy::type::f4;
  dimensions shape;
  std::int64_t data_offset = 0;  // of the first element, in bytes from the beginning of the file
};

/// Parses the beginning of a file: magic string, version, length and the dictionary. `bytes` holds the file's first
/// `min(file size, 10 + 65535)` bytes. Errors name the path and the byte offset.
header parse_header(std::string_view bytes, const std::string& path);

/// The text that `parse_header` reads back, padded so that data begin at a multiple of 64.
std::string format_header(type, const dimensions&);

}  // namespace stg::npy
