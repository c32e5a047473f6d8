// The twin of entry.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  return sum(in.src(x)[in.src(label)]);
};
auto compiled = stg::compile<model>();
