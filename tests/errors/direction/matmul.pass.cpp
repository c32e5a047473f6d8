// The twin of matmul.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto per_class = stg::parameter<"per_class", 3, 16, 16>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  return sum(matmul(in.src(x), per_class[in.src(label)]));
};
auto compiled = stg::compile<model>();
