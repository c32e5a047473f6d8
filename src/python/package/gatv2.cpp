// Attention of GATv2, for vertices and, with features of edges, for edges.
#include "heads.hpp"
#include "programs.hpp"

namespace {

using stg::package::heads, stg::package::width, stg::package::slope, stg::package::mask;

constexpr auto source = stg::vertex_feature<"source", heads, width>;
constexpr auto destination = stg::vertex_feature<"destination", heads, width>;
constexpr auto att = stg::parameter<"att", heads, width>;
constexpr auto along = stg::edge_feature<"along", heads, width>;

template <class Rows> constexpr auto shares(Rows rows) {
  return softmax(sum(stg::package::leaky(rows) * att, stg::axis<-1>, stg::keepdim));
}

constexpr auto plain = [](auto v) {
  auto e = v.in_edges();
  return sum(shares(e.src(source) + v(destination)) * e.src(source));
};
constexpr auto masked = [](auto v) {
  auto e = v.in_edges();
  return sum(shares(e.src(source) + v(destination)) * e(mask) * e.src(source));
};
constexpr auto with_edges = [](auto v) {
  auto e = v.in_edges();
  return sum(shares(e.src(source) + v(destination) + e(along)) * e.src(source));
};
constexpr auto with_edges_masked = [](auto v) {
  auto e = v.in_edges();
  return sum(shares(e.src(source) + v(destination) + e(along)) * e(mask) * e.src(source));
};

}  // namespace

void stg::package::add_gatv2(python_module& m) {
  m.program<plain>("gatv2", "Σ_j softmax_j(att leaky(source_j + destination_i)) source_j, for each head.");
  m.training<plain, source, destination, att>("gatv2");
  m.training<masked, source, destination, att>("gatv2_masked");
  m.program<with_edges>("gatv2_edges", "The same with `along`, a row for each edge, in the scores.");
  m.training<with_edges, source, destination, att, along>("gatv2_edges");
  m.training<with_edges_masked, source, destination, att, along>("gatv2_edges_masked");
}
