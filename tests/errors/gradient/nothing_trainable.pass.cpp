// The twin of nothing_trainable.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::trainable(stg::vertex_feature<"x">);
constexpr auto model = [](auto v) {
  return mean(v(x) * v(x), stg::all_vertices);
};
auto step = stg::value_and_grad<model>();
