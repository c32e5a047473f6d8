// clamp of a symbol.
// build error: stg: clamp takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return clamp(x, 0.0, 1.0);  // <- here
};
auto compiled = stg::compile<model>();
