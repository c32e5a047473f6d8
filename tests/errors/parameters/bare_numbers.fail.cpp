// Sizes that do not say of what.
// build error: stg: parameters takes sizes of extents: sized<"F">\(1433\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
constexpr auto W = stg::parameter<"W", stg::extent<"F">, stg::extent<"C">>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto params = stg::parameters<model>(2, 3);  // <- here
