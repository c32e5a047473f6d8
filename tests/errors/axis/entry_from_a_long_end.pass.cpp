// The twin of entry_from_a_long_end.fail.cpp.
#include <stg/stg.hpp>

constexpr auto A = stg::extent<"A">;
constexpr auto B = stg::extent<"B">;
constexpr auto P = stg::extent<"P">;
constexpr auto x = stg::vertex_feature<"x", A + B + P>;
constexpr auto model = [](auto v) {
  return v(x)[-1];
};
auto compiled = stg::compile<model>();
