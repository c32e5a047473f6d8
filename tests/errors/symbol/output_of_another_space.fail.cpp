// A named output that lives elsewhere than its symbol.
// build error: stg: outputs\(y, symbol = x\): x lives elsewhere than the symbol; declare it as x is
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto centre = stg::graph_feature<"centre", 16>;
constexpr auto model = [](auto v) {
  return stg::outputs(v(x), centre = v(x));  // <- here
};
auto compiled = stg::compile<model>();
