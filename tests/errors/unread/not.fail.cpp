// The contrary of a symbol.
// build error: stg: ! takes a value; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return !mask;  // <- here
};
auto compiled = stg::compile<model>();
