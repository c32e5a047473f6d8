// A graph for each step, and one feature of edges for all of them.
// build error: stg: a graph_sequence has other edges at each step; declare the feature of each: over<"T">\(\.\.\.\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto w = stg::edge_feature<"w">;
constexpr auto body = [](auto v, auto h) {
  auto e = v.in_edges();
  return tanh(h + sum(e(w) * e.src(h)));
};
constexpr auto loss = [](auto v) {
  return sum(sum(stg::scan<"T">(v, body, v(x)), stg::axis<0>), stg::all_vertices);
};
auto result(const stg::graph_sequence& days, const stg::tensor<float>& X, const stg::edge_values<float>& weights) {
  auto step = stg::value_and_grad<loss, x>();
  return step(days, x = X, w = weights).loss;  // <- here
}
