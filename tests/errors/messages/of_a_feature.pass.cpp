// The twin of of_a_feature.fail.cpp.
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  stg::send<"h">(v, sum(v(x), stg::all_vertices), stg::at_rank(1));
  return v(x);
};
auto compiled = stg::compile<model>();
