// The twin of inlined.fail.cpp.
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return relu(inlined(2.0 * matmul(v(words), W)));
};
auto compiled = stg::compile<model>();
