// keeping: the values of a program that a gradient reads, and the values that it computes again.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>           // uint64_t
#include <initializer_list>  // initializer_list

namespace stg {

/// Ways of keeping values for a gradient, of a value, of a scope or of a program. All give the same gradients.
enum class keeping : int {
  chosen,  // as the plan of a training step chooses: edge values and cheap chains are computed again (pass/save.hpp)
  everything,     // saved, all of them but constants, the graph's structure and random masks
  all_but_edges,  // saved if there is one per vertex or one at all; edge values are computed again from these
  results,        // computed again from the nearest saved values; outputs of the program are there anyway
  inputs          // computed again from inputs, with all of its operands
};

namespace ir {

/// A statement holds the number of its set of scopes (program.hpp), and above it a bit for each keeping of these
/// scopes. So keepings go wherever scopes go, and a statement of several scopes has the keepings of all.
inline constexpr int bits_of_scopes = 32;
inline constexpr std::uint64_t scope_bits = (std::uint64_t(1) << bits_of_scopes) - 1;

constexpr std::uint64_t keeping_bit(keeping way) {
  return way == keeping::chosen ? 0 : std::uint64_t(1) << (bits_of_scopes - 1 + static_cast<int>(way));
}
/// The keeping among several that saves most.
constexpr keeping keeping_of(std::uint64_t scopes) {
  for (const keeping way : {keeping::everything, keeping::all_but_edges, keeping::results, keeping::inputs})
    if (scopes & keeping_bit(way)) return way;
  return keeping::chosen;
}

}  // namespace ir

}  // namespace stg
