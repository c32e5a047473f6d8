// Numbers of edges that a sweep along out-edges reads, put into its order first.
//
// They lie by edge id, so that each costs the sweep a cache line (edge_order.hpp of the runtime). Moved, they are read
// in one stream. The copy takes memory: as much as what the sweep computes at most, or the sweep is run in rounds, over
// some of the rows each.
#pragma once

#include <algorithm>  // min
#include <cstdint>    // int64_t
#include <cstring>    // memcpy
#include <utility>    // integer_sequence

#include <stg/codegen/cpu/context.hpp>  // launch, index_list, is_own_of_edge
#include <stg/codegen/plan_data.hpp>    // bytes_of_row
#include <stg/runtime/edge_order.hpp>   // edge_order

namespace stg::cpu {

namespace detail {

/// Values of fewer edges stay in a second-level cache, where any order is good.
inline constexpr std::int64_t least_ordered = 1 << 20;
/// Each round goes over the values of all edges: more of them cost what they gain.
inline constexpr std::int64_t most_rounds = 4;
/// Blocks beyond a round's share: its rows begin and end within a block, and the last row may be a long one.
inline constexpr std::int64_t spare_blocks = 3;

/// What a sweep reads of edges.
template <class P, int Unit> class ordered_values {
  struct findings {
    index_list<P::program.size> at;
    bool are_narrow = true;  // rows of 4 or 8 bytes
    bool needs_ids = false;  // for more than to read them
    bool along_out = true;   // every loop goes along out-edges
  };
  static constexpr void look(findings& f, int i) {
    const ir::statement& s = P::program.statements[i];
    if (s.where != ir::space::edge) return;
    if (is_own_of_edge<P>(i)) {
      const std::int64_t bytes = s.dims.is_static() ? s.dims.size() * bytes_of(s.type) : 0;
      f.are_narrow = f.are_narrow && (bytes == 4 || bytes == 8);
      return f.at.add(i);
    }
    f.needs_ids = f.needs_ids || s.code == ir::opcode::keep_mask || s.code == ir::opcode::edge_index;
    if (op::info_of(s.code).kind == op::category::gather) return;
    for (int k = 0; k < s.arity(); ++k) look(f, s.operands[k]);
  }
  static constexpr findings found = [] {
    findings f;
    for (int k = P::plan.units[Unit].first_step; k < P::plan.units[Unit].last_step; ++k) {
      if (!P::plan.steps[k].is_loop) continue;
      const pass::planned_loop& loop = P::plan.loops[P::plan.steps[k].index];
      f.along_out = f.along_out && loop.side == pass::sweep_side::out;
      for (int v = loop.first_statement; v < loop.last_statement; ++v) look(f, P::plan.loop_statements[v].at);
      for (int r = loop.first_result; r < loop.last_result; ++r) {
        const int at = P::plan.loop_results[r].at;
        const ir::statement& s = P::program.statements[at];
        f.needs_ids = f.needs_ids || s.where == ir::space::edge || s.code == ir::opcode::first_max_edge;
        if (s.where != ir::space::edge) look(f, s.operands[0]);
      }
    }
    return f;
  }();

 public:
  static constexpr bool exist = found.at.count > 0 && found.are_narrow && !found.needs_ids && found.along_out;
  static constexpr int count = exist ? found.at.count : 0;
  static constexpr int at(int k) { return found.at.at[k]; }
  static constexpr std::int64_t row(int k) {
    return P::program.statements[at(k)].dims.size() * bytes_of(P::program.statements[at(k)].type);
  }
  static constexpr std::int64_t row_of_all() {
    std::int64_t bytes = 0;
    for (int k = 0; k < count; ++k) bytes += row(k);
    return bytes;
  }
};

}  // namespace detail

/// How a sweep goes over the rows of a call: in one round, or several, each over rows whose edge values were put in
/// order before.
template <class P, int Unit> class rounds {
  using values = detail::ordered_values<P, Unit>;

 public:
  explicit rounds(const launch& l) {
    if constexpr (values::exist) {
      if (l.edges < detail::least_ordered || l.edges > edge_order::most_edges) return;
      const std::int64_t most = results(l), needed = l.edges * values::row_of_all();
      const std::int64_t n = most == 0 ? 1 : (needed + most - 1) / most;
      if (n > detail::most_rounds) return;
      count_ = n;
      const std::int64_t all = edge_order::blocks_of(l.edges), work = l.edges + l.vertices;
      blocks_ = n == 1 ? all : std::min(all, work / n / edge_order::block + detail::spare_blocks);
    }
  }

  /// Bytes of workspace before that of the sweep.
  std::int64_t bytes(const launch& l) const {
    return blocks_ == 0 ? 0 : (blocks_ * values::row_of_all() + slots(l) * row_in_scratch()) * edge_order::block;
  }

  /// Calls body(launch, round, rounds) for every round: with the rows split(round, rounds) to split(round + 1, rounds)
  /// of the launch's adjacencies.
  template <class Body> void run(const launch& call, const Body& body) const {
    launch mine = call;
    mine.workspace += bytes(call);
    if constexpr (values::exist) {
      if (blocks_ > 0 && call.out.order() != nullptr) {
        std::byte* memory[P::program.size + 1];
        std::memcpy(memory, call.memory, sizeof(std::byte*) * P::program.size);
        for (std::int64_t round = 0; round < count_; ++round) {
          if (order(call, round, memory, std::make_integer_sequence<int, values::count>())) {
            mine.memory = memory;
            mine.out = call.out.in_order();
          } else {
            mine.memory = call.memory;
            mine.out = call.out;
          }
          body(mine, round, count_);
        }
        return;
      }
    }
    body(mine, 0, 1);
  }

 private:
  /// Threads that put blocks in order at the same time.
  static std::int64_t slots(const launch& l) { return std::min(l.threads, edge_order::blocks_of(l.edges)); }
  /// Bytes of what the sweep computes.
  static std::int64_t results(const launch& l) {
    std::int64_t bytes = 0;
    for (int i = 0; i < P::program.size; ++i)
      if (P::plan.stored[i] && P::plan.lifetimes[i].first == Unit &&
          P::program.statements[i].where == ir::space::vertex)
        bytes += bytes_of_row(data_of<P>, i, l.extents);
    return bytes * l.vertices;
  }
  static constexpr std::int64_t row_in_scratch() {
    std::int64_t most = 0;
    for (int k = 0; k < values::count; ++k) most = most < values::row(k) ? values::row(k) : most;
    return most;
  }
  /// Puts the values of a round's edges in order, and says where position 0 would lie; false: they do not fit.
  template <int... K>
  bool order(const launch& l, std::int64_t round, std::byte** memory, std::integer_sequence<int, K...>) const {
    const std::int64_t first = l.out.begin(l.out.split(round, count_)) / edge_order::block;
    const std::int64_t last = edge_order::blocks_of(l.out.begin(l.out.split(round + 1, count_)));
    if (last - first > blocks_) return false;
    std::byte* to = l.workspace;
    std::byte* const scratch = to + blocks_ * edge_order::block * values::row_of_all();
    ((l.out.order()->lay_out(l.memory[values::at(K)], values::row(K), first, last, to, scratch, slots(l)),
      memory[values::at(K)] = to - first * edge_order::block * values::row(K),
      to += blocks_ * edge_order::block * values::row(K)),
     ...);
    return true;
  }

  std::int64_t count_ = 1;   // rounds
  std::int64_t blocks_ = 0;  // that a round puts in order; 0: none
};

}  // namespace stg::cpu
