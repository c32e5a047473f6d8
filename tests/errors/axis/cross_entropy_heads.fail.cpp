// A cross entropy of logits that still have heads.
// build error: stg: cross_entropy takes logits with one axis, the classes; write reshape<n>\(x\)
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return cross_entropy(v(h), v(label), v(mask));  // <- here
};
auto compiled = stg::compile<model>();
