// What a call on a part of a cut graph asks the library for; on a whole graph it asks nothing. A user's file reads no
// more of ranks than this.
#pragma once

#include <stg/codegen/launch.hpp>        // graph_view, launch
#include <stg/codegen/plan_data.hpp>     // plan_data
#include <stg/pass/save.hpp>             // connection
#include <stg/runtime/const_tensor.hpp>  // memory

namespace stg::codegen {

struct step_program;

/// The sizes of a part: own vertices and edges, and all vertices of the graph. Its rows: own ones.
void show_sizes_of_part(graph_view& graph, const rank_rows& part);
void show_rows_of_part(graph_view& graph);

/// All ranks are about to make a call: of one program, on parts of one cut, with the same sizes and random numbers.
/// Error on each of them, the same, where that is not so. Nothing is asked on a whole graph.
/// Messages by hand have counterparts on other ranks; gradient: of a training call, the plan that comes after.
void meet(const plan_data& plan, const launch& l, const plan_data* gradient = nullptr);
/// Of messages by hand alone.
void agree_on_messages(const plan_data& plan, const launch& l, const plan_data* gradient = nullptr);

/// The least of the steps that ranks may keep within their limits of bytes, on each of them; what is said, on a whole
/// graph. no_steps: a rank's error comes, for which the others get one, too.
constexpr std::int64_t no_steps = -1;
std::int64_t steps_of_all_ranks(const rank_rows* part, std::int64_t mine);

/// Whether a rank of a cut graph ends a run: the same on all of them. ranks: null of a whole graph.
bool any_rank_ends(const rank_rows* ranks, bool mine);

/// For a gradient's inputs, by entry, the rows that are there: saved values that the forward program did not exchange
/// have own rows alone. results: outputs of the forward program that have all. part, extents: of the call. kernels: of
/// the forward program's sweeps by columns.
/// The memory holds a rows_there for each.
stg::detail::memory rows_there_of_gradient(const plan_data& forward, const plan_data& gradient,
                                           const pass::connection* from, int results, const step_program* steps,
                                           const rank_rows* part, const std::int64_t* extents,
                                           const column_kernels* kernels);

}  // namespace stg::codegen
