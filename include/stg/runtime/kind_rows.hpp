// The rows of one vertex set or relation, as calls and kernels read them.
#pragma once

#include <cstdint>  // int64_t

#include <stg/runtime/adjacency.hpp>  // adjacency

namespace stg {

/// A vertex set or relation of a program in a graph: its vertices or edges; of a relation the rows of its destinations
/// and of its sources, of a set as many rows without edges.
struct kind_rows {
  std::int64_t rows = 0;
  adjacency in{}, out{};
};

}  // namespace stg
