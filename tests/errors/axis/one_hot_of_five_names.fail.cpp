// A label among classes that are counted by five names.
// build error: stg: one_hot takes a sum of at most four products of three names; give a part its own
// instead of: too_large
#include <stg/stg.hpp>

constexpr auto A = stg::extent<"A">;
constexpr auto B = stg::extent<"B">;
constexpr auto C = stg::extent<"C">;
constexpr auto D = stg::extent<"D">;
constexpr auto E = stg::extent<"E">;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::one_hot<A + B + C + D + E>(v(label));  // <- here
};
auto compiled = stg::compile<model>();
