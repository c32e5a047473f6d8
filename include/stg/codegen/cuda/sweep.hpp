// The kernel of a sweep: which rows are mine, then the steps of the plan for each.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cuda/loop.hpp>  // run_loop, fill

namespace stg::gpu {

namespace detail {

template <class V, int Step, class C> STG_KERNEL void run_step(C& c) {
  constexpr pass::step step = V::plan.steps[Step];
  if constexpr (C::is_long)
    if (Step < c.call.first_step || Step >= c.call.last_step) return;
  if constexpr (step.is_loop) run_loop<V, step.index>(c);
  else if constexpr (!V::plan.joined[step.index]) fill<V, no_loop, step.index>(c, 1);
}
template <class V, class C, int... Step> STG_KERNEL void run_steps(C& c, std::integer_sequence<int, Step...>) {
  (run_step<V, V::planned.first_step + Step>(c), ...);
}

}  // namespace detail

/// Rows of a sweep along in-edges, out-edges or none; or graph arithmetic, whose only row is the graph. Every row is
/// computed by one group of lanes, in edge order, and long rows part by part, so that results do not depend on how
/// blocks are scheduled. Long: a stage of long rows; else all other rows.
template <class V, bool Long = false> struct sweep_kernel {
  arguments<V> call;

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    auto lanes = block.template group<lanes_of<V>()>();
    const std::int64_t groups = block.threads() / lanes.size();
    const std::int64_t group = block.index() * groups + block.thread() / lanes.size(), all = block.count() * groups;
    row_context<V, decltype(lanes), Long> c{lanes, call, nullptr, nullptr};
    c.edges = call.side();
    if constexpr (Long) long_rows_of(c, group, all);
    else rows_of(block, c, group, all);
  }

 private:
  template <class Block, class C>
  STG_KERNEL void rows_of(Block& block, C& c, std::int64_t group, std::int64_t all) const {
    const std::int64_t mine = block.thread() / c.lanes.size();
    c.scratch = c.work =
        call.is_in_shared() ? block.shared() + mine * call.row_bytes : call.workspace + group * call.row_bytes;
    for (std::int64_t k = group; k < call.rows(); k += all) {
      c.row = k;
      if constexpr (has_loops<V>()) {
        c.row = c.edges.row_at(k);
        if (c.edges.is_long(c.row)) continue;
        c.begin = c.edges.begin(c.row);
        c.end = c.edges.end(c.row);
      }
      run(c);
    }
  }
  template <class C> STG_KERNEL static void run(C& c) {
    detail::run_steps<V>(c, std::make_integer_sequence<int, V::planned.last_step - V::planned.first_step>());
  }
  /// A group has a part of a row, or joins the parts of one.
  template <class C> STG_KERNEL void long_rows_of(C& c, std::int64_t group, std::int64_t all) const {
    const long_rows& cut = c.edges.long_rows();
    std::byte* const parts = call.long_scratch + std::int64_t{cut.count} * call.row_bytes;
    const bool by_part = call.stage == sweep_stage::parts;
    for (std::int64_t k = group; k < (by_part ? cut.parts : cut.count); k += all) {
      const int at = by_part ? cut.row_of(static_cast<int>(k)) : static_cast<int>(k);
      const int first = cut.first_part[at];
      c.row = cut.row[at];
      c.scratch = call.long_scratch + std::int64_t{at} * call.row_bytes;
      c.work = by_part ? parts + k * call.part_bytes : c.scratch;
      c.begin = c.edges.begin(c.row);
      c.end = c.edges.end(c.row);
      c.parts = parts + std::int64_t{first} * call.part_bytes;
      c.part_count = cut.first_part[at + 1] - first;
      if (by_part) {
        c.begin += (k - first) * cut.part_edges;
        if (c.end > c.begin + cut.part_edges) c.end = c.begin + cut.part_edges;
      }
      run(c);
    }
  }
};

}  // namespace stg::gpu
