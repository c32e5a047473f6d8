// The twin of gin_conv_of_exchanged_ends.fail.cpp.
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto xa = author.feature<"xa", 4>;
constexpr auto xp = paper.feature<"xp", 4>;
constexpr auto W = stg::parameter<"W", 4, 8>;
constexpr auto model = [](auto g) {
  return stg::nn::gin_conv(g(paper).in_edges(writes), g(author)(xa), g(paper)(xp), W);
};
auto compiled = stg::compile<model>();
