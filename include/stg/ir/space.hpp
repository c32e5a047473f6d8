// The space of values: one per vertex, one per edge, or one for the whole graph; the kind of these vertices or edges;
// and the direction edges are seen from.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <string_view>  // string_view

namespace stg::ir {

enum class space : int { vertex, edge, graph };

/// The domain of a value: one per vertex of a vertex set, one per edge of a relation, or one for the graph. Sets and
/// relations of a program are numbered together (program.kinds); a plain program has only number 0.
struct domain {
  space kind = space::graph;
  int set = 0;

  constexpr domain() = default;
  constexpr domain(space of) : kind(of) {}
  constexpr domain(space of, int number) : kind(of), set(number) {}

  constexpr bool operator==(const domain& o) const { return kind == o.kind && set == o.set; }
  /// Of any vertex set or relation.
  constexpr bool operator==(space of) const { return kind == of; }
};

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
