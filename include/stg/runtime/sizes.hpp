// Sizes that a program leaves open until it is called: of the graph, and of its named extents.
#pragma once

#include <cstdint>      // int64_t
#include <type_traits>  // remove_const_t
#include <vector>       // vector

#include <stg/base/name.hpp>            // fixed_string
#include <stg/base/text.hpp>            // text
#include <stg/runtime/checkpoints.hpp>  // checkpoints

namespace stg {

/// The size of a named run-time extent: sized<"F">(1433).
struct extent_size {
  text name;
  std::int64_t size;
};
template <class Name> struct sized_extent : extent_size { using name = Name; };
template <fixed_string Name> auto sized(std::int64_t size) {
  using spelled = std::remove_const_t<decltype(detail::spell<Name, stg::name>::value)>;
  return sized_extent<spelled>{{text(Name.view()), size}};
}

/// A graph and extents to ask about before there is data: stg::sizes{.vertices = 2708, .edges = 13264, .extents =
/// {sized<"F">(1433)}}.
struct sizes {
  std::int64_t vertices = 0, edges = 0;
  std::vector<extent_size> extents{};
  std::vector<extent_size> entries{};  // of sparse features by name, for what `explain` counts; memory depends on none
  std::int64_t all_edges = 0;          // of a graph_sequence: of all steps; `edges` are then those of the largest
  checkpoints keep{};                  // of the steps of scans, in training: {.every = 30}
  std::vector<extent_size> kinds{};    // vertices of vertex sets and edges of relations by name: sized<"paper">(2708)
};

}  // namespace stg
