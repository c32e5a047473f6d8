// A condition that was not read.
// build error: stg: NAME takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
// each NAME: ^ |
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return mask NAME v(mask);  // <- here
};
auto compiled = stg::compile<model>();
