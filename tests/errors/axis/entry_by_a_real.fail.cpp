// An entry by a real number.
// build error: stg: x\[i\] takes a label of the vertex or edge: W\[e\(relation\)\], relation of type i32
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return v(x)[v.in_degree()];  // <- here
};
auto compiled = stg::compile<model>();
