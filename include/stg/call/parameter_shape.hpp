// Shapes of parameters from the sizes that a user gives: compiled once, in the library, for all programs.
#pragma once

#include <cstdint>           // int64_t
#include <initializer_list>  // initializer_list

#include <stg/ir/program.hpp>           // polynomial, shape, kind_list
#include <stg/runtime/dimensions.hpp>   // dimensions
#include <stg/runtime/edge_values.hpp>  // edge_identity
#include <stg/runtime/graph.hpp>        // graph
#include <stg/runtime/sizes.hpp>        // extent_size

namespace stg::detail {

/// Rows of a trained input on a graph, and the edges they are of; no_rows for a parameter or a graph feature.
struct trained_rows {
  std::int64_t count = no_rows;
  edge_identity edges = edge_identity::unknown;

  static constexpr std::int64_t no_rows = -1;
};
trained_rows rows_on(const ir::statement& trained, ir::kind_list kinds, const graph& on);

/// The shape of a parameter, from the sizes of its run-time extents: steps, if it has a value for each; rows, if
/// vertices or edges have one each; then its own axes.
dimensions parameter_shape(const ir::statement& parameter, const ir::polynomial* extents,
                           std::initializer_list<extent_size> sizes, std::int64_t rows = trained_rows::no_rows);
/// Error when a size is less than 1; of a number of steps, less than 0.
void check_size(const extent_size& given, bool counts_steps);

}  // namespace stg::detail
