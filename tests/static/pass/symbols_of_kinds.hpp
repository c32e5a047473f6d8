// Two vertex sets and two relations, which the tests of passes over several kinds share.
#pragma once

#include <stg/dsl/kinds.hpp>

namespace stg {

inline constexpr auto author = vertex_set<"author">;
inline constexpr auto paper = vertex_set<"paper">;
inline constexpr auto writes = relation<"writes", author, paper>;
inline constexpr auto cites = relation<"cites", paper, paper>;
inline constexpr auto known = author.feature<"known", 4>;
inline constexpr auto words = paper.feature<"words", 4>;

}  // namespace stg
