// An axis given as a number.
// build error: stg: sum takes an axis as a type; write sum\(x, axis<1>\)
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto model = [](auto v) {
  return sum(v(h), 1);  // <- here
};
auto compiled = stg::compile<model>();
