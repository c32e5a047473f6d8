// A product of two parameters: no vertex has a row of it.
// build error: stg: matmul takes a vertex or an edge value on the left; two parameters make no row
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 8>;
constexpr auto V = stg::parameter<"V", 8, 4>;
constexpr auto model = [](auto v) {
  return matmul(v(x), matmul(v(W), V));  // <- here
};
auto compiled = stg::compile<model>();
