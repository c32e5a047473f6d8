// The twin of on_blocks.fail.cpp.
#include <stg/dsl/messages.hpp>
#include <stg/runtime/blocks.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
constexpr auto model = [](auto v) {
  return matmul(mean(v.in_edges().src(x)), W);
};
auto result(const stg::blocks& on, const stg::tensor<float>& X, const stg::tensor<float>& w) {
  return stg::compile<model>()(on, x = X, W = w);
}
