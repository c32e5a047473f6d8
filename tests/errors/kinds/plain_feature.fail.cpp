// A feature of a plain graph is read through a vertex set.
// build error: stg: a vertex_feature is a plain graph\'s; declare the set\'s own: paper\.feature<"x", 16>
// names: plain
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto plain = stg::vertex_feature<"plain", 4>;
constexpr auto layer = [](auto g) {
  return tanh(g(paper)(plain));  // <- here
};
auto model = stg::compile<layer>();
