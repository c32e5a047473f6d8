// The twin of with_in_a_lambda.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto layer = [](auto v) {
  return relu(v(x));
};
constexpr auto as_it_is = [](const stg::ir::program& p) {
  return p;
};
constexpr auto model = [](auto v) {
  return layer(v);
};
auto compiled = stg::compile<stg::with<model, as_it_is>>();
