// The twin of var_of_label.fail.cpp.
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return var(stg::cast<stg::f32>(v.in_edges().src(label)));
};
auto compiled = stg::compile<model>();
