// Sparse matrices in NIST's Matrix Market format, as edges.
#pragma once

#include "text_lines.hpp"  // text_lines

#include <stg/data/edge_list.hpp>  // edge_list_text

#include <string_view>  // string_view

namespace stg::detail {

/// Whether a file's first line says that it is a Matrix Market file.
bool is_matrix_market(std::string_view first_line);

/// Reads the matrix of a file whose first line is the current one. Boisvert, Pozo and Remington, The Matrix Market
/// Exchange Formats, NISTIR 5935, 1996.
edge_list_text read_matrix_market(text_lines& lines);

}  // namespace stg::detail
