// The norm of outputs, one of which is a label.
// build error: stg: sets of float and double are added and clipped; cast what has another scalar type
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto kind = stg::vertex_feature<"kind", stg::i32>;
constexpr auto score = stg::vertex_feature<"score", 16>;
constexpr auto model = [](auto v) {
  return stg::outputs(score = 2.0 * v(x), label = v(kind));
};
auto layer = stg::compile<model>();
auto length(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<std::int32_t>& kinds) {
  auto out = layer(graph, x = X, kind = kinds);
  return stg::norm(out);  // <- here
}
