// A mean over axis 0 of what a scan collected.
// names: errors
// or: mean
#include <stg/stg.hpp>
inline constexpr auto y = stg::over<"T">(stg::vertex_feature<"y">);
inline constexpr auto W = stg::parameter<"W">;
inline constexpr auto loss = [](auto v) {
  auto errors = stg::scan<"T">(v, [](auto v) {
    return mean(square(W - v(y)), stg::all_vertices);
  });
  return mean(errors, stg::axis<0>);  // <- here
};
int main() { auto step = stg::value_and_grad<loss>(); }
