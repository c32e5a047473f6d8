// The twin of gat_conv_of_exchanged_ends.fail.cpp.
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto xa = author.feature<"xa", 4>;
constexpr auto xp = paper.feature<"xp", 3>;
constexpr auto Wa = stg::parameter<"Wa", 4, 8>;
constexpr auto Wp = stg::parameter<"Wp", 3, 8>;
constexpr auto s = stg::parameter<"s", 2, 4>;
constexpr auto model = [](auto g) {
  return stg::nn::gat_conv(g(paper).in_edges(writes), g(author)(xa), g(paper)(xp), Wa, Wp, s, s);
};
auto compiled = stg::compile<model>();
