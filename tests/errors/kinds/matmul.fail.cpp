// A parameter that another vertex set chooses.
// build error: stg: matmul mixes vertex sets or relations; read what is at the other end as e\.src\(x\) or e\.dst\(x\)
// allows: further errors
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
inline constexpr auto label = author.feature<"label", stg::i32>;
inline constexpr auto per_class = stg::parameter<"per_class", 3, 16, 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto a = g(author);
  return matmul(p(y), per_class[a(label)]);  // <- here
};
auto compiled = stg::compile<model>();
