// Scalar expressions over indices: a program's value at one vertex or edge and one place of its features.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program

namespace stg::examine {

/// A vertex, an edge with its two ends, or a place along a feature axis.
struct index_variable {
  enum class kind : int { vertex, edge, feature };
  kind what = kind::vertex;
  int src = -1, dst = -1;  // of an edge, the variables of its ends
  ir::extent of{};         // of a feature, how many places there are
  int nth = 0;             // among those of its kind in the equation; gives its name
  int set = 0;             // of a vertex or an edge that is reduced over: its vertex set or relation; 0: the only one
};

struct scalar_term {
  static constexpr int none = -1;
  enum class kind : int {
    number,     // number
    extent,     // of: the code of an extent
    vertices,   // the number of vertices; of: their set
    variable,   // of: the variable; of a vertex or an edge its id
    degree,     // of: the direction, row: the vertex, relation: its relation
    read,       // of: a value, at row and indices; of one for each step of a scan at step, too
    apply,      // code: a pointwise operation, of: the statement with its number and type
    reduce,     // code: of the terms operands[0] over all of the variable `of`; row: the vertex that owns the edges
    plus,       // of places along axes
    minus,      //
    times,      //
    quotient,   // rounded down
    remainder,  //
    below,      // a < b
    same,       // a = b
    choose      // operands[0] ? operands[1] : operands[2], none: 0
  };
  kind what = kind::number;
  ir::opcode code{};
  double number = 0;
  std::int64_t of = 0;
  int row = none;
  int step = none;
  int relation = 0;
  int operands[3] = {none, none, none};
  int indices[ir::shape::max_rank] = {none, none, none, none};  // none: the axis has one place
};

/// value[row, indices] = right; row and indices are variables.
struct equation {
  ir::value_id value = ir::no_value;
  int row = scalar_term::none;
  int indices[ir::shape::max_rank] = {-1, -1, -1, -1};
  int right = scalar_term::none;
};

/// Equations of a program's values in scalar terms.
struct index_equations {
  sequence<equation> equations{};
  sequence<scalar_term> terms{};
  sequence<index_variable> variables{};
};

}  // namespace stg::examine
