// Arithmetic on a sparse feature.
// names: x
#include <stg/stg.hpp>
inline constexpr auto x = stg::sparse_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  return relu(v(x));  // <- here
};
int main() { auto layer = stg::compile<model>(); }
