// A promise about a feature that was not read.
// build error: stg: inlined takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return 2.0 * stg::inlined(x);  // <- here
};
auto compiled = stg::compile<model>();
