// A dense product of the wrong width.
// build error: stg: matmul: the last extent of x is not the first extent of the parameter
#include <stg/stg.hpp>

constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(v(y), W);  // <- here
};
auto compiled = stg::compile<model>();
