// Reading edge lists line by line.
#include "file.hpp"                     // open_file
#include "word.hpp"                     // in_quotes, integer, real_number
#include "../graph/named_vertices.hpp"  // vertices_named

#include <stg/base/error.hpp>      // error
#include <stg/data/edge_list.hpp>  // read_edge_list

#include <algorithm>    // min
#include <fstream>      // ifstream, getline
#include <optional>     // optional
#include <string_view>  // string_view

namespace stg {

namespace {

void skip_blanks(std::string_view& line) { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); }

/// Cuts the next word off the front of a line, with the blanks around it and a comma behind it; empty at the line's
/// end, and between two commas.
std::string_view next_word(std::string_view& line) {
  skip_blanks(line);
  const std::string_view word = line.substr(0, line.find_first_of(" \t,"));
  line.remove_prefix(word.size());
  skip_blanks(line);
  if (line.starts_with(',')) line.remove_prefix(1);
  return word;
}

}  // namespace

std::int64_t edge_list_text::vertices() const { return detail::vertices_named(src, dst); }

edge_list_text read_edge_list(const std::string& path) {
  std::ifstream stream = detail::open_file("edge list", path);

  edge_list_text edges;
  std::string text;
  for (std::int64_t number = 1; std::getline(stream, text); ++number) {
    const auto fail = [&](const std::string& what) {
      throw error("edge list " + path + " line " + std::to_string(number) + " " + what);
    };
    std::string_view line = text;
    if (number == 1) detail::skip_byte_order_mark("edge list", path, line);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find('\r') != std::string_view::npos)
      fail("has a carriage return within; expected lines that end with \\n or \\r\\n");
    skip_blanks(line);
    if (line.empty() || line[0] == '#' || line[0] == '%') continue;
    const std::string_view first = next_word(line), words[] = {first, next_word(line)};
    std::int64_t ends[2] = {};
    for (int i = 0; i < 2; ++i) {
      const std::string field = i == 0 ? "source" : "destination";
      if (words[i].empty()) fail("has no " + field + "; expected: src dst [weight]");
      const std::optional<std::int64_t> end = detail::integer(words[i]);
      if (!end)
        fail("has " + field + " " + detail::in_quotes(words[i]) + "; expected a 64-bit integer" +
             (edges.src.empty() ? "; read_table takes headers and names" : ""));
      ends[i] = *end;
      if (ends[i] < 0) fail("has " + field + " " + std::to_string(ends[i]) + "; expected 0 or more");
    }
    const std::string_view third = next_word(line);
    const std::optional<double> weight = detail::real_number(third);
    if (!third.empty() && !weight) fail("has weight " + detail::in_quotes(third) + "; expected a number");
    if (!line.empty())
      fail(
          "has more than three words; expected: src dst [weight]; read_table takes more columns, and weights with a "
          "decimal comma: {.separator = ' ', .header = false, .decimal_point = ','}");
    if (third.empty() == edges.weights.empty() || edges.src.empty()) {
      if (!third.empty()) edges.weights.push_back(*weight);
    } else {
      fail(third.empty() ? "has no weight; expected one as on the lines before"
                         : "has a weight; expected none as on the lines before");
    }
    edges.src.push_back(ends[0]);
    edges.dst.push_back(ends[1]);
  }
  if (stream.bad()) throw error("edge list " + path + " cannot be read to its end; check the disk");
  return edges;
}

}  // namespace stg
