// An extent that is a product of four names.
// build error: stg: an extent is a sum of at most four products of three names; give a part its own: extent<"P">
// instead of: too_large
#include <stg/stg.hpp>

constexpr auto A = stg::extent<"A">;
constexpr auto B = stg::extent<"B">;
constexpr auto C = stg::extent<"C">;
constexpr auto D = stg::extent<"D">;
constexpr auto x = stg::vertex_feature<"x", A * B * C * D>;  // <- here
constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto compiled = stg::compile<model>();
