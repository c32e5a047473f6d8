// The twin of local.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto b = stg::parameter<"b", 16>;
void use() {
  static constexpr auto model = [](auto v) {
    return mse(v(x), v(b));
  };
  auto made = stg::NAME<model>();
}
