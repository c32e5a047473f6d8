// The last entry of an axis whose extent is a sum of four names.
// build error: stg: x\[-1\] counts from the end of an extent of three parts at most; give one part a name of its own
// instead of: too_large
#include <stg/stg.hpp>

constexpr auto A = stg::extent<"A">;
constexpr auto B = stg::extent<"B">;
constexpr auto C = stg::extent<"C">;
constexpr auto D = stg::extent<"D">;
constexpr auto x = stg::vertex_feature<"x", A + B + C + D>;
constexpr auto model = [](auto v) {
  return v(x)[-1];
};
auto compiled = stg::compile<model>();  // <- here
