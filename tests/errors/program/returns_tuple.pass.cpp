// The twin of returns_tuple.fail.cpp.
#include <stg/stg.hpp>
#include <tuple>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::outputs(v(x), relu(v(x)));
};
auto compiled = stg::compile<model>();
