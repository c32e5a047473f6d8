// The twin of method_of_a_parameter.fail.cpp.
#include <stg/stg.hpp>

constexpr auto y = stg::vertex_feature<"y", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(v(y), stg::transpose<0, 1>(v(W)));
};
auto compiled = stg::compile<model>();
