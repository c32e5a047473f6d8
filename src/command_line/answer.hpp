// What a command prints: lines for a reader, or one JSON object.
#pragma once

#include <charconv>     // to_chars
#include <cmath>        // isfinite
#include <concepts>     // same_as, integral
#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/runtime/dimensions.hpp>  // dimensions

#include "../runtime/data/json_text.hpp"  // json_text

namespace stg::command_line {

/// A JSON object whose members stand in the order in which they are added.
class json_object {
 public:
  json_object& add(std::string_view name, std::string_view text) { return member(name, detail::json_text(text)); }
  json_object& add(std::string_view name, const char* text) { return add(name, std::string_view(text)); }
  json_object& add(std::string_view name, const json_object& object) { return member(name, object.text()); }
  template <class T>
    requires(std::same_as<T, bool> || std::same_as<T, double> || std::integral<T>)
  json_object& add(std::string_view name, T value) { return member(name, spelled(value)); }
  /// A list of texts, of numbers or of objects.
  template <class T> json_object& add(std::string_view name, const std::vector<T>& all) {
    std::string list = "[";
    for (const T& one : all) (list += list.size() == 1 ? "" : ", ") += spelled(one);
    return member(name, list + ']');
  }
  json_object& add(std::string_view name, const dimensions& shape) {
    return add(name, std::vector<std::int64_t>(shape.begin(), shape.end()));
  }
  json_object& add_null(std::string_view name) { return member(name, "null"); }

  std::string text() const { return '{' + members_ + '}'; }

 private:
  static std::string spelled(bool value) { return value ? "true" : "false"; }
  static std::string spelled(double value) {
    if (!std::isfinite(value)) return "null";  // JSON has no word for it
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
  }
  static std::string spelled(std::integral auto value) { return std::to_string(value); }
  static std::string spelled(const std::string& text) { return detail::json_text(text); }
  static std::string spelled(const json_object& object) { return object.text(); }
  json_object& member(std::string_view name, const std::string& value) {
    members_ += (members_.empty() ? "" : ", ") + detail::json_text(name) + ": " + value;
    return *this;
  }

  std::string members_{};
};

/// Words in a row.
std::string joined(const std::vector<std::string>& words, const char* between = ", ");
/// `1.2 MB`: bytes as a reader takes them in.
std::string bytes_for_reader(double bytes);
/// Three digits that count: `0.0123`, `1.23`, `123`.
std::string digits_for_reader(double value);

/// The same facts for both kinds of readers.
class answer {
 public:
  /// A line `label   shown`, and the member `name`. shown: of nothing, the value as JSON spells it.
  template <class T>
  answer& fact(std::string_view label, std::string_view name, const T& value, const std::string& shown) {
    json.add(name, value);
    return line(label, shown);
  }
  answer& fact(std::string_view label, std::string_view name, std::int64_t value) {
    return fact(label, name, value, std::to_string(value));
  }
  answer& fact(std::string_view label, std::string_view name, const std::string& value) {
    return fact(label, name, value, value);
  }
  answer& line(std::string_view label, const std::string& shown) {
    constexpr std::size_t width = 16;
    text += label;
    text.append(label.size() < width ? width - label.size() : 1, ' ');
    text += shown + '\n';
    return *this;
  }
  answer& title(const std::string& words) {
    text += words + '\n';
    return *this;
  }

  json_object json{};
  std::string text{};
};
/// The answer about a file: its kind, its name, and both as the first line.
answer answer_about(const std::string& kind, const std::string& name, const std::string& what);

/// Prints to the standard output. Errors: a full disk, and a reader who has gone away (`gone_reader`).
void print(std::string_view text);
inline void print(const answer& all, bool as_json) { print(as_json ? all.json.text() + '\n' : all.text); }
/// Nobody reads what is printed: the tool ends without a word.
struct gone_reader {};

}  // namespace stg::command_line
