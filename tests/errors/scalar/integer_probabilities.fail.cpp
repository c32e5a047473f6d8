// Log-probabilities that are integers.
// build error: stg: nll takes real log-probabilities; write cast<f32>\(x\)
// allows: further errors
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return nll(v(codes), v(label));  // <- here
};
auto compiled = stg::compile<model>();
