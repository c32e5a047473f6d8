// The twin of nll_heads.fail.cpp.
#include <stg/stg.hpp>

constexpr auto q = stg::vertex_feature<"q", 8, 4>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return nll(log_softmax(stg::reshape<32>(v(q))), v(label));
};
auto compiled = stg::compile<model>();
