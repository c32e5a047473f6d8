// A loss without a parameter.
// names: loss
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto y = stg::vertex_feature<"y", 8>;
inline constexpr auto loss = [](auto v) {
  return mse(v(x), v(y));
};
int main() {
  auto step = stg::value_and_grad<loss>();  // <- here
}
