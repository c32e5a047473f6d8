// An operator next to a symbol.
// build error: stg: NAME takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
// each NAME: - / < <= == != > >=
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return x NAME v(x);  // <- here
};
auto compiled = stg::compile<model>();
