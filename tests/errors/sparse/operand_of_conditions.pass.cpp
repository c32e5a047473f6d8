// The twin of operand_of_conditions.fail.cpp.
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return (matmul(v(words), W) > 0.0) NAME v(mask);
};
auto compiled = stg::compile<model>();
