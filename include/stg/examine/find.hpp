// Values of a program by name: a regular expression of their paths.
#pragma once

#include <string_view>  // string_view

#include <stg/base/sequence.hpp>               // sequence
#include <stg/examine/regular_expression.hpp>  // regular_expression
#include <stg/examine/walk.hpp>                // node, each_program
#include <stg/ir/program.hpp>                  // program

namespace stg::examine {

namespace detail {

/// Whether an expression stands for the name of an input, or for an operation in one of its scopes.
constexpr bool is_operation(const ir::program& p, const ir::statement& s, const regular_expression& path) {
  const std::string_view word = name_of(s.code);
  if (s.code == ir::opcode::input && path.matches(p.inputs[s.entry()].name.view())) return true;
  if (s.scopes == 0) return path.matches(word);
  bool found = false;
  ir::each_scope(p, s, [&](int k) { found = found || path.matches(p.scopes[k].view(), word); });
  return found;
}

}  // namespace detail

/// Values with a path that the regular expression matches, in the order of the program. Paths of a value are its
/// operation in each of its scopes, `conv1/matmul`, or without one, `matmul`; each name from named<"…">, `conv1/score`;
/// and of an input its name.
///
///   for (const ir::value_id i : examine::find(p, "conv[12]/(matmul|score)")) …
constexpr sequence<ir::value_id> find(const ir::program& p, const regular_expression& path) {
  ir::flags is_found(p.size(), 0);
  for (const ir::label& l : p.names)
    if (path.matches(l.name.view())) is_found[l.at] = 1;
  sequence<ir::value_id> found;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (is_found[i] || detail::is_operation(p, p[i], path)) found.push_back(i);
  return found;
}
/// Finds in the program and then in the steps of its scans and its callees.
constexpr sequence<node> find_with_steps(const ir::program& p, const regular_expression& path) {
  sequence<node> found;
  each_program(p, [&](const ir::program& q) {
    for (const ir::value_id i : find(q, path)) found.push_back({&q, i});
  });
  return found;
}

}  // namespace stg::examine
