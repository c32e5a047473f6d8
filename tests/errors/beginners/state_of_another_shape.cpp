// A state that begins narrower than it goes on.
// names: x
// or: scan
#include <stg/stg.hpp>
inline constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto model = [](auto v) {
  return stg::scan<"T">(  // <- here
      v,
      [](auto v, auto h) {
        return tanh(v(x) + h);
      },
      stg::zeros<1>(v));
};
int main() { auto m = stg::compile<model>(); }
