// The twin of wrong_width.fail.cpp.
#include <stg/stg.hpp>

constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(concat<stg::axis<0>>(v(y), v(y)), W);
};
auto compiled = stg::compile<model>();
