// The twin of not.fail.cpp.
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return !(matmul(v(words), W) > 0.0);
};
auto compiled = stg::compile<model>();
