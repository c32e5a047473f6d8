// Reading edge lists from text.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t
#include <string>   // string
#include <vector>   // vector

namespace stg {

/// Edges as a text file lists them. `weights` is empty when the lines have none.
struct edge_list_text {
  std::vector<std::int64_t> src, dst;
  std::vector<double> weights;
  std::int64_t least_vertices = 0;  ///< rows of a Matrix Market file, of which the last may have no edge
  /// One more than the largest vertex, 0 without edges; the rows of a matrix.
  std::int64_t vertices() const;
};

/// Reads `src dst [weight]` per line, separated by blanks, tabs or commas; empty lines and lines that begin with # or %
/// are skipped. Lines end with \n or \r\n, a UTF-8 byte order mark is skipped, and numbers have a decimal point in
/// every locale, and a plus sign where they like. Vertices are taken as they stand, not renumbered. What has a header,
/// names for vertices or other columns, `read_table` reads (stg/data/table.hpp).
///
/// A file that begins with %%MatrixMarket is a matrix in coordinates, general, symmetric or skew-symmetric, of real or
/// integer numbers or a pattern without any: its entry in row i and column j, counted from 1, is the edge from i - 1 to
/// j - 1 with that weight. Each entry of a symmetric matrix beside the diagonal is followed by its mirror image, in a
/// skew-symmetric one by that of the opposite weight. Edges of an undirected graph are there both ways then.
///
/// Errors name the file and the line: what is no file, a word that is no number, or none between commas, a negative
/// vertex, a weight on some lines only, more than three words, text in UTF-16; a first line of counts (of vertices and
/// edges), if the next lines show it to be none; an empty .mtx file; of a matrix an array, complex
/// numbers, another number of rows than of columns, entries beyond the sizes or on the wrong side of the diagonal,
/// another number of them.
///
///   auto e = stg::read_edge_list("wiki-Vote.txt");             // or a matrix.mtx
///   auto g = stg::graph::from_edges(e.vertices(), e.src, e.dst);
edge_list_text read_edge_list(const std::string& path);

/// Numbers the vertices that have an edge from 0 on, in ascending order, and returns what each was called: for files
/// whose numbers have gaps.
///
///   auto e = stg::read_edge_list("follows.txt");               // 4000000007 12
///   auto names = stg::renumber(e);                             // 1 0; names[1] is 4000000007
std::vector<std::int64_t> renumber(edge_list_text& edges);

}  // namespace stg
