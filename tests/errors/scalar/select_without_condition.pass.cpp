// The twin of select_without_condition.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return select(v(label) > 0, v(x), 0.0);
};
auto compiled = stg::compile<model>();
