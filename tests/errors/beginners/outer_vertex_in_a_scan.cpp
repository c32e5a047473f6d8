// The outer vertex within a body.
// names: h
#include <stg/stg.hpp>
inline constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto model = [](auto v) {
  return stg::scan<"T">(
      v,
      [=](auto u, auto h) {
        return mean(v.in_edges().src(h)) + u(x);
      },
      stg::zeros<8>(v));
};
int main() {
  auto m = stg::compile<model>();  // <- here
}
