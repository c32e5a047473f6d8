// A feature that is given its vertex.
// build error: stg: a feature is not called; a vertex or an edge reads it: v\(x\), e\.src\(x\), e\(x\)
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return relu(x(v));  // <- here
};
auto compiled = stg::compile<model>();
