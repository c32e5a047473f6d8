// What the caller gets, nowhere in memory.
// build error: stg: inlined\(x\) is refused for an input or output, in the caller's memory; leave it out
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return inlined(exp(v(x)));
};
auto compiled = stg::compile<model>();  // <- here
