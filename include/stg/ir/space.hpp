// Where values live: one per vertex, one per edge, or one for the whole graph; and the direction edges are seen from.
#pragma once

#include <string_view>  // string_view

namespace stg::ir {

enum class space : int { vertex, edge, graph };

/// The side that owns an edge: in-edges belong to their destination, out-edges to their source.
enum class direction : int { in, out };

/// The side on which an edge belongs to its other end.
constexpr direction opposite(direction d) { return d == direction::in ? direction::out : direction::in; }

constexpr std::string_view name_of(space s) {
  constexpr std::string_view names[] = {"vertex", "edge", "graph"};
  return names[static_cast<int>(s)];
}
constexpr std::string_view name_of(direction d) { return d == direction::in ? "in" : "out"; }

}  // namespace stg::ir
