// A loss of a symbol and its target.
// build error: stg: NAME takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
// each NAME: bce_with_logits huber l1
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto model = [](auto v) {
  return NAME(x, v(y));  // <- here
};
auto compiled = stg::compile<model>();
