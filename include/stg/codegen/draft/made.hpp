// Programs and plans of drafts: the passes of the pipeline, run when a program is first called, compiled in the
// library.
#pragma once

#include <memory>  // unique_ptr
#include <vector>  // vector

#include <stg/base/sequence.hpp>      // sequence
#include <stg/codegen/plan_data.hpp>  // plan_data
#include <stg/codegen/scan.hpp>       // step_program
#include <stg/ir/program.hpp>         // program
#include <stg/analysis/choices.hpp>   // choices
#include <stg/pass/plan.hpp>          // plan
#include <stg/pass/save.hpp>          // connection

namespace stg::drafts {

/// A program with its plan.
class made_program {
 public:
  /// Plans an inference program, or a half of a training step, and its steps by the choices of the whole.
  explicit made_program(ir::program of);
  made_program(ir::program of, const pass::choices& by);
  made_program(const made_program&) = delete;
  made_program& operator=(const made_program&) = delete;

  ir::program program;
  pass::plan plan;
  codegen::plan_data data;                           // of these two
  std::vector<std::unique_ptr<made_program>> steps;  // of its scans
  std::vector<codegen::step_program> step_programs;  // the same, as scans run them
  ir::flags read_one_by_one;  // per-edge values with rows that a statement reads, or that are written out as they are
};

/// Whether an aggregate joins rows of neighbours element by element: they are read in place.
bool joins_neighbours(const codegen::plan_data& plan, pass::sweep_side side, int aggregate);

/// A canonical program as it is called plainly.
ir::program inferred(const ir::program& canonical);

/// The two programs of its training step, as passes make them: these outputs bring cotangents, the inputs of these
/// entries get gradients.
pass::differentiated differentiated(const ir::program& canonical, const sequence<int>& provided,
                                    const sequence<int>& required);

/// The same with their plans.
struct made_step {
  made_step(const ir::program& canonical, const sequence<int>& provided, const sequence<int>& required);

  made_program forward, gradient;
  sequence<pass::connection> connections;

 private:
  explicit made_step(pass::differentiated&& d);
};

}  // namespace stg::drafts
