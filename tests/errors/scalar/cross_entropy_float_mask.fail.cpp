// A mask declared as real numbers.
// build error: stg: cross_entropy takes a mask of type boolean: vertex_feature<"mask", boolean>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto m = stg::vertex_feature<"m">;
constexpr auto model = [](auto v) {
  return cross_entropy(v(x), v(label), v(m));  // <- here
};
auto compiled = stg::compile<model>();
