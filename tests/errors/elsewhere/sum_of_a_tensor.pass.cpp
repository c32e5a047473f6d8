// The twin of sum_of_a_tensor.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto model = [](auto v) {
  return mean(v(x), stg::all_vertices);
};
auto compiled = stg::compile<model>();

auto result([[maybe_unused]] const stg::graph& graph, const stg::tensor<float>& X) { return compiled(graph, x = X)(0); }
