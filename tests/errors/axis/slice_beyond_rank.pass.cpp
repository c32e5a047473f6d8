// The twin of slice_beyond_rank.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::slice<0, 4>(v(x));
};
auto compiled = stg::compile<model>();
