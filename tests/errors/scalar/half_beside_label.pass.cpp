// The twin of half_beside_label.fail.cpp.
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::cast<stg::f32>(v(label)) >= 0.5;
};
auto compiled = stg::compile<model>();
