// The memory of one call: the place of each statement, for a program and, in training, its gradient.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <span>     // span
#include <vector>   // vector

#include <stg/codegen/plan_data.hpp>    // data_of
#include <stg/ir/program.hpp>           // statement
#include <stg/runtime/adjacency.hpp>    // long_rows
#include <stg/runtime/binding.hpp>      // program_view
#include <stg/runtime/call_graph.hpp>   // call_graph, step_graphs
#include <stg/runtime/checkpoints.hpp>  // checkpoints
#include <stg/runtime/dimensions.hpp>   // dimensions
#include <stg/runtime/kind_rows.hpp>    // kind_rows
#include <stg/runtime/memory.hpp>       // buffer

namespace stg {
class communicator;
}  // namespace stg

namespace stg::detail {

/// Everything that the memory of a call depends on.
struct call_sizes {
  std::int64_t vertices = 0, edges = 0;
  const std::int64_t* extents = nullptr;  // the program's run-time extents
  long_rows in_long{}, out_long{};        // of the graph
  step_graphs* graphs = nullptr;          // if each step of a scan has one
  const kind_rows* kinds = nullptr;       // by number; null of a plain program
  checkpoints keep{};                     // of the steps of scans, in training
  const rank_rows* ranks = nullptr;       // of a part of a cut graph, whose vertices and edges are all that are there
  communicator* messages = nullptr;       // of a graph that knows its ranks

  /// Rows of a value.
  std::int64_t rows_of(const ir::domain& where) const {
    if (where.set != 0) return kinds[where.set].rows;
    return where == ir::space::vertex ? vertices : where == ir::space::edge ? edges : 1;
  }
  std::int64_t of(ir::extent e) const { return e.is_static() ? e.code : extents[-1 - e.code]; }
};

inline call_sizes sizes_of(const call_graph& on, const std::int64_t* extents, const kind_rows* kinds = nullptr) {
  const graph& g = on.outside();
  return {g.vertices(), g.edges(), extents,     g.in_edges().long_rows(), g.out_edges().long_rows(), on.steps(), kinds,
          {},           g.ranks(), g.messages()};
}

/// Whether a value is one of each step's edges and the edges differ from step to step: rows of all steps follow one
/// another, as many as there are edges.
inline bool is_of_all_edges(const ir::statement& s, const call_sizes& n) {
  return n.graphs != nullptr && s.is_sequence() && s.where == ir::space::edge;
}

/// Elements of a row.
inline std::int64_t elements_of_row(const ir::statement& s, const call_sizes& n) {
  std::int64_t elements = 1;
  for (int a = 0; a < s.dims.rank; ++a) elements *= n.of(s.dims.axes[a]);
  return elements;
}

/// Elements of one value of a statement, all rows of its space together, and of all steps.
inline std::int64_t elements_of_value(const ir::statement& s, const call_sizes& n) {
  const std::int64_t row = elements_of_row(s, n);
  if (is_of_all_edges(s, n)) return n.graphs->all_edges * row;
  return (s.is_sequence() ? n.of(s.over) : 1) * n.rows_of(s.where) * row;
}

inline std::int64_t bytes_of_value(const ir::statement& s, const call_sizes& n) {
  return elements_of_value(s, n) * bytes_of(s.type);
}

/// The shape of the tensor that holds a value.
inline dimensions shape_of_value(const ir::statement& s, const call_sizes& n) {
  std::int64_t list[ir::shape::max_rank + 2];
  int rank = 0;
  if (is_of_all_edges(s, n)) {
    list[rank++] = n.graphs->all_edges;
  } else {
    if (s.is_sequence()) list[rank++] = n.of(s.over);
    if (s.where != ir::space::graph) list[rank++] = n.rows_of(s.where);
  }
  for (int a = 0; a < s.dims.rank; ++a) list[rank++] = n.of(s.dims.axes[a]);
  return dimensions(std::span<const std::int64_t>(list, static_cast<std::size_t>(rank)));
}

/// Sizes and lifetimes of a plan's stored values, by statement; units count from `first_unit` on.
inline void measure(const codegen::plan_data& p, const call_sizes& n, int first_unit, std::span<buffer> buffers) {
  for (int i = 0; i < p.size; ++i) {
    if (!p.stored[i]) continue;
    buffer& b = buffers[static_cast<std::size_t>(i)];
    b.bytes = bytes_of_value(p.statements[i], n);
    b.first = first_unit + p.lifetimes[i].first;
    b.last = first_unit + p.lifetimes[i].last;
    if (p.overwrites[i] >= 0 && p.stored[p.overwrites[i]]) b.over = p.overwrites[i];
  }
}

/// Marks outputs computed directly in the caller's memory: in_place, one for each. They need no memory of the call's
/// own. Others are copied there.
template <class Mark> void find_in_place(const codegen::plan_data& p, std::span<buffer> buffers, Mark* in_place) {
  for (int k = 0; k < p.output_count; ++k) {
    const int root = p.root(p.outputs[k].at);
    in_place[k] = p.stored[root];
    for (int other = 0; other < k; ++other) in_place[k] = in_place[k] && p.root(p.outputs[other].at) != root;
    if (in_place[k]) buffers[static_cast<std::size_t>(root)].bytes = 0;
  }
}

// P: a program with its plan. If both are constants there is room for as many values as they have; drafts are made when
// the program runs, by P::made().

template <class P>
concept made_at_run_time = requires {
  P::made();
};

template <class P> const codegen::plan_data& data_of_plan() {
  if constexpr (made_at_run_time<P>) return P::made().data;
  else return codegen::data_of<P>;
}
/// P as a program.
template <class P> ir::program program_of_plan() {
  if constexpr (made_at_run_time<P>) return P::made().program;
  else return P::program.thaw();
}
template <class P> program_view view_of_plan() {
  if constexpr (made_at_run_time<P>) return view_of(P::made().program);
  else return view_of(P::program);
}

/// A T for every value of some plans.
template <class T, class... P> struct values_of { T at[(P::program.size + ... + 1)]{}; };
template <class T, class... P>
  requires(...&& made_at_run_time<P>)
struct values_of<T, P...> {
  std::vector<T> at = std::vector<T>(static_cast<std::size_t>((data_of_plan<P>().size + ... + 1)));
};

/// Pointers and buffers of the statements of plan P. The caller places buffers, since it knows the other live ones.
template <class P> class frame {
 public:
  std::byte*& memory(int i) { return memory_.at[static_cast<std::size_t>(i)]; }
  std::byte* const* memory() const { return &memory_.at[0]; }
  buffer& buffer_of(int i) { return buffers_.at[static_cast<std::size_t>(i)]; }
  std::span<buffer> buffers() { return {&buffers_.at[0], static_cast<std::size_t>(plan().size)}; }
  std::span<const buffer> buffers() const { return {&buffers_.at[0], static_cast<std::size_t>(plan().size)}; }
  static const codegen::plan_data& plan() { return data_of_plan<P>(); }

  void measure(const call_sizes& n, int first_unit) { detail::measure(plan(), n, first_unit, buffers()); }
  void point(std::byte* base) {
    const codegen::plan_data& p = plan();
    for (int i = 0; i < p.size; ++i)
      if (p.stored[i]) memory(i) = base + buffer_of(i).offset;
  }
  /// Calls body(i, entry) for the statements that are inputs.
  template <class Body> static void for_each_input(const Body& body) {
    const codegen::plan_data& p = plan();
    for (int i = 0; i < p.size; ++i)
      if (p.statements[i].code == ir::opcode::input) body(i, p.statements[i].entry());
  }
  /// The statement with the memory of output k.
  static int output_root(int k) { return plan().root(plan().outputs[k].at); }
  std::byte* output(int k) { return memory(output_root(k)); }

 private:
  values_of<std::byte*, P> memory_{};
  values_of<buffer, P> buffers_{};
};

}  // namespace stg::detail
