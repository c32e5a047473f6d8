// What ranks send each other in the calls of a lambda.
#include <stg/call/explain_exchanges.hpp>

#include <algorithm>  // max
#include <memory>     // unique_ptr

#include <stg/base/error.hpp>          // error
#include <stg/codegen/exchanges.hpp>   // exchanges_of
#include <stg/codegen/part_calls.hpp>  // rows_there_of_gradient
#include <stg/codegen/scan.hpp>        // step_program
#include <stg/ir/print.hpp>            // tag_text

#include "asked_parts.hpp"  // asked_rank, planned_steps

namespace stg::detail {

namespace {

using codegen::exchange;
using codegen::exchanged;
using explained::index;
using explained::program_with_plan;

/// The exchanges of one program.
class program_exchanges {
 public:
  program_exchanges(std::string title, const program_with_plan& of, const codegen::rows_there* there, int results,
                    const rank_rows& part, const sizes& given)
      : title_(std::move(title)),
        of_(of),
        data_(codegen::data_over(of.p, of.plan, of.plan.sizes(), of.p.outputs.size())),
        steps_(of.p),
        part_(part),
        extents_(sizes_of_extents(of.p.extents, given)) {
    extents_.push_back(1);
    for (const exchange& e : codegen::exchanges_of(data_, there, results, steps_.table.data(), way_of(&part))) add(e);
  }
  const codegen::plan_data& data() const { return data_; }
  const codegen::step_program* steps() const { return steps_.table.data(); }
  std::vector<exchange_report> take() { return std::move(found_); }

 private:
  std::string unit_text(int u) const {
    if (u < 0) return "an input";
    if (u >= data_.unit_count) return "the end of the call";
    std::string kinds;
    for (int k = u; k < u + std::max(1, data_.units[u].chained); ++k)
      kinds += (k > u ? ", " : "") + explained::kind_text(of_, k);
    return of_.unit_name(u) + ", " + kinds;
  }
  void add(const exchange& e) {
    exchange_report r;
    r.program = title_;
    r.value = explained::value_text(of_.p, e.value);
    for (const ir::label& l : of_.p.names)
      if (l.at == e.value) r.names.emplace_back(l.name.view());
    for (const ir::tag& t : of_.p.tags) {
      if (t.at != e.value) continue;
      r.names.emplace_back(t.name.view());
      r.value += ' ' + ir::detail::tag_text(t);
    }
    r.made_by = unit_text(e.after);
    r.read_by = unit_text(e.before);
    count(e, r);
    if (e.what != exchanged::made_again) find_meanwhile(e, r);
    found_.push_back(std::move(r));
  }
  void count(const exchange& e, exchange_report& r) const {
    const std::int64_t row = codegen::bytes_of_row(data_, e.value, extents_.data());
    const ir::statement& s = data_.statements[e.value];
    const std::int64_t steps = s.is_sequence() ? codegen::extent_of(s.over.code, extents_.data()) : 1;
    if (e.what == exchanged::made_again) {
      r.what = "rows of vertices, made again";
      return;
    }
    if (e.what == exchanged::sum) {
      r.what = "sums of blocks";
      r.peers = part_.ranks->size() - 1;
      r.rows = codegen::nodes_of_sums(part_, part_.ranks->rank()) * r.peers;
    } else {
      r.what = e.what == exchanged::vertices ? "rows of vertices" : "rows of edges";
      for (const exchanged_rows& with : codegen::rows_to_exchange(part_, e.what)) {
        r.rows += static_cast<std::int64_t>(with.sent.size()) * steps;
        r.peers += !with.sent.empty();
      }
    }
    r.bytes = r.rows * row;
  }
  void find_meanwhile(const exchange& e, exchange_report& r) const {
    const auto begins = [&](int u) { return data_.units[u].chained != 0; };
    int first = e.after + 1;
    while (first < data_.unit_count && !begins(first)) ++first;
    for (int u = first; u < e.before; ++u)
      if (begins(u)) r.meanwhile.push_back(unit_text(u));
    if (e.before >= data_.unit_count || e.what != exchanged::vertices) return;
    if (!codegen::has_interior_rows(data_, e.before)) return;
    const rows_by_neighbours& rows = data_.units[e.before].side == pass::sweep_side::out ? part_.by_out : part_.by_in;
    std::int64_t interior = 0;
    for (const row_range& range : rows.interior) interior += range.last - range.first;
    if (interior > 0)
      r.meanwhile.push_back(std::to_string(interior) + " interior rows of " + std::to_string(part_.own_vertices) +
                            " in " + of_.unit_name(e.before));
  }

  std::string title_;
  const program_with_plan& of_;
  codegen::plan_data data_;
  planned_steps steps_;
  const rank_rows& part_;
  std::vector<std::int64_t> extents_;
  std::vector<exchange_report> found_{};
};

std::string counted_bytes(std::int64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

}  // namespace

std::vector<exchange_report> exchanges_of_part(const compiled_programs& programs, const sizes& given,
                                               const rank_rows& part) {
  const explained::planned_programs planned(programs);
  if (!programs.trains) return program_exchanges("inference", planned.inference, nullptr, -1, part, given).take();
  const auto& [head, tail] = *planned.training;
  program_exchanges forward("forward", head, nullptr, programs.results, part, given);
  const codegen::plan_data gradient = codegen::data_over(tail.p, tail.plan, tail.plan.sizes(), tail.p.outputs.size());
  const memory there = codegen::rows_there_of_gradient(forward.data(), gradient, programs.connections.data(),
                                                       programs.results, forward.steps(), &part);
  std::vector<exchange_report> all = forward.take();
  for (exchange_report& r :
       program_exchanges("gradient", tail, reinterpret_cast<const codegen::rows_there*>(there.get()), -1, part, given)
           .take())
    all.push_back(std::move(r));
  return all;
}

std::vector<exchange_report> exchanges_of_cut(const compiled_programs& programs, const sizes& given, const cut& of,
                                              int ranks) {
  std::vector<exchange_report> all;
  for (int rank = 0; rank < ranks; ++rank) {
    asked_rank here(rank, ranks);
    const distributed_graph part(of, here);
    const std::vector<exchange_report> mine = exchanges_of_part(programs, given, rows_of_part(part));
    if (rank == 0) all = mine;
    for (std::size_t k = 0; rank > 0 && k < mine.size(); ++k) {
      all[k].rows += mine[k].rows;
      all[k].bytes += mine[k].bytes;
      all[k].peers = std::max(all[k].peers, mine[k].peers);
      if (all[k].meanwhile.size() > mine[k].meanwhile.size()) all[k].meanwhile = mine[k].meanwhile;
    }
  }
  return all;
}

const rank_rows& rows_of_part(const distributed_graph& part) { return *static_cast<const graph&>(part).ranks(); }

static std::string sweeps_text(const std::vector<shared_sweep>& all) {
  std::string text;
  for (const shared_sweep& s : all) {
    text += "  " + s.program + ", " + s.unit + ": by rows " + counted_bytes(s.bytes_by_rows) + "; ";
    if (s.columns == 0)
      text += s.bytes_by_rows == 0 ? "all rows that it reads are there\n" : "by features not, since it mixes them\n";
    else
      text += "by features " + counted_bytes(s.bytes_by_features) + ", " + std::to_string(s.columns) + " columns, " +
              counted_bytes(s.memory_by_features) + " of memory\n";
  }
  return text.empty() ? text : "sweeps along edges\n" + text;
}

std::string exchanges_text(const std::vector<exchange_report>& all, const std::vector<shared_sweep>& sweeps,
                           const std::string& of) {
  std::string text = "exchanges of " + of + '\n', program;
  std::int64_t bytes = 0;
  for (const exchange_report& r : all) {
    bytes += r.bytes;
    if (r.program != program) text += r.program + '\n';
    program = r.program;
    text += "  " + r.value + ": " + r.what;
    if (r.peers > 0)
      text += ", " + std::to_string(r.rows) + " in " + counted_bytes(r.bytes) + " to " + std::to_string(r.peers) +
              (r.peers == 1 ? " rank" : " ranks");
    text += "\n    made by " + r.made_by + "\n    read by " + r.read_by + '\n';
    for (const std::string& what : r.meanwhile) text += "    meanwhile " + what + '\n';
    if (r.meanwhile.empty() && r.peers > 0) text += "    nothing runs meanwhile\n";
  }
  return text + "in all " + counted_bytes(bytes) + '\n' + sweeps_text(sweeps);
}

static bool is_called(const exchange_report& r, std::string_view name) {
  for (const std::string& known : r.names)
    if (known == name || known.ends_with('/' + std::string(name))) return true;
  return r.value.starts_with(std::string(name) + ' ');
}

void check_overlap(const std::vector<exchange_report>& all, std::string_view name) {
  std::string known;
  bool is_there = false;
  for (const exchange_report& r : all) {
    known += (known.empty() ? "" : "; ") + r.value;
    if (!is_called(r, name)) continue;
    is_there = true;
    if (!r.meanwhile.empty() || r.peers == 0) continue;
    const bool is_sum = r.what == "sums of blocks";
    throw error(
        "verify_overlap: nothing runs while " + r.value + " is exchanged in the " + r.program + ": " + r.read_by +
        (is_sum                      ? ", reads the sum at once; use it later, or not at all"
         : r.what == "rows of edges" ? ", reads rows of edges at once; compute the edge value along one direction"
                                     : ", reads rows of other ranks at once, and no row of its own has its "
                                       "neighbours here; cut the graph into parts with fewer edges between them"));
  }
  if (!is_there)
    throw error("verify_overlap: no value \"" + std::string(name) +
                "\" is exchanged; there are: " + (known.empty() ? "none" : known));
}

}  // namespace stg::detail
