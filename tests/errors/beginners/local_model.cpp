// A model within main.
// names: model
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x">;
int main() {
  auto model = [](auto v) {
    return 2.0 * v(x);
  };
  auto layer = stg::compile<model>();  // <- here
}
