// The twin of sequence_outside.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  auto first = tanh(v(x));
  return stg::scan<"T">(
      v,
      [](auto v, auto h) {
        return tanh(h + mean(v.in_edges().src(h)));
      },
      first);
};
auto result(const stg::graph_sequence& days, const stg::tensor<float>& X) { return stg::compile<model>()(days, x = X); }
