// A weight decay before its parameter.
// build error: stg: weight decay is set by a symbol, then a number: optimizer\.weight_decay\(W, 5e-4\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();
stg::adam optimizer(params);

void set() {
  optimizer.weight_decay(5e-4, W);  // <- here
}
