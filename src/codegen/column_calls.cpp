// Messages and memory of a sweep that is shared by columns.
#include "column_calls.hpp"

#include <algorithm>  // max
#include <utility>    // exchange, move, pair

#include <stg/codegen/column_choice.hpp>  // chosen_column_sweeps
#include <stg/codegen/column_finder.hpp>  // statements_of_share
#include <stg/runtime/communicator.hpp>   // communicator
#include <stg/runtime/memory.hpp>         // in_lines

#include "draft/lone_steps.hpp"  // lone_steps
#include "draft/rows.hpp"        // copy_row

namespace stg::codegen {

namespace {

std::size_t counted(std::int64_t n) { return static_cast<std::size_t>(n); }

bool is_edge(const plan_data& plan, int value) { return plan.statements[value].where == ir::space::edge; }

launch on_whole_graph(launch l, const whole_rows& whole) {
  l.graph = {whole.in, whole.out, whole.vertices, whole.edges,   whole.vertices,
             nullptr,  nullptr,   whole.edges,    whole.vertices};
  l.others = {};
  return l;
}

/// Bytes of scratch that a sweep's steps need: those computed by rows, before and behind it, and those by columns.
std::int64_t column_scratch(const plan_data& plan, const column_sweep& sweep, const launch& l) {
  const pass::planned_unit& unit = plan.units[sweep.unit];
  const drafts::lone_steps loops(plan, sweep.unit, sweep.first_step, sweep.last_step, sweep.kept);
  std::int64_t scratch = loops.workspace(on_whole_graph(l, *l.graph.ranks->whole));
  for (const auto& [from, to] : {std::pair{unit.first_step, sweep.first_step}, {sweep.last_step, unit.last_step}})
    if (from < to) scratch = std::max(scratch, drafts::lone_steps(plan, sweep.unit, from, to, sweep.kept).workspace(l));
  return scratch;
}

}  // namespace

namespace {

/// Bytes that a rank has in messages of some values' rows: own rows by all other ranks' columns, and the others' rows
/// by its own columns.
struct column_traffic {
  std::int64_t of_own_rows = 0, of_other_rows = 0;

  column_traffic(const plan_data& plan, const column_sweep& sweep, const sequence<int>& values, const rank_rows& of,
                 const std::int64_t* extents) {
    const int ranks = of.ranks->size(), mine = of.ranks->rank();
    const std::int64_t columns = extent_of(sweep.columns, extents);
    for (const int v : values)
      for (int other = 0; other < ranks; ++other) {
        const std::int64_t own = is_edge(plan, v) ? of.own_edges : of.own_vertices;
        const std::int64_t all = is_edge(plan, v) ? of.all_edges : of.all_vertices;
        const std::int64_t row = pieces_of(plan, sweep, v, columns_of_rank(columns, other, ranks), extents).bytes;
        if (other == mine) of_other_rows += (all - own) * row;
        else of_own_rows += own * row;
      }
  }
};
/// Values of which other ranks compute columns; all others are there already.
sequence<int> made_by_columns(const column_sweep& sweep) {
  sequence<int> made;
  for (const int v : sweep.made)
    if (sweep.has_columns(v)) made.push_back(v);
  return made;
}

}  // namespace

std::int64_t column_bytes(const plan_data& plan, const column_sweep& sweep, const rank_rows& of,
                          const std::int64_t* extents) {
  return column_traffic(plan, sweep, sweep.read, of, extents).of_own_rows +
         column_traffic(plan, sweep, made_by_columns(sweep), of, extents).of_other_rows;
}

std::int64_t column_messages(const plan_data& plan, const column_sweep& sweep, const rank_rows& of,
                             const std::int64_t* extents) {
  const column_traffic before(plan, sweep, sweep.read, of, extents),
      behind(plan, sweep, made_by_columns(sweep), of, extents);
  return std::max(before.of_own_rows + before.of_other_rows, behind.of_own_rows + behind.of_other_rows);
}

std::int64_t column_memory(const plan_data& plan, const column_sweep& sweep, const rank_rows& of,
                           const std::int64_t* extents) {
  const column_share mine = columns_of_rank(extent_of(sweep.columns, extents), of.ranks->rank(), of.ranks->size());
  std::int64_t bytes = 0;
  for (const sequence<int>* all : {&sweep.read, &sweep.made})
    for (const int v : *all)
      bytes += in_lines((is_edge(plan, v) ? of.all_edges : of.all_vertices) *
                        pieces_of(plan, sweep, v, mine, extents).bytes);
  for (const int v : sweep.kept)
    bytes += in_lines((is_edge(plan, v) ? of.own_edges : of.own_vertices) * bytes_of_row(plan, v, extents));
  return bytes;
}

std::int64_t column_workspace(const plan_data& plan, const launch& l, const step_program* steps) {
  launch alone = l;
  alone.others = {};
  std::int64_t most = 0;
  for (const column_sweep& sweep : chosen_column_sweeps(plan, l.others.there, l.others.results, steps,
                                                        {l.graph.ranks, l.extents, l.others.columns}))
    most = std::max(most, column_memory(plan, sweep, *l.graph.ranks, l.extents) + column_scratch(plan, sweep, alone));
  return most;
}

column_call::column_call(const plan_data& plan, const column_sweep& sweep, const launch& l,
                         std::array<std::uint64_t, 2> tags, std::string_view name)
    : plan_(plan),
      sweep_(sweep),
      call_(l),
      of_(*l.graph.ranks),
      whole_(*of_.whole),
      tags_(tags),
      name_(name),
      made_(made_by_columns(sweep)),
      own_(l.memory, l.memory + plan.size),
      columns_(own_),
      has_columns_(counted(plan.size)) {
  call_.others = {};
  for (int i = 0; i < plan.size; ++i) has_columns_[counted(i)] = sweep.has_columns(i);
}

// ---- memory ----

/// Own rows of what lies in no memory of the plan; columns of all rows of what is read and made; of a value of the
/// graph the columns lie where it does.
void column_call::lay_out() {
  std::byte* next = call_.resources.workspace;
  const auto take = [&](std::int64_t bytes) { return std::exchange(next, next + in_lines(bytes)); };
  for (const int v : sweep_.kept) own_[counted(v)] = take(rows_of(ranks().rank(), v) * row_bytes(v));
  for (int v = 0; v < plan_.size; ++v)
    if (columns_[counted(v)] != nullptr && plan_.statements[v].where == ir::space::graph)
      columns_[counted(v)] += pieces_of(v, ranks().rank()).all[0].first;
  for (const values* all : {&sweep_.read, &sweep_.made})
    for (const int v : *all)
      columns_[counted(v)] =
          take((is_of_edges(v) ? whole_.edges : whole_.vertices) * pieces_of(v, ranks().rank()).bytes);
  workspace_ = next;
}

// ---- steps ----

void column_call::run_rows(int first_step, int last_step) {
  if (first_step == last_step) return;
  launch l = call_;
  l.memory = own_.data();
  l.resources.workspace = workspace_;
  drafts::lone_steps(plan_, sweep_.unit, first_step, last_step, sweep_.kept).run(l);
}

void column_call::run_columns() {
  const column_share mine = share_of(ranks().rank());
  if (mine.first == mine.last && made_.size() == sweep_.made.size()) return;
  const sequence<ir::statement> narrow = statements_of_share(plan_, sweep_, mine, call_.extents);
  launch l = on_whole_graph(call_, whole_);
  l.memory = columns_.data();
  l.resources.workspace = workspace_;
  drafts::lone_steps(plan_, sweep_.unit, sweep_.first_step, sweep_.last_step, sweep_.kept)
      .run(l, {columns(), mine.first, mine.last, has_columns_.data()}, &narrow);
}

void column_call::run() {
  const pass::planned_unit& unit = plan_.units[sweep_.unit];
  lay_out();
  run_rows(unit.first_step, sweep_.first_step);
  exchange(
      tags_[0], "columns for", sweep_.read, true, [this](int to) { send_rows(to); },
      [this](int from, const std::byte* rows) { take_rows(from, rows); });
  run_columns();
  exchange(
      tags_[1], "columns of", made_, false, [this](int to) { send_back(to); },
      [this](int from, const std::byte* rows) { take_back(from, rows); });
  run_rows(sweep_.last_step, unit.last_step);
}

// ---- messages ----

std::int64_t column_call::rows_of(int rank, int value) const {
  if (!is_of_edges(value)) return static_cast<std::int64_t>(whole_.rows_of(rank).size());
  if (rank == ranks().rank()) return of_.own_edges;
  std::int64_t edges = 0;
  for (const std::int32_t v : whole_.rows_of(rank)) edges += whole_.in.degree(v);
  return edges;
}
/// body(row of the whole graph) for a rank's own rows, in its order.
template <class Body> void column_call::each_row(int rank, int value, const Body& body) const {
  for (const std::int32_t v : whole_.rows_of(rank)) {
    if (!is_of_edges(value)) body(v);
    else
      for (auto k = whole_.in.begin(v); k != whole_.in.end(v); ++k) body(whole_.in.edge_id(k));
  }
}

/// What a rank that computes some columns has of an owner's rows.
std::int64_t column_call::bytes_between(const values& all, int owner, int computes) const {
  std::int64_t bytes = 0;
  for (const int v : all) bytes += rows_of(owner, v) * pieces_of(v, computes).bytes;
  return bytes;
}

namespace {

/// Copies pieces of rows to rows without gaps, or back.
std::byte* join_pieces(const row_pieces& of, const std::byte* row, std::byte* to) {
  for (const row_pieces::piece& p : of.all) {
    drafts::copy_row(to, row + p.first, p.bytes);
    to += p.bytes;
  }
  return to;
}
const std::byte* part_pieces(const row_pieces& of, const std::byte* from, std::byte* row) {
  for (const row_pieces::piece& p : of.all) {
    drafts::copy_row(row + p.first, from, p.bytes);
    from += p.bytes;
  }
  return from;
}

}  // namespace

void column_call::send_rows(int to) {
  message_room sent = ranks().room_for(bytes_between(sweep_.read, ranks().rank(), to));
  std::byte* next = sent.data.get();
  for (const int v : sweep_.read) {
    const row_pieces theirs = pieces_of(v, to);
    const std::int64_t row = row_bytes(v), rows = rows_of(ranks().rank(), v);
    const std::byte* from = own_[counted(v)];
    for (std::int64_t r = 0; r < rows; ++r, from += row) next = join_pieces(theirs, from, next);
  }
  ranks().send(to, tags_[0], std::move(sent));
}
void column_call::take_rows(int from, const std::byte* rows) {
  for (const int v : sweep_.read) {
    const std::int64_t bytes = pieces_of(v, ranks().rank()).bytes;
    each_row(from, v, [&](std::int64_t row) {
      drafts::copy_row(columns_[counted(v)] + row * bytes, rows, bytes);
      rows += bytes;
    });
  }
}
void column_call::send_back(int to) {
  message_room sent = ranks().room_for(bytes_between(made_, to, ranks().rank()));
  std::byte* next = sent.data.get();
  for (const int v : made_) {
    const std::int64_t bytes = pieces_of(v, ranks().rank()).bytes;
    each_row(to, v, [&](std::int64_t row) {
      drafts::copy_row(next, columns_[counted(v)] + row * bytes, bytes);
      next += bytes;
    });
  }
  ranks().send(to, tags_[1], std::move(sent));
}
void column_call::take_back(int from, const std::byte* rows) {
  for (const int v : made_) {
    const row_pieces theirs = pieces_of(v, from);
    const std::int64_t row = row_bytes(v), count = rows_of(ranks().rank(), v);
    std::byte* to = own_[counted(v)];
    for (std::int64_t r = 0; r < count; ++r, to += row) rows = part_pieces(theirs, rows, to);
  }
}

/// Sends to each other rank, and takes what comes; what stays on this rank is copied.
template <class Send, class Take>
void column_call::exchange(std::uint64_t tag, const char* what, const values& all, bool there, const Send& send,
                           const Take& take) {
  const int me = ranks().rank(), count = ranks().size();
  std::vector<message_room> taken(counted(count));
  for (int other = 0; other < count; ++other) {
    const std::int64_t bytes = there ? bytes_between(all, other, me) : bytes_between(all, me, other);
    if (other == me || bytes == 0) continue;
    taken[counted(other)] = ranks().room_for(bytes);
    ranks().expect(other, tag, taken[counted(other)].data.get(), bytes);
  }
  for (int k = 1; k < count; ++k) {  // not all to the same rank at once
    const int other = (me + k) % count;
    if ((there ? bytes_between(all, me, other) : bytes_between(all, other, me)) > 0) send(other);
  }
  take_own(there);
  ranks().waits_for({what, name_, call_.draws.number});
  for (int k = 1; k < count; ++k) {
    const int other = (me + count - k) % count;
    message_room& room = taken[counted(other)];
    if (room.data == nullptr) continue;
    ranks().receive(other, tag);
    take(other, room.data.get());
    ranks().keep(std::move(room));
  }
}

/// Own columns of own rows: to the columns before the sweep, and back behind it with what every rank computes alike.
void column_call::take_own(bool there) {
  const int me = ranks().rank();
  for (const int v : there ? sweep_.read : sweep_.made) {
    const row_pieces mine = pieces_of(v, me);
    const std::int64_t row = row_bytes(v);
    std::byte* own = own_[counted(v)];
    each_row(me, v, [&](std::int64_t at) {
      std::byte* const columns = columns_[counted(v)] + at * mine.bytes;
      if (there) join_pieces(mine, own, columns);
      else part_pieces(mine, columns, own);
      own += row;
    });
  }
}

}  // namespace stg::codegen
