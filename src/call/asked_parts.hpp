// What explanations of exchanges ask of: programs that are called beside the steps of their scans, parts as programs
// see them, and ranks that send nothing.
#pragma once

#include <memory>  // unique_ptr
#include <string>  // string
#include <vector>  // vector

#include <stg/analysis/reads_edges.hpp>    // reads_edges
#include <stg/base/error.hpp>              // error
#include <stg/call/explain_exchanges.hpp>  // kinds_on
#include <stg/codegen/column_choice.hpp>   // chosen_column_sweeps
#include <stg/codegen/exchanges.hpp>       // rows_there_of_gradient, rows_there_of_step
#include <stg/codegen/part_calls.hpp>      // show_rows_of_part, show_sizes_of_part
#include <stg/codegen/plan_data.hpp>       // plan_data
#include <stg/codegen/scan.hpp>            // step_program
#include <stg/ir/print.hpp>                // spelled
#include <stg/runtime/call_graph.hpp>      // call_graph
#include <stg/runtime/communicator.hpp>    // communicator
#include <stg/runtime/rank_rows.hpp>       // rank_rows

#include "report_programs.hpp"  // planned_programs

namespace stg::detail {

/// The steps of a program's scans, as far as exchanges ask for them.
struct planned_steps {
  std::vector<std::unique_ptr<explained::program_with_plan>> programs{};
  std::vector<std::unique_ptr<planned_steps>> inner{};
  std::vector<codegen::plan_data> data{};
  std::vector<codegen::step_program> table{};

  explicit planned_steps(const ir::program& of) {
    data.reserve(explained::index(of.callees.size()));
    for (const ir::program& step : of.callees) {
      const auto& p =
          *programs.emplace_back(std::make_unique<explained::program_with_plan>(step, 0, std::vector<std::string>()));
      inner.push_back(std::make_unique<planned_steps>(step));
      data.push_back(codegen::data_over(p.p, p.plan, p.plan.sizes(), p.p.outputs.size()));
      codegen::step_program one;
      one.data = &data.back();
      one.reads_edges = pass::reads_edges(step);
      one.steps = inner.back()->table.data();
      table.push_back(one);
    }
  }
};

/// The steps of a scan, or a called program, as a report asks for them: its title, how often a call runs it, and the
/// rows that are there of what it reads. there: as of the plan around it.
struct asked_step {
  std::string title;
  std::int64_t times;
  std::vector<codegen::rows_there> there;

  asked_step(const codegen::plan_data& around, int scan, const planned_steps& steps, const std::string& title_around,
             const codegen::rows_there* there_around, const std::vector<std::int64_t>& extents)
      : title(title_around), times(1) {
    const ir::statement& s = around.statements[scan];
    const bool is_call = ir::is_call(s);
    title += (is_call ? ", called for " : ", a step of ") + ir::detail::spelled(scan);
    if (!is_call) times = codegen::extent_of(s.over.code, extents.data());
    there = codegen::rows_there_of_step(around, scan, steps.table[explained::index(s.callee())], there_around);
  }
};

/// A part as programs of some kinds see it, though none runs.
struct asked_graph {
  asked_graph(const graph& part, const sequence<ir::kind>& kinds_of_program)
      : kinds(kinds_on(kinds_of_program, part)), ranks(*part.ranks()) {
    seen.kinds = kinds.empty() ? nullptr : kinds.data();
    codegen::show_sizes_of_part(seen, ranks);
    codegen::show_rows_of_part(seen);
  }
  const rank_rows& rows_of(const ir::domain& where) const { return where.set == 0 ? ranks : *kinds[where.set].ranks; }

  sequence<kind_rows> kinds;
  const rank_rows& ranks;
  codegen::graph_view seen{};
};

/// A program that is called, beside its steps.
struct called_program {
  const explained::program_with_plan& of;
  codegen::plan_data data;
  planned_steps steps;
  asked_graph on;
  std::vector<asked_graph> on_steps{};  // of a graph that changes
  std::vector<std::int64_t> extents;
  const codegen::column_kernels* columns;

  called_program(const explained::program_with_plan& program, const call_graph& part, const sizes& given,
                 const codegen::column_kernels* kernels)
      : of(program),
        data(codegen::data_over(of.p, of.plan, of.plan.sizes(), of.p.outputs.size())),
        steps(of.p),
        on(part.outside(), of.p.kinds),
        extents(sizes_of_extents(of.p.extents, given)),
        columns(kernels) {
    extents.push_back(1);
    if (part.steps() == nullptr) return;
    on_steps.reserve(explained::index(part.steps()->steps));
    for (std::int64_t t = 0; t < part.steps()->steps; ++t) on_steps.emplace_back(part.steps()->at(t), of.p.kinds);
  }
  codegen::columns_for call() const { return {&on.ranks, extents.data(), columns}; }
  /// Of the steps of scans: those of a draft alone have kernels for shares of columns.
  codegen::columns_for call_of_steps() const {
    return {&on.ranks, extents.data(), columns != nullptr && columns->groups == 0 ? columns : nullptr};
  }
};

/// The rows of a gradient's inputs on this rank, where some sweeps of the forward program are cut by columns.
inline memory rows_there_in_gradient(const called_program& forward, const called_program& gradient,
                                     const compiled_programs& programs,
                                     const std::vector<codegen::column_sweep>& by_columns) {
  return codegen::rows_there_of_gradient(forward.data, gradient.data, programs.connections.data(), programs.results,
                                         forward.steps.table.data(), by_columns);
}
/// Where they are cut as in a call.
inline memory rows_there_in_gradient(const called_program& forward, const called_program& gradient,
                                     const compiled_programs& programs) {
  return rows_there_in_gradient(forward, gradient, programs,
                                codegen::chosen_column_sweeps(forward.data, nullptr, programs.results,
                                                              forward.steps.table.data(), forward.call()));
}
inline const codegen::rows_there* listed(const memory& there) {
  return reinterpret_cast<const codegen::rows_there*>(there.get());
}

/// A rank that is asked about and sends nothing.
class asked_rank final : public communicator {
 public:
  asked_rank(int number, int of) : rank_(number), size_(of) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  using communicator::send;
  void send(int, std::uint64_t, message_room) override { refuse(); }
  void expect(int, std::uint64_t, std::byte*, std::int64_t) override { refuse(); }
  void receive(int, std::uint64_t) override { refuse(); }
  void fail(std::string_view) noexcept override {}

 private:
  [[noreturn]] static void refuse() { throw error("stg internal: a part that is asked about runs"); }
  int rank_, size_;
};

}  // namespace stg::detail
