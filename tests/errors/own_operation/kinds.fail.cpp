// An operation of your own mixes relations.
// build error: stg: an operation mixes vertex sets or relations; read what is at the other end as e\.src\(x\) or e\.dst\(x\)
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto cites = stg::relation<"cites", paper, paper>;
constexpr auto x = author.feature<"x", 16>;
constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto e = p.in_edges(writes);
  auto c = p.in_edges(cites);
  return sum(stg::apply<softcap>(e.src(x), c.src(y)));  // <- here
};
auto compiled = stg::compile<model>();
