// A named output of another scalar type than its symbol.
// build error: stg: outputs\(y, symbol = x\): x has another scalar type than the symbol; cast it
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32, 16>;
constexpr auto model = [](auto v) {
  return stg::outputs(v(x), label = v(x));  // <- here
};
auto compiled = stg::compile<model>();
