// What one unit of a plan costs: bytes that it must move at least, and arithmetic operations, as formulas.
#pragma once

#include <stg/ir/program.hpp>  // program
#include <stg/pass/fuse.hpp>   // fusion
#include <stg/pass/plan.hpp>   // plan

#include "formula.hpp"  // formula

namespace stg {

struct unit_cost {
  formula bytes, operations;
  formula gathered;  // bytes of neighbours' rows that an edge names, each value once in the unit
  unit_cost& operator+=(const unit_cost& other) {
    bytes += other.bytes;
    operations += other.operations;
    gathered += other.gathered;
    return *this;
  }
};

/// A factor of formulas: so many edges has a vertex on average.
inline constexpr const char* edges_of_a_vertex = "|E|/|V|";

/// |V| or |E| rows, or one; |paper| of a vertex set or relation.
formula rows_of(const ir::program& p, const ir::domain& where);
/// Bytes of one row of a value.
formula row_bytes(const ir::program& p, ir::value_id at);
/// Bytes of all rows of a value, and of all steps where it has one for each.
formula bytes_of_value(const ir::program& p, ir::value_id at);

/// Every stored array is read and written once, but not read where a unit of the same chain made it; the row of a
/// neighbour is read once per edge and loop. A neighbour's id takes 4 bytes, an edge id 8 (none along in-edges, where
/// it is the position), a row's offset 8. A scan costs what its step does, as often as there are steps. Operations
/// count as op::info says, a product's as 2 per term.
unit_cost cost_of(const ir::program& p, const pass::fusion& f, const pass::plan& plan, int unit);

/// What one step of a scan costs, over all steps.
unit_cost repeated(const ir::program& p, const ir::statement& scan, const unit_cost& once);

/// A rule that says which values of a program are stored.
using storing_rule = ir::flags(const ir::program&);

/// What a program moves and computes in which exactly the values of a rule are stored (inputs always are) and every
/// other one is computed anew in each stored value, or in each of its elements that edges read, as where loops are made
/// of one expression: once for each edge behind a gather, for each edge of an edge's end behind two. A scan costs what
/// its step does by the same rule, as often as there are steps. Linear in what is computed.
unit_cost cost_of_choice(const ir::program& p, storing_rule& rule);

}  // namespace stg
