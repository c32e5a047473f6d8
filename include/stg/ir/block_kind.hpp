// The meaning of the vertex sets and relations in a program that runs over the blocks of a sample, hop by hop.
#pragma once

#include <stg/base/standard.hpp>  // C++20

namespace stg::ir {

/// Vertices of a set are told by hops: set 0 holds the seeds, set k the seeds and all vertices that k hops reach from
/// them, so that each set holds the first rows of the next. `all_hops` is the set of all sampled vertices.
inline constexpr int all_hops = 64;

/// One of a program's kinds: a set of vertices, or a relation that ends in it.
struct block_kind {
  enum class role : int {
    vertices,  // of set `hop`
    edges,     // from set hop + 1 of its sources into set `hop`: the edges that a hop took
    rows,      // from set `from`, which is larger: a vertex there to itself
    degrees    // no edges to go along: how many each vertex of the set has
  };
  role what = role::vertices;
  int hop = 0, from = 0;
  int of = 0;  // the program's own set or relation; for edges and degrees a relation

  constexpr bool operator==(const block_kind&) const = default;
};

}  // namespace stg::ir
