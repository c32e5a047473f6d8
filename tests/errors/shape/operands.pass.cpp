// The twin of operands.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto z = stg::vertex_feature<"z", 7>;
constexpr auto model = [](auto v) {
  return v(x) NAME stg::sum(v(z), stg::axis<0>);
};
auto compiled = stg::compile<model>();
