// A pass of one's own given to training.
// names: cheap
#include <stg/examine.hpp>
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto W = stg::parameter<"W", 34, 8>;
inline constexpr auto loss = [](auto v) {
  return mean(sum(tanh(matmul(v(x), W)), stg::axis<0>), stg::all_vertices);
};
inline constexpr auto cheap = [](const stg::ir::program& p) {
  return p;
};
int main() {
  auto step = stg::value_and_grad<loss, cheap>();  // <- here
}
