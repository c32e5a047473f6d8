// A value of one vertex set beside one of another.
// build error: stg: NAME mixes vertex sets or relations; read what is at the other end as e\.src\(x\) or e\.dst\(x\)
// each NAME: - * / < <= == != > >=
// allows: further errors
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto x = author.feature<"x", 16>;
constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto a = g(author);
  return stg::cast<stg::f32>(p(y) NAME a(x));  // <- here
};
auto compiled = stg::compile<model>();
