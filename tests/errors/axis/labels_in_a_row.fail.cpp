// Several labels of a vertex.
// build error: stg: NAME takes one label and one mask per vertex or edge: vertex_feature<"label", i32>
// each NAME: cross_entropy nll
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return NAME(v(x), v(codes));  // <- here
};
auto compiled = stg::compile<model>();
