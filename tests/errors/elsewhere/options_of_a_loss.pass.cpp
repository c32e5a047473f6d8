// The twin of options_of_a_loss.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return NAME(matmul(v(x), W), v(target), v(known));
};
auto step = stg::value_and_grad<loss>();
