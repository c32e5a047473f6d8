// An elementary function of a feature that was not read.
// build error: stg: exp takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(exp(x));  // <- here
};
auto compiled = stg::compile<model>();
