// The exception that every run-time error of the library is.
#pragma once

#include <stdexcept>  // runtime_error
#include <string>     // string

namespace stg {

/// What a user did wrong at run time, in one sentence that names the file, field, offset or index and what was
/// expected.
struct error : std::runtime_error {
  explicit error(const std::string& what) : std::runtime_error("stg: " + what) {}
};

}  // namespace stg
