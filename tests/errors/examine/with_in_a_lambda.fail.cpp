// A program with a pass, called in a lambda.
// build error: stg: with<f, \.\.\.> is a whole program; in a lambda call f, and put with around the lambda
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto layer = [](auto v) {
  return relu(v(x));
};
constexpr auto as_it_is = [](const stg::ir::program& p) {
  return p;
};
constexpr auto model = [](auto v) {
  return stg::with<layer, as_it_is>(v);  // <- here
};
auto compiled = stg::compile<model>();
