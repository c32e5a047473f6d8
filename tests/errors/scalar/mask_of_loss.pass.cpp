// The twin of mask_of_loss.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto weight = stg::vertex_feature<"weight">;
constexpr auto model = [](auto v) {
  return NAME(v(x), v(y), v(weight) > 0.5);
};
auto compiled = stg::compile<model>();
