// A softmax over edges of a vertex value: over features it takes an axis.
// build error: stg: softmax normalises over edges; over features write softmax\(x, axis<0>\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return softmax(v(x));  // <- here
};
auto compiled = stg::compile<model>();
