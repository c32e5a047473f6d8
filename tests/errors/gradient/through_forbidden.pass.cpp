// The twin of through_forbidden.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto loss = [](auto v) {
  auto teacher = stg::not_differentiable<"teacher">(matmul(v(x), W));
  return mean(sum(square(v(x) - detach(teacher)), stg::axis<0>), stg::all_vertices) +
         mean(sum(matmul(v(x), W), stg::axis<0>), stg::all_vertices);
};
auto step = stg::value_and_grad<loss>();
