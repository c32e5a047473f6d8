// A range from its upper end.
// build error: stg: a parameter begins in a range, the lower number first, or around a mean: init::uniform\(-0\.25, 0\.25\)
// names: b
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto b = stg::initialized(stg::parameter<"b", 16>, stg::init::uniform(0.25, -0.25));
constexpr auto model = [](auto v) {
  return v(x) + b;
};
auto compiled = stg::compile<model>();  // <- here
