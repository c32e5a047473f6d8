// Several results in a tuple.
// build error: stg: a program returns several values as outputs\(a, b\), not as a tuple, pair or array
#include <stg/stg.hpp>
#include <tuple>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return std::make_tuple(v(x), relu(v(x)));
};
auto compiled = stg::compile<model>();  // <- here
