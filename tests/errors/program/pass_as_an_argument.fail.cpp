// A pass as an argument of compile.
// build error: stg: a pass stands in the brackets, behind the program: stg::compile<model, pass>\(\)
#include <stg/examine.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return relu(v(x));
};
inline constexpr auto by_nothing = [](const stg::ir::program& p) {
  return p;
};
auto compiled = stg::compile<model>(by_nothing);  // <- here
