// A message in a program over blocks.
// build error: stg: messages between ranks are of a program for a whole graph or a part, not for blocks
#include <stg/dsl/messages.hpp>
#include <stg/runtime/blocks.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
constexpr auto model = [](auto v) {
  return matmul(mean(v.in_edges().src(x)), stg::sum_over_ranks<"w">(v, W));
};
auto result(const stg::blocks& on, const stg::tensor<float>& X, const stg::tensor<float>& w) {
  return stg::compile<model>()(on, x = X, W = w);  // <- here
}
