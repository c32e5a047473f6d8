// Reading tables: text cut into fields in one pass, in place; columns as numbers.
#include "file.hpp"           // read_file
#include "matrix_market.hpp"  // is_matrix_market
#include "word.hpp"           // in_quotes, real_number

#include <stg/base/error.hpp>             // error
#include <stg/data/table.hpp>             // read_table
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // count, min, replace
#include <cmath>      // isfinite
#include <optional>   // optional

namespace stg {

namespace {

using detail::in_quotes;
using detail::without_blanks;

constexpr const char* kind = "table";

/// A number of a table whose decimal point is that.
std::optional<double> number_of(std::string_view word, char decimal_point) {
  if (decimal_point == '.') return detail::real_number(word);
  if (word.find('.') != std::string_view::npos) return std::nullopt;
  std::string with_point(word);
  std::replace(with_point.begin(), with_point.end(), decimal_point, '.');
  return detail::real_number(with_point);
}

}  // namespace

/// Cuts a table's text into fields. What quotes stand for is written over them: it is never longer.
class text_table::reader {
 public:
  reader(text_table& table, const table_format& format) : table_(table), format_(format), text_(table.text_) {
    std::string_view text = text_;
    detail::skip_byte_order_mark(kind, table.path_, text);
    if (detail::is_matrix_market(text))
      throw error(std::string(kind) + " " + table.path_ + " is a Matrix Market file; read_edge_list reads it");
    at_ = text_.size() - text.size();
  }

  void read() {
    bool names = format_.header;
    for (; at_ < text_.size(); ++line_) {
      if (skip_line()) continue;
      if (format_.separator == 0) format_.separator = found_separator();
      const std::int64_t line = line_;
      const std::size_t before = table_.fields_.size();
      int column = 0;
      while (read_field(column)) ++column;
      const int fields = static_cast<int>(table_.fields_.size() - before);
      if (table_.columns_ == 0) table_.columns_ = fields;
      if (fields != table_.columns_)
        fail(line, fields - 1,
             "is the last; expected " + std::to_string(table_.columns_) +
                 (table_.columns_ == 1 ? " column" : " columns") + ", as in the first line" +
                 (format_.separator == format_.decimal_point ? "; give .separator: ',' is the decimal point" : ""));
      if (!names) {
        table_.lines_.push_back(line);
        continue;
      }
      for (const field& f : table_.fields_) table_.names_.emplace_back(text_, f.begin, f.size);
      table_.fields_.clear();
      names = false;
    }
    if (names) throw error(std::string(kind) + " " + table_.path_ + " is empty; expected a line with names of columns");
  }

 private:
  [[noreturn]] void fail(std::int64_t line, int column, const std::string& what) const {
    table_.fail(line, column, what);
  }
  bool by_blanks() const { return format_.separator == ' '; }

  /// Passes by the end of a line, \n or \r\n, where there is one.
  bool end_of_line(int column) {
    if (at_ == text_.size()) return true;
    if (text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n')) ++at_;
    else if (text_[at_] == '\r')
      fail(line_, column, "has a carriage return within; expected lines that end with \\n or \\r\\n");
    if (at_ < text_.size() && text_[at_] != '\n') return false;
    if (at_ < text_.size()) ++at_;
    return true;
  }
  /// Passes by a line that is no row: empty, or a comment.
  bool skip_line() {
    if (format_.comment != 0 && text_[at_] == format_.comment) {
      at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
      return true;
    }
    if (by_blanks()) skip_blanks();
    return format_.skip_blank_lines && end_of_line(0);
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char found_separator() const {
    bool inside = false, semicolon = false, comma = false;
    for (std::size_t i = at_; i < text_.size() && (inside || text_[i] != '\n'); ++i) {
      if (text_[i] == '"') inside = !inside;
      if (inside) continue;
      if (text_[i] == '\t') return '\t';
      semicolon = semicolon || text_[i] == ';';
      comma = comma || text_[i] == ',';
    }
    return semicolon || (!comma && format_.decimal_point == ',') ? ';' : ',';
  }

  /// Reads a field and what ends it; false behind the last of a line.
  bool read_field(int column) {
    if (!by_blanks() && at_ < text_.size() && text_[at_] == '"') return read_quoted(column);
    const std::size_t begin = at_;
    while (at_ < text_.size() && !ends_field(text_[at_])) {
      if (text_[at_] == '"' && !by_blanks())
        fail(line_, column, "has a quote within; put the field in quotes, and write \"\" for one");
      ++at_;
    }
    table_.fields_.push_back({begin, at_ - begin});
    return next_field(column);
  }
  bool read_quoted(int column) {
    const std::int64_t line = line_;
    std::size_t to = ++at_;
    const std::size_t begin = to;
    while (true) {
      if (at_ == text_.size()) fail(line, column, "begins a quote that does not end; expected a second quote");
      if (text_[at_] == '"' && (at_ + 1 == text_.size() || text_[at_ + 1] != '"')) break;
      if (text_[at_] == '"') ++at_;  // two stand for one
      if (text_[at_] == '\n') ++line_;
      text_[to++] = text_[at_++];
    }
    ++at_;
    table_.fields_.push_back({begin, to - begin});
    if (at_ < text_.size() && !ends_field(text_[at_]))
      fail(line_, column, "has text behind its quotes; expected a separator or the end of the line");
    return next_field(column);
  }
  bool ends_field(char c) const {
    return c == '\n' || c == '\r' || c == format_.separator || (by_blanks() && c == '\t');
  }
  bool next_field(int column) {
    if (by_blanks()) {
      skip_blanks();
      return !end_of_line(column);
    }
    if (end_of_line(column)) return false;
    ++at_;  // the separator
    return true;
  }

  text_table& table_;
  table_format format_;
  std::string& text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
};

text_table read_table(const std::string& path, const table_format& format) try {
  constexpr std::string_view taken("\"\r\n", 3);
  if (taken.find(format.separator) != std::string_view::npos)
    throw error("table format has a quote or the end of a line for a separator; give another character");
  if (format.decimal_point != '.' && format.decimal_point != ',')
    throw error("table format has a decimal point that is neither '.' nor ','; give one of them");
  text_table table;
  table.path_ = path;
  table.text_ = detail::read_file(kind, path);
  table.decimal_point_ = format.decimal_point;
  text_table::reader(table, format).read();
  return table;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::string_view text_table::at(std::int64_t row, int column) const {
  const field& f = fields_[static_cast<std::size_t>(row * columns_ + column)];
  return std::string_view(text_).substr(f.begin, f.size);
}

int text_table::find(const table_column& wanted) const {
  const std::string table = std::string(kind) + " " + path_;
  if (columns_ == 0) throw error(table + " has no columns; it is empty");
  if (!wanted.is_name()) {
    if (wanted.number() >= 0 && wanted.number() < columns_) return wanted.number();
    throw error(table + " has no column " + std::to_string(wanted.number()) + "; " +
                (columns_ == 1 ? "its only one is 0" : "columns are 0 to " + std::to_string(columns_ - 1)));
  }
  constexpr int most = 8;
  int found = -1;
  std::string all;
  for (int c = 0; c < static_cast<int>(names_.size()); ++c) {
    const std::string& name = names_[static_cast<std::size_t>(c)];
    if (c < most) all += (c == 0 ? "" : ", ") + in_quotes(name);
    if (c == most) all += " and " + std::to_string(columns_ - most) + " more";
    if (name != wanted.name()) continue;
    if (found >= 0)
      throw error(table + " has two columns " + in_quotes(name) + "; give the number of one, " + std::to_string(found) +
                  " or " + std::to_string(c));
    found = c;
  }
  if (found >= 0) return found;
  throw error(table + " has no column " + in_quotes(wanted.name()) +
              (names_.empty() ? "; it was read without a header: give a number" : "; it has " + all));
}

void text_table::fail(std::int64_t line, int column, const std::string& what) const {
  const auto c = static_cast<std::size_t>(column);
  throw error(std::string(kind) + " " + path_ + " line " + std::to_string(line) + " column " + std::to_string(column) +
              (c < names_.size() ? " " + in_quotes(names_[c]) : "") + " " + what);
}

std::int64_t text_table::integer(std::int64_t row, int column, const std::int64_t* missing) const {
  const std::string_view word = at(row, column);
  if (const std::optional<std::int64_t> value = detail::integer(word)) return *value;
  const bool empty = without_blanks(word).empty();
  if (empty && missing != nullptr) return *missing;
  fail(lines_[static_cast<std::size_t>(row)], column,
       empty ? "is empty; expected a 64-bit integer, or give what stands for a missing one"
             : "has " + in_quotes(word) + "; expected a 64-bit integer");
}

double text_table::number(std::int64_t row, int column, const double* missing) const {
  const std::string_view word = at(row, column);
  if (const std::optional<double> value = number_of(word, decimal_point_)) return *value;
  const bool empty = without_blanks(word).empty();
  if (empty && missing != nullptr) return *missing;
  const std::int64_t line = lines_[static_cast<std::size_t>(row)];
  if (empty) fail(line, column, "is empty; expected a number, or give what stands for a missing one");
  const char other = decimal_point_ == '.' ? ',' : '.';
  fail(line, column,
       "has " + in_quotes(word) + "; expected a number" +
           (number_of(word, other) ? std::string(", or give .decimal_point = '") + other + '\'' : ""));
}

std::vector<std::string_view> text_table::words(const table_column& column) const& try {
  const int c = find(column);
  std::vector<std::string_view> list;
  for (std::int64_t r = 0; r < rows(); ++r) list.push_back(at(r, c));
  return list;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::string> text_table::words(const table_column& column) const&& try {
  const std::vector<std::string_view> list = words(column);
  return {list.begin(), list.end()};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::int64_t> text_table::integers_of(int column, const std::int64_t* missing) const try {
  std::vector<std::int64_t> list;
  for (std::int64_t r = 0; r < rows(); ++r) list.push_back(integer(r, column, missing));
  return list;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
std::vector<std::int64_t> text_table::integers(const table_column& column) const {
  return integers_of(find(column), nullptr);
}
std::vector<std::int64_t> text_table::integers(const table_column& column, std::int64_t missing) const {
  return integers_of(find(column), &missing);
}

std::vector<double> text_table::numbers_of(int column, const double* missing) const try {
  std::vector<double> list;
  for (std::int64_t r = 0; r < rows(); ++r) list.push_back(number(r, column, missing));
  return list;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
std::vector<double> text_table::numbers(const table_column& column) const { return numbers_of(find(column), nullptr); }
std::vector<double> text_table::numbers(const table_column& column, double missing) const {
  return numbers_of(find(column), &missing);
}

std::vector<int> text_table::numbers_of(const table_columns& columns) const {
  std::vector<int> named;
  for (const table_column& column : columns.named()) named.push_back(find(column));
  if (!columns.are_left_out()) return named;
  std::vector<int> others;
  for (int c = 0; c < columns_; ++c)
    if (std::find(named.begin(), named.end(), c) == named.end()) others.push_back(c);
  return others;
}

tensor<float> text_table::side_by_side(const table_columns& columns, const double* missing) const try {
  const std::vector<int> numbers = numbers_of(columns);
  auto t = tensor<float>::for_overwrite({rows(), static_cast<std::int64_t>(numbers.size())});
  std::int64_t to = 0;
  for (const int c : numbers) {
    for (std::int64_t r = 0; r < rows(); ++r) {
      const double value = number(r, c, missing);
      t(r, to) = static_cast<float>(value);
      if (std::isfinite(value) && !std::isfinite(t(r, to)))
        fail(lines_[static_cast<std::size_t>(r)], c,
             "has " + in_quotes(at(r, c)) + "; expected a number that float holds");
    }
    ++to;
  }
  return t;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
tensor<float> text_table::tensor_of(const table_columns& columns) const { return side_by_side(columns, nullptr); }
tensor<float> text_table::tensor_of(const table_columns& columns, double missing) const {
  return side_by_side(columns, &missing);
}

std::int64_t vertex_names::add(std::string_view name) try {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  const std::int64_t number = size();
  numbers_.emplace(name, number);
  names_.emplace_back(name);
  return number;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::int64_t vertex_names::find(std::string_view name) const try {
  const auto known = numbers_.find(name);
  if (known == numbers_.end())
    throw error("no vertex has the name " + in_quotes(name) + "; add it, or leave its row out");
  return known->second;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::int64_t> vertex_names::add(std::span<const std::string_view> names) try {
  std::vector<std::int64_t> numbers;
  for (const std::string_view name : names) numbers.push_back(add(name));
  return numbers;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::int64_t> vertex_names::find(std::span<const std::string_view> names) const try {
  std::vector<std::int64_t> numbers;
  for (const std::string_view name : names) numbers.push_back(find(name));
  return numbers;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::int64_t> vertex_names::add(std::span<const std::string> names) try {
  return add(std::vector<std::string_view>(names.begin(), names.end()));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::int64_t> vertex_names::find(std::span<const std::string> names) const try {
  return find(std::vector<std::string_view>(names.begin(), names.end()));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
