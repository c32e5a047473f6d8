// What lives at the two ends of a relation has changed places.
// build error: stg: sage_conv takes what lives at the other ends of the edges, then its own vertices'; exchange the two
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto xa = author.feature<"xa", 4>;
constexpr auto xp = paper.feature<"xp", 3>;
constexpr auto Wa = stg::parameter<"Wa", 4, 8>;
constexpr auto Wp = stg::parameter<"Wp", 3, 8>;
constexpr auto model = [](auto g) {
  return stg::nn::sage_conv(g(paper).in_edges(writes), g(paper)(xp), g(author)(xa), Wp, Wa);  // <- here
};
auto compiled = stg::compile<model>();
