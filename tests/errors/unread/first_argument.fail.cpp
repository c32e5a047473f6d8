// A function of a symbol and a number.
// build error: stg: NAME takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
// each NAME: dropout fmod pow training binary
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(x, 0.5);  // <- here
};
auto compiled = stg::compile<model>();
