// The twin of pair_product.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto W = stg::parameter<"W", 4, 4>;
constexpr auto model = [](auto v) {
  auto friends = stg::named<"friends">(sum(v.in_edges().src(x)));
  auto y = relu(matmul(v(x), W));
  together(friends, y);
  return friends + y;
};
auto compiled = stg::compile<model>();
