// A learning rate of run time within the lambda.
// names: rate
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x">;
float rate = 0.3f;
inline constexpr auto model = [](auto v) {
  return dropout(v(x), rate);
};
int main() {
  auto layer = stg::compile<model>();  // <- here
}
