// The twin of one_name_two_shapes.fail.cpp.
#include <stg/stg.hpp>

constexpr auto own = stg::vertex_feature<"x", 16>;
constexpr auto total = stg::vertex_feature<"total">;
constexpr auto model = [](auto v) {
  return v(own) / v(total);
};
auto layer = stg::compile<model>();
