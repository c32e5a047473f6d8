// An entry that a parameter does not have.
// build error: stg: x\[i\] lies outside of the first axis; 0 <= i < its extent, or x\[-1\] for the last
// names: S
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto S = stg::parameter<"S", 3, 16>;
constexpr auto model = [](auto v) {
  return v(x) * S[3];
};
auto compiled = stg::compile<model>();  // <- here
