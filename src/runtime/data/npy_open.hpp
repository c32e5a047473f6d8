// An .npy file whose header and size are known to be right.
#pragma once

#include "npy_header.hpp"  // header

#include <fstream>  // ifstream
#include <string>   // string

namespace stg::npy {

struct opened {
  std::ifstream stream;  // at the first element
  npy::header header;
};

/// Errors name the path: what cannot be opened or read, those of `parse_header`, and data that are not as many as the
/// shape says.
opened open(const std::string& path);

}  // namespace stg::npy
