// The twin of long_name_of_extent.fail.cpp.
#include <stg/stg.hpp>

constexpr auto n = stg::extent<"words">;
constexpr auto x = stg::vertex_feature<"x", n>;
constexpr auto model = [](auto v) {
  return relu(v(x));
};
auto compiled = stg::compile<model>();
