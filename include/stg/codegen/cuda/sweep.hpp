// The kernel of a sweep: which rows are mine, then the steps of the plan for each.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cuda/loop.hpp>  // run_loop, fill

namespace stg::gpu {

namespace detail {

template <class V, int Step, class C> STG_KERNEL void run_step(C& c) {
  constexpr pass::step step = V::plan.steps[Step];
  if (c.stage != sweep_stage::rows && (Step < c.call.first_step || Step >= c.call.last_step)) return;
  if constexpr (step.is_loop) run_loop<V, step.index>(c);
  else if constexpr (!V::plan.joined[step.index]) fill<V, no_loop, step.index>(c, 1);
}
template <class V, class C, int... Step> STG_KERNEL void run_steps(C& c, std::integer_sequence<int, Step...>) {
  (run_step<V, V::planned.first_step + Step>(c), ...);
}

}  // namespace detail

/// Rows of a sweep along in-edges, out-edges or none; or graph arithmetic, whose only row is the graph. Every row is
/// computed by one group of lanes, in edge order, and long rows part by part, so that results do not depend on how
/// blocks are scheduled. A launch has parts of long rows in its first blocks and other rows in those after them, since
/// neither waits for the other; or it puts together what parts gave.
template <class V> struct sweep_kernel {
  arguments<V> call;

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    auto lanes = block.template group<lanes_of<V>()>();
    const std::int64_t groups = block.threads() / lanes.size(), mine = block.thread() / lanes.size();
    row_context<V, decltype(lanes)> c{lanes, call, nullptr, nullptr};
    c.edges = call.side();
    const bool is_long = has_loops<V>() && block.index() < call.long_blocks;
    if (is_long) c.stage = call.stage;
    const std::int64_t group = (block.index() - (is_long ? 0 : call.long_blocks)) * groups + mine;
    const std::int64_t all = (is_long ? call.long_blocks : block.count() - call.long_blocks) * groups;
    const std::int64_t count = is_long ? call.long_count() : call.rows();
    c.scratch = c.work =
        call.is_in_shared() ? block.shared() + mine * call.row_bytes : call.workspace + group * call.row_bytes;
    for (std::int64_t k = group; k < count; k += all) {
      if constexpr (has_loops<V>()) {
        if (is_long) take_long_row(c, static_cast<int>(k));
        else if (!take_row(c, c.edges.row_at(k))) continue;
      } else {
        c.row = k;
      }
      detail::run_steps<V>(c, std::make_integer_sequence<int, V::planned.last_step - V::planned.first_step>());
    }
  }

 private:
  /// Whether the row is not a long one.
  template <class C> STG_KERNEL static bool take_row(C& c, std::int64_t row) {
    c.row = row;
    c.begin = c.edges.begin(row);
    c.end = c.edges.end(row);
    return !c.edges.is_long(c.end - c.begin);
  }
  /// Part k of the long rows, or the k-th of them.
  template <class C> STG_KERNEL void take_long_row(C& c, int k) const {
    const long_rows& cut = c.edges.long_rows();
    const bool by_part = c.stage == sweep_stage::parts;
    c.long_row = by_part ? cut.row_of(k) : k;
    c.row = cut.row[c.long_row];
    c.scratch = call.long_scratch + std::int64_t{c.long_row} * call.row_bytes;
    c.work = by_part ? call.scratch_of_part(k) : c.scratch;
    c.begin = c.edges.begin(c.row);
    c.end = c.edges.end(c.row);
    if (by_part) {
      c.begin += std::int64_t{k - cut.first_part[c.long_row]} * cut.part_edges;
      if (c.end > c.begin + cut.part_edges) c.end = c.begin + cut.part_edges;
    }
  }
};

}  // namespace stg::gpu
