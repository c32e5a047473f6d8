// A lambda as an argument of compile.
// build error: stg: a program is a template argument, constexpr at namespace scope: stg::compile<model>\(\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto layer = stg::compile(model);  // <- here
