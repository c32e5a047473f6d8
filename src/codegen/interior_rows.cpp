// The rows of a unit that can be computed before rows of other ranks have come.
#include <stg/codegen/exchanges.hpp>

#include <algorithm>  // find, max, min

namespace stg::codegen {

namespace {

using ranges = std::vector<row_range>;

/// The rows in both of two ascending lists.
ranges in_both(const ranges& a, const ranges& b) {
  ranges both;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const row_range rows{std::max(a[i].first, b[k].first), std::min(a[i].last, b[k].last)};
    if (rows.first < rows.last) both.push_back(rows);
    if (a[i].last < b[k].last) ++i;
    else ++k;
  }
  return both;
}
/// The other rows, of so many.
ranges others_than(const ranges& some, std::int64_t rows) {
  ranges others;
  std::int64_t next = 0;
  for (const row_range& r : some) {
    if (next < r.first) others.push_back({next, r.first});
    next = r.last;
  }
  if (next < rows) others.push_back({next, rows});
  return others;
}

const rows_by_neighbours& by_side(const rank_rows& of, pass::sweep_side side) {
  return side == pass::sweep_side::out ? of.by_out : of.by_in;
}

}  // namespace

bool has_interior_rows(const plan_data& plan, int unit) {
  const pass::planned_unit& u = plan.units[unit];
  return u.kind == pass::unit_kind::sweep && u.chained == 1 && u.side != pass::sweep_side::none;
}

rows_by_neighbours interior_rows(const plan_data& plan, int unit, const unit_reads& reads,
                                 const std::vector<int>& awaited, const graph_view& graph) {
  const pass::planned_unit& u = plan.units[unit];
  if (graph.kinds == nullptr) return by_side(*graph.ranks, u.side);
  const std::int64_t rows = graph.kinds[u.set].own_rows;
  rows_by_neighbours found{{{0, rows}}, {}};
  for (int k = u.first_step; k < u.last_step; ++k) {
    if (!plan.steps[k].is_loop) continue;
    const int loop = plan.steps[k].index;
    const pass::planned_loop& of = plan.loops[loop];
    const kind_rows& along = graph.kinds[of.relation == 0 ? u.relation : of.relation];
    const adjacency& edges = of.side == pass::sweep_side::out ? along.out : along.in;
    bool waits = edges.long_rows().count > 0;  // which a sweep divides, of all rows at once
    for (const neighbour_read& r : reads.neighbours)
      waits = waits || (r.loop == loop && std::find(awaited.begin(), awaited.end(), r.value) != awaited.end());
    if (waits) found.interior = in_both(found.interior, by_side(*along.ranks, of.side).interior);
  }
  found.boundary = others_than(found.interior, rows);
  return found;
}

}  // namespace stg::codegen
