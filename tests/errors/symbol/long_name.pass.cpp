// The twin of long_name.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"known_of_a_person", 16>;
constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto compiled = stg::compile<model>();
