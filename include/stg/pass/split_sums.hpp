// split_sums: of the gradient of a scan whose body asks to be cut (split_steps.hpp), the sums over steps that nothing
// else in a step needs, such as the gradient of a weight. They go behind, into a scan of their own, of what each step
// collects for them; where that reads no edges it is one product of the rows of many steps.
//
// Runs when it is known what the steps of a gradient read, and no scan knows of another any more.
#pragma once

#include <stg/ir/program.hpp>        // program
#include <stg/pass/scan_parts.hpp>   // scan_cutting
#include <stg/pass/split_steps.hpp>  // split_steps_of

namespace stg::pass {

constexpr ir::program split_sums(const ir::program& p) {
  return detail::split_steps_of(p, [](detail::scan_cutting& scan) { scan.cut_behind(true); });
}

}  // namespace stg::pass
