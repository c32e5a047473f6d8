// Alpha in brackets.
// build error: stg: alpha is an argument, not in brackets: elu\(x, 1\.0\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return stg::elu<2>(h);  // <- here
};
auto compiled = stg::compile<model>();
