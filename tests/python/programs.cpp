// The programs of a module for tests.
#include <stg/python.hpp>  // STG_PYTHON

#include "programs.hpp"  // attention, weighted, loss, of_papers, summed

using namespace stg_test;

// A sample's two hops, with values of edges.
constexpr auto two_hops = [](auto v) {
  auto near = sum(v.in_edges()(w) * v.in_edges().src(x));
  return mean(v.in_edges().src(near * near)) + near;
};
// What depends on x and w alone is most of it.
constexpr auto scaled = [](auto v) { return eps * sum(v.in_edges()(w) * v.in_edges().src(x)); };
// A result of two bytes.
constexpr auto halved = [](auto v) { return stg::cast<stg::f16>(0.5 * v(x)); };
// Second derivatives by both inputs.
constexpr auto z = stg::vertex_feature<"z", stg::f64, 3>;
constexpr auto q = stg::vertex_feature<"q", stg::f64, 3>;
constexpr auto d = stg::vertex_feature<"d", stg::f64, 3>;
constexpr auto curved = [](auto v) { return sum(tanh(v.in_edges().src(z))) * v(q) * v(q); };
// The same of several results, of vertices, edges and the graph, and one that has no gradient.
constexpr auto strength = stg::edge_feature<"strength", stg::f64>;
constexpr auto d_edges = stg::edge_feature<"d_edges", stg::f64>;
constexpr auto d_total = stg::scalar<"d_total", stg::f64>;
constexpr auto bent = [](auto v) {
  auto e = v.in_edges();
  auto rows = e(strength) * e(strength) * sum(e.src(z) * e.src(q), stg::axis<0>);
  return stg::outputs(tanh(sum(e.src(z))) * v(q), stg::cast<stg::i32>(v(z)), rows,
                      sum(sum(v(z) * v(z) * v(z), stg::axis<0>), stg::all_vertices));
};
// What depends on x and the graph alone is computed once.
constexpr auto projected = [](auto v) { return matmul(tanh(mean(v.in_edges().src(x))), W); };

STG_PYTHON(stg_test_programs, m) {
  m.program<attention>("attention", "Attention of eight heads.");
  m.training<attention, h, el, er>("attention");
  m.program<attention_f64>("attention_f64");
  m.training<attention_f64, h64, el64, er64>("attention_f64");
  m.program<weighted>("weighted");
  m.training<weighted, x, w>("weighted");
  m.loss<loss>("loss");
  m.loss<loss>("loss", stg::fixed<x>());
  m.program<looked_up>("looked_up");
  m.training<looked_up, table>("looked_up");
  m.program_on_blocks<of_papers>("of_papers");
  m.training<of_papers, known, share>("of_papers");
  m.program_on_blocks<two_hops>("two_hops");
  m.training_on_blocks<two_hops, x>("two_hops");
  m.fixed<scaled, x, w>("scaled");
  m.fixed<projected, x>("projected");
  m.training<projected, W>("projected", stg::fixed<x>());
  m.training<halved, x>("halved");
  m.training<curved, z, q>("curved");
  m.gradients<curved, d, z, q>("curved");
  m.training<bent, z, q, strength>("bent");
  m.gradients<bent, d, d_edges, d_total, z, q, strength>("bent");
  m.program<summed>("summed");
}
