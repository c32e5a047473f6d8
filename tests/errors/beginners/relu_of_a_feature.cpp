// An activation of a feature that was not read.
// names: x
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  return relu(x);  // <- here
};
int main() { auto layer = stg::compile<model>(); }
