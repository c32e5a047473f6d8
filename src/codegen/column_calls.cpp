// Messages and memory of a sweep that is shared by columns.
#include "column_calls.hpp"

#include <algorithm>  // max, min
#include <utility>    // exchange, move, pair

#include <stg/codegen/column_choice.hpp>      // chosen_column_sweeps
#include <stg/codegen/column_finder.hpp>      // statements_of_share
#include <stg/codegen/cpu/compiled_plan.hpp>  // run, workspace
#include <stg/runtime/communicator.hpp>       // communicator
#include <stg/runtime/memory.hpp>             // in_lines

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

/// A plan of a sweep's loops for one group of its columns, and the kernel that runs it.
struct group_plan {
  group_plan(const plan_data& plan, const column_sweep& sweep, const column_share& group, const std::int64_t* extents)
      : statements(statements_of_share(plan, sweep, group, extents)),
        loops(plan, sweep.unit, sweep.first_step, sweep.last_step, sweep.kept) {
    loops.data.statements = statements.data();
  }
  cpu::compiled_plan with(const cpu::column_kernel& kernel) const {
    return {loops.data, &kernel.choose, &kernel.names, nullptr};
  }

  sequence<ir::statement> statements;
  lone_plan loops;
};

/// Bytes of scratch for a sweep's steps: steps by rows, before and behind the sweep, and the sweep by columns.
std::int64_t column_scratch(const column_shares& shares, const launch& l) {
  const plan_data& plan = shares.plan();
  const column_sweep& sweep = shares.sweep();
  const pass::planned_unit& unit = plan.units[sweep.unit];
  const launch on_whole = on_whole_graph(l, *l.graph.ranks->whole);
  std::int64_t scratch = 0;
  if (const cpu::column_kernel* const kernel = shares.kernel()) {
    for (const column_share& group : shares.of_rank(l.graph.ranks->ranks->rank()))
      scratch = cpu::workspace(group_plan(plan, sweep, group, l.extents).with(*kernel), on_whole);  // the same of all
  } else {
    scratch = drafts::lone_steps(plan, sweep.unit, sweep.first_step, sweep.last_step, sweep.kept).workspace(on_whole);
  }
  for (const auto& [from, to] : {std::pair{unit.first_step, sweep.first_step}, {sweep.last_step, unit.last_step}})
    if (from < to) scratch = std::max(scratch, drafts::lone_steps(plan, sweep.unit, from, to, sweep.kept).workspace(l));
  return scratch;
}

/// Bytes that a rank has in messages of some values' rows: own rows by all other ranks' columns, and the others' rows
/// by its own columns.
struct column_traffic {
  std::int64_t of_own_rows = 0, of_other_rows = 0;

  column_traffic(const column_shares& shares, const sequence<int>& values, const rank_rows& of) {
    for (const int v : values)
      for (int other = 0; other < shares.ranks(); ++other) {
        const bool is_edges = is_edge(shares.plan(), v);
        const std::int64_t own = is_edges ? of.own_edges : of.own_vertices;
        const std::int64_t all = is_edges ? of.all_edges : of.all_vertices;
        const std::int64_t row = shares.row_bytes(v, other);
        if (other == of.ranks->rank()) of_other_rows += (all - own) * row;
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

std::int64_t column_bytes(const column_shares& shares, const rank_rows& of) {
  return column_traffic(shares, shares.sweep().read, of).of_own_rows +
         column_traffic(shares, made_by_columns(shares.sweep()), of).of_other_rows;
}

std::int64_t column_messages(const column_shares& shares, const rank_rows& of) {
  const column_traffic before(shares, shares.sweep().read, of), behind(shares, made_by_columns(shares.sweep()), of);
  return std::max(before.of_own_rows + before.of_other_rows, behind.of_own_rows + behind.of_other_rows);
}

std::int64_t column_memory(const column_shares& shares, const rank_rows& of) {
  const plan_data& plan = shares.plan();
  std::int64_t bytes = 0;
  for (const sequence<int>* all : {&shares.sweep().read, &shares.sweep().made})
    for (const int v : *all)
      for (const row_pieces& pieces : shares.pieces(v, of.ranks->rank()))
        bytes += in_lines((is_edge(plan, v) ? of.all_edges : of.all_vertices) * pieces.bytes);
  for (const int v : shares.sweep().kept)
    bytes += in_lines((is_edge(plan, v) ? of.own_edges : of.own_vertices) * bytes_of_row(plan, v, shares.extents()));
  return bytes;
}

std::int64_t column_workspace(const plan_data& plan, const launch& l, const step_program* steps) {
  launch alone = l;
  alone.others = {};
  std::int64_t most = 0;
  for (const column_sweep& sweep : chosen_column_sweeps(plan, l.others.there, l.others.results, steps,
                                                        {l.graph.ranks, l.extents, l.others.columns})) {
    const column_shares shares(plan, sweep, l.extents, l.others.columns, l.graph.ranks->ranks->size());
    most = std::max(most, column_memory(shares, *l.graph.ranks) + column_scratch(shares, alone));
  }
  return most;
}

column_call::column_call(const plan_data& plan, const column_sweep& sweep, const launch& l,
                         std::array<std::uint64_t, 2> tags, std::string_view name)
    : plan_(plan),
      sweep_(sweep),
      call_(l),
      of_(*l.graph.ranks),
      whole_(*of_.whole),
      shares_(plan, sweep, l.extents, l.others.columns, of_.ranks->size()),
      tags_(tags),
      name_(name),
      made_(made_by_columns(sweep)),
      own_(l.memory, l.memory + plan.size),
      columns_(shares_.of_rank(of_.ranks->rank()).size(), own_),
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
  for (int v = 0; v < plan_.size; ++v) {
    if (own_[counted(v)] == nullptr || plan_.statements[v].where != ir::space::graph) continue;
    const std::vector<row_pieces> pieces = shares_.pieces(v, ranks().rank());
    for (std::size_t g = 0; g < columns_.size(); ++g)
      columns_[g][counted(v)] += pieces[std::min(g, pieces.size() - 1)].all[0].first;
  }
  for (const values* all : {&sweep_.read, &sweep_.made})
    for (const int v : *all) {
      const std::vector<row_pieces> pieces = shares_.pieces(v, ranks().rank());
      for (std::size_t p = 0; p < pieces.size(); ++p) {
        std::byte* const rows = take((is_of_edges(v) ? whole_.edges : whole_.vertices) * pieces[p].bytes);
        for (std::size_t g = 0; g < columns_.size(); ++g)
          if (g == p || !sweep_.has_columns(v)) columns_[g][counted(v)] = rows;
      }
    }
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
  const std::vector<column_share> mine = shares_.of_rank(ranks().rank());
  for (std::size_t g = 0; g < mine.size(); ++g) {
    if (shares_.kernel() != nullptr) {
      run_kernel(*shares_.kernel(), g);
      continue;
    }
    if (mine[g].first == mine[g].last && made_.size() == sweep_.made.size()) return;
    const sequence<ir::statement> narrow = statements_of_share(plan_, sweep_, mine[g], call_.extents);
    launch l = on_whole_graph(call_, whole_);
    l.memory = columns_[g].data();
    l.resources.workspace = workspace_;
    drafts::lone_steps(plan_, sweep_.unit, sweep_.first_step, sweep_.last_step, sweep_.kept)
        .run(l, {shares_.columns(), mine[g].first, mine[g].last, has_columns_.data()}, &narrow);
  }
}
void column_call::run_kernel(const cpu::column_kernel& kernel, std::size_t group) {
  launch l = on_whole_graph(call_, whole_);
  l.memory = columns_[group].data();
  l.resources.workspace = workspace_;
  const column_share share = shares_.of_rank(ranks().rank())[group];
  cpu::run(group_plan(plan_, sweep_, share, call_.extents).with(kernel), l);
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
  for (const int v : all) bytes += rows_of(owner, v) * shares_.row_bytes(v, computes);
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

// In a message rows stand one behind the other by value and group of columns.

void column_call::send_rows(int to) {
  message_room sent = ranks().room_for(bytes_between(sweep_.read, ranks().rank(), to));
  std::byte* next = sent.data.get();
  for (const int v : sweep_.read)
    for (const row_pieces& theirs : shares_.pieces(v, to)) {
      const std::int64_t row = row_bytes(v), rows = rows_of(ranks().rank(), v);
      const std::byte* from = own_[counted(v)];
      for (std::int64_t r = 0; r < rows; ++r, from += row) next = join_pieces(theirs, from, next);
    }
  ranks().send(to, tags_[0], std::move(sent));
}
/// Calls body(where a group's columns of a value lie, the bytes of a row) for the groups of this rank.
template <class Body> void column_call::each_group(int value, const Body& body) const {
  const std::vector<row_pieces> pieces = shares_.pieces(value, ranks().rank());
  for (std::size_t g = 0; g < pieces.size() && g < columns_.size(); ++g) body(columns_[g][counted(value)], pieces[g]);
}
void column_call::take_rows(int from, const std::byte* rows) {
  for (const int v : sweep_.read)
    each_group(v, [&](std::byte* columns, const row_pieces& mine) {
      each_row(from, v, [&](std::int64_t row) {
        drafts::copy_row(columns + row * mine.bytes, rows, mine.bytes);
        rows += mine.bytes;
      });
    });
}
void column_call::send_back(int to) {
  message_room sent = ranks().room_for(bytes_between(made_, to, ranks().rank()));
  std::byte* next = sent.data.get();
  for (const int v : made_)
    each_group(v, [&](const std::byte* columns, const row_pieces& mine) {
      each_row(to, v, [&](std::int64_t row) {
        drafts::copy_row(next, columns + row * mine.bytes, mine.bytes);
        next += mine.bytes;
      });
    });
  ranks().send(to, tags_[1], std::move(sent));
}
void column_call::take_back(int from, const std::byte* rows) {
  for (const int v : made_)
    for (const row_pieces& theirs : shares_.pieces(v, from)) {
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
  for (const int v : there ? sweep_.read : sweep_.made)
    each_group(v, [&](std::byte* columns, const row_pieces& mine) {
      const std::int64_t row = row_bytes(v);
      std::byte* own = own_[counted(v)];
      each_row(me, v, [&](std::int64_t at) {
        if (there) join_pieces(mine, own, columns + at * mine.bytes);
        else part_pieces(mine, columns + at * mine.bytes, own);
        own += row;
      });
    });
}

}  // namespace stg::codegen
