// The twin of dropped_out_twice.fail.cpp.
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(dropout(v(words), 0.75), W);
};
auto compiled = stg::compile<model>();
