// One line of a program's text, read word by word; what is wrong in it is said with line and column.
#pragma once

#include <charconv>     // from_chars
#include <cstdint>      // int64_t, uint64_t
#include <limits>       // numeric_limits
#include <string>       // string
#include <string_view>  // string_view

#include <stg/base/error.hpp>   // error
#include <stg/base/text.hpp>    // text
#include <stg/base/utf8.hpp>    // letters_in, within_bytes
#include <stg/ir/spelling.hpp>  // bytes_of_word, between

namespace stg::ir::detail {

/// A place in a line, from which words are taken. Nothing is read behind the line's end.
class text_line {
 public:
  text_line(std::string_view of, int its_number) : line(of), number(its_number) {}

  /// Of the word that comes next.
  [[noreturn]] void refuse(const std::string& what) const {
    std::size_t begin = at;
    while (begin < line.size() && is_blank(line[begin])) ++begin;
    const std::size_t column = utf8::letters_in(line.substr(0, begin)) + 1;
    throw error("line " + std::to_string(number) + ", column " + std::to_string(column) + ": " + what);
  }
  [[noreturn]] void refuse_word(const std::string& wanted) { refuse(shown() + " stands where " + wanted + " is due"); }

  bool is_at_end() {
    skip_blanks();
    return at == line.size();
  }
  void end() {
    if (!is_at_end()) refuse_word("the end of the line");
  }

  /// What comes next, behind blanks; 0 at the end.
  char next() {
    skip_blanks();
    return at < line.size() ? line[at] : '\0';
  }
  /// The word that comes next; empty where none does.
  std::string_view next_word() {
    skip_blanks();
    return line.substr(at, bytes_of_word(line.substr(at)));
  }
  /// Whether a sign follows the next word at once: `from=`.
  bool word_is_before(char sign) {
    const std::size_t behind = next_word().size() + at;
    return behind > at && behind < line.size() && line[behind] == sign;
  }
  void skip(std::size_t letters) { at += letters; }

  bool takes(char sign) {
    if (next() != sign) return false;
    ++at;
    return true;
  }
  /// The same of a sign that follows at once.
  bool takes_at_once(char sign) {
    if (at == line.size() || line[at] != sign) return false;
    ++at;
    return true;
  }
  bool takes(std::string_view word) {
    if (next_word() != word) return false;
    at += word.size();
    return true;
  }
  void expect(char sign) {
    if (!takes(sign)) refuse_word(std::string("'") + sign + "'");
  }
  void expect(std::string_view word) {
    if (!takes(word)) refuse_word("'" + std::string(word) + "'");
  }

  std::int64_t integer(std::int64_t least, std::int64_t most) {
    skip_blanks();
    const char* const first = line.data() + at;
    std::int64_t n = 0;
    const auto [behind, wrong] = std::from_chars(first, line.data() + line.size(), n);
    if (wrong == std::errc::invalid_argument) refuse_word("a whole number");
    if (wrong != std::errc() || n < least || n > most)
      refuse("a number from " + std::to_string(least) + " to " + std::to_string(most) + " is due");
    at += static_cast<std::size_t>(behind - first);
    return n;
  }
  int count() { return static_cast<int>(integer(0, std::numeric_limits<int>::max())); }
  /// A value by its number: `%4`.
  value_id value(int values) {
    if (!takes('%')) refuse_word("a value, as %0,");
    const std::size_t begin = at;
    const std::int64_t n = integer(0, std::numeric_limits<std::int64_t>::max());
    if (n < values) return static_cast<value_id>(n);
    at = begin;
    refuse("value %" + std::to_string(n) + " is not there, or is made further down");
  }

  double real() {
    const bool is_negative = next() == '-';
    if (line.substr(at, 3) == "nan") return not_a_number();
    if (line.substr(at + is_negative, 3) == "inf") {
      at += 3 + static_cast<std::size_t>(is_negative);
      constexpr double infinite = std::numeric_limits<double>::infinity();
      return is_negative ? -infinite : infinite;
    }
    const char* const first = line.data() + at;
    double x = 0;
    const auto [behind, wrong] = std::from_chars(first, line.data() + line.size(), x);
    if (wrong == std::errc::result_out_of_range) refuse("a number is too large or too small for a double");
    if (wrong != std::errc()) refuse_word("a number");
    at += static_cast<std::size_t>(behind - first);
    return x;
  }

  /// A text between quotes of this kind.
  stg::text quoted(char quote) {
    expect(quote);
    stg::text r;
    while (true) {
      if (at == line.size()) refuse(std::string("a name ends without its ") + quote);
      char c = line[at++];
      if (c == quote) return r;
      if (c == '\\') c = escaped();
      append(r, c);
    }
  }
  /// A name: a word, or a text between single quotes.
  stg::text name() {
    if (next() == '\'') return quoted('\'');
    const std::string_view word = next_word();
    if (word.empty()) refuse_word("a name");
    stg::text r;
    for (const char c : word) append(r, c);
    at += word.size();
    return r;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  void skip_blanks() {
    while (at < line.size() && is_blank(line[at])) ++at;
  }
  /// The next word for a message: a few letters, and none that a terminal acts upon.
  std::string shown() {
    if (is_at_end()) return "the end of the line";
    constexpr std::size_t most = 40;
    std::string_view rest = line.substr(at);
    rest = rest.substr(0, rest.find_first_of(" \t"));
    const std::string_view some = utf8::within_bytes(rest, most);
    return between('\'', some) + (some.size() < rest.size() ? "..." : "");
  }
  void append(stg::text& to, char c) {
    if (to.length == stg::text::capacity)
      refuse("a name has at most " + std::to_string(stg::text::capacity) + " bytes");
    to.append(c);
  }
  char escaped() {
    if (at == line.size()) refuse("a name ends in a backslash");
    const char c = line[at++];
    if (c != 'x') {
      if (c == '\\' || c == '\'' || c == '"') return c;
      refuse("a backslash stands before a quote, a backslash or x and two digits");
    }
    unsigned char byte = 0;
    const char* const first = line.data() + at;
    const std::size_t digits = line.size() - at < 2 ? line.size() - at : 2;
    const auto [behind, wrong] = std::from_chars(first, first + digits, byte, 16);
    if (wrong != std::errc() || behind != first + 2) refuse("\\x stands before two hexadecimal digits");
    at += 2;
    return static_cast<char>(byte);
  }
  double not_a_number() {
    at += 3;
    std::uint64_t bits = 0x7FF8000000000000;
    if (takes_at_once(':')) {
      const char* const first = line.data() + at;
      const auto [behind, wrong] = std::from_chars(first, line.data() + line.size(), bits, 16);
      if (wrong != std::errc()) refuse("nan: stands before the number's bits, in hexadecimal digits");
      at += static_cast<std::size_t>(behind - first);
    }
    const double x = __builtin_bit_cast(double, bits);
    if (x == x) refuse("nan: stands before the bits of a number");
    return x;
  }

  std::string_view line;
  std::size_t at = 0;
  int number;
};

}  // namespace stg::ir::detail
