// A teacher whose parameters would be trained.
// build error: stg: a gradient would pass through a value that forbids it, not_differentiable; write detach\(x\)
// names: teacher
// instead of: operation_has_no_gradient
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto loss = [](auto v) {
  auto teacher = stg::not_differentiable<"teacher">(matmul(v(x), W));
  return mean(sum(square(v(x) - teacher), stg::axis<0>), stg::all_vertices);
};
auto step = stg::value_and_grad<loss>();  // <- here
