// A transposed weight as in PyTorch.
// build error: stg: a value has no methods; write transpose<0, 1>\(v\(W\)\)
#include <stg/stg.hpp>

constexpr auto y = stg::vertex_feature<"y", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(v(y), W.t());  // <- here
};
auto compiled = stg::compile<model>();
