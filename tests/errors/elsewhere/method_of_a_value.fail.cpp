// A value asked as a tensor of PyTorch is.
// build error: stg: a value has no methods; .*
// each NAME: relu sigmoid tanh exp log sqrt abs sum mean max min softmax log_softmax t flatten squeeze detach dim
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return h.NAME();  // <- here
};
auto compiled = stg::compile<model>();
