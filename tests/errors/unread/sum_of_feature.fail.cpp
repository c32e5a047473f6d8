// A feature aggregated without saying whose.
// build error: stg: sum takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) + sum(x);  // <- here
};
auto compiled = stg::compile<model>();
