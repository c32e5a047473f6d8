// The twin of modulo.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return fmod(v(x), 2.0);
};
auto compiled = stg::compile<model>();
