// The twin of numbers_or.fail.cpp.
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return select((v(x) > 0.0) | (v(label) != 0), v(x), 0.0);
};
auto compiled = stg::compile<model>();
