// Steps of a sweep by themselves.
#include "lone_steps.hpp"

#include <algorithm>  // find

#include <stg/codegen/cpu/swept_rows.hpp>  // swept_rows
#include <stg/codegen/draft/made.hpp>      // joins_neighbours
#include <stg/runtime/parallel.hpp>        // parallel_in_slots

namespace stg::drafts {

lone_steps::lone_steps(const plan_data& of, int unit, int first_step, int last_step, const sequence<int>& kept)
    : lone_(of, unit, first_step, last_step, kept) {
  find_weighted();
  find_read();
}

namespace {

/// Whether a value has one number for each of some first axes of another: both at their ends, which it has no more of.
bool is_for_first_axes(const ir::shape& of, const ir::shape& dims) {
  if (of.rank == 0) return true;
  if (of.rank != dims.rank) return false;
  int a = 0;
  while (a < of.rank && of.axes[a] == dims.axes[a]) ++a;
  while (a < of.rank && of.axes[a].code == 1) ++a;
  return a == of.rank;
}

}  // namespace

/// Calls body(loop) for the loops of the steps.
template <class Body> void lone_steps::each_loop(const Body& body) const {
  for (int k = lone_.unit.first_step; k < lone_.unit.last_step; ++k)
    if (data_.steps[k].is_loop) body(data_.loops[data_.steps[k].index]);
}

/// How many statements, sums and results of the loops read a value of edges, or write it out.
int lone_steps::readers_of(int value) const {
  int readers = 0;
  each_loop([&](const pass::planned_loop& loop) {
    for (int m = loop.first_mode; m < loop.last_mode; ++m) {
      const ir::statement& s = data_.statements[data_.modes[m].at];
      for (int o = 0; o < s.arity(); ++o) readers += data_.root(s.operands[o]) == value;
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = data_.loop_results[r].at;
      const bool is_edges = data_.statements[a].where == ir::space::edge;
      readers += data_.root(is_edges ? a : data_.statements[a].operands[0]) == value;
    }
  });
  return readers;
}

/// Sums of the loops, of products that nobody else reads and of which one factor is a neighbour's row.
void lone_steps::find_weighted() {
  each_loop([&](const pass::planned_loop& loop) {
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = data_.loop_results[r].at, product = data_.statements[a].operands[0];
      const ir::statement &s = data_.statements[a], &x = data_.statements[product];
      const bool is_sum = s.code == ir::opcode::sum_edges && (s.type == f32 || s.type == f64);
      if (!is_sum || x.code != ir::opcode::mul || readers_of(product) != 1) continue;
      for (const int factor : {0, 1}) {
        const int weight = x.operands[1 - factor];
        const ir::statement &g = data_.statements[data_.root(x.operands[factor])], &w = data_.statements[weight];
        const bool is_neighbour = op::info_of(g.code).kind == op::category::gather &&
                                  !pass::reads_own_row(g.code, loop.side) && g.dims == x.dims;
        if (!is_neighbour || w.where != ir::space::edge || !is_for_first_axes(w.dims, x.dims)) continue;
        weighted_.push_back({a, weight, data_.root(g.operands[0])});
        break;
      }
    }
  });
}

/// Values that are written out: as in a draft, but for products that sums take apart.
void lone_steps::find_read() {
  std::vector<int> products;
  for (const weighted_sum& w : weighted_) products.push_back(data_.statements[w.aggregate].operands[0]);
  const auto is_product = [&](int i) { return std::find(products.begin(), products.end(), i) != products.end(); };
  read_ = ir::flags(data_.size);
  each_loop([&](const pass::planned_loop& loop) {
    for (int m = loop.first_mode; m < loop.last_mode; ++m) {
      const int i = data_.modes[m].at;
      const ir::statement& s = data_.statements[i];
      for (int o = 0; o < s.arity() && !is_product(i); ++o) read_[data_.root(s.operands[o])] = 1;
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = data_.loop_results[r].at, x = data_.root(data_.statements[a].operands[0]);
      if (data_.statements[a].where == ir::space::edge) read_[data_.root(a)] = 1;
      else if (!is_product(x) && !joins_neighbours(data_, loop.side, a)) read_[x] = 1;
    }
  });
  for (const weighted_sum& w : weighted_) read_[data_.root(w.weight)] = 1;
}

std::int64_t lone_steps::workspace(const launch& l) const {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(2 * data_.size + 1));
  watching nothing;
  const drafted_plan plan{data_, read_, numbers.data(), numbers.data() + data_.size, {}, nothing, {}, &weighted_};
  find_widths(plan, l);
  return bytes_of_numbers(data_) + lay_out(plan, 0).bytes * l.resources.threads;
}

void lone_steps::run(const launch& l, const column_range& columns, const sequence<ir::statement>* narrow) {
  auto* const numbers = reinterpret_cast<std::int64_t*>(l.resources.workspace);
  watching nothing;
  const drafted_plan plan{data_, read_, numbers, numbers + data_.size, {}, nothing, columns, &weighted_};
  find_widths(plan, l);
  const scratch_layout room = lay_out(plan, 0);  // of all columns: so many edges at a time decide how rows are added up
  if (narrow != nullptr) data_.statements = narrow->data();
  find_widths(plan, l);
  const cpu::swept_rows all(data_, 0, l.graph);
  const std::int64_t parts = all.parts();
  std::byte* const scratch = l.resources.workspace + bytes_of_numbers(data_);
  parallel_in_slots(l.resources.threads, parts, [&](std::int64_t part, std::int64_t slot) {
    block(plan, 0, room, l, scratch + slot * room.bytes).run(all.split(part, parts), all.split(part + 1, parts));
  });
}

}  // namespace stg::drafts
