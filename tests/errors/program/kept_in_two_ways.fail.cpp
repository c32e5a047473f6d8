// A value that is to be saved and not to be.
// build error: stg: a value or a scope is kept or stored in two ways; write one of saved, recomputed, keep, stored_as
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  auto h = stg::saved(matmul(v(x), W));
  return tanh(stg::recomputed(h));
};
auto compiled = stg::compile_for_training<model>();  // <- here
