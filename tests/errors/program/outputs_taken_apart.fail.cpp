// A function that returns outputs, which its caller takes apart.
// build error: stg: outputs\(a, b\) is what a program returns; a function within it returns std::tuple\(a, b\)
#include <stg/stg.hpp>

#include <tuple>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto both = [](auto v) {
  return stg::outputs(v(x), relu(v(x)));
};
constexpr auto model = [](auto v) {
  auto [a, b] = both(v);  // <- here
  return a + b;
};
auto compiled = stg::compile<model>();
