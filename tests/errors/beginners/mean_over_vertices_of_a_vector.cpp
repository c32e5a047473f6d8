// A loss that is a vector.
// names: loss
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
inline constexpr auto loss = [](auto v) {
  return mean(matmul(v(x), W), stg::all_vertices);
};
int main() {
  auto step = stg::value_and_grad<loss>();  // <- here
}
