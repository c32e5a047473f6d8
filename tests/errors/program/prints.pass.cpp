// The twin of prints.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::named<"here">(relu(v(x)));
};
auto compiled = stg::compile<model>();
