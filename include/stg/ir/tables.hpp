// The arrays of a program, named once: its own, and those of each callee.
//
// A new array is a line here, and one in `program`. Frozen programs, their sizes and their room follow.
#pragma once

#include <string_view>  // string_view

#include <stg/ir/program.hpp>  // program

// word(type of an element, member)
// clang-format off
#define STG_TABLES(word)         \
  word(statement, statements)    \
  word(input, inputs)            \
  word(polynomial, extents)      \
  word(output, outputs)          \
  word(text, scopes)             \
  word(scope_set, scope_sets)    \
  word(label, names)             \
  word(label_range, checks)      \
  word(tag, tags)                \
  word(decision, decisions)
// clang-format on

namespace stg::ir {

/// Calls f(name, table) for each array of a program, frozen or not: all but its kinds, which it shares with its
/// callees, and the callees.
///
///   std::size_t bytes = 0;
///   ir::each_table(p, [&](std::string_view, const auto& table) { bytes += table.size() * sizeof(table[0]); });
template <class Program, class F> constexpr void each_table(Program&& p, F&& f) {
#define STG_TABLE(type, member) f(std::string_view(#member), p.member);
  STG_TABLES(STG_TABLE)
#undef STG_TABLE
}

}  // namespace stg::ir
