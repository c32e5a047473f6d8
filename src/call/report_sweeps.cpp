// What sweeps along edges cost on ranks, by rows and by features.
#include <stg/call/explain_exchanges.hpp>

#include <algorithm>  // max
#include <string>     // string
#include <utility>    // move
#include <vector>     // vector

#include <stg/codegen/column_sweeps.hpp>  // column_sweeps_of
#include <stg/codegen/exchanges.hpp>      // exchanges_of

#include "../codegen/column_calls.hpp"  // column_bytes, column_memory, column_messages
#include "asked_parts.hpp"              // asked_rank, asked_step, called_program

namespace stg::detail {

namespace {

using codegen::exchange;
using codegen::exchanged;
using explained::index;
using explained::program_with_plan;

/// Rows that are there of a program's inputs: where sweeps are cut in either way, and in a call.
struct rows_there_by_way {
  const codegen::rows_there *by_rows = nullptr, *by_features = nullptr, *of_call = nullptr;
};

/// The sweeps of one program, and of the steps of its scans, on one rank.
class program_sweeps {
 public:
  program_sweeps(const called_program& of, std::vector<shared_sweep>& to)
      : call_(of), rank_(of.on.ranks), extents_(of.extents), to_(to) {}

  void add(const std::string& title, const rows_there_by_way& there, int results) {
    add(title, call_.of, call_.data, call_.steps, there, results, call_.call(), 1);
  }

 private:
  void add(const std::string& title, const program_with_plan& of, const codegen::plan_data& data,
           const planned_steps& steps, const rows_there_by_way& there, int results, const codegen::columns_for& call,
           std::int64_t times) {
    const codegen::step_program* const table = steps.table.data();
    const auto by_rows = codegen::exchanges_of(data, there.by_rows, results, table);
    const auto by_columns = codegen::column_sweeps_of(data, there.by_features);
    const auto chosen = codegen::chosen_column_sweeps(data, there.of_call, results, table, call);
    for (int unit = 0; unit < data.unit_count; ++unit) {
      const pass::planned_unit& u = data.units[unit];
      if (u.kind == pass::unit_kind::scan) add_steps(data.steps[u.first_step].index, title, data, steps, there, times);
      if (u.kind != pass::unit_kind::sweep || u.side == pass::sweep_side::none) continue;
      shared_sweep s;
      s.program = title;
      s.unit = of.unit_name(unit) + ", " + explained::kind_text(of, unit);
      s.times = times;
      for (const exchange& e : by_rows)
        if (e.before == codegen::chain_of(data, unit)) s.bytes_by_rows += bytes_of(data, e);
      for (const codegen::column_sweep& c : by_columns)
        if (c.unit == unit) add_columns(data, c, call.kernels, s);
      for (const codegen::column_sweep& c : chosen)
        if (c.unit == unit) s.way = cut_by::features;
      to_.push_back(std::move(s));
    }
  }
  void add_columns(const codegen::plan_data& data, const codegen::column_sweep& c,
                   const codegen::column_kernels* columns, shared_sweep& to) const {
    const codegen::column_shares shares(data, c, extents_.data(), columns, rank_.ranks->size());
    to.columns = shares.columns();
    to.bytes_by_features = codegen::column_bytes(shares, rank_);
    to.memory_by_features = codegen::column_memory(shares, rank_);
    to.messages_by_features = codegen::column_messages(shares, rank_);
  }
  void add_steps(int scan, const std::string& title, const codegen::plan_data& around, const planned_steps& steps,
                 const rows_there_by_way& there, std::int64_t times) {
    const asked_step by_rows(around, scan, steps, title, there.by_rows, extents_);
    const asked_step by_features(around, scan, steps, title, there.by_features, extents_);
    const asked_step of_call(around, scan, steps, title, there.of_call, extents_);
    const std::size_t callee = index(around.statements[scan].callee());
    add(by_rows.title, *steps.programs[callee], *steps.table[callee].data, *steps.inner[callee],
        {by_rows.there.data(), by_features.there.data(), of_call.there.data()}, 0, call_.call_of_steps(),
        times * by_rows.times);
  }
  std::int64_t bytes_of(const codegen::plan_data& data, const exchange& e) const {
    if (e.what == exchanged::sum || e.what == exchanged::made_again) return 0;
    std::int64_t rows = 0;
    for (const exchanged_rows& with : codegen::rows_to_exchange(rank_, e.what))
      rows += static_cast<std::int64_t>(with.sent.size());
    return rows * codegen::bytes_of_row(data, e.value, extents_.data());
  }

  const called_program& call_;
  const rank_rows& rank_;
  const std::vector<std::int64_t>& extents_;
  std::vector<shared_sweep>& to_;
};

}  // namespace

std::vector<shared_sweep> sweeps_of_part(const compiled_programs& programs, const sizes& given, const graph& part) {
  const explained::planned_programs planned(programs);
  std::vector<shared_sweep> all;
  if (!programs.trains) {
    const called_program inference(planned.inference, part, given, programs.inference_columns);
    program_sweeps(inference, all).add("inference", {}, -1);
    return all;
  }
  const auto& [head, tail] = *planned.training;
  const called_program forward(head, part, given, programs.forward_columns),
      gradient(tail, part, given, programs.gradient_columns);
  program_sweeps(forward, all).add("forward", {}, programs.results);
  const memory by_rows = rows_there_in_gradient(forward, gradient, programs, {}),
               by_features = rows_there_in_gradient(forward, gradient, programs,
                                                    codegen::column_sweeps_of(forward.data, nullptr)),
               of_call = rows_there_in_gradient(forward, gradient, programs);
  program_sweeps(gradient, all).add("gradient", {listed(by_rows), listed(by_features), listed(of_call)}, -1);
  return all;
}

std::vector<shared_sweep> sweeps_of_cut(const compiled_programs& programs, const sizes& given, const cut& of, int ranks,
                                        cut_by by) {
  std::vector<shared_sweep> all;
  if (of.whole().has_kinds()) return all;
  for (int rank = 0; rank < ranks; ++rank) {
    asked_rank here(rank, ranks);
    const distributed_graph part(of, here, by);
    const std::vector<shared_sweep> mine = sweeps_of_part(programs, given, part);
    if (rank == 0) all = mine;
    for (std::size_t k = 0; rank > 0 && k < mine.size(); ++k) {
      all[k].bytes_by_rows += mine[k].bytes_by_rows;
      all[k].bytes_by_features += mine[k].bytes_by_features;
      all[k].memory_by_features = std::max(all[k].memory_by_features, mine[k].memory_by_features);
      all[k].messages_by_features = std::max(all[k].messages_by_features, mine[k].messages_by_features);
    }
  }
  return all;
}

}  // namespace stg::detail
