// Letters of text in UTF-8: how many there are, where it may be cut, and what is none.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstddef>      // size_t
#include <string>       // string
#include <string_view>  // string_view

namespace stg::utf8 {

/// Whether a byte is a further one of a letter.
constexpr bool goes_on(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// How many letters a text has: in a terminal, and in a fixed-width font, its width.
constexpr std::size_t letters_in(std::string_view s) {
  std::size_t n = 0;
  for (const char c : s) n += goes_on(c) ? 0u : 1u;
  return n;
}
/// The first letters of a text, so many at most.
constexpr std::string_view first_letters(std::string_view s, std::size_t most) {
  std::size_t bytes = 0;
  for (std::size_t n = 0; bytes < s.size(); ++bytes)
    if (!goes_on(s[bytes]) && n++ == most) break;
  return s.substr(0, bytes);
}
/// The letters that lie in the first bytes of a text as a whole.
constexpr std::string_view within_bytes(std::string_view s, std::size_t most) {
  if (s.size() <= most) return s;
  while (most > 0 && goes_on(s[most])) --most;
  return s.substr(0, most);
}

/// The bytes of the letter that a text begins with; 0 where it begins with none.
constexpr std::size_t bytes_of_letter(std::string_view s) {
  const auto first = static_cast<unsigned char>(s[0]);
  const std::size_t bytes = first < 0x80   ? 1
                            : first < 0xC2 ? 0
                            : first < 0xE0 ? 2
                            : first < 0xF0 ? 3
                            : first < 0xF5 ? 4
                                           : 0;
  if (bytes == 0 || bytes > s.size()) return 0;
  for (std::size_t k = 1; k < bytes; ++k)
    if (!goes_on(s[k])) return 0;
  if (bytes < 3) return bytes;
  const auto second = static_cast<unsigned char>(s[1]);  // no letter has two spellings, and none is half of a pair
  const bool is_one = first == 0xE0   ? second >= 0xA0
                      : first == 0xED ? second < 0xA0
                      : first == 0xF0 ? second >= 0x90
                      : first == 0xF4 ? second < 0x90
                                      : true;
  return is_one ? bytes : 0;
}
/// A text as XML and HTML take it: what is no letter, and control characters, are shown as U+FFFD.
inline std::string readable(std::string_view s) {
  std::string r;
  while (!s.empty()) {
    const std::size_t bytes = bytes_of_letter(s);
    const bool is_control = bytes == 1 && static_cast<unsigned char>(s[0]) < 0x20 && s[0] != '\n' && s[0] != '\t';
    if (bytes == 0 || is_control) r += "\xEF\xBF\xBD";
    else r += s.substr(0, bytes);
    s.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return r;
}

}  // namespace stg::utf8
