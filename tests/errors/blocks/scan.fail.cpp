// A scan over time on blocks.
// build error: stg: on blocks a scan repeats a fixed number of times, collects and draws nothing; or use batch\.graph
#include <stg/runtime/blocks.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
constexpr auto spread = [](auto v, auto h) {
  return mean(v.in_edges().src(h));
};
constexpr auto model = [](auto v) {
  return matmul(stg::scan<"T">(v, spread, v(x)), W);
};
auto result(const stg::blocks& on, const stg::tensor<float>& X, const stg::tensor<float>& w) {
  return stg::compile<model>()(on, x = X, W = w);  // <- here
}
