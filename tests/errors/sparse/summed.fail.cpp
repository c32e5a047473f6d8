// A sparse feature summed along its axis.
// build error: stg: sum takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 1433>;
constexpr auto ones = stg::parameter<"ones", 1433, 1>;
constexpr auto model = [](auto v) {
  return sum(v(x), stg::axis<0>);  // <- here
};
auto compiled = stg::compile<model>();
