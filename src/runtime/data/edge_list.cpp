// Reading edge lists line by line.
#include "../graph/named_vertices.hpp"  // vertices_named
#include "matrix_market.hpp"            // is_matrix_market, read_matrix_market
#include "text_lines.hpp"               // text_lines
#include "word.hpp"                     // in_quotes, integer, real_number

#include <stg/base/error.hpp>             // error
#include <stg/data/edge_list.hpp>         // read_edge_list
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // all_of, max
#include <optional>   // optional

namespace stg {

namespace {

/// Whether row v of those behind the first has the two neighbours of vertex v, counted from 1, and these have it.
bool are_neighbours(const edge_list_text& edges) {
  for (std::size_t v = 1; v < edges.src.size(); ++v)
    for (const std::int64_t neighbour : {edges.src[v], edges.dst[v]}) {
      const auto at = static_cast<std::size_t>(neighbour);
      if (neighbour < 1 || at >= edges.src.size()) return false;
      const auto vertex = static_cast<std::int64_t>(v);
      if (edges.src[at] != vertex && edges.dst[at] != vertex) return false;
    }
  return true;
}

/// Whether the first row counts what follows, as other formats have it, and is no edge: rows, columns and entries of a
/// square matrix; vertices and edges, where as a vertex the latter is beyond all others, or where the rows are those of
/// a METIS file. A row or two behind it may be so by chance.
bool begins_with_counts(const edge_list_text& edges) {
  const auto rows = static_cast<std::int64_t>(edges.src.size()) - 1;
  if (rows < 3) return false;
  const std::int64_t first = edges.src[0], second = edges.dst[0];
  const auto all = [&](const auto& fits) {
    return std::all_of(edges.src.begin() + 1, edges.src.end(), fits) &&
           std::all_of(edges.dst.begin() + 1, edges.dst.end(), fits);
  };
  if (!edges.weights.empty())
    return edges.weights[0] == static_cast<double>(rows) && first == second &&
           all([&](std::int64_t v) { return v >= 1 && v <= first; });
  if (second != rows) return false;
  return second == first ? are_neighbours(edges)
                         : second - 1 > first && all([&](std::int64_t v) { return v <= first; });
}

}  // namespace

std::int64_t edge_list_text::vertices() const { return std::max(least_vertices, detail::vertices_named(src, dst)); }

edge_list_text read_edge_list(const std::string& path) try {
  detail::text_lines lines("edge list", path);
  edge_list_text edges;
  std::int64_t first_row = 0;
  while (lines.next_line()) {
    if (lines.number() == 1 && detail::is_matrix_market(lines.rest())) return detail::read_matrix_market(lines);
    if (lines.is_no_row()) continue;
    const bool is_first = edges.src.empty();
    if (is_first) first_row = lines.number();
    const std::string_view first = lines.next_word(), words[] = {first, lines.next_word()};
    std::int64_t ends[2] = {};
    for (int i = 0; i < 2; ++i) {
      const std::string field = i == 0 ? "source" : "destination";
      if (words[i].empty())
        lines.fail("has no " + field + "; expected: src dst [weight]" + (is_first ? ", and no line of counts" : ""));
      const std::optional<std::int64_t> end = detail::integer(words[i]);
      if (!end)
        lines.fail("has " + field + " " + detail::in_quotes(words[i]) + "; expected a 64-bit integer" +
                   (is_first ? "; read_table takes headers and names" : ""));
      ends[i] = *end;
      if (ends[i] < 0) lines.fail("has " + field + " " + std::to_string(ends[i]) + "; expected 0 or more");
    }
    const std::string_view third = lines.next_word();
    const std::optional<double> weight = detail::real_number(third);
    if (!third.empty() && !weight) lines.fail("has weight " + detail::in_quotes(third) + "; expected a number");
    if (!lines.rest().empty())
      lines.fail(
          "has more than three words; expected: src dst [weight]; read_table takes more columns, and weights with a "
          "decimal comma: {.separator = ' ', .header = false, .decimal_point = ','}");
    if (!is_first && third.empty() != edges.weights.empty()) {
      const bool behind_first = edges.src.size() == 1;  // which may be no edge
      lines.fail(std::string(third.empty() ? "has no weight; expected one" : "has a weight; expected none") +
                 " as on the lines before" + (behind_first ? ", and no line of counts, as METIS files have it" : ""));
    }
    if (!third.empty()) lines.add(edges.weights, *weight);
    lines.add(edges.src, ends[0]);
    lines.add(edges.dst, ends[1]);
  }
  if (edges.src.empty() && (path.ends_with(".mtx") || path.ends_with(".mtx.gz")))
    throw error("edge list " + path + " has no %%MatrixMarket in its first line; a matrix begins with it");
  if (begins_with_counts(edges))
    lines.fail_at(first_row, "counts the rows behind it; take it out, or put it behind one of them if it is an edge");
  return edges;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
