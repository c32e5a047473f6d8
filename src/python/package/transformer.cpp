// Attention of the graph transformer, for vertices and, with features of edges, for edges.
#include "heads.hpp"
#include "programs.hpp"

namespace {

using stg::package::heads, stg::package::width, stg::package::mask;

constexpr auto query = stg::vertex_feature<"query", heads, width>;  // divided by √width by the caller
constexpr auto key = stg::vertex_feature<"key", heads, width>;
constexpr auto value = stg::vertex_feature<"value", heads, width>;
constexpr auto along = stg::edge_feature<"along", heads, width>;

template <class V, class Key> constexpr auto shares(V v, Key of_edges) {
  return softmax(sum(v(query) * of_edges, stg::axis<-1>, stg::keepdim));
}

constexpr auto plain = [](auto v) {
  auto e = v.in_edges();
  return sum(shares(v, e.src(key)) * e.src(value));
};
constexpr auto masked = [](auto v) {
  auto e = v.in_edges();
  return sum(shares(v, e.src(key)) * e(mask) * e.src(value));
};
constexpr auto with_edges = [](auto v) {
  auto e = v.in_edges();
  return sum(shares(v, e.src(key) + e(along)) * (e.src(value) + e(along)));
};
constexpr auto with_edges_masked = [](auto v) {
  auto e = v.in_edges();
  return sum(shares(v, e.src(key) + e(along)) * e(mask) * (e.src(value) + e(along)));
};

}  // namespace

void stg::package::add_transformer(python_module& m) {
  m.program<plain>("transformer", "Σ_j softmax_j(query_i · key_j) value_j, for each head.");
  m.training<plain, query, key, value>("transformer");
  m.training<masked, query, key, value>("transformer_masked");
  m.program<with_edges>("transformer_edges", "The same with `along`, a row for each edge, in keys and values.");
  m.training<with_edges, query, key, value, along>("transformer_edges");
  m.training<with_edges_masked, query, key, value, along>("transformer_edges_masked");
}
