// The gradients of a set made zero.
// build error: stg: each step gives gradients of its own, and none is kept; leave it out
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();

void begin() {
  params.zero_grad();  // <- here
}
