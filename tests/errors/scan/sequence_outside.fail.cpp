// A graph for each step, and an aggregate where there is no step.
// build error: stg: a graph_sequence has a graph for each step of a scan; read edges and degrees in its body
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  auto first = sum(v.in_edges().src(x));
  return stg::scan<"T">(
      v,
      [](auto v, auto h) {
        return tanh(h + mean(v.in_edges().src(h)));
      },
      first);
};
auto result(const stg::graph_sequence& days, const stg::tensor<float>& X) {
  return stg::compile<model>()(days, x = X);  // <- here
}
