// The twin of range_from_above.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto b = stg::initialized(stg::parameter<"b", 16>, stg::init::uniform(-0.25, 0.25));
constexpr auto model = [](auto v) {
  return v(x) + b;
};
auto compiled = stg::compile<model>();
