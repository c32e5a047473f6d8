// ! of a number.
// build error: stg: ! takes a condition; write x == 0
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return select(!v(label), v(x), 0.0);  // <- here
};
auto compiled = stg::compile<model>();
