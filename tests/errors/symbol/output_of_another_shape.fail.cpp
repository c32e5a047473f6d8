// A named output of another shape than its symbol.
// build error: stg: outputs\(y, symbol = x\): x has another shape than the symbol; declare it as x is
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto state = stg::vertex_feature<"state", 8>;
constexpr auto model = [](auto v) {
  return stg::outputs(v(x), state = v(x));  // <- here
};
auto compiled = stg::compile<model>();
