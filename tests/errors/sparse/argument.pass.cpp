// The twin of argument.fail.cpp.
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return NAME(matmul(v(words), W));
};
auto compiled = stg::compile<model>();
