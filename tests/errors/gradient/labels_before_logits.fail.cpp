// Labels before the logits.
// build error: stg: cross_entropy takes logits first, the labels behind them; exchange the two
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto model = [](auto v) {
  return cross_entropy(v(label), v(x), v(known));  // <- here
};
auto compiled = stg::compile<model>();
