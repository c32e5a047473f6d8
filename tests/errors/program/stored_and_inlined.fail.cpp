// A value that is to be in memory and nowhere.
// build error: stg: one value is both stored\(x\) and inlined\(x\); leave out one of them
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return 2.0 * stored(inlined(exp(v(x))));
};
auto compiled = stg::compile<model>();  // <- here
