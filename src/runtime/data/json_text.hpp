// A text as JSON has it.
#pragma once

#include <string>       // string
#include <string_view>  // string_view

namespace stg::detail {

/// Quotes around it, and what they cannot hold escaped.
inline std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) (quoted += "\\u00") += {digits[byte >> 4], digits[byte & 15]};
    else if (c == '"' || c == '\\') (quoted += '\\') += c;
    else quoted += c;
  }
  return quoted + '"';
}

}  // namespace stg::detail
