// Labels that are real numbers.
// names: label
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto label = stg::vertex_feature<"label">;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
inline constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(v(x), W), v(label));  // <- here
};
int main() { auto step = stg::value_and_grad<loss>(); }
