// The twin of dropout_of_everything.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return dropout(v(x), 0.6);
};
auto compiled = stg::compile<model>();
