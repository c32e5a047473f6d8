// Minus a symbol.
// build error: stg: - takes a value; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return -x;  // <- here
};
auto compiled = stg::compile<model>();
