// A method of a value with arguments.
// build error: stg: a value has no methods; .*
// each NAME: view reshape transpose permute unsqueeze pow clamp matmul mm to size sum mean max softmax
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return h.NAME(7, 1);  // <- here
};
auto compiled = stg::compile<model>();
