// The twin of slice_by_a_runtime_number.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr int classes = 4;
constexpr auto model = [](auto v) {
  return stg::slice<0, classes>(v(x));
};

auto compiled = stg::compile<model>();
