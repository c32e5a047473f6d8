// A plan that runs on a part of a cut graph: messages between its units.
#include <stg/codegen/exchanges.hpp>

#include <algorithm>  // find, min
#include <cstring>    // memcpy
#include <string>     // string, to_string
#include <utility>    // move

#include <stg/codegen/column_choice.hpp>  // chosen_column_sweeps
#include <stg/codegen/cpu/rounds.hpp>     // rounds
#include <stg/codegen/messages.hpp>       // has_messages

#include "../distributed/rank_trace.hpp"  // traced
#include "column_calls.hpp"               // column_call
#include "timed_unit.hpp"                 // timed_unit

namespace stg::codegen {

namespace {

std::size_t number(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Rows of a value: of all steps, one behind the other, if it has some for each. Edges that differ from step to step
/// are numbered through all of them.
struct rows_of_value {
  std::byte* memory;
  std::int64_t row, steps, step_bytes;

  rows_of_value(const plan_data& plan, int value, const launch& l)
      : memory(l.memory[value]),
        row(bytes_of_row(plan, value, l.extents)),
        steps(has_steps(plan.statements[value], l) ? extent_of(plan.statements[value].over.code, l.extents) : 1),
        step_bytes(rows_there(plan.statements[value].where, l.graph) * row) {}

  static bool has_steps(const ir::statement& s, const launch& l) {
    return s.is_sequence() && (l.scans.graphs == nullptr || s.where != ir::space::edge);
  }
  static std::int64_t rows_there(const ir::domain& where, const graph_view& graph) {
    if (where.set != 0) return graph.kinds[where.set].rows;
    return where == ir::space::edge ? graph.edges : graph.neighbours;
  }
  std::int64_t bytes(const std::vector<std::int32_t>& rows) const {
    return static_cast<std::int64_t>(rows.size()) * steps * row;
  }
  /// Whether rows lie one behind the other, as those of the halo that one rank has: they come to their places.
  bool lie_together(const std::vector<std::int32_t>& rows) const {
    return steps == 1 && rows.back() - rows.front() + 1 == static_cast<std::int64_t>(rows.size());
  }
  /// Calls body(bytes of a row) for some rows, step by step.
  template <class Body> void each(const std::vector<std::int32_t>& rows, const Body& body) const {
    for (std::int64_t t = 0; t < steps; ++t)
      for (const std::int32_t r : rows) body(memory + t * step_bytes + r * row);
  }
};

/// The bytes of a value in memory.
struct place_of_value {
  const std::byte *first, *last;

  place_of_value(const plan_data& plan, int value, const launch& l) : first(l.memory[value]) {
    const ir::statement& s = plan.statements[value];
    const rows_of_value rows(plan, value, l);
    last = first + (s.where == ir::space::graph ? rows.row * rows.steps : rows.step_bytes * rows.steps);
  }
  bool meets(const place_of_value& other) const { return first < other.last && other.first < last; }
};

bool is_made_by(const plan_data& plan, int value, int unit) {
  return plan.stored[value] && plan.statements[value].code != ir::opcode::input &&
         chain_of(plan, plan.lifetimes[value].first) == unit;
}

}  // namespace

std::string_view name_of_value(const plan_data& plan, int value) {
  for (int k = 0; k < plan.output_count; ++k)
    if (plan.root(plan.outputs[k].at) == value && !plan.outputs[k].name.view().empty())
      return plan.outputs[k].name.view();
  return ir::name_of(plan.statements[value].code);
}

const std::vector<exchanged_rows>& rows_to_exchange(const rank_rows& of, exchanged what) {
  return what == exchanged::vertices        ? of.vertices
         : what == exchanged::edges_made_in ? of.edges_made_in
                                            : of.edges_made_out;
}

const std::vector<exchanged_rows>& lists_of(const rank_rows& of, const exchange& e) {
  const bool is_of_all_steps = e.what == exchanged::vertices && e.is_result && of.vertices_of_steps != nullptr;
  return is_of_all_steps ? *of.vertices_of_steps : rows_to_exchange(of, e.what);
}

exchanging::exchanging(const plan_data& plan, const launch& l, const step_program* steps)
    : plan_(&plan), steps_(steps), of_(l.graph.ranks) {
  if (of_ == nullptr) return;
  columns_ = chosen_column_sweeps(plan, l.others.there, l.others.results, steps, {of_, l.extents, l.others.columns});
  all_ = exchanges_of(plan, l.others.there, l.others.results, steps, columns_);
  column_tags_.resize(columns_.size());
  own_sums_.resize(all_.size());
  has_messages_ = has_messages(plan);
  for (int k = 0; k < static_cast<int>(all_.size()); ++k) {
    const exchange& e = all_[number(k)];
    if (e.what == exchanged::made_again) continue;
    if (messages_.empty() || all_[number(messages_.back().first)].after != e.after)
      messages_.push_back({.first = k, .before = e.before});
    messages_.back().last = k + 1;
    messages_.back().before = std::min(messages_.back().before, e.before);
  }
}

std::int64_t exchanging::row_bytes(int value, const launch& l) const { return bytes_of_row(*plan_, value, l.extents); }

// ---- units ----

/// On a part, or with a timeline.
void exchanging::run_otherwise(const launch& l, const runner& run_unit) {
  if (of_ != nullptr) return run_on_part(l, run_unit);
  for (int unit = 0; unit < plan_->unit_count; ++unit) {
    const timed_unit line(*plan_, unit, l);
    run_unit(unit, nullptr);
  }
}

void exchanging::run_on_part(const launch& l, const runner& run_unit) {
  of_ = l.graph.ranks;  // of the step, where each has a graph
  has_run_.assign(number(plan_->unit_count), 0);
  for (message& m : messages_) {
    m.tag = of_->ranks->next_tag();  // whatever the order in which this rank sends them
    m.has_come = false;
  }
  for (auto& tags : column_tags_) tags = {of_->ranks->next_tag(), of_->ranks->next_tag()};
  send_after(-1, l);
  for (int unit = 0; unit < plan_->unit_count; ++unit)
    if (!has_run_[number(unit)]) run_waiting(unit, l, run_unit);
  wait_before(plan_->unit_count, l);
}

/// Runs a unit when what it reads is there, and meanwhile what can be run without.
void exchanging::run_waiting(int unit, const launch& l, const runner& run_unit) {
  const rows_by_neighbours by_neighbours = has_come(unit) ? rows_by_neighbours() : interior_of(unit, l);
  const bool begins_inside = !by_neighbours.interior.empty();
  if (begins_inside) run_interior(unit, by_neighbours.interior, l, run_unit);
  while (!has_come(unit)) {
    const int ahead = unit_ahead(unit, l);
    if (ahead < 0) break;
    has_run_[number(ahead)] = 1;
    run_traced(ahead, nullptr, " ahead", l, run_unit);
    send_after(ahead, l);
  }
  wait_before(unit, l);
  if (const column_sweep* const columns = by_columns(unit)) run_by_columns(*columns, l);
  else if (!begins_inside) run_traced(unit, nullptr, "", l, run_unit);
  else run_traced(unit, &by_neighbours.boundary, ", boundary", l, run_unit);
  has_run_[number(unit)] = 1;
  send_after(unit, l);
}

const column_sweep* exchanging::by_columns(int unit) const {
  for (const column_sweep& sweep : columns_)
    if (sweep.unit == unit) return &sweep;
  return nullptr;
}
void exchanging::run_by_columns(const column_sweep& sweep, const launch& l) {
  const timed_unit of_timeline(*plan_, sweep.unit, l);
  const stg::detail::traced line(of_->ranks->rank(), stg::detail::traced_as::compute,
                                 [&] { return "unit " + std::to_string(sweep.unit) + ", columns"; });
  const auto at = static_cast<std::size_t>(&sweep - columns_.data());
  column_call(*plan_, sweep, l, column_tags_[at], name_of_value(*plan_, sweep.made[0])).run();
}

void exchanging::run_traced(int unit, const ranges* rows, const char* which, const launch& l,
                            const runner& run_unit) const {
  const timed_unit of_timeline(*plan_, unit, l);
  const stg::detail::traced line(of_->ranks->rank(), stg::detail::traced_as::compute,
                                 [&] { return "unit " + std::to_string(unit) + which; });
  run_unit(unit, rows);
}

/// The values of a message, as a trace has them.
std::string exchanging::values_of(const message& m) const {
  std::string all;
  for (int k = m.first; k < m.last; ++k) all += (all.empty() ? "%" : ", %") + std::to_string(all_[number(k)].value);
  return all;
}

/// Some rows at a time: in between messages go on.
void exchanging::run_interior(int unit, const ranges& rows, const launch& l, const runner& run_unit) const {
  constexpr std::int64_t most = 1 << 14;
  ranges now;
  std::int64_t count = 0;
  for (row_range left : rows)
    while (left.first < left.last) {
      const row_range piece{left.first, std::min(left.last, left.first + most - count)};
      now.push_back(piece);
      count += piece.last - piece.first;
      left.first = piece.last;
      if (count < most) continue;
      run_traced(unit, &now, ", interior", l, run_unit);
      of_->ranks->progress();
      now.clear();
      count = 0;
    }
  if (!now.empty()) run_traced(unit, &now, ", interior", l, run_unit);
}

bool exchanging::waits(int unit) const {
  for (const message& m : messages_)
    if (m.before == unit) return true;
  return false;
}
bool exchanging::has_come(int unit) const {
  for (const message& m : messages_)
    for (std::size_t other = 0; m.before == unit && m.is_under_way && other < m.expected.size(); ++other)
      if (m.expected[other] > 0 && !of_->ranks->has_come(static_cast<int>(other), m.tag)) return false;
  return true;
}

/// The rows of a unit if it waits for nothing but rows of neighbours; none inside: it computes all rows at once.
rows_by_neighbours exchanging::interior_of(int unit, const launch& l) {
  if (!waits(unit) || !has_interior_rows(*plan_, unit) || by_columns(unit) != nullptr) return {};
  std::vector<int> awaited;
  for (const message& m : messages_)
    for (int k = m.first; k < m.last; ++k) {
      const exchange& e = all_[number(k)];
      if (m.before != unit || e.before != unit) continue;
      if (e.what != exchanged::vertices) return {};
      awaited.push_back(e.value);
    }
  const launch seen = as_unit(plan_->units[unit], l);
  if (cpu::rounds(*plan_, unit, seen).bytes(seen) > 0) return {};  // edge values would be put in order twice
  return interior_rows(*plan_, unit, l.graph.kinds == nullptr ? unit_reads() : reads_of(unit, l), awaited, l.graph);
}

const unit_reads& exchanging::reads_of(int unit, const launch& l) {
  if (reads_.empty()) reads_ = reads_of_units(*plan_, l.others.there, steps_, columns_);
  return reads_[number(unit)];
}

/// A unit that can run before this one and waits for nothing; -1: there is none.
int exchanging::unit_ahead(int unit, const launch& l) {
  if (has_messages_) return -1;              // by hand: a unit may read what one of them brings
  if (l.scans.graphs != nullptr) return -1;  // edge values of all steps: the graph does not know their bytes
  (void)reads_of(unit, l);
  for (int later = unit + 1; later < plan_->unit_count; ++later) {
    if (!may_run_now(later)) continue;
    bool may = true;
    for (int between = unit; between < later && may; ++between)
      may = plan_->units[between].chained == 0 || has_run_[number(between)] || may_change_places(between, later, l);
    if (may) return later;
  }
  return -1;
}

/// Whether a unit waits for nothing, and reads nothing that has not come. A scan may wait in its steps.
bool exchanging::may_run_now(int unit) const {
  const pass::planned_unit& u = plan_->units[unit];
  if (u.chained == 0 || u.kind == pass::unit_kind::scan || has_run_[number(unit)] || waits(unit)) return false;
  if (by_columns(unit) != nullptr || sends_of_later(unit)) return false;
  const std::vector<int>& read = reads_[number(unit)].of_others;
  for (const message& m : messages_)  // also those that wait for values of other units, and are not sent
    for (int k = m.first; k < m.last && !m.has_come; ++k)
      if (std::find(read.begin(), read.end(), all_[number(k)].value) != read.end()) return false;
  return true;
}

/// Whether a message that is sent behind a unit has a value of an earlier unit, and that unit has not run.
bool exchanging::sends_of_later(int unit) const {
  for (const exchange& e : all_)
    if (e.what != exchanged::made_again && e.after == unit && e.made >= 0 && e.made != unit &&
        !has_run_[number(e.made)])
      return true;
  return false;
}

/// Whether a unit reads nothing of an earlier one, and writes no memory that this reads or writes.
bool exchanging::may_change_places(int unit, int later, const launch& l) const {
  const std::vector<int>& read = reads_[number(unit)].values;
  for (const int value : reads_[number(later)].values)
    if (is_made_by(*plan_, value, unit)) return false;
  for (int written = 0; written < plan_->size; ++written) {
    if (!is_made_by(*plan_, written, later)) continue;
    const place_of_value to(*plan_, written, l);
    for (const int value : read)
      if (to.meets(place_of_value(*plan_, value, l))) return false;
    for (int value = 0; value < plan_->size; ++value)
      if (is_made_by(*plan_, value, unit) && to.meets(place_of_value(*plan_, value, l))) return false;
  }
  return true;
}

// ---- messages ----

void exchanging::send_after(int unit, const launch& l) {
  for (const exchange& e : all_)
    if (e.what == exchanged::made_again && e.after == unit) make_again(e, l);
  for (message& m : messages_)
    if (all_[number(m.first)].after == unit) post(m, l);
  of_->ranks->progress();
}

void exchanging::wait_before(int unit, const launch& l) {
  for (message& m : messages_)
    if (m.before == unit && m.is_under_way) take(m, l);
}

const std::vector<exchanged_rows>& exchanging::lists(const exchange& e, const launch& l) const {
  return lists_of(rows_of(plan_->statements[e.value].where, l), e);
}

const exchanged_rows* exchanging::rows_with(int other, const exchange& e, const launch& l) const {
  for (const exchanged_rows& rows : lists(e, l))
    if (rows.with == other) return &rows;
  return nullptr;
}

std::int64_t exchanging::bytes_from(int other, const exchange& e, const launch& l) const {
  if (e.what == exchanged::sum) return bytes_of_sums(other, e, l);
  const exchanged_rows* const rows = rows_with(other, e, l);
  return rows == nullptr ? 0 : rows_of_value(*plan_, e.value, l).bytes(rows->taken);
}
std::int64_t exchanging::bytes_to(int other, std::size_t e, const launch& l) const {
  if (all_[e].what == exchanged::sum) return static_cast<std::int64_t>(own_sums_[e].size());
  const exchanged_rows* const rows = rows_with(other, all_[e], l);
  return rows == nullptr ? 0 : rows_of_value(*plan_, all_[e].value, l).bytes(rows->sent);
}

/// Writes what a rank is sent of a value, and returns where that ends.
std::byte* exchanging::write_rows(int other, std::size_t e, const launch& l, std::byte* to) const {
  if (all_[e].what == exchanged::sum) {
    std::memcpy(to, own_sums_[e].data(), own_sums_[e].size());
    return to + own_sums_[e].size();
  }
  const exchanged_rows* const rows = rows_with(other, all_[e], l);
  const rows_of_value from(*plan_, all_[e].value, l);
  if (rows != nullptr)
    from.each(rows->sent, [&](const std::byte* row) {
      std::memcpy(to, row, number(from.row));
      to += from.row;
    });
  return to;
}
void exchanging::read_rows(int other, const exchange& e, const launch& l, const std::byte* from) const {
  const exchanged_rows* const rows = rows_with(other, e, l);
  const rows_of_value to(*plan_, e.value, l);
  if (rows != nullptr)
    to.each(rows->taken, [&](std::byte* row) {
      std::memcpy(row, from, number(to.row));
      from += to.row;
    });
}

void exchanging::post(message& m, const launch& l) {
  communicator& ranks = *of_->ranks;
  const stg::detail::traced line(ranks.rank(), stg::detail::traced_as::post, [&] { return "post " + values_of(m); });
  m.is_under_way = true;
  m.taken.clear();
  m.taken.resize(number(ranks.size()));
  m.expected.assign(number(ranks.size()), 0);
  for (int other = 0; other < ranks.size(); ++other) {
    if (other == ranks.rank()) continue;
    std::int64_t from = 0, to = 0;
    for (int k = m.first; k < m.last; ++k) {
      from += bytes_from(other, all_[number(k)], l);
      to += bytes_to(other, number(k), l);
    }
    if (from > 0) {
      std::byte* place = rows_in_place(m, other, l);
      if (place == nullptr) {
        m.taken[number(other)] = ranks.room_for(from);
        place = m.taken[number(other)].data.get();
      }
      m.expected[number(other)] = from;
      ranks.expect(other, m.tag, place, from);
    }
    if (to == 0) continue;
    message_room sent = ranks.room_for(to);
    std::byte* next = sent.data.get();
    for (int k = m.first; k < m.last; ++k) next = write_rows(other, number(k), l, next);
    ranks.send(other, m.tag, std::move(sent));
  }
}

/// The place of a message's rows if they lie one behind the other: rows of one value that one rank has in the halo.
std::byte* exchanging::rows_in_place(const message& m, int other, const launch& l) const {
  const exchange& e = all_[number(m.first)];
  if (m.last - m.first > 1 || e.what == exchanged::sum) return nullptr;
  const rows_of_value rows(*plan_, e.value, l);
  const std::vector<std::int32_t>& taken = rows_with(other, e, l)->taken;
  return rows.lie_together(taken) ? rows.memory + taken.front() * rows.row : nullptr;
}

void exchanging::take(message& m, const launch& l) {
  communicator& ranks = *of_->ranks;
  {
    using stg::detail::traced_as;
    const exchange& first = all_[number(m.first)];
    const bool is_sums = first.what == exchanged::sum;
    ranks.waits_for({is_sums ? "sums of" : "rows of", name_of_value(*plan_, first.value), l.draws.number});
    const stg::detail::traced line(ranks.rank(), is_sums ? traced_as::wait_sums : traced_as::wait_rows,
                                   [&] { return "wait for " + values_of(m); });
    for (std::size_t other = 0; other < m.expected.size(); ++other)
      if (m.expected[other] > 0) ranks.receive(static_cast<int>(other), m.tag);
  }
  std::vector<const std::byte*> next(m.taken.size());  // by rank
  for (std::size_t other = 0; other < next.size(); ++other) next[other] = m.taken[other].data.get();
  for (int k = m.first; k < m.last; ++k) {
    const exchange& e = all_[number(k)];
    if (e.what == exchanged::sum) join_sums(number(k), next, l);
    for (std::size_t other = 0; other < next.size(); ++other) {
      if (next[other] == nullptr) continue;
      if (e.what != exchanged::sum) read_rows(static_cast<int>(other), e, l, next[other]);
      next[other] += bytes_from(static_cast<int>(other), e, l);
    }
  }
  for (message_room& room : m.taken) ranks.keep(std::move(room));
  m.is_under_way = false;
  m.has_come = true;
}

}  // namespace stg::codegen
