// An embedding whose rows have no width.
// build error: stg: an embedding has a number of rows and their width: embedding<"E", 1000, 16>
#include <stg/stg.hpp>

inline constexpr auto id = stg::vertex_feature<"id", stg::i32>;
inline constexpr auto E = stg::embedding<"E", 16>;  // <- here
constexpr auto model = [](auto v) {
  return relu(E[v(id)]);
};
auto compiled = stg::compile<model>();
