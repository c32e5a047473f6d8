// The twin of clamp.fail.cpp.
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return clamp(matmul(v(words), W), 0.0, 1.0);
};
auto compiled = stg::compile<model>();
