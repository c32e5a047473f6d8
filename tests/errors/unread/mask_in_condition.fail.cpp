// A mask that was not read, joined with a condition.
// build error: stg: & takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return select((v(x) > 0.0) & mask, v(x), 0.0);  // <- here
};
auto compiled = stg::compile<model>();
