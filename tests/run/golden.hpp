// Comparison of a text with the file that holds what it should be; `make golden` writes the files anew.
#pragma once

#include <gtest/gtest.h>  // AssertionResult

#include <cstdint>     // uint64_t
#include <cstdio>      // snprintf
#include <cstdlib>     // getenv
#include <filesystem>  // create_directories
#include <fstream>     // ifstream, ofstream
#include <sstream>     // ostringstream
#include <string>      // string

namespace stg_test {

/// Fowler, Noll and Vo's hash, 1a, of 64 bits, in 16 digits: of a text that is too long to be kept.
inline std::string hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211u;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

/// Whether `text` equals tests/golden/`name`. Under STG_WRITE_GOLDEN=1 writes the file instead and passes.
///
///   EXPECT_TRUE(stg_test::equals_golden("explain_gcn.txt", stg::explain<gcn>()));
inline testing::AssertionResult equals_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(STG_GOLDEN_DIR) / name;
  if (const char* write = std::getenv("STG_WRITE_GOLDEN"); write != nullptr && std::string(write) == "1") {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return testing::AssertionSuccess();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return testing::AssertionFailure() << path << " is missing; write it with `make golden`";
  std::ostringstream expected;
  expected << file.rdbuf();
  if (expected.str() == text) return testing::AssertionSuccess();

  std::istringstream old_lines(expected.str()), new_lines(text);
  std::string was, is;
  for (int line = 1;; ++line) {
    const bool more_old = static_cast<bool>(std::getline(old_lines, was));
    const bool more_new = static_cast<bool>(std::getline(new_lines, is));
    if (more_old && more_new && was == is) continue;
    return testing::AssertionFailure() << path.string() << ":" << line
                                       << "\n  expected: " << (more_old ? was : "(end of file)")
                                       << "\n  actual:   " << (more_new ? is : "(end of text)")
                                       << "\nIf the change is meant, write it with `make golden`. The whole text:\n"
                                       << text;
  }
}

}  // namespace stg_test
