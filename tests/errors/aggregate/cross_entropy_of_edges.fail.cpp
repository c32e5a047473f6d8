// A cross entropy of one prediction per edge.
// build error: stg: cross_entropy takes vertex values: cross_entropy\(logits, v\(label\), v\(mask\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return cross_entropy(e.src(x), v(label), v(mask));  // <- here
};
auto compiled = stg::compile<model>();
