// Two widths, one for training and one for the rest.
// build error: stg: training takes shapes that broadcast; these differ in an axis where none is 1
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return training(v(x), v(y));  // <- here
};
auto compiled = stg::compile<model>();
