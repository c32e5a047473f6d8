// A line of a kernel's source: calls of the emulated interface know where they were made.
#pragma once

#include <cstdint>  // uint64_t
#include <string>

namespace stg::emulator {

/// Eight bytes, since the shadow of memory keeps one for each word: addresses have 47 bits, and sources fewer than
/// 65536 lines.
class place {
 public:
  constexpr place() = default;
  /// As a default argument: the line of the outermost call.
  static place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    place p;
    p.bits_ = reinterpret_cast<std::uint64_t>(file) | static_cast<std::uint64_t>(line) << 48;
    return p;
  }
  bool operator==(const place&) const = default;

  /// "sweep.hpp:120", or nothing for a place that nobody set.
  std::string text() const {
    if (bits_ == 0) return "?";
    const std::string file = reinterpret_cast<const char*>(bits_ & 0xffffffffffff);
    return file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(bits_ >> 48);
  }

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace stg::emulator
