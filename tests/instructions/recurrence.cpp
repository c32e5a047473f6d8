// A recurrence of a small graph, whose steps are too short for what a step's launch would take if it were laid out
// anew.
#include "layer.hpp"  // add_forward, add_backward

namespace instructions {
namespace {

constexpr std::int64_t vertices = 20, steps = 100;
constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 32>);
constexpr auto U = stg::parameter<"U", 32, 32>;
constexpr auto recurrence = [](auto v) {
  return stg::scan<"T">(
      v, [](auto v, auto h) { return relu(v(x) + mean(v.in_edges().src(matmul(h, U)))); }, stg::zeros<32>(v));
};

/// Five edges into each vertex.
stg::graph small_graph() {
  std::vector<std::int64_t> src, dst;
  for (std::int64_t v = 0; v < vertices; ++v)
    for (std::int64_t k = 1; k <= 5; ++k) {
      src.push_back((v + k * k) % vertices);
      dst.push_back(v);
    }
  return stg::graph::from_edges(vertices, src, dst);
}

}  // namespace

void add_recurrence(std::vector<kernel>& all) {
  struct inputs {
    stg::graph on;
    stg::tensor<float> x, U;
  };
  const auto in =
      std::make_shared<inputs>(inputs{small_graph(), numbers({steps, vertices, 32}, 1), numbers({32, 32}, 2)});
  const auto bind = [in](auto call) { return call(in->on, x = in->x, U = in->U); };
  add_forward<recurrence>(all, "recurrence_32_forward", steps, bind, "step");
  add_backward<recurrence>(all, "recurrence_32_backward", steps, bind, "step");
}

}  // namespace instructions
