// The twin of nll_float_mask.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto weight = stg::vertex_feature<"weight">;
constexpr auto model = [](auto v) {
  return nll(log_softmax(v(x)), v(label), v(weight) > 0.5);
};
auto compiled = stg::compile<model>();
