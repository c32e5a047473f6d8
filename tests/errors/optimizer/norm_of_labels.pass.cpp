// The twin of norm_of_labels.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto score = stg::vertex_feature<"score", 16>;
constexpr auto shift = stg::vertex_feature<"shift", 16>;
constexpr auto scores = [](auto v) {
  return stg::outputs(score = 2.0 * v(x), shift = v(x) - 1.0);
};
auto scoring = stg::compile<scores>();
auto length(const stg::graph& graph, const stg::tensor<float>& X) {
  auto out = scoring(graph, x = X);
  return stg::norm(out);
}
