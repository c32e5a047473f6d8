// The pipeline at run time.
#include <stg/codegen/draft/made.hpp>

#include <utility>  // move

#include <stg/codegen/column_kernels.hpp>  // columns_of_drafts
#include <stg/codegen/draft/plan.hpp>      // run, workspace
#include <stg/op/list.hpp>                 // info_of
#include <stg/analysis/reads_edges.hpp>    // reads_edges
#include <stg/pipeline.hpp>                // planned, differentiated

namespace stg::drafts {

namespace {

/// As for a CPU, without chains: between two statements of a draft a block of rows lies in a cache anyway.
struct plan_passes {
  static constexpr pass::relations_of_sweep relations = pass::relations_of_sweep::several;
  static constexpr pipeline::plan_step list[] = {{"overwrite", pass::overwrite}};
};

/// Rows of neighbours that are combined are taken where they lie. All other values of a loop are read one after the
/// other.
ir::flags find_read(const codegen::plan_data& p) {
  ir::flags read(p.size);
  for (int l = 0; l < p.loop_count; ++l) {
    const pass::planned_loop& loop = p.loops[l];
    for (int k = loop.first_mode; k < loop.last_mode; ++k) {
      const ir::statement& s = p.statements[p.modes[k].at];
      for (int o = 0; o < s.arity(); ++o) read[p.root(s.operands[o])] = 1;
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = p.loop_results[r].at;
      if (p.statements[a].where == ir::space::edge) read[p.root(a)] = 1;
      else if (!joins_neighbours(p, loop.side, a)) read[p.root(p.statements[a].operands[0])] = 1;
    }
  }
  return read;
}

pipeline::request asked_of(const ir::program& p, const sequence<int>& provided, const sequence<int>& entries) {
  pipeline::request r = pipeline::asked_of(p);
  r.provided = provided;
  r.required = entries;
  return r;
}

}  // namespace

made_program::made_program(ir::program of) : made_program(of, pass::choices_of(of)) {}

made_program::made_program(ir::program of, const pass::choices& by)
    : program(std::move(of)),
      plan(pipeline::planned<plan_passes>(program, by)),
      data(codegen::data_over(program, plan, plan.sizes(), program.outputs.size())),
      read_one_by_one(find_read(data)) {
  for (const ir::program& step : program.callees) {
    steps.push_back(std::make_unique<made_program>(pass::with_choices(step, by), by));
    step_programs.push_back({&steps.back()->data, steps.back().get(),
                             [](const void* self, codegen::step_calls& calls) {
                               while (calls.next()) run(*static_cast<const made_program*>(self), calls.call);
                             },
                             [](const void* self, const codegen::launch& l) {
                               return workspace(*static_cast<const made_program*>(self), l);
                             },
                             pass::reads_edges(step)});
    step_programs.back().steps = steps.back()->step_programs.data();
    step_programs.back().columns = &codegen::columns_of_drafts;
  }
}

bool joins_neighbours(const codegen::plan_data& p, pass::sweep_side side, int a) {
  const ir::statement &s = p.statements[a], &x = p.statements[s.operands[0]];
  return op::info_of(x.code).kind == op::category::gather && !pass::reads_own_row(x.code, side) &&
         op::info_of(s.code).elementwise;
}

ir::program inferred(const ir::program& canonical) { return pipeline::inferred(canonical); }

pass::differentiated differentiated(const ir::program& canonical, const sequence<int>& provided,
                                    const sequence<int>& required) {
  return pipeline::differentiated(canonical, asked_of(canonical, provided, required));
}

made_step::made_step(const ir::program& canonical, const sequence<int>& provided, const sequence<int>& required)
    : made_step(differentiated(canonical, provided, required)) {}

made_step::made_step(pass::differentiated&& d)
    : forward(std::move(d.forward)), gradient(std::move(d.gradient)), connections(std::move(d.connections)) {}

}  // namespace stg::drafts
