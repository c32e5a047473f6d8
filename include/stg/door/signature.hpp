// What a program takes and gives, in words: names, places, types and sizes, for callers who see no types of C++.
#pragma once

#include <string>  // string
#include <vector>  // vector

#include <stg/ir/program.hpp>  // program, scalar_type

namespace stg::door {

/// An input or an output of a program.
struct value {
  std::string name{};                  // of an output without a name: empty
  std::string where{};                 // "vertex", "edge" or "graph"
  std::string of{};                    // the vertex set or the relation; empty in a program over a plain graph
  scalar_type type = f32;              // of its numbers
  std::string steps{};                 // of a value for each step of a scan: their number, or its name; else empty
  std::vector<std::string> extents{};  // of its own axes: numbers, or names of extents
  bool is_trained = false, is_sparse = false;

  /// Its type and shape as a user of arrays reads them: `f32 (vertices, 8, F)`.
  std::string spelled() const;
};

/// All inputs that a program reads, in the order of their first use, and its outputs.
struct signature {
  std::vector<value> inputs{}, outputs{};
  std::vector<std::string> gradients{};  // inputs that a training or a loss has gradients for
  bool draws = false;                    // random numbers, in training: each call has its own
  bool is_over_sets = false;             // called on a graph of several kinds
  bool takes_steps = false;              // called on a graph for each step of its scans as well
  ir::program (*program)() = nullptr;    // what it is of, in canonical form

  /// One line for each input and output, for a help text.
  std::string spelled() const;
  /// The input of this name; null where there is none.
  const value* input(std::string_view name) const;
};

/// Of a program in canonical form.
///
///   std::cout << stg::door::signature_of(stg::as_program<gat>()).spelled();
signature signature_of(const ir::program& p);

}  // namespace stg::door
