// The twin of no_path.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto limit = stg::parameter<"limit">;
constexpr auto model = [](auto v) {
  auto above = sigmoid(v(x) - v(limit));
  return mean(above, stg::all_vertices);
};
auto step = stg::value_and_grad<model>();
