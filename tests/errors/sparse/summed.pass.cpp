// The twin of summed.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 1433>;
constexpr auto ones = stg::parameter<"ones", 1433, 1>;
constexpr auto model = [](auto v) {
  return matmul(v(x), ones);
};
auto compiled = stg::compile<model>();
