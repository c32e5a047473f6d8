// The twin of labels_before_logits.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto model = [](auto v) {
  return cross_entropy(v(x), v(label), v(known));
};
auto compiled = stg::compile<model>();
