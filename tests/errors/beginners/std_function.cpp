// A function of the standard library.
// names: x
#include <cmath>
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  return 2.0 * v(x) + std::tanh(v(x));  // <- here
};
int main() { auto layer = stg::compile<model>(); }
