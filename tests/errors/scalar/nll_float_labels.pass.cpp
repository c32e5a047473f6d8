// The twin of nll_float_labels.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return nll(log_softmax(v(x)), v(label), v(mask));
};
auto compiled = stg::compile<model>();
