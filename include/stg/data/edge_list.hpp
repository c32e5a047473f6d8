// Reading edge lists from text.
#pragma once

#include <cstdint>  // int64_t
#include <string>   // string
#include <vector>   // vector

namespace stg {

/// Edges as a text file lists them. `weights` is empty when the lines have none.
struct edge_list_text {
  std::vector<std::int64_t> src, dst;
  std::vector<double> weights;
  /// One more than the largest vertex, 0 without edges.
  std::int64_t vertices() const;
};

/// Reads `src dst [weight]` per line, separated by blanks, tabs or commas; empty lines and lines that begin with # or %
/// are skipped. Lines end with \n or \r\n, a UTF-8 byte order mark is skipped, and numbers have a decimal point in
/// every locale, and a plus sign where they like. Vertices are taken as they stand, not renumbered. Errors name the
/// file and the line: what is no file, a word that is no number, or none between commas, a negative vertex, a weight on
/// some lines only, more than three words, text in UTF-16. What has a header, names for vertices or other columns,
/// `read_table` reads (stg/data/table.hpp).
///
///   auto e = stg::read_edge_list("wiki-Vote.txt");
///   auto g = stg::graph::from_edges(e.vertices(), e.src, e.dst);
edge_list_text read_edge_list(const std::string& path);

}  // namespace stg
