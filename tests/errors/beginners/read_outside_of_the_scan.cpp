// A value for each step, read where there is no step.
// names: x
#include <stg/stg.hpp>
inline constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto model = [](auto v) {
  auto in = relu(v(x));  // <- here
  return stg::scan<"T">(
      v,
      [=](auto v, auto h) {
        return h + in + v(x);
      },
      stg::zeros<8>(v));
};
int main() { auto m = stg::compile<model>(); }
