// A remainder by a trained number.
// build error: stg: a gradient would pass through fmod's divisor; write fmod\(x, detach\(y\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto W = stg::parameter<"W">;
constexpr auto model = [](auto v) {
  return mean(fmod(v(x), v(W)) * v(W), stg::all_vertices);
};
auto step = stg::value_and_grad<model>();  // <- here
