// The twin of captures_local.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto b = stg::parameter<"b", 16>;
constexpr auto factor = stg::scalar<"factor">;

void use() {
  static constexpr auto model = [](auto v) {
    return mse(v(x) * factor, b);
  };
  [[maybe_unused]] auto made = stg::NAME<model>();
}
