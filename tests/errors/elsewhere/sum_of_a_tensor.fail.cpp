// The sum of a tensor.
// build error: stg: a tensor only holds numbers; sum and mean stand in a program: mean\(v\(x\), \.\.\.\)
// each NAME: sum mean
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto model = [](auto v) {
  return mean(v(x), stg::all_vertices);
};
auto compiled = stg::compile<model>();

auto result([[maybe_unused]] const stg::graph& graph, const stg::tensor<float>& X) {
  return X.NAME().item();  // <- here
}
