// The kernel of a sweep: which rows are mine, then the steps of the plan for each.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cuda/loop.hpp>  // run_loop, fill

namespace stg::gpu {

namespace detail {

template <class V, int Step, class C> STG_KERNEL void run_step(C& c) {
  constexpr pass::step step = V::plan.steps[Step];
  if constexpr (step.is_loop) run_loop<V, step.index>(c);
  else fill<V, no_loop, step.index>(c, 1);
}
template <class V, class C, int... Step> STG_KERNEL void run_steps(C& c, std::integer_sequence<int, Step...>) {
  (run_step<V, V::planned.first_step + Step>(c), ...);
}

}  // namespace detail

/// Rows of a sweep along in-edges, out-edges or none; or graph arithmetic, whose only row is the graph. Every row is
/// computed by lanes of one warp, in edge order, so that results do not depend on how blocks are scheduled.
template <class V> struct sweep_kernel {
  arguments<V> call;

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    auto lanes = block.template group<lanes_of<V>()>();
    const std::int64_t groups = block.threads() / lanes.size(), mine = block.thread() / lanes.size();
    const std::int64_t group = block.index() * groups + mine;
    std::byte* const scratch =
        call.is_in_shared() ? block.shared() + mine * call.row_bytes : call.workspace + group * call.row_bytes;
    row_context<V, decltype(lanes)> c{lanes, call, scratch};
    c.edges = V::planned.side == pass::sweep_side::out ? call.out : call.in;
    const std::int64_t rows = V::planned.kind == pass::unit_kind::graph ? 1 : call.vertices;
    for (c.row = group; c.row < rows; c.row += block.count() * groups)
      detail::run_steps<V>(c, std::make_integer_sequence<int, V::planned.last_step - V::planned.first_step>());
  }
};

}  // namespace stg::gpu
