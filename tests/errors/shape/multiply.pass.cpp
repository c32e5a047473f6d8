// The twin of multiply.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(reshape<8, 1>(softmax(e.src(y))) * e.src(h));
};
auto compiled = stg::compile<model>();
