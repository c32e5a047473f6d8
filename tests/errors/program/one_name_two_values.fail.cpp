// One name for two values.
// build error: stg: named<"\.\.\."> gives one name to two values; use two names or a scope
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto a = stg::named<"score">(relu(v(x)));
  return stg::named<"score">(a * 0.5);
};
auto layer = stg::compile<model>();  // <- here
