// The exceptions that every run-time error of the library is one of.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <stdexcept>  // runtime_error
#include <string>     // string

namespace stg {

/// What a user did wrong at run time, in one sentence that names the file, field, offset or index and what was
/// expected.
struct error : std::runtime_error {
  explicit error(const std::string& what) : std::runtime_error("stg: " + what) {}
};

/// Memory that is not to be had. What was called for it can be called again: with less to do, or when there is more.
struct out_of_memory : error {
  using error::error;
};

}  // namespace stg
