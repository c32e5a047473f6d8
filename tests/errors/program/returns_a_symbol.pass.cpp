// The twin of returns_a_symbol.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x);
};
auto layer = stg::compile<model>();
