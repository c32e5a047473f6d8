// The twin of sequence_within.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto w = stg::over<"T">(stg::edge_feature<"w">);
constexpr auto heard = [](auto v, auto h) {
  auto e = v.in_edges();
  return tanh(h + sum(e(w) * e.src(h)));
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, heard, v(x));
};
auto result(const stg::graph_sequence& days, const stg::tensor<float>& X) {
  auto recorder = stg::compile_for_training<model, x>();
  return recorder.record(days, x = X, w = days.weights()).bytes();
}
