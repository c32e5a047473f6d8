// The twin of through_divisor.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto W = stg::parameter<"W">;
constexpr auto model = [](auto v) {
  return mean(fmod(v(x), detach(v(W))) * v(W), stg::all_vertices);
};
auto step = stg::value_and_grad<model>();
