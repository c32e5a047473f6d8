// A value that a maximum is compared with, in two bytes a number.
// build error: stg: stored_as\(x\) is refused for a maximum and what it is compared with; store its operands so
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) - max(stg::stored_as<stg::bf16>(exp(v(x))), stg::all_vertices);
};
auto compiled = stg::compile<model>();  // <- here
