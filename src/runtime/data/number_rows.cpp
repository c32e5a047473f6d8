// Rows of numbers between commas: words that are cut off one by one, and become numbers at once.
#include "number_rows.hpp"  // read_number_rows

#include "text_lines.hpp"  // text_lines
#include "word.hpp"        // in_quotes, integer, real_number

#include <algorithm>    // min
#include <cmath>        // isfinite
#include <limits>       // numeric_limits
#include <optional>     // optional
#include <type_traits>  // is_same_v

namespace stg::detail {

namespace {

template <class T> std::optional<T> number_in(std::string_view word, empty_fields empty) {
  if constexpr (std::is_same_v<T, float>) {
    if (word.empty() && empty == empty_fields::are_nan) return std::numeric_limits<float>::quiet_NaN();
    const std::optional<double> number = real_number(word);
    if (!number || (std::isfinite(*number) && !std::isfinite(static_cast<float>(*number)))) return std::nullopt;
    return static_cast<float>(*number);
  } else {
    if (const auto whole = integer(word)) return whole;
    const std::optional<double> number = real_number(word);  // some writers have 3.0 for 3
    if (!number || !(std::abs(*number) <= 0x1p53) || *number != std::trunc(*number)) return std::nullopt;
    return static_cast<T>(*number);
  }
}

template <class T> void add_row(text_lines& lines, std::vector<T>& numbers, empty_fields empty) {
  std::string_view left = lines.rest();
  while (true) {
    const std::size_t end = std::min(left.find(','), left.size());
    const std::string_view word = without_blanks(left.substr(0, end));
    const std::optional<T> number = number_in<T>(word, empty);
    if (!number)
      lines.fail("has " + in_quotes(word) + "; expected " +
                 (std::is_same_v<T, float> ? "a number that float holds" : "an integer of 64 bits"));
    lines.add(numbers, *number);
    if (end == left.size()) return;
    left.remove_prefix(end + 1);
  }
}

}  // namespace

template <class T> tensor<T> read_number_rows(const char* kind, const std::string& path, empty_fields empty) {
  text_lines lines(kind, path);
  std::vector<T> numbers;
  std::int64_t rows = 0, columns = 0;
  while (lines.next_line()) {
    const std::size_t before = numbers.size();
    if (lines.rest().empty() && (empty == empty_fields::are_refused || rows == 0 || columns > 1))
      continue;  // in one column a missing number is an empty line
    add_row(lines, numbers, empty);
    const auto found = static_cast<std::int64_t>(numbers.size() - before);
    if (rows++ == 0) columns = found;
    if (found != columns)
      lines.fail("has " + std::to_string(found) + " columns; expected " + std::to_string(columns) +
                 " as in the first line");
  }
  return tensor_of_list(std::move(numbers), {rows, columns});
}

template <class T> tensor<T> read_number_list(const char* kind, const std::string& path, empty_fields empty) {
  tensor<T> rows = read_number_rows<T>(kind, path, empty);
  if (rows.extent(0) > 0 && rows.extent(1) != 1)
    throw error(std::string(kind) + " " + path + " has " + std::to_string(rows.extent(1)) + " columns; expected one");
  return std::move(rows).reshape({rows.extent(0)});
}

template tensor<float> read_number_rows<float>(const char*, const std::string&, empty_fields);
template tensor<std::int64_t> read_number_rows<std::int64_t>(const char*, const std::string&, empty_fields);
template tensor<float> read_number_list<float>(const char*, const std::string&, empty_fields);
template tensor<std::int64_t> read_number_list<std::int64_t>(const char*, const std::string&, empty_fields);

}  // namespace stg::detail
