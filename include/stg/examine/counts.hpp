// How many statements there are of each operation, and how often steps are called.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>      // sequence
#include <stg/examine/numbering.hpp>  // first_equals
#include <stg/base/instead.hpp>       // STG_INSTEAD
#include <stg/examine/walk.hpp>       // each_with_steps
#include <stg/ir/program.hpp>         // program

namespace stg::examine {

/// A number for each operation.
struct operation_counts {
  int of[ir::opcode_count]{};
  constexpr int operator[](ir::opcode code) const { return of[static_cast<int>(code)]; }
  STG_INSTEAD("stg: operations are words of stg::ir::opcode: counts_of(p)[stg::ir::opcode::matmul]",
              constexpr int operator[](const char*) const)
  constexpr int total() const {
    int n = 0;
    for (const int k : of) n += k;
    return n;
  }
  constexpr bool operator==(const operation_counts&) const = default;
};

/// Statements of each operation, as they stand: equal statements of several scopes count each, and so do statements
/// written again by a pass at each reader. Steps of scans are not counted.
constexpr operation_counts counts_of(const ir::program& p) {
  operation_counts counts;
  for (const ir::statement& s : p.statements) ++counts.of[static_cast<int>(s.code)];
  return counts;
}
/// Counts of each operation, with equal statements of equal operands counted once.
constexpr operation_counts distinct_counts_of(const ir::program& p) {
  const sequence<ir::value_id> first = first_equals(p);
  operation_counts counts;
  for (ir::value_id i = 0; i < p.size(); ++i) counts.of[static_cast<int>(p[i].code)] += first[i] == i;
  return counts;
}
/// Statements of a program and of all steps that it calls, each step once.
constexpr operation_counts counts_with_steps(const ir::program& p) {
  operation_counts counts;
  each_with_steps(p, [&](node n) { ++counts.of[static_cast<int>(n.code())]; });
  return counts;
}

/// For each program called by p, the number of its call sites.
constexpr sequence<int> calls_of(const ir::program& p) {
  sequence<int> calls(p.callees.size(), 0);
  for (const ir::statement& s : p.statements)
    if (ir::is_scan(s.code)) ++calls[s.callee()];
  return calls;
}
/// The number of call sites, as if every step were written at its calls.
constexpr std::int64_t call_count(const ir::program& p) {
  const sequence<int> calls = calls_of(p);
  std::int64_t n = 0;
  for (int k = 0; k < calls.size(); ++k) n += calls[k] * (1 + call_count(p.callees[k]));
  return n;
}

}  // namespace stg::examine
