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

STG_PYTHON(stg_test_programs, m) {
  m.program<attention>("attention", "Attention of eight heads.");
  m.training<attention, h, el, er>("attention");
  m.program<attention_f64>("attention_f64");
  m.training<attention_f64, h64, el64, er64>("attention_f64");
  m.program<weighted>("weighted");
  m.training<weighted, x, w>("weighted");
  m.loss<loss>("loss");
  m.program<looked_up>("looked_up");
  m.training<looked_up, table>("looked_up");
  m.program<of_papers>("of_papers");
  m.training<of_papers, known, share>("of_papers");
  m.program_on_blocks<two_hops>("two_hops");
  m.training_on_blocks<two_hops, x>("two_hops");
  m.fixed<scaled, x, w>("scaled");
  m.training<halved, x>("halved");
  m.training<curved, z, q>("curved");
  m.gradients<curved, d, z, q>("curved");
  m.program<summed>("summed");
}
