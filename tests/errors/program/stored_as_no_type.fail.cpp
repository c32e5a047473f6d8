// Rows of a type that is no form of f32.
// build error: stg: stored_as takes bf16, f16, or f32 for what stays as it is: stored_as<bf16>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(stg::stored_as<stg::i32>(exp(v(x)))));
};
auto compiled = stg::compile<model>();  // <- here
