// Attention of GAT, for vertices and, with features of edges, for edges.
#include "heads.hpp"
#include "programs.hpp"

namespace {

using stg::package::heads, stg::package::width, stg::package::slope, stg::package::mask;

constexpr auto h = stg::vertex_feature<"h", heads, width>;
constexpr auto att_src = stg::parameter<"att_src", heads, width>;
constexpr auto att_dst = stg::parameter<"att_dst", heads, width>;
constexpr auto along = stg::edge_feature<"along", heads, 1>;

template <class V> constexpr auto at_ends(V v) {
  auto e = v.in_edges();
  return e.src(sum(v(h) * att_src, stg::axis<-1>, stg::keepdim)) + sum(v(h) * att_dst, stg::axis<-1>, stg::keepdim);
}

constexpr auto plain = [](auto v) { return sum(softmax(stg::package::leaky(at_ends(v))) * v.in_edges().src(h)); };
constexpr auto masked = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(stg::package::leaky(at_ends(v))) * e(mask) * e.src(h));
};
constexpr auto with_edges = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(stg::package::leaky(at_ends(v) + e(along))) * e.src(h));
};
constexpr auto with_edges_masked = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(stg::package::leaky(at_ends(v) + e(along))) * e(mask) * e.src(h));
};

}  // namespace

void stg::package::add_gat(python_module& m) {
  m.program<plain>("gat", "Σ_j softmax_j(leaky(att_src h_j + att_dst h_i)) h_j, for each head.");
  m.training<plain, h, att_src, att_dst>("gat");
  m.training<masked, h, att_src, att_dst>("gat_masked");
  m.program<with_edges>("gat_edges", "The same with `along`, a number for each edge and head, in the scores.");
  m.training<with_edges, h, att_src, att_dst, along>("gat_edges");
  m.training<with_edges_masked, h, att_src, att_dst, along>("gat_edges_masked");
}
