// The twin of outputs_taken_apart.fail.cpp.
#include <stg/stg.hpp>

#include <tuple>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto both = [](auto v) {
  return std::tuple(v(x), relu(v(x)));
};
constexpr auto model = [](auto v) {
  auto [a, b] = both(v);
  return a + b;
};
auto compiled = stg::compile<model>();
