// What sweeps along edges cost on ranks, by rows and by features.
#include <stg/call/explain_exchanges.hpp>

#include <algorithm>  // max

#include <stg/codegen/exchanges.hpp>   // exchanges_of
#include <stg/codegen/part_calls.hpp>  // rows_there_of_gradient

#include "../codegen/column_calls.hpp"  // column_bytes, column_memory
#include "asked_parts.hpp"              // asked_rank, planned_steps

namespace stg::detail {

namespace {

using codegen::exchange;
using codegen::exchanged;
using explained::program_with_plan;

/// The sweeps of one program, on one rank.
class program_sweeps {
 public:
  program_sweeps(std::string title, const program_with_plan& of, const rank_rows& part, const sizes& given)
      : title_(std::move(title)),
        of_(of),
        data_(codegen::data_over(of.p, of.plan, of.plan.sizes(), of.p.outputs.size())),
        steps_(of.p),
        part_(part),
        extents_(sizes_of_extents(of.p.extents, given)) {
    extents_.push_back(1);
  }
  const codegen::plan_data& data() const { return data_; }
  const codegen::step_program* steps() const { return steps_.table.data(); }

  /// there_by_columns: the same, where sweeps are cut by features.
  void add_to(std::vector<shared_sweep>& all, const codegen::rows_there* there,
              const codegen::rows_there* there_by_columns, int results) const {
    const auto by_rows = codegen::exchanges_of(data_, there, results, steps());
    const auto by_columns = codegen::column_sweeps_of(data_, there_by_columns);
    for (int unit = 0; unit < data_.unit_count; ++unit) {
      const pass::planned_unit& u = data_.units[unit];
      if (u.kind != pass::unit_kind::sweep || u.side == pass::sweep_side::none) continue;
      shared_sweep s;
      s.program = title_;
      s.unit = of_.unit_name(unit) + ", " + explained::kind_text(of_, unit);
      for (const exchange& e : by_rows)
        if (e.before == codegen::chain_of(data_, unit)) s.bytes_by_rows += bytes_of(e);
      for (const codegen::column_sweep& c : by_columns)
        if (c.unit == unit) {
          s.columns = codegen::extent_of(c.columns, extents_.data());
          s.bytes_by_features = codegen::column_bytes(data_, c, part_, extents_.data());
          s.memory_by_features = codegen::column_memory(data_, c, part_, extents_.data());
        }
      all.push_back(std::move(s));
    }
  }

 private:
  std::int64_t bytes_of(const exchange& e) const {
    if (e.what == exchanged::sum || e.what == exchanged::made_again) return 0;
    std::int64_t rows = 0;
    for (const exchanged_rows& with : codegen::rows_to_exchange(part_, e.what))
      rows += static_cast<std::int64_t>(with.sent.size());
    return rows * codegen::bytes_of_row(data_, e.value, extents_.data());
  }

  std::string title_;
  const program_with_plan& of_;
  codegen::plan_data data_;
  planned_steps steps_;
  const rank_rows& part_;
  std::vector<std::int64_t> extents_;
};

}  // namespace

std::vector<shared_sweep> sweeps_of_part(const compiled_programs& programs, const sizes& given, const rank_rows& part) {
  const explained::planned_programs planned(programs);
  std::vector<shared_sweep> all;
  if (!programs.trains) {
    program_sweeps("inference", planned.inference, part, given).add_to(all, nullptr, nullptr, -1);
    return all;
  }
  const auto& [head, tail] = *planned.training;
  const program_sweeps forward("forward", head, part, given), gradient("gradient", tail, part, given);
  const auto there = [&](const rank_rows* of) {
    return codegen::rows_there_of_gradient(forward.data(), gradient.data(), programs.connections.data(),
                                           programs.results, forward.steps(), of);
  };
  const memory by_rows = there(nullptr), by_columns = there(&part);
  forward.add_to(all, nullptr, nullptr, programs.results);
  gradient.add_to(all, reinterpret_cast<const codegen::rows_there*>(by_rows.get()),
                  reinterpret_cast<const codegen::rows_there*>(by_columns.get()), -1);
  return all;
}

std::vector<shared_sweep> sweeps_of_cut(const compiled_programs& programs, const sizes& given, const cut& of,
                                        int ranks) {
  std::vector<shared_sweep> all;
  for (int rank = 0; rank < ranks; ++rank) {
    asked_rank here(rank, ranks);
    const distributed_graph part(of, here, cut_by::features);
    const std::vector<shared_sweep> mine = sweeps_of_part(programs, given, rows_of_part(part));
    if (rank == 0) all = mine;
    for (std::size_t k = 0; rank > 0 && k < mine.size(); ++k) {
      all[k].bytes_by_rows += mine[k].bytes_by_rows;
      all[k].bytes_by_features += mine[k].bytes_by_features;
      all[k].memory_by_features = std::max(all[k].memory_by_features, mine[k].memory_by_features);
    }
  }
  return all;
}

}  // namespace stg::detail
