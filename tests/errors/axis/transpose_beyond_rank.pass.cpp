// The twin of transpose_beyond_rank.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::transpose<0, 1>(stg::reshape<4, 4>(v(x)));
};
auto compiled = stg::compile<model>();
