// concat of symbols.
// build error: stg: concat takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto model = [](auto v) {
  return stg::concat<stg::axis<0>>(x, y);  // <- here
};
auto compiled = stg::compile<model>();
