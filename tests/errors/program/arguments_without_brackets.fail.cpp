// What a call is given, within the brackets of compile.
// build error: stg: what is called stands behind \(\): stg::compile<model>\(\)\(graph, x = X\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto result(const stg::graph& graph, const stg::tensor<float>& X) {
  return stg::compile<model>(graph, x = X);  // <- here
}
