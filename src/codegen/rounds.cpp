// Which edge values a sweep has moved into its order, and in how many rounds.
#include <stg/codegen/cpu/rounds.hpp>

#include <algorithm>  // max, min
#include <cstring>    // memcpy

#include <stg/op/list.hpp>  // info_of

namespace stg::cpu {

namespace {

using codegen::bytes_of_row;
using codegen::launch;
using codegen::plan_data;

/// Blocks beyond a round's share: its rows begin and end within a block, and the last row may be a long one.
constexpr std::int64_t spare_blocks = 3;

/// Looks at what a sweep reads of edges, operands first.
class look {
 public:
  look(const plan_data& plan, codegen::index_list<ordered_values::most>& found) : plan(plan), found(found) {}

  /// Whether all of it can be moved.
  bool at_unit(const pass::planned_unit& unit) {
    int edges = -1;
    for (int k = unit.first_step; k < unit.last_step; ++k) {
      if (!plan.steps[k].is_loop) continue;
      const pass::planned_loop& loop = plan.loops[plan.steps[k].index];
      if (edges >= 0 && edges != loop.edges()) return false;
      edges = loop.edges();
      if (!at_loop(loop)) return false;
    }
    return true;
  }

 private:
  bool at_loop(const pass::planned_loop& loop) {
    if (loop.side != pass::sweep_side::out) return false;
    for (int v = loop.first_statement; v < loop.last_statement; ++v)
      if (!at_value(plan.loop_statements[v].at)) return false;
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const ir::statement& s = plan.statements[plan.loop_results[r].at];
      const bool needs_ids = s.where == ir::space::edge || s.code == ir::opcode::first_max_edge;
      if (needs_ids || !at_value(s.operands[0])) return false;
    }
    return true;
  }
  bool at_value(int i) {
    const ir::statement& s = plan.statements[i];
    if (s.where != ir::space::edge) return true;
    if (codegen::is_own_of_edge(s)) {
      const std::int64_t bytes = s.dims.is_static() ? s.dims.size() * bytes_of(s.type) : 0;
      if ((bytes != 4 && bytes != 8) || found.count == ordered_values::most) return false;
      found.add(i);
      return true;
    }
    if (s.code == ir::opcode::keep_mask || s.code == ir::opcode::edge_index) return false;
    if (op::info_of(s.code).kind == op::category::gather) return true;
    for (int k = 0; k < s.arity(); ++k)
      if (!at_value(s.operands[k])) return false;
    return true;
  }

  const plan_data& plan;
  codegen::index_list<ordered_values::most>& found;
};

/// Threads that put blocks in order at the same time.
std::int64_t slots(const launch& l) { return std::min(l.resources.threads, edge_order::blocks_of(l.graph.edges)); }

/// Bytes of what the unit computes.
std::int64_t results(const plan_data& plan, int unit, const launch& l) {
  std::int64_t bytes = 0;
  for (int i = 0; i < plan.size; ++i)
    if (plan.stored[i] && plan.lifetimes[i].first == unit && plan.statements[i].where == ir::space::vertex)
      bytes += bytes_of_row(plan, i, l.extents);
  return bytes * l.graph.vertices;
}

}  // namespace

ordered_values::ordered_values(const plan_data& plan, int unit) {
  if (!look(plan, at).at_unit(plan.units[unit])) at.count = 0;
}

rounds::rounds(const plan_data& plan, int unit, const launch& l) : plan_(plan) {
  if (l.scans.room_edges > 0) return;  // the order of a graph that is there for one step would cost more than it gains
  // values of fewer edges stay in a second-level cache, where any order is good
  const std::int64_t least = std::max(plan.by.least_ordered_edges, std::int64_t{1});
  if (l.graph.edges < least || l.graph.edges > edge_order::most_edges) return;
  values_ = ordered_values(plan, unit);
  if (values_.at.count == 0) return;
  const std::int64_t most = results(plan, unit, l), needed = l.graph.edges * row_of_all();
  const std::int64_t n = most == 0 ? 1 : (needed + most - 1) / most;
  if (n > plan.by.most_rounds) return;  // each goes over the values of all edges: more cost what they gain
  count_ = n;
  const std::int64_t all = edge_order::blocks_of(l.graph.edges), work = l.graph.edges + l.graph.vertices;
  blocks_ = n == 1 ? all : std::min(all, work / n / edge_order::block + spare_blocks);
}

std::int64_t rounds::row(int k) const {
  const ir::statement& s = plan_.statements[values_.at.at[k]];
  return s.dims.size() * bytes_of(s.type);
}
std::int64_t rounds::row_of_all() const {
  std::int64_t bytes = 0;
  for (int k = 0; k < values_.at.count; ++k) bytes += row(k);
  return bytes;
}

std::int64_t rounds::bytes(const launch& l) const {
  if (blocks_ == 0) return 0;
  std::int64_t in_scratch = 0;
  for (int k = 0; k < values_.at.count; ++k) in_scratch = std::max(in_scratch, row(k));
  return (blocks_ * row_of_all() + slots(l) * in_scratch) * edge_order::block;
}

/// The first of the values that is the same memory as value k, in rows of as many bytes.
int rounds::same_before(const launch& l, int k) const {
  int first = 0;
  while (l.memory[values_.at.at[first]] != l.memory[values_.at.at[k]] || row(first) != row(k)) ++first;
  return first;
}

/// Puts the values of a round's edges in order, and says where position 0 would lie; false: they do not fit.
bool rounds::order(const launch& l, std::int64_t round, std::byte** memory) const {
  const std::int64_t first = l.graph.out.begin(l.graph.out.split(round, count_)) / edge_order::block;
  const std::int64_t last = edge_order::blocks_of(l.graph.out.begin(l.graph.out.split(round + 1, count_)));
  if (last - first > blocks_) return false;
  std::memcpy(memory, l.memory, sizeof(std::byte*) * static_cast<std::size_t>(plan_.size));
  std::byte* to = l.resources.workspace;
  std::byte* const scratch = to + blocks_ * edge_order::block * row_of_all();
  for (int k = 0; k < values_.at.count; ++k) {
    const int i = values_.at.at[k];
    if (const int same = same_before(l, k); same < k) {  // one tensor under two names is laid out once
      memory[i] = memory[values_.at.at[same]];
      continue;
    }
    l.graph.out.order()->lay_out(l.memory[i], row(k), first, last, to, scratch, slots(l));
    memory[i] = to - first * edge_order::block * row(k);
    to += blocks_ * edge_order::block * row(k);
  }
  return true;
}

}  // namespace stg::cpu
