// The twin of pair_sparse.fail.cpp.
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(words), W);
  auto y = tanh(h), z = relu(h);
  NAME(y, z);
  return y + z;
};
auto compiled = stg::compile<model>();
