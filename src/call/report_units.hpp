// One program of an explanation with its plan, and the text of its units.
#pragma once

#include <string>   // string
#include <utility>  // move
#include <vector>   // vector

#include <stg/codegen/cpu/form_words.hpp>      // key_of
#include <stg/codegen/cpu/library_kernel.hpp>  // is_in_library
#include <stg/codegen/cpu/rounds.hpp>          // ordered_values
#include <stg/pass/fuse.hpp>                   // fuse
#include <stg/pass/plan.hpp>                   // plan
#include <stg/pipeline.hpp>                    // planned

#include "cost.hpp"          // unit_cost
#include "report_words.hpp"  // measure, add_once

namespace stg::detail::explained {

/// One program with its plan. Units count from first_unit on.
struct program_with_plan {
  ir::program p;
  pass::fusion f;
  pass::plan plan;
  int first_unit;
  std::vector<std::string> output_readers;  // who each output is for

  program_with_plan(ir::program program, int first_unit, std::vector<std::string> output_readers)
      : p(std::move(program)),
        f(pass::fuse(p)),
        plan(pipeline::planned(p, f)),
        first_unit(first_unit),
        output_readers(std::move(output_readers)) {}

  int unit_count() const { return f.units.size(); }
  std::string unit_name(int u) const { return "unit " + std::to_string(first_unit + u); }
  bool is_stored(value_id i) const { return plan.stored[index(i)]; }
  bool is_in_block(value_id i) const { return plan.in_block[index(i)]; }

  /// Who reads a value from memory: units by what they do with it, and whoever gets the outputs.
  std::vector<std::string> readers_of(value_id i) const {
    std::vector<std::string> readers;
    for (int u = 0; u < unit_count(); ++u) {
      const pass::unit& unit = f.units[index(u)];
      const std::string name = unit_name(u);
      for (value_id s : unit.statements)
        if (reads(s, i)) add_reader(readers, unit.kind, u, i);
      for (const pass::edge_loop& loop : unit.loops)
        for (value_id e : loop.statements) {
          if (!reads(e, i)) continue;
          const bool gathers = op::info_of(p[e].code).kind == op::category::gather;
          if (gathers && !is_own(e, loop.side)) add_once(readers, "neighbours in " + name);
          else add_reader(readers, unit.kind, u, i);
        }
    }
    for (int k = 0; k < p.outputs.size(); ++k)
      if (root_of(p, p.outputs[k].at) == i) add_once(readers, output_readers[k]);
    return readers;
  }
  /// Whether a sweep moves edge values into its order before it reads them, where a graph is large.
  bool orders_edges() const {
    const codegen::plan_data all{
        .size = p.size(),
        .unit_count = plan.units.size(),
        .statements = p.statements.data(),
        .units = plan.units.data(),
        .steps = plan.steps.data(),
        .loops = plan.loops.data(),
        .loop_statements = plan.loop_statements.data(),
        .loop_results = plan.loop_results.data(),
    };
    for (int u = 0; u < all.unit_count; ++u)
      if (cpu::ordered_values(all, u).at.count > 0) return true;
    return false;
  }
  bool has_kernel(int u) const { return cpu::has_kernel(plan.units[index(u)]); }
  /// Whether a unit's kernel comes with the library.
  bool is_in_library(int u) const {
#if STG_LIBRARY_KERNELS
    const codegen::plan_data all = codegen::data_over(p, plan, plan.sizes(), p.outputs.size());
    if (has_kernel(u)) return cpu::is_in_library(cpu::key_of(cpu::cut_out(all, u, cpu::has_f64(all))));
#else
    static_cast<void>(u);
#endif
    return false;
  }
  static bool is_own(const ir::statement& gather, pass::sweep_side side) {
    return pass::reads_own_row(gather.code, side);
  }
  bool is_own(value_id gather, pass::sweep_side side) const { return is_own(p[gather], side); }

  bool is_sparse_product(int u) const { return ir::is_sparse_product(p[f.units[index(u)].statements[0]]); }

 private:
  bool reads(value_id reader, value_id i) const {
    for (int k = 0; k < p[reader].arity(); ++k)
      if (root_of(p, p[reader].operands[k]) == i) return true;
    return false;
  }
  void add_reader(std::vector<std::string>& readers, pass::unit_kind kind, int u, value_id made) const {
    if (f.unit_of[index(made)] == u) return kind == pass::unit_kind::graph ? add_once(readers, "this unit") : void();
    const bool product = kind == pass::unit_kind::product || kind == pass::unit_kind::reduced_product;
    add_once(readers, (product && is_sparse_product(u)      ? "the sparse product of "
                       : product                            ? "the dense product of "
                       : kind == pass::unit_kind::reduction ? "the reduction of "
                                                            : "") +
                          unit_name(u));
  }
};

/// `sweep along in-edges`.
std::string kind_text(const program_with_plan& h, int unit);
int edge_sweeps(const program_with_plan& h);
std::string units_text(const program_with_plan& h, const measure& size);
unit_cost total_of(const program_with_plan& h);

}  // namespace stg::detail::explained
