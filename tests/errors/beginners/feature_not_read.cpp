// A feature that the lambda multiplies without reading it.
// names: x
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  return 2.0 * x;  // <- here
};
int main() { auto layer = stg::compile<model>(); }
