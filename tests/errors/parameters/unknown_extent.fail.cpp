// A size for an extent that the program does not have.
// build error: stg: the program has no extent of this name; size one that its inputs have
// names: typo
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
constexpr auto W = stg::parameter<"W", stg::extent<"F">, stg::extent<"C">>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto params = stg::parameters<model>(stg::sized<"F">(2), stg::sized<"C">(3), stg::sized<"typo">(5));  // <- here
