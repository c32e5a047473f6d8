// Lines of CSV (RFC 4180) and of JSON (RFC 8259, which has no word for NaN).
#include "scalar_lines.hpp"  // csv_line

#include <charconv>     // to_chars
#include <cmath>        // isfinite, isnan
#include <type_traits>  // decay_t, is_same_v

#include "../runtime/data/json_text.hpp"  // json_text

namespace stg::detail {

namespace {

std::string seconds_text(double time) {
  char digits[48];
  return {digits, std::to_chars(digits, digits + sizeof digits, time, std::chars_format::fixed, 3).ptr};
}

std::string csv_text(std::string_view text) {
  if (text.find_first_of("\",") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) (quoted += c == '"' ? "\"" : "") += c;
  return quoted + '"';
}

std::string json_number(double value) {
  if (std::isfinite(value)) return number_text(value);
  return std::isnan(value) ? "\"NaN\"" : value < 0 ? "\"-Infinity\"" : "\"Infinity\"";
}

std::string json_value(const hyper_parameter& setting) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) return v ? "true" : "false";
        else if constexpr (std::is_same_v<T, std::string>) return json_text(v);
        else if constexpr (std::is_same_v<T, double>) return json_number(v);
        else return std::to_string(v);
      },
      setting.value);
}

}  // namespace

std::string number_text(double value, int digits) {
  char text[40];
  const auto ended = digits == 0 ? std::to_chars(text, text + sizeof text, value)
                                 : std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits);
  return {text, ended.ptr};
}

std::string csv_line(const logged_scalar& s) {
  return seconds_text(s.time) + ',' + std::to_string(s.step) + ',' + csv_text(s.name) + ',' +
         (std::isnan(s.value) ? "nan" : number_text(s.value)) + '\n';
}

std::string json_line(const logged_scalar& s) {
  return R"({"time": )" + seconds_text(s.time) + R"(, "step": )" + std::to_string(s.step) + R"(, "name": )" +
         json_text(s.name) + R"(, "value": )" + json_number(s.value) + "}\n";
}

std::string json_line(double time, const std::vector<hyper_parameter>& settings) {
  std::string line = R"({"time": )" + seconds_text(time) + R"(, "hyper_parameters": {)";
  const char* between = "";
  for (const hyper_parameter& setting : settings) {
    line += between + json_text(setting.name) + ": " + json_value(setting);
    between = ", ";
  }
  return line + "}}\n";
}

std::string purge_json_line(double time, std::int64_t step) {
  return R"({"time": )" + seconds_text(time) + R"(, "purge_step": )" + std::to_string(step) + "}\n";
}

}  // namespace stg::detail
