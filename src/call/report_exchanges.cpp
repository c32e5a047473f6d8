// What ranks send each other in the calls of a lambda.
#include <stg/call/explain_exchanges.hpp>

#include <algorithm>  // max

#include <stg/base/error.hpp>         // error
#include <stg/codegen/exchanges.hpp>  // exchanges_of, interior_rows, reads_of_units
#include <stg/ir/print.hpp>           // tag_text
#include <stg/runtime/kinds.hpp>      // check_kinds, find_kinds

#include "../runtime/graph/kind_table.hpp"  // graphs_access
#include "asked_parts.hpp"                  // asked_rank, asked_step, called_program

namespace stg::detail {

namespace {

using codegen::exchange;
using codegen::exchanged;
using explained::index;
using explained::program_with_plan;

constexpr const char* the_end = "the end of the call";

/// The exchanges of one program, and of the steps of its scans.
class program_exchanges {
 public:
  program_exchanges(std::string title, const program_with_plan& of, const codegen::plan_data& data,
                    const planned_steps& steps, const codegen::rows_there* there, int results,
                    const called_program& call, const codegen::columns_for& columns, std::vector<const asked_graph*> on,
                    std::int64_t times = 1)
      : title_(std::move(title)),
        of_(of),
        data_(data),
        steps_(steps),
        call_(call),
        on_(std::move(on)),
        extents_(call.extents),
        times_(times),
        overlapped_(of.p) {
    const auto by_columns = codegen::chosen_column_sweeps(data_, there, results, steps_.table.data(), columns);
    all_ = codegen::exchanges_of(data_, there, results, steps_.table.data(), by_columns);
    reads_ = codegen::reads_of_units(data_, there, steps_.table.data(), by_columns);
    for (const exchange& e : all_) add(e);
    for (int u = 0; u < data_.unit_count; ++u)
      if (data_.units[u].kind == pass::unit_kind::scan) add_steps(data_.steps[data_.units[u].first_step].index, there);
  }
  std::vector<exchange_report> take() { return std::move(found_); }

 private:
  std::string unit_text(int u) const {
    if (u < 0) return "an input";
    if (u >= data_.unit_count) return the_end;
    std::string kinds;
    for (int k = u; k < u + std::max(1, data_.units[u].chained); ++k)
      kinds += (k > u ? ", " : "") + explained::kind_text(of_, k);
    return of_.unit_name(u) + ", " + kinds;
  }
  void add(const exchange& e) {
    exchange_report r;
    r.program = title_;
    r.value = explained::value_text(of_.p, e.value);
    r.times = times_;
    for (const ir::label& l : of_.p.names)
      if (l.at == e.value) r.names.emplace_back(l.name.view());
    for (const ir::tag& t : of_.p.tags) {
      if (t.at != e.value) continue;
      r.names.emplace_back(t.name.view());
      r.value += ' ' + ir::detail::tag_text(t);
    }
    ir::each_scope(of_.p, of_.p[e.value], [&](int k) { r.scopes.emplace_back(of_.p.scopes[k].view()); });
    r.must_overlap = overlapped_.have(of_.p[e.value]);
    r.made_by = unit_text(e.made);
    if (e.after != e.made) r.sent_behind = unit_text(e.after);
    r.read_by = unit_text(e.before);
    count(e, r);
    if (e.what != exchanged::made_again) find_meanwhile(e, r);
    found_.push_back(std::move(r));
  }
  void count(const exchange& e, exchange_report& r) const {
    if (e.what == exchanged::made_again) {
      r.what = "rows of vertices, made again";
      return;
    }
    r.what = e.what == exchanged::sum        ? "sums of blocks"
             : e.what == exchanged::vertices ? "rows of vertices"
                                             : "rows of edges";
    r.steps = static_cast<std::int64_t>(on_.size());
    for (const asked_graph* on : on_) {
      const auto [rows, peers] = e.what == exchanged::sum ? sent_sums(e, *on) : sent_rows(e, *on);
      r.rows += rows;
      r.peers = std::max(r.peers, peers);
    }
    r.bytes = r.rows * codegen::bytes_of_row(data_, e.value, extents_.data());
  }
  struct sent_to {
    std::int64_t rows = 0;
    int peers = 0;
  };
  sent_to sent_sums(const exchange& e, const asked_graph& on) const {
    const int peers = on.ranks.ranks->size() - 1;
    const rank_rows& summed = on.rows_of(data_.statements[data_.statements[e.value].operands[0]].where);
    return {codegen::nodes_of_sums(summed, summed.ranks->rank()) * peers, peers};
  }
  /// Edges that differ from step to step are numbered through all of them.
  sent_to sent_rows(const exchange& e, const asked_graph& on) const {
    const ir::statement& s = data_.statements[e.value];
    const bool is_of_all_edges = !call_.on_steps.empty() && s.where == ir::space::edge;
    const std::int64_t steps =
        s.is_sequence() && !is_of_all_edges ? codegen::extent_of(s.over.code, extents_.data()) : 1;
    sent_to sent;
    for (const exchanged_rows& with : codegen::lists_of(on.rows_of(s.where), e)) {
      sent.rows += static_cast<std::int64_t>(with.sent.size()) * steps;
      sent.peers += !with.sent.empty();
    }
    return sent;
  }
  void find_meanwhile(const exchange& e, exchange_report& r) const {
    const auto begins = [&](int u) { return data_.units[u].chained != 0; };
    int first = e.after + 1;
    while (first < data_.unit_count && !begins(first)) ++first;
    for (int u = first; u < e.before; ++u)
      if (begins(u)) r.meanwhile.push_back(unit_text(u));
    if (e.before >= data_.unit_count || !codegen::has_interior_rows(data_, e.before)) return;
    std::vector<int> awaited;
    for (const exchange& other : all_) {
      if (other.before != e.before || other.what == exchanged::made_again) continue;
      if (other.what != exchanged::vertices) return;
      awaited.push_back(other.value);
    }
    std::int64_t interior = 0, all = 0;
    for (const asked_graph* on : on_) {
      const rows_by_neighbours rows =
          codegen::interior_rows(data_, e.before, reads_[index(e.before)], awaited, on->seen);
      for (const row_range& range : rows.interior) interior += range.last - range.first;
      for (const row_range& range : rows.boundary) all += range.last - range.first;
    }
    if (interior > 0)
      r.meanwhile.push_back(std::to_string(interior) + " interior rows of " + std::to_string(interior + all) + " in " +
                            of_.unit_name(e.before));
  }
  /// Of a call, or of each step of a scan; of all steps together where each has a graph.
  void add_steps(int scan, const codegen::rows_there* there) {
    const asked_step step(data_, scan, steps_, title_, there, extents_);
    const std::size_t callee = index(data_.statements[scan].callee());
    const bool have_graphs = !call_.on_steps.empty() && steps_.table[callee].reads_edges &&
                             ir::is_scan(data_.statements[scan].code) && on_.size() == 1 && on_[0] == &call_.on;
    std::vector<const asked_graph*> on = on_;
    if (have_graphs) on.clear();
    for (const asked_graph& of_step : call_.on_steps)
      if (have_graphs) on.push_back(&of_step);
    program_exchanges of_steps(step.title, *steps_.programs[callee], *steps_.table[callee].data, *steps_.inner[callee],
                               step.there.data(), 0, call_, call_.call_of_steps(), std::move(on),
                               have_graphs ? times_ : times_ * step.times);
    for (exchange_report& r : of_steps.take()) found_.push_back(std::move(r));
  }

  std::string title_;
  const program_with_plan& of_;
  const codegen::plan_data& data_;
  const planned_steps& steps_;
  const called_program& call_;
  std::vector<const asked_graph*> on_;  // or the graphs of all steps
  const std::vector<std::int64_t>& extents_;
  std::int64_t times_;
  ir::overlapped_scopes overlapped_;
  std::vector<exchange> all_{};
  std::vector<codegen::unit_reads> reads_{};
  std::vector<exchange_report> found_{};
};

std::vector<exchange_report> exchanges_in(const char* title, const called_program& of, const codegen::rows_there* there,
                                          int results) {
  return program_exchanges(title, of.of, of.data, of.steps, there, results, of, of.call(), {&of.on}).take();
}

std::string counted_bytes(std::int64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

}  // namespace

sequence<kind_rows> kinds_on(const sequence<ir::kind>& kinds, const graph& on) {
  const ir::kind_list wanted{kinds.data(), static_cast<int>(kinds.size())};
  check_kinds(wanted, on);
  if (kinds.empty()) return {};
  sequence<kind_rows> rows(kinds.size() + 1);
  find_kinds(wanted, on, rows.data());
  return rows;
}

std::vector<exchange_report> exchanges_of_part(const compiled_programs& programs, const sizes& given,
                                               const call_graph& part) {
  const explained::planned_programs planned(programs);
  if (!programs.trains)
    return exchanges_in("inference", called_program(planned.inference, part, given, programs.inference_columns),
                        nullptr, -1);
  const auto& [head, tail] = *planned.training;
  const called_program forward(head, part, given, programs.forward_columns),
      gradient(tail, part, given, programs.gradient_columns);
  const memory there = rows_there_in_gradient(forward, gradient, programs);
  std::vector<exchange_report> all = exchanges_in("forward", forward, nullptr, programs.results);
  for (exchange_report& r : exchanges_in("gradient", gradient, listed(there), -1)) all.push_back(std::move(r));
  return all;
}

namespace {

/// Sums over ranks, of what each says of its part.
template <class Said> std::vector<exchange_report> exchanges_of_ranks(int ranks, const Said& said) {
  std::vector<exchange_report> all;
  for (int rank = 0; rank < ranks; ++rank) {
    asked_rank here(rank, ranks);
    const std::vector<exchange_report> mine = said(here);
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

}  // namespace

std::vector<exchange_report> exchanges_of_cut(const compiled_programs& programs, const sizes& given, const cut& of,
                                              int ranks, cut_by by) {
  return exchanges_of_ranks(ranks, [&](communicator& here) {
    return of.whole().has_kinds() ? exchanges_of_part(programs, given, graph_of_part(distributed_graphs(of, here)))
                                  : exchanges_of_part(programs, given, distributed_graph(of, here, by));
  });
}
std::vector<exchange_report> exchanges_of_steps(const compiled_programs& programs, const sizes& given,
                                                const graph_sequence& whole, const cut& of, int ranks) {
  return exchanges_of_ranks(ranks, [&](communicator& here) {
    return exchanges_of_part(programs, given, distributed_sequence(whole, of, here));
  });
}

graph graph_of_part(const distributed_graphs& part) { return graphs_access::carrier_of(part); }

static std::string sweeps_text(const std::vector<shared_sweep>& all) {
  std::string text;
  for (const shared_sweep& s : all) {
    text += "  " + s.program + ", " + s.unit + ": by rows " + counted_bytes(s.bytes_by_rows) + "; ";
    if (s.columns == 0)
      text += s.bytes_by_rows == 0 ? "all rows that it reads are there" : "by features not, since it mixes them";
    else
      text += "by features " + counted_bytes(s.bytes_by_features) + ", " + std::to_string(s.columns) + " columns, " +
              counted_bytes(s.memory_by_features) + " of memory";
    if (s.way == cut_by::features) text += ": so it is cut";
    text += (s.times > 1 ? ", in each of " + std::to_string(s.times) + " steps" : "") + '\n';
  }
  return text.empty() ? text : "sweeps along edges\n" + text;
}

std::string exchanges_text(const std::vector<exchange_report>& all, const std::vector<shared_sweep>& sweeps,
                           const std::string& of) {
  std::string text = "exchanges of " + of + '\n', program;
  std::int64_t bytes = 0;
  for (const exchange_report& r : all) {
    bytes += r.bytes * r.times;
    if (r.program != program) text += r.program + '\n';
    program = r.program;
    text += "  " + r.value + ": " + r.what;
    if (r.peers > 0)
      text += ", " + std::to_string(r.rows) + " in " + counted_bytes(r.bytes) + " to " + std::to_string(r.peers) +
              (r.peers == 1 ? " rank" : " ranks");
    if (r.steps > 1) text += ", in " + std::to_string(r.steps) + " steps together";
    if (r.times > 1) text += ", in each of " + std::to_string(r.times) + " steps";
    text += "\n    made by " + r.made_by;
    if (!r.sent_behind.empty()) text += "\n    sent behind " + r.sent_behind;
    text += "\n    read by " + r.read_by + '\n';
    if (r.must_overlap) text += "    must overlap\n";
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

static bool stands_in(const exchange_report& r, std::string_view scope) {
  for (const std::string& path : r.scopes)
    if (ir::is_within(path, scope)) return true;
  return false;
}

/// is_of_scope: results of the call are left out, since nothing runs behind them.
static void check_overlap(const exchange_report& r, bool is_of_scope) {
  if (is_of_scope && r.read_by == the_end) return;
  if (!r.meanwhile.empty() || r.peers == 0) return;
  const bool is_sum = r.what == "sums of blocks";
  throw error("verify_overlap: nothing runs while " + r.value + " is exchanged in the " + r.program + ": " + r.read_by +
              (is_sum ? ", reads the sum at once; use it later, or not at all"
               : r.what == "rows of edges"
                   ? ", reads rows of edges at once; compute the edge value along one direction"
                   : ", reads rows of other ranks at once, and no row of its own has its "
                     "neighbours here; cut the graph into parts with fewer edges between them"));
}
static std::string exchanged_values(const std::vector<exchange_report>& all) {
  std::string values;
  for (const exchange_report& r : all) values += (values.empty() ? "" : "; ") + r.value;
  return values.empty() ? "none" : values;
}

void check_overlap(const std::vector<exchange_report>& all, std::string_view name) {
  bool is_there = false;
  for (const exchange_report& r : all) {
    const bool is_of_scope = stands_in(r, name);
    if (!is_called(r, name) && !is_of_scope) continue;
    is_there = true;
    check_overlap(r, is_of_scope);
  }
  if (!is_there)
    throw error("verify_overlap: no value \"" + std::string(name) +
                "\" is exchanged; there are: " + exchanged_values(all));
}

void check_overlap(const std::vector<exchange_report>& all) {
  bool is_there = false;
  for (const exchange_report& r : all) {
    if (!r.must_overlap) continue;
    is_there = true;
    check_overlap(r, true);
  }
  if (!is_there)
    throw error("verify_overlap: no value of a scope with must_overlap<...> is exchanged; there are: " +
                exchanged_values(all));
}

}  // namespace stg::detail
