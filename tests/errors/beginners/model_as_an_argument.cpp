// A model as an argument.
// names: model
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x">;
inline constexpr auto model = [](auto v) {
  return 2.0 * v(x);
};
int main() {
  auto layer = stg::compile(model);  // <- here
}
