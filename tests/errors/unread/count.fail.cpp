// count of a symbol.
// build error: stg: count takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return count(mask);  // <- here
};
auto compiled = stg::compile<model>();
