// The twin of concat_ranks.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return concat<stg::axis<0>>(v(h), reshape<1, 16>(v(x)));
};
auto compiled = stg::compile<model>();
