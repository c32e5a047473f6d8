// A schedule as text: words in lines, which read back.
#pragma once

#include <cstddef>      // size_t
#include <cstdint>      // int64_t, uint64_t
#include <string>       // string, to_string
#include <string_view>  // string_view

#include <stg/base/text.hpp>         // text
#include <stg/examine/hash.hpp>      // hash_of
#include <stg/ir/keeping.hpp>        // keeping, keeping_names
#include <stg/schedule/finding.hpp>  // applied_primitive
#include <stg/schedule/place.hpp>    // scheduled_program

namespace stg {

namespace detail {

/// The words of a line, one after the other: of letters without blanks, or between quotes.
class schedule_line {
 public:
  constexpr explicit schedule_line(std::string_view letters) : rest(letters) {
    while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\r')) rest.remove_suffix(1);
    skip();
  }

  constexpr bool is_over() const { return rest.empty(); }
  constexpr bool is_right() const { return right; }
  /// The next word as it stands there, and whether it is this one.
  constexpr bool takes(std::string_view word) {
    if (rest.substr(0, word.size()) != word || (rest.size() > word.size() && rest[word.size()] != ' ')) return false;
    rest.remove_prefix(word.size());
    skip();
    return true;
  }
  constexpr text next() {
    text word;
    const bool is_quoted = !rest.empty() && rest[0] == '"';
    if (is_quoted) rest.remove_prefix(1);
    while (!rest.empty() && rest[0] != (is_quoted ? '"' : ' ')) {
      char letter = rest[0];
      if (is_quoted && letter == '\\' && rest.size() > 1) {
        rest.remove_prefix(1);
        letter = rest[0] == 'n' ? '\n' : rest[0];
      }
      if (word.length == text::capacity) right = false;
      else word.append(letter);
      rest.remove_prefix(1);
    }
    if (is_quoted) rest.empty() ? void(right = false) : rest.remove_prefix(1);
    right = right && (word.length > 0 || is_quoted) && (rest.empty() || rest[0] == ' ');
    skip();
    return word;
  }
  constexpr written_place place() {
    written_place p;
    if (takes("all")) return p;
    if (rest.substr(0, 5) != "find ") p.path = next();
    if (takes("find")) p.expression = next();
    return p;
  }

 private:
  constexpr void skip() {
    while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
  }
  std::string_view rest;
  bool right = true;
};

/// The number of a word among some; -1: it is none of them.
template <std::size_t N> constexpr int number_of_word(const std::string_view (&words)[N], std::string_view word) {
  for (std::size_t k = 0; k < N; ++k)
    if (words[k] == word) return static_cast<int>(k);
  return -1;
}
constexpr bool is_integer(std::string_view digits, std::int64_t& n) {
  const bool is_negative = !digits.empty() && digits[0] == '-';
  if (is_negative) digits.remove_prefix(1);
  if (digits.empty() || digits.size() > 18) return false;
  n = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    n = 10 * n + (c - '0');
  }
  if (is_negative) n = -n;
  return true;
}
constexpr text hexadecimal(std::uint64_t n) {
  text all;
  for (int shift = 60; shift >= 0; shift -= 4) all.append("0123456789abcdef"[n >> shift & 15]);
  return all;
}

/// The words of a schedule that is a text.
struct written_words {
  std::string_view letters;

  constexpr void operator()(const scheduled_program& s) const {
    std::string_view rest = letters;
    for (int line = 1; !rest.empty(); ++line) {
      const std::size_t end = rest.find('\n');
      say(s, rest.substr(0, end), line);
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
  }

 private:
  static constexpr void say(const scheduled_program& s, std::string_view line, int number) {
    schedule_line words(line);
    if (words.is_over() || line[0] == '#') return;
    if (!is_said(s, words, number) && s.fits()) s.refuse(schedule_mistake::is_no_line, line, number);
  }
  static constexpr scheduled_place place(const scheduled_program& s, const written_place& at, int line) {
    const scheduled_place whole = s[written_path(at.path.view(), line)];
    return at.expression.length == 0 ? whole : whole.find(written_path(at.expression.view(), line));
  }
  /// Whether the line is a word of a schedule.
  static constexpr bool is_said(const scheduled_program& s, schedule_line& words, int line) {
    const here called(line);
    const auto ends = [&] { return words.is_right() && words.is_over(); };
    if (words.takes("of")) {
      const text of = words.next();
      if (ends() && s.fits() && !(of == hexadecimal(examine::hash_of(s.program()))))
        s.refuse(schedule_mistake::is_of_another_program, of.view(), line);
      return ends();
    }
    if (words.takes("choose")) return chooses(s, words);
    const text word = words.next();
    const std::string_view w = word.view();
    if (w == "replace" || w == "apply") {
      s.refuse(schedule_mistake::is_of_cplusplus, w, line);
      return true;
    }
    const written_place at = words.place();  // lives as long as the place that is made of it
    if (!words.is_right()) return false;
    const scheduled_place p = place(s, at, line);
    if (w == "stored" && ends()) return p.stored(called), true;
    if (w == "inlined" && ends()) return p.inlined(called), true;
    if (w == "merge_exchanges" && ends()) return p.merge_exchanges(called), true;
    if (w == "must_overlap" && ends()) return p.must_overlap(called), true;
    if (w == "one_sweep" || w == "apart") {
      if (!words.takes("with")) return false;
      const written_place beside = words.place();
      if (!ends()) return false;
      const scheduled_place other = place(s, beside, line);
      w == "apart" ? p.apart(other, called) : p.one_sweep(other, called);
      return true;
    }
    const text argument = words.next();
    if (!ends()) return false;
    if (w == "annotate") return p.annotate(written_path(argument.view(), line)), true;
    const int way = number_of_word(keeping_names, argument.view());
    if (w == "keep" && way >= 0) return p.keep(static_cast<keeping>(way), called), true;
    for (const scalar_type type : {f32, bf16, f16})
      if (w == "stored_as" && argument.view() == name_of(type)) return p.stored_as(type, called), true;
    return false;
  }
  static constexpr bool chooses(const scheduled_program& s, schedule_line& words) {
    using pass::relations_of_sweep;  // the type of a choice
    pass::choices by;
    while (!words.is_over()) {
      const text one = words.next();
      const std::size_t equals = one.view().find('=');
      std::int64_t n = 0;
      if (equals == std::string_view::npos || !is_integer(one.view().substr(equals + 1), n)) return false;
      const std::string_view name = one.view().substr(0, equals);
      bool is_known = false;
#define STG_CHOICE(type, member, measured) \
  if (name == #member) by.member = static_cast<type>(n), is_known = true;
      STG_CHOICES(STG_CHOICE)
#undef STG_CHOICE
      if (!is_known) return false;
    }
    s.choose(by);
    return true;
  }
};

/// A word that reads back.
inline std::string quoted(std::string_view word) {
  bool is_plain = !word.empty();
  for (const char c : word) is_plain = is_plain && c != ' ' && c != '"' && c != '\\' && c != '\r' && c != '\n';
  for (const std::string_view taken : {"all", "find", "with"}) is_plain = is_plain && word != taken;
  if (is_plain) return std::string(word);
  std::string all = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') all += '\\';
    all += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return all + '"';
}
inline std::string line_of(const written_place& p) {
  const std::string path = p.path.length > 0 ? quoted(p.path.view()) : "";
  if (p.expression.length == 0) return path.empty() ? "all" : path;
  return path + (path.empty() ? "find " : " find ") + quoted(p.expression.view());
}
inline std::string line_of(const applied_primitive& one) {
  const std::string_view word = one.word.view();
  std::string all(word);
  if (word == "choose") {
    const pass::choices measured;
#define STG_CHOICE(type, name, unused) \
  if (one.by.name != measured.name) all += " " #name "=" + std::to_string(static_cast<std::int64_t>(one.by.name));
    STG_CHOICES(STG_CHOICE)
#undef STG_CHOICE
    return all;
  }
  if (word == "apply") return all;
  all += ' ' + line_of(one.place);
  if (word == "one_sweep" || word == "apart") all += " with " + line_of(one.other);
  if (one.argument.length > 0) all += ' ' + quoted(one.argument.view());
  return all;
}

}  // namespace detail

}  // namespace stg
