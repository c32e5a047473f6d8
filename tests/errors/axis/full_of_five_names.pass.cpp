// The twin of full_of_five_names.fail.cpp.
#include <stg/stg.hpp>

constexpr auto A = stg::extent<"A">;
constexpr auto B = stg::extent<"B">;
constexpr auto x = stg::vertex_feature<"x">;
constexpr auto model = [](auto v) {
  return v(x) * stg::full<A + B>(0.5);
};
auto compiled = stg::compile<model>();
