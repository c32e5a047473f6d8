// A loss of a symbol.
// build error: stg: NAME takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
// each NAME: cross_entropy nll
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return NAME(x, v(label));  // <- here
};
auto compiled = stg::compile<model>();
