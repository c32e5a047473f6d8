// Words of foreign text: the numbers that they stand for, and how messages show them.
#include "word.hpp"  // in_quotes

#include <charconv>      // from_chars
#include <clocale>       // newlocale
#include <cmath>         // isfinite
#include <cstdlib>       // strtod_l
#include <system_error>  // errc

namespace stg::detail {

namespace {

/// A word as from_chars takes it, which knows no plus sign.
std::string_view bare(std::string_view word) {
  word = without_blanks(word);
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  return word;
}

/// The nearest double of a number that from_chars found to be too large or too small, and does not say which.
std::optional<double> nearest(std::string_view word) {
  static const locale_t with_points = newlocale(LC_ALL_MASK, "C", nullptr);
  const double value = strtod_l(std::string(word).c_str(), nullptr, with_points);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// A character of UTF-8 at the beginning of a text, and its bytes; 0 bytes where none begins.
struct character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};
character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >> 5 == 0x6 ? 2 : lead >> 4 == 0xe ? 3 : lead >> 3 == 0x1e ? 4 : 0;
  if (bytes == 0 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (byte(i) >> 6 != 0x2) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes};
}

/// Whether a character is one that a terminal shows where it stands: no control, no mark that turns the direction.
bool is_shown(std::uint32_t code) {
  return code >= ' ' && !(code >= 0x7f && code < 0xa0) && !(code >= 0x200e && code <= 0x200f) &&
         !(code >= 0x2028 && code <= 0x202e) && !(code >= 0x2066 && code <= 0x2069) && code != 0xfeff;
}

void append_escaped(std::string& to, char c) {
  constexpr const char* digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\n') to += "\\n";
  else if (c == '\r') to += "\\r";
  else if (c == '\t') to += "\\t";
  else (to += "\\x") += {digits[byte >> 4], digits[byte & 15]};
}

}  // namespace

std::string_view without_blanks(std::string_view word) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!word.empty() && is_blank(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_blank(word.back())) word.remove_suffix(1);
  return word;
}

std::optional<double> real_number(std::string_view word) {
  word = bare(word);
  double number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || end != word.data() + word.size()) return std::nullopt;
  if (problem == std::errc::result_out_of_range) return nearest(word);
  return problem == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> integer(std::string_view word) {
  constexpr std::size_t surely_held = 18;  // digits that 64 bits hold, whichever they are
  if (!word.empty() && word.size() <= surely_held) {
    std::uint64_t plain = 0;
    bool is_plain = true;
    for (const char c : word) {
      is_plain = is_plain && c >= '0' && c <= '9';
      plain = 10 * plain + static_cast<std::uint64_t>(c - '0');
    }
    if (is_plain) return static_cast<std::int64_t>(plain);
  }
  word = bare(word);
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::string in_quotes(std::string_view text) {
  constexpr int most = 24;
  std::string out = "\"";
  for (int count = 0; !text.empty() && count < most; ++count) {
    const character c = first_of(text);
    const std::size_t bytes = c.bytes == 0 ? 1 : c.bytes;
    if (c.bytes != 0 && is_shown(c.code)) {
      if (c.code == '"' || c.code == '\\') out += '\\';
      out += text.substr(0, bytes);
    } else {
      for (const char byte : text.substr(0, bytes)) append_escaped(out, byte);
    }
    text.remove_prefix(bytes);
  }
  return out + (text.empty() ? "\"" : "\"...");
}

}  // namespace stg::detail
