// A constant whose extent is a sum of five names.
// build error: stg: full takes sums of at most four products of three names; give a part its own
// instead of: too_large
#include <stg/stg.hpp>

constexpr auto A = stg::extent<"A">;
constexpr auto B = stg::extent<"B">;
constexpr auto C = stg::extent<"C">;
constexpr auto D = stg::extent<"D">;
constexpr auto E = stg::extent<"E">;
constexpr auto x = stg::vertex_feature<"x">;
constexpr auto model = [](auto v) {
  return v(x) * stg::full<A + B + C + D + E>(0.5);  // <- here
};
auto compiled = stg::compile<model>();
