// A body that does not take what is carried.
// names: x
// or: scan
#include <stg/stg.hpp>
inline constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto model = [](auto v) {
  return stg::scan<"T">(  // <- here
      v,
      [](auto v) {
        return tanh(v(x));
      },
      stg::zeros<8>(v));
};
int main() { auto m = stg::compile<model>(); }
