// The pipeline at run time.
#include <stg/codegen/draft/made.hpp>

#include <span>     // span
#include <utility>  // move

#include <stg/pipeline.hpp>  // planned, differentiated

namespace stg::drafts {

namespace {

/// As for a CPU, without chains: between two statements of a draft a block of rows lies in a cache anyway.
struct plan_passes {
  static constexpr pipeline::plan_step list[] = {{"overwrite", pass::overwrite}};
};

codegen::plan_data as_data(const ir::program& program, const pass::plan& plan) {
  codegen::plan_data d;
  d.size = program.size();
  d.unit_count = plan.units.size();
  d.statements = program.statements.first;
  d.units = plan.units.first;
  d.steps = plan.steps.first;
  d.loops = plan.loops.first;
  d.loop_statements = plan.loop_statements.first;
  d.loop_results = plan.loop_results.first;
  d.modes = plan.modes.first;
  d.stored = plan.stored.first;
  d.in_block = plan.in_block.first;
  d.joined = plan.joined.first;
  d.lifetimes = plan.lifetimes.first;
  d.overwrites = plan.overwrites.first;
  d.outputs = program.outputs.first;
  d.output_count = program.outputs.size();
  return d;
}

pipeline::request asked_of(const ir::program& p, const sequence<int>& provided, const sequence<int>& entries) {
  pipeline::request r = pipeline::asked_of(p);
  r.provided = provided;
  r.required = entries;
  return r;
}

template <class T> std::span<const T> all_of(const sequence<T>& s) {
  return {s.first, static_cast<std::size_t>(s.size())};
}

}  // namespace

made_program::made_program(ir::program of)
    : program(std::move(of)), plan(pipeline::planned<plan_passes>(program)), data(as_data(program, plan)) {}

program_view made_program::view() const {
  return {all_of(program.statements), all_of(program.inputs), all_of(program.extents), all_of(program.checks)};
}

ir::program inferred(const ir::program& canonical) { return pipeline::inferred(canonical); }

made_step::made_step(const ir::program& canonical, const sequence<int>& provided, const sequence<int>& required)
    : made_step(pipeline::differentiated(canonical, asked_of(canonical, provided, required))) {}

made_step::made_step(pass::differentiated&& d)
    : forward(std::move(d.forward)), gradient(std::move(d.gradient)), connections(std::move(d.connections)) {}

}  // namespace stg::drafts
