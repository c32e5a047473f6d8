// The rows of a degree in two bytes a number.
// build error: stg: stored_as\(x\) is refused for a constant, degree, index or mask, made where read
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) * stg::stored_as<stg::bf16>(v.in_degree());
};
auto compiled = stg::compile<model>();  // <- here
