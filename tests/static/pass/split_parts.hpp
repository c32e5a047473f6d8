// What stands in which of a program's scans.
#pragma once

#include "symbols.hpp"  // count_of

#include <stg/analysis/verify.hpp>  // verify
#include <stg/ir/program.hpp>       // program

namespace stg {

/// How often an operation stands in the step of each scan of a program, in their order.
struct by_scan {
  int of[12] = {};
  constexpr bool operator==(const by_scan&) const = default;
};
constexpr by_scan counts(const ir::program& p, ir::opcode code) {
  by_scan n;
  int scan = 0;
  for (const ir::statement& s : p.statements)
    if (ir::is_scan(s.code)) n.of[scan++] = count_of(p.callees[s.callee()], code);
  return n;
}
constexpr by_scan carried(const ir::program& p) {
  by_scan n;
  int scan = 0;
  for (const ir::statement& s : p.statements)
    if (ir::is_scan(s.code)) n.of[scan++] = s.carried();
  return n;
}
constexpr bool is_right(const ir::program& p) { return pass::verify(p) == pass::finding(); }

}  // namespace stg
