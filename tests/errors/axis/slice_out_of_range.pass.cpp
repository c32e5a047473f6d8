// The twin of slice_out_of_range.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return slice<8, 16>(v(x));
};
auto compiled = stg::compile<model>();
