// Edges of all steps, read step by step in a scan that lies in another one.
// build error: stg: a graph_sequence has a graph for each step of the outermost scan; read its edges' values there
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto w = stg::over<"T">(stg::edge_feature<"w">);
constexpr auto heard = [](auto v, auto h) {
  auto e = v.in_edges();
  return tanh(h + sum(e(w) * e.src(h)));
};
constexpr auto twice = [](auto v, auto h) {
  return stg::scan<"T">(v, heard, h);
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, twice, v(x));
};
auto result(const stg::graph_sequence& days, const stg::tensor<float>& X) {
  auto recorder = stg::compile_for_training<model, x>();
  return recorder.record(days, x = X, w = days.weights()).bytes();  // <- here
}
