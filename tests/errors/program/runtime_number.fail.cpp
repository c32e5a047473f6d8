// A number that is not known while the program is compiled.
// build error: stg: a lambda runs while compiling: no printf, and what it reads is constexpr or bound: scalar<"a">
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
inline double factor = 0.5;
constexpr auto model = [](auto v) {
  return v(x) * factor;
};
auto compiled = stg::compile<model>();  // <- here
