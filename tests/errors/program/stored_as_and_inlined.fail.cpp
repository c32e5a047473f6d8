// A value whose rows are to be narrow, and not to be there.
// build error: stg: one value is both stored_as\(x\) and inlined\(x\); leave out one of them
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(stg::stored_as<stg::bf16>(stg::inlined(exp(v(x))))));
};
auto compiled = stg::compile<model>();  // <- here
