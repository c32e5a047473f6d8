// The twin of reduced_beyond_rank.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(v(x), stg::axis<0>);
};
auto compiled = stg::compile<model>();
