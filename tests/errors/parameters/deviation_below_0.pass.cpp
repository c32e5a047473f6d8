// The twin of deviation_below_0.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto b = stg::initialized(stg::parameter<"b", 16>, stg::init::normal(-1, 0.5));
constexpr auto model = [](auto v) {
  return v(x) + b;
};
auto compiled = stg::compile<model>();
