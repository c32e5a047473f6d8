// Random programs as the steps of scans, as called programs, and with gradients as values.
#pragma once

#include "random_programs.hpp"  // random_program

#include <stg/codegen/interpreter.hpp>     // environment
#include <stg/ir/program.hpp>              // program
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence

#include <cstddef>      // size_t
#include <cstdint>      // int64_t, uint64_t
#include <optional>     // optional
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg::test {

class choices;

/// A program of scans and calls, and what it is bound to.
struct scanned {
  ir::program program{};
  oracle::environment env{};
};

/// A graph for each step, of edges that a program's graph has: most of them, in the order of their ids.
struct changing_graph {
  graph_sequence sequence;
  std::vector<graph> graphs{};
  std::vector<std::vector<std::size_t>> kept{};  // the edges of each step
  std::size_t edges = 0;                         // of the program's graph
};
changing_graph some_edges_of(const graph& g, std::int64_t steps, choices& c);

/// A scan of `steps` over a program, whose own inputs' numbers are those of every step, a little apart: outputs that
/// look like an input are carried, other inputs have a value for each step or are the same at all, by chance. What has
/// a value for each step of a scan within is the same at all of these, and given by none.
/// changing: where its edges are others at each step. over: the name of its extent.
scanned scan_of(const random_program& r, std::int64_t steps, bool backwards, const changing_graph* changing, choices& c,
                std::string_view over = "steps");

/// A program that has another one twice, by calls or written out. passed_on: of what the first gives, so many values
/// go into the second; null: none.
ir::program twice(const ir::program& of, bool called, long* passed_on);

/// A program and gradients of some of its outputs for some of its inputs, as a lambda has them by gradient(y, x).
/// Cotangents are further inputs, some of which train; of its own outputs it may have lost some. The program itself
/// where there is nothing to differentiate.
scanned with_gradient(const scanned& of, const graph& g, choices& c);

/// Scans and calls in one another, some with gradients as values: one at least, where there is anything to
/// differentiate.
scanned draw_nested(const random_program& r, choices& c);

/// A scan of a few steps for which a compiler takes seconds, which begins at the first one, and whose number of steps a
/// call can tell; on a graph for each step by chance, with no input of edges that is the same at all of them.
struct small_scan {
  scanned scan{};
  std::size_t family = 0;
  std::optional<changing_graph> changing{};
};
small_scan draw_small_scan(std::uint64_t seed);

}  // namespace stg::test
