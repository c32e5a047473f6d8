// split_sums: moves sums over steps that nothing else in a step needs, such as the gradient of a weight, out of the
// gradient of a scan whose body asks to be cut (split_steps.hpp). They go behind, into a scan of their own, of values
// that each step collects for them; if it reads no edges, it is one product of the rows of many steps.
//
// Runs when the operands of a gradient's steps are known, and no scan knows of another any more.
#pragma once

#include <stg/ir/program.hpp>        // program
#include <stg/pass/scan_parts.hpp>   // scan_cutting
#include <stg/pass/split_steps.hpp>  // split_steps_of

namespace stg::pass {

constexpr ir::program split_sums(const ir::program& p) {
  return detail::split_steps_of(p, [](detail::scan_cutting& scan) { scan.cut_behind(true); });
}

}  // namespace stg::pass
