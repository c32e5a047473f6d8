// A feature that is not read, in a pair.
// build error: stg: NAME takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
// each NAME: together apart
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto y = tanh(v(x)), z = relu(v(x));
  NAME(y, x);  // <- here
  return y + z;
};
auto compiled = stg::compile<model>();
