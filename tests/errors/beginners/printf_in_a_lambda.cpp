// printf in a lambda.
// names: model
#include <cstdio>
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x">;
inline constexpr auto model = [](auto v) {
  std::printf("here\n");
  return 2.0 * v(x);
};
int main() {
  auto layer = stg::compile<model>();  // <- here
}
