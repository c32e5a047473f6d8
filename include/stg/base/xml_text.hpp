// A text as XML and HTML have it.
#pragma once

#include <stg/base/utf8.hpp>  // readable

#include <string>       // string
#include <string_view>  // string_view

namespace stg {

/// Marks escaped, and U+FFFD for what no page may hold.
inline std::string xml_text(std::string_view s) {
  std::string r;
  for (const char c : utf8::readable(s)) {
    if (c == '&') r += "&amp;";
    else if (c == '<') r += "&lt;";
    else if (c == '>') r += "&gt;";
    else if (c == '"') r += "&quot;";
    else r += c;
  }
  return r;
}

}  // namespace stg
