// keeping: the values of a program that a gradient reads, and the values that it computes again.
#pragma once

#include <string_view>  // string_view

#include <stg/base/standard.hpp>  // C++20

namespace stg {

/// Ways of keeping values for a gradient, of a value, of a scope or of a program. All give the same gradients.
enum class keeping : int {
  chosen,  // as the plan of a training step chooses: edge values and cheap chains are computed again (pass/save.hpp)
  everything,     // saved, all of them but constants, the graph's structure and random masks
  all_but_edges,  // saved if there is one per vertex or one at all; edge values are computed again from these
  results,        // computed again from the nearest saved values; outputs of the program are there anyway
  inputs          // computed again from inputs, with all of its operands
};

/// Their names in texts.
inline constexpr std::string_view keeping_names[] = {"chosen", "everything", "all_but_edges", "results", "inputs"};
constexpr std::string_view name_of(keeping way) { return keeping_names[static_cast<int>(way)]; }

namespace ir {

/// Of two ways of keeping one value, the one that saves more; any goes before none.
constexpr keeping more_saving(keeping a, keeping b) {
  return a == keeping::chosen || (b != keeping::chosen && b < a) ? b : a;
}

}  // namespace ir

}  // namespace stg
