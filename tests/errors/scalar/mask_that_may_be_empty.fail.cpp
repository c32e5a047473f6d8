// A label where a mask is asked for.
// build error: stg: may_be_empty takes a mask of vertices or edges: vertex_feature<"known", boolean>, as v\(known\)
#include <stg/stg.hpp>

constexpr auto y = stg::vertex_feature<"y">;
constexpr auto known = stg::vertex_feature<"known", stg::i32>;
constexpr auto model = [](auto v) {
  auto mask = stg::may_be_empty(v(known));  // <- here
  return mean(stg::cast<stg::f32>(mask) * v(y), stg::all_vertices);
};
auto compiled = stg::compile<model>();
