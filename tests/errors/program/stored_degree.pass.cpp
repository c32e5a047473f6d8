// The twin of stored_degree.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return v.in_degree() * stored(tanh(v(x)));
};
auto compiled = stg::compile<model>();
