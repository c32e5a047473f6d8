// Reading the coordinates of a matrix: its banner, its sizes, and an entry on each line.
#include "matrix_market.hpp"  // read_matrix_market

#include "../tensor/held_values.hpp"  // holds
#include "word.hpp"                   // in_quotes, integer, real_number

#include <array>     // array
#include <cctype>    // tolower
#include <optional>  // optional

namespace stg::detail {

namespace {

constexpr std::string_view mark = "%%matrixmarket";  // letters of any case, as in all words of the banner

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// What the banner says of the entries.
struct entries_format {
  std::string field, symmetry;
};

entries_format read_banner(text_lines& lines) {
  lines.next_word();  // the mark
  const auto word = [&](const char* name, std::initializer_list<std::string_view> known, const char* expected) {
    const std::string_view given = lines.next_word();
    const std::string lower = lower_case(given);
    for (const std::string_view k : known)
      if (lower == k) return lower;
    lines.fail("has " + std::string(name) + " " + in_quotes(given) + "; expected " + expected);
  };
  word("object", {"matrix"}, "matrix");
  word("format", {"coordinate"}, "coordinate: the entries of a sparse matrix are edges");
  const std::string field = word("field", {"real", "integer", "pattern"}, "real, integer or pattern");
  const std::string symmetry =
      word("symmetry", {"general", "symmetric", "skew-symmetric"}, "general, symmetric or skew-symmetric");
  if (field == "pattern" && symmetry == "skew-symmetric")
    lines.fail("is of a skew-symmetric pattern; expected entries that have a sign");
  if (!lines.rest().empty()) lines.fail("has more than five words; expected %%MatrixMarket matrix coordinate ...");
  return {field, symmetry};
}

/// A row or column, or a size; from least to most.
std::int64_t read_integer(text_lines& lines, const char* name, std::int64_t least, std::int64_t most) {
  const std::string_view word = lines.next_word();
  const std::optional<std::int64_t> number = integer(word);
  if (!number || *number < least || *number > most)
    lines.fail("has " + std::string(name) + " " + in_quotes(word) + "; expected an integer from " +
               std::to_string(least) + " to " + std::to_string(most));
  return *number;
}

double read_value(text_lines& lines, const std::string& field) {
  const std::string_view word = lines.next_word();
  const std::optional<double> value = real_number(word);
  if (!value) lines.fail("has value " + in_quotes(word) + "; expected a number");
  if (field == "integer")
    if (const auto whole = integer(word); !whole || !holds<double>(*whole))
      lines.fail("has value " + in_quotes(word) + "; expected an integer that a double holds");
  return *value;
}

}  // namespace

bool is_matrix_market(std::string_view first_line) {
  return first_line.size() >= mark.size() && lower_case(first_line.substr(0, mark.size())) == mark;
}

edge_list_text read_matrix_market(text_lines& lines) {
  const entries_format format = read_banner(lines);
  if (!lines.next_row()) lines.fail("is the last; expected a line of sizes: rows columns entries");
  constexpr std::int64_t most = INT64_MAX;
  const std::int64_t rows = read_integer(lines, "rows", 0, most), columns = read_integer(lines, "columns", 0, most);
  const std::int64_t entries = read_integer(lines, "entries", 0, most), line_of_sizes = lines.number();
  if (!lines.rest().empty()) lines.fail("has more than three words; expected sizes: rows columns entries");
  if (rows != columns)
    lines.fail("is of " + std::to_string(rows) + " rows and " + std::to_string(columns) +
               " columns; expected as many, since both are the vertices");

  edge_list_text edges;
  edges.least_vertices = rows;
  const bool is_weighted = format.field != "pattern", is_skew = format.symmetry == "skew-symmetric";
  const auto add = [&](std::int64_t src, std::int64_t dst, double weight) {
    lines.add(edges.src, src);
    lines.add(edges.dst, dst);
    if (is_weighted) lines.add(edges.weights, weight);
  };
  std::int64_t count = 0;
  for (; lines.next_row(); ++count) {
    if (count == entries)
      lines.fail("is entry " + std::to_string(count + 1) + "; line " + std::to_string(line_of_sizes) + " says " +
                 std::to_string(entries));
    const std::int64_t row = read_integer(lines, "row", 1, rows), column = read_integer(lines, "column", 1, rows);
    const double weight = is_weighted ? read_value(lines, format.field) : 0;
    if (!lines.rest().empty())
      lines.fail(std::string("has more words; expected row column") + (is_weighted ? " value" : ""));
    add(row - 1, column - 1, weight);
    if (format.symmetry == "general") continue;
    if (column > row) lines.fail("is above the diagonal of a " + format.symmetry + " matrix; expected entries below");
    if (column == row && is_skew) lines.fail("is on the diagonal of a skew-symmetric matrix; expected entries below");
    if (column < row) add(column - 1, row - 1, is_skew ? -weight : weight);
  }
  if (count < entries)
    lines.fail("is the last; expected " + std::to_string(entries) + " entries, as line " +
               std::to_string(line_of_sizes) + " says, and found " + std::to_string(count));
  return edges;
}

}  // namespace stg::detail
