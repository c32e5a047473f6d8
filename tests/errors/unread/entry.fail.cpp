// An entry of a symbol.
// build error: stg: x\[i\] takes a parameter or a value; read the feature first: v\(x\)\[i\]
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return x[v(label)];  // <- here
};
auto compiled = stg::compile<model>();
