// The twin of between_brackets.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto layer = stg::compile<model>();
