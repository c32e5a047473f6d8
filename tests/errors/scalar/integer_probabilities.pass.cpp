// The twin of integer_probabilities.fail.cpp.
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return nll(stg::cast<stg::f32>(v(codes)), v(label));
};
auto compiled = stg::compile<model>();
