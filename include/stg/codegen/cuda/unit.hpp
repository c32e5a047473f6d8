// Launching the units of a plan one after the other on a machine, and the workspace that they need.
//
// Machine: where kernels run and dense products are made. All calls are in order; none waits.
//   machine.launch(kernel, grid)
//   machine.product(x, w, y, rows, inner, cols, transpose_w)      y = x w       as stg::product
//   machine.reduced_product(x, g, y, rows, k, m)                  y = xᵀ g      as stg::reduced_product
//   machine.copy(to, from, bytes)                                 from one value's memory to another's
//   machine.stream()                                              of a device alone: the stream of all of it
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // int64_t
#include <type_traits>  // conditional_t
#include <utility>      // integer_sequence

#include <stg/base/error.hpp>                // error
#include <stg/analysis/reads_edges.hpp>      // reads_edges
#include <stg/codegen/cuda/executable.hpp>   // step_of
#include <stg/codegen/cuda/group.hpp>        // grid
#include <stg/codegen/cuda/reduce.hpp>       // reduce_kernel, sparse_product_kernel
#include <stg/codegen/cuda/scatter.hpp>      // scatter_room, scatter_rows
#include <stg/codegen/cuda/sweep.hpp>        // sweep_kernel
#include <stg/codegen/device_exchanges.hpp>  // device_exchanges
#include <stg/codegen/operands.hpp>          // dense_rows, first_extent, stored_at
#include <stg/codegen/scan.hpp>              // run_scan, step_calls, step_program

namespace stg::gpu {

namespace detail {

// ---- steps that read whole arrays ----

template <class T, class Op, class Machine>
void reduce_rows(Machine& on, const T* x, T* y, T* scratch, std::int64_t rows, std::int64_t width) {
  const std::int64_t slabs = reducing_slabs<T>(rows, width);
  const reduce_kernel<T, Op> parts{x, slabs == 1 ? y : scratch, rows, width, slabs};
  on.launch(parts, parts.launched_with());
  if (slabs == 1) return;
  const reduce_kernel<T, Op> all{scratch, y, slabs, width, 1};
  on.launch(all, all.launched_with());
}

template <class P, int I, class Machine> void run_whole(const launch& l, Machine& on) {
  constexpr ir::statement s = P::program.statements[I];
  constexpr int X = s.operands[0], W = s.operands[1];
  constexpr const plan_data& plan = data_of<P>;
  using T = element<P, I>;
  T* const to = stored_at<T>(plan, I, l);
  if constexpr (s.code == ir::opcode::matmul) {
    on.product(stored_at<T>(plan, X, l), stored_at<T>(plan, W, l), to, dense_rows(plan, X, l), last_extent(plan, X, l),
               last_extent(plan, I, l), s.is_transposed());
  } else if constexpr (s.code == ir::opcode::reduced_matmul) {
    on.reduced_product(stored_at<T>(plan, X, l), stored_at<T>(plan, W, l), to, dense_rows(plan, X, l),
                       last_extent(plan, X, l), last_extent(plan, W, l));
  } else if constexpr (s.code == ir::opcode::sparse_matmul || s.code == ir::opcode::sparse_reduced_matmul) {
    constexpr bool transposed = s.code == ir::opcode::sparse_reduced_matmul;
    const sparse_view<T>& x = sparse_at<T>(X, l);
    const sparse_product_kernel<T, transposed> kernel{
        transposed ? x.by_column : x.by_row, stored_at<T>(plan, W, l), to, last_extent(plan, I, l),
        dropout_of(plan, s.operands[2], l),  l.draws.launches};
    on.launch(kernel, kernel.launched_with());
  } else if constexpr (s.code == ir::opcode::scatter_sum) {
    scatter_rows(on, stored_at<T>(plan, X, l), stored_at<std::int32_t>(plan, W, l), to, l.resources.workspace,
                 l.graph.rows_of(P::program.statements[X].where), first_extent(plan, I, l), width_of(plan, X, l));
  } else {
    static_assert(!ir::is_message(s.code),
                  "stg: messages between ranks run on the CPU; call the program with a graph on the host");
    static_assert(s.code == ir::opcode::sum_vertices || s.code == ir::opcode::max_vertices || ir::is_message(s.code),
                  "stg internal: not a step that reads whole arrays");
    using op = std::conditional_t<s.code == ir::opcode::sum_vertices, add, larger>;
    reduce_rows<T, op>(on, stored_at<T>(plan, X, l), to, reinterpret_cast<T*>(l.resources.workspace),
                       l.graph.rows_of(P::program.statements[X].where), width_of(plan, X, l));
  }
}
template <class P, int I> std::int64_t workspace_of(const launch& l) {
  constexpr ir::statement s = P::program.statements[I];
  if constexpr (s.code == ir::opcode::scatter_sum)
    return scatter_room<element<P, I>>(nullptr, l.graph.rows_of(P::program.statements[s.operands[0]].where),
                                       first_extent(data_of<P>, I, l), width<P, s.operands[0]>(l))
        .bytes;
  else if constexpr (op::info_of(s.code).kind == op::category::reduction)
    return reducing_slabs<element<P, I>>(l.graph.rows_of(P::program.statements[s.operands[0]].where),
                                         width<P, s.operands[0]>(l)) *
           width<P, s.operands[0]>(l) * bytes_of(s.type);
  else return 0;
}

// ---- scans ----

template <class P, class Machine> void run_steps(const void*, codegen::step_calls& steps);
template <class P> std::int64_t step_workspace(const void*, const launch& l);
template <class Machine> void copy_on(const launch& l, std::byte* to, const std::byte* from, std::int64_t bytes) {
  static_cast<Machine*>(l.resources.machine)->copy(to, from, bytes);
}

/// The steps of P's scans, which the host launches one after the other. Who asks for their sizes alone has no kernels
/// compiled.
template <class P, class Machine, bool Runs> struct step_table {
  codegen::step_program at[P::program.room.callees + 1];

  template <int... K>
  explicit constexpr step_table(std::integer_sequence<int, K...>) : at{entry<step_of<P, K>>()..., {}} {}
  template <class Step> static constexpr codegen::step_program entry() {
    codegen::step_program step{
        &data_of<Step>, nullptr, nullptr, &step_workspace<Step>, pass::reads_edges(Step::program), true, nullptr};
    if constexpr (Runs) {
      step.run = &run_steps<Step, Machine>;
      step.copy = &copy_on<Machine>;
    }
    return step;
  }
};
template <class P, class Machine, bool Runs>
inline constexpr step_table<P, Machine, Runs> step_table_of{std::make_integer_sequence<int, P::program.room.callees>()};

template <class P, int Unit> inline constexpr bool is_scan = P::plan.units[Unit].kind == pass::unit_kind::scan;
template <class P, int Unit> inline constexpr int scan_of_unit = P::plan.steps[P::plan.units[Unit].first_step].index;

template <class P, int Unit, class Machine> void run_scan_unit(const launch& l, Machine& on) {
  constexpr int scan = scan_of_unit<P, Unit>;
  launch mine = l;
  mine.resources.machine = &on;
  codegen::run_scan(data_of<P>, scan, step_table_of<P, Machine, true>.at[P::program.statements[scan].callee()], mine);
}
template <class P, int Unit> std::int64_t scan_unit_workspace(const launch& l) {
  constexpr int scan = scan_of_unit<P, Unit>;
  return codegen::scan_workspace(data_of<P>, scan,
                                 step_table_of<P, void, false>.at[P::program.statements[scan].callee()], l);
}

// ---- units ----

/// A launch of a sweep: for so many long rows, or parts of them, and so many others.
template <class V, class Machine>
void launch_sweep(arguments<V> call, std::int64_t of_long_rows, std::int64_t rows, Machine& on) {
  const std::int64_t per_block = call.groups_per_block();
  call.long_blocks = static_cast<std::int32_t>((of_long_rows + per_block - 1) / per_block);
  on.launch(sweep_kernel<V>{call},
            grid{call.long_blocks + (rows == 0 ? 0 : call.blocks(rows)), block_threads,
                 rows != 0 && call.is_in_shared() ? static_cast<int>(call.row_bytes * per_block) : 0});
}
/// Parts of long rows loop by loop, those of the first beside all rows that are not long, and after each what they gave
/// put together.
template <class V, class Machine> void launch_loops(arguments<V> call, Machine& on) {
  if (call.side().long_rows().count == 0) {
    launch_sweep(call, 0, call.rows(), on);
    return;
  }
  const auto run_stage = [&](sweep_stage stage, int first, int last, std::int64_t rows) {
    call.stage = stage;
    call.first_step = first;
    call.last_step = last;
    if (first < last) launch_sweep(call, call.long_count(), rows, on);
  };
  const auto next_loop = [](int k) {
    while (k < V::planned.last_step && !V::plan.steps[k].is_loop) ++k;
    return k;
  };
  int loop = next_loop(V::planned.first_step);
  run_stage(sweep_stage::combined, V::planned.first_step, loop, 0);  // nothing to combine yet
  for (std::int64_t rows = call.rows(); loop < V::planned.last_step; rows = 0) {
    const int next = next_loop(loop + 1);
    run_stage(sweep_stage::parts, loop, loop + 1, rows);
    run_stage(sweep_stage::combined, loop, next, 0);
    loop = next;
  }
}
template <class P, int Unit, class Machine> void run_rows(const launch& l, Machine& on) {
  using V = unit_view<P, Unit>;
  const arguments<V> call(l);
  if (call.rows() == 0) return;
  if constexpr (has_loops<V>()) launch_loops(call, on);
  else launch_sweep(call, 0, call.rows(), on);
}
template <class P, int Unit>
inline constexpr bool is_sweep =
    P::plan.units[Unit].kind == pass::unit_kind::sweep || P::plan.units[Unit].kind == pass::unit_kind::graph;

/// others: of a part of a cut graph; else null.
template <class P, int I, class Machine>
void run_whole_on_ranks(const launch& l, Machine& on, codegen::device_exchanges* others) {
  if (others == nullptr || !codegen::runs_by_blocks(data_of<P>, I)) return run_whole<P, I>(l, on);
  others->by_blocks(I, l, [&on](const launch& block) { run_whole<P, I>(block, on); });
}
template <class P, int Unit, class Machine, int... Step>
void run_unit(const launch& of_call, Machine& on, codegen::device_exchanges* others,
              std::integer_sequence<int, Step...>) {
  const launch l = codegen::as_unit(P::plan.units[Unit], of_call);
  if (others != nullptr) others->before(Unit, of_call);
  if constexpr (is_sweep<P, Unit>) run_rows<P, Unit>(l, on);
  else if constexpr (is_scan<P, Unit>) run_scan_unit<P, Unit>(l, on);
  else (run_whole_on_ranks<P, P::plan.steps[P::plan.units[Unit].first_step + Step].index>(l, on, others), ...);
  if (others != nullptr) others->after(Unit, of_call);
}
template <class P, int Unit, int... Step>
std::int64_t unit_workspace(const launch& of_call, std::integer_sequence<int, Step...>) {
  const launch l = codegen::as_unit(P::plan.units[Unit], of_call);
  std::int64_t most = 0, n = 0;
  if constexpr (is_sweep<P, Unit>) most = arguments<unit_view<P, Unit>>(l).workspace_bytes();
  else if constexpr (is_scan<P, Unit>) most = scan_unit_workspace<P, Unit>(l);
  else
    ((n = workspace_of<P, P::plan.steps[P::plan.units[Unit].first_step + Step].index>(l), most = most < n ? n : most),
     ...);
  return most;
}
template <class P, int Unit>
inline constexpr auto steps_of =
    std::make_integer_sequence<int, P::plan.units[Unit].last_step - P::plan.units[Unit].first_step>();

template <class P, class Machine, int... Unit>
void run_units(const launch& l, Machine& on, codegen::device_exchanges* others, std::integer_sequence<int, Unit...>) {
  (run_unit<P, Unit>(l, on, others, steps_of<P, Unit>), ...);
}
template <class P, int... Unit> std::int64_t units_workspace(const launch& l, std::integer_sequence<int, Unit...>) {
  std::int64_t most = 0, n = 0;
  ((n = unit_workspace<P, Unit>(l, steps_of<P, Unit>), most = most < n ? n : most), ...);
  return (most + 15) / 16 * 16;
}

}  // namespace detail

/// The steps of plan P's scans, as machines of this type run them; Runs: not only their sizes are asked for.
template <class P, class Machine, bool Runs> const codegen::step_program* steps() {
  return detail::step_table_of<P, Machine, Runs>.at;
}

/// Runs all units of plan P on a machine. A machine with a stream of a device runs the parts of cut graphs, too.
template <class P, class Machine> void run(const launch& l, Machine& on) {
  constexpr auto units = std::make_integer_sequence<int, P::plan.unit_count>();
  if (l.graph.ranks == nullptr) return detail::run_units<P>(l, on, nullptr, units);
  if constexpr (requires { on.stream(); }) {
    codegen::device_exchanges others(data_of<P>, l, steps<P, Machine, true>(), on.stream());
    others.begin(l);
    detail::run_units<P>(l, on, &others, units);
    others.end(l);
  } else {
    throw error(
        "the part of a cut graph is called on the host in a file that is compiled as CUDA; compile the program "
        "for the host in a plain C++ file, or bring the part to a device by stg::device_links");
  }
}

/// Bytes of workspace that a call with these sizes needs.
template <class P> std::int64_t workspace(const launch& l) {
  return detail::units_workspace<P>(l, std::make_integer_sequence<int, P::plan.unit_count>());
}

namespace detail {
template <class P, class Machine> void run_steps(const void*, codegen::step_calls& steps) {
  while (steps.next()) gpu::run<P>(steps.call, *static_cast<Machine*>(steps.call.resources.machine));
}
template <class P> std::int64_t step_workspace(const void*, const launch& l) { return gpu::workspace<P>(l); }
}  // namespace detail

}  // namespace stg::gpu
