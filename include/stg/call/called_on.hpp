// What a program is called on: a graph, graphs of several kinds, one graph for each step, or the blocks of a sample.
// Each is one struct, called_on<…>.
#pragma once

#include <type_traits>  // is_base_of_v, is_convertible_v, is_same_v
#include <utility>      // integer_sequence

#include <stg/analysis/reads_edges.hpp>  // readings_of_step_graphs
#include <stg/base/room.hpp>             // room_for
#include <stg/call/bindings.hpp>         // all_inputs_bound
#include <stg/call/by_hops.hpp>          // form_over_hops
#include <stg/call/fixed.hpp>            // form_of, fixes_required
#include <stg/compile.hpp>               // canonical
#include <stg/runtime/binding.hpp>       // step_extents
#include <stg/runtime/call_graph.hpp>    // call_graph, graph, graphs, graph_sequence, blocks

namespace stg::detail {

/// Entries of the inputs that get gradients in inference.
using no_entries = std::integer_sequence<int>;

/// What forbids a call, apart from its bindings. Each kind sets the members that are its own.
struct call_mistake {
  bool needs_sets = false, has_needless_sets = false;     // a graph; graphs
  pass::graph_mistake steps = pass::graph_mistake::none;  // a graph_sequence
  pass::block_mistake hops = pass::block_mistake::none;   // blocks
  bool fixes_required = false;                            // a gradient is asked for a fixed input
  constexpr bool operator==(const call_mistake&) const = default;
};

/// One kind of what programs are called on; other types have none. Its members, for a program Ref, the entries of the
/// inputs that get gradients, and the types of the bindings:
///   form<Ref, Entries, Arg...>     the program that a call runs
///   mistake<Ref, Entries, Arg...>  what forbids the call, if all inputs are bound
template <class On> struct called_on;
template <class On>
concept CalledOn = requires {
  sizeof(called_on<On>);
};

/// Of kinds whose calls keep what they compute of fixed inputs.
struct keeps_fixed {
  template <class Ref, class Entries, class... Arg> using form = form_of<Ref, (Entries::size() > 0), Arg...>;
};

/// A program over vertex sets runs over graphs, a plain one over a graph.
template <class Ref> inline constexpr bool is_over_sets = canonical<Ref>::value.room.kinds > 0;

/// A graph, or graphs of several kinds.
template <class On>
  requires std::is_convertible_v<const On&, const graph&>
struct called_on<On> : keeps_fixed {
  template <class Ref, class Entries, class... Arg>
  static constexpr call_mistake mistake = {
      .needs_sets = is_over_sets<Ref> && std::is_base_of_v<graph, On>,
      .has_needless_sets = !is_over_sets<Ref> && std::is_base_of_v<graphs, On>,
      .fixes_required = fixes_required<Ref, Entries, Arg...>,
  };
};

/// The facts for a call of program Ref with a graph for each step.
template <class Ref> struct step_graphs_of {
  struct reading {
    pass::graph_mistake wrong = pass::graph_mistake::none;
    ir::extent steps[room_for(canonical<Ref>::value.size)]{};
    int count = 0;
  };
  static constexpr reading value = [] {
    const pass::step_graph_readings found = pass::readings_of_step_graphs(canonical<Ref>::value.thaw());
    reading r;
    r.wrong = found.wrong;
    for (const ir::extent e : found.steps) r.steps[r.count++] = e;
    return r;
  }();
};
/// The extents that count the steps of a call's graph; none if it has one graph.
template <class Ref> step_extents steps_of_call(const call_graph& on) {
  if (on.steps() == nullptr) return {};
  return {step_graphs_of<Ref>::value.steps, step_graphs_of<Ref>::value.count};
}

/// A graph for each step of the scans.
template <class On>
  requires std::is_base_of_v<graph_sequence, On>
struct called_on<On> : keeps_fixed {
  template <class Ref, class Entries, class... Arg>
  static constexpr call_mistake mistake = {
      .steps = step_graphs_of<Ref>::value.wrong,
      .fixes_required = fixes_required<Ref, Entries, Arg...>,
  };
};

/// The blocks of a sample, hop by hop. Nothing is kept of fixed inputs: they differ from batch to batch.
template <> struct called_on<blocks> {
  template <class Ref, class Entries, class... Arg> using form = over_hops_of<Ref, Entries>;
  template <class Ref, class Entries, class... Arg>
  static constexpr call_mistake mistake = {.hops = form_over_hops<Ref, Entries>::wrong};
};

/// The program that a call runs.
template <class Ref, class Entries, class On, class... Arg>
using form_on = typename called_on<On>::template form<Ref, Entries, Arg...>;

template <class Ref, class Entries, class On, class Finding, class... Arg>
inline constexpr call_mistake mistake_on = {};
template <class Ref, class Entries, CalledOn On, class... Arg>
inline constexpr call_mistake mistake_on<Ref, Entries, On, all_inputs_bound, Arg...> =
    called_on<On>::template mistake<Ref, Entries, Arg...>;
/// Whether a call is right, its bindings too.
template <class Ref, class Entries, class On, class Finding, class... Arg>
inline constexpr bool is_right_on =
    std::is_same_v<Finding, all_inputs_bound>&& mistake_on<Ref, Entries, On, Finding, Arg...> == call_mistake();

/// The sentences of call_mistake: STG_SAYS_ON in front of the function that the user calls, STG_CHECK_ON in its body.
/// Arg is the pack of the bindings.
#define STG_RUNS_OVER_SETS \
  "stg: the program reads vertex sets; call it with stg::graphs, which has them, not with a graph"
#define STG_RUNS_OVER_A_GRAPH \
  "stg: the program reads a plain graph, and this is stg::graphs; read a set of it in the lambda: g(paper)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_ON(Ref, Entries, On, Finding, Arg)                                                                 \
  __attribute__((                                                                                                   \
      diagnose_if((detail::mistake_on<Ref, Entries, On, Finding, Arg...>.needs_sets), STG_RUNS_OVER_SETS, "error"), \
      diagnose_if((detail::mistake_on<Ref, Entries, On, Finding, Arg...>.has_needless_sets), STG_RUNS_OVER_A_GRAPH, \
                  "error")))
#define STG_CHECK_SETS(wrong)
#else
#define STG_SAYS_ON(Ref, Entries, On, Finding, Arg)
#define STG_CHECK_SETS(wrong)                           \
  static_assert(!wrong.needs_sets, STG_RUNS_OVER_SETS); \
  static_assert(!wrong.has_needless_sets, STG_RUNS_OVER_A_GRAPH);
#endif
#define STG_CHECK_ON(Ref, Entries, On, Finding, Arg)                                                                   \
  constexpr detail::call_mistake wrong = detail::mistake_on<Ref, Entries, On, Finding, Arg...>;                        \
  STG_CHECK_SETS(wrong)                                                                                                \
  static_assert(wrong.steps != pass::graph_mistake::outside_of_scans,                                                  \
                "stg: a graph_sequence has a graph for each step of a scan; read edges and degrees in its body");      \
  static_assert(wrong.steps != pass::graph_mistake::same_at_every_step,                                                \
                "stg: a graph_sequence has other edges at each step; declare the feature of each: over<\"T\">(...)");  \
  static_assert(                                                                                                       \
      wrong.steps != pass::graph_mistake::within_a_step,                                                               \
      "stg: a graph_sequence has a graph for each step of the outermost scan; read its edges' values there");          \
  static_assert(                                                                                                       \
      wrong.hops != pass::block_mistake::reduces_the_graph,                                                            \
      "stg: all_vertices, graph_norm and pair_norm read the whole graph, blocks are a sample; use over_batch");        \
  static_assert(wrong.hops != pass::block_mistake::counts_the_graph,                                                   \
                "stg: v.vertex_count() is the whole graph's, blocks are a sample of it; bind the number as a scalar"); \
  static_assert(wrong.hops != pass::block_mistake::reads_out_edges,                                                    \
                "stg: blocks have the in-edges of a sample; what goes along out-edges runs on batch.graph");           \
  static_assert(                                                                                                       \
      wrong.hops != pass::block_mistake::repeats,                                                                      \
      "stg: on blocks a scan repeats a fixed number of times, collects and draws nothing; or use batch.graph");        \
  static_assert(wrong.hops != pass::block_mistake::meets_ranks,                                                        \
                "stg: messages between ranks are of a program for a whole graph or a part, not for blocks");           \
  static_assert(                                                                                                       \
      wrong.hops != pass::block_mistake::splits_cotangents,                                                            \
      "stg: on blocks a custom_gradient of edges that several hops read is linear in d; or use batch.graph");          \
  static_assert(wrong.hops != pass::block_mistake::spreads_cotangents,                                                 \
                "stg: on blocks a custom_gradient takes cotangents back along out-edges: sum(v.out_edges().dst(d))");  \
  static_assert(wrong.hops != pass::block_mistake::differentiates_edges,                                               \
                "stg: an edge feature has no gradient on blocks; ask for others, or run it on batch.graph");           \
  static_assert(wrong.hops != pass::block_mistake::reads_too_far,                                                      \
                "stg: blocks are of at most 60 hops; the program reads vertices that are further away");               \
  static_assert(!wrong.fixes_required,                                                                                 \
                "stg: an input is fixed and a gradient is made for it; bind it as name = "                             \
                "tensor")

template <class... Arg> inline constexpr bool graph_is_first = false;
template <class First, class... Rest> inline constexpr bool graph_is_first<First, Rest...> = CalledOn<First>;

/// Whether an argument that has a graph stands in the graph's place: a batch, or a data set.
template <class... Arg> inline constexpr bool batch_is_first = false;
template <class First, class... Rest> inline constexpr bool batch_is_first<First, Rest...> = requires(const First& b) {
  b.blocks();
  b.graph;
};
template <class... Arg> inline constexpr bool data_is_first = false;
template <class First, class... Rest>
inline constexpr bool data_is_first<First, Rest...> = !batch_is_first<First> && requires(const First& d) {
  d.graph;
};

/// The messages for calls whose first argument is no graph; Arg is their pack.
#define STG_TAKES_A_GRAPH "stg: a call takes its graph first; write (graph, x = X, ...)"
#define STG_TAKES_BLOCKS \
  "stg: a call takes the blocks of a batch first, or its graph; write (b.blocks(), x = b[X], ...)"
#define STG_TAKES_THE_GRAPH_OF "stg: a call takes a graph first, and not what has one; write (data.graph, x = X, ...)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_GRAPH(Arg)                                                                        \
  __attribute__((diagnose_if(detail::batch_is_first<Arg...>, STG_TAKES_BLOCKS, "error"),           \
                 diagnose_if(detail::data_is_first<Arg...>, STG_TAKES_THE_GRAPH_OF, "error"),      \
                 diagnose_if(!detail::graph_is_first<Arg...> && !detail::batch_is_first<Arg...> && \
                                 !detail::data_is_first<Arg...>,                                   \
                             STG_TAKES_A_GRAPH, "error")))
#define STG_CHECK_GRAPH(Arg)
#else
#define STG_SAYS_GRAPH(Arg)
#define STG_CHECK_GRAPH(Arg)                                                                                       \
  static_assert(!detail::batch_is_first<Arg...>, STG_TAKES_BLOCKS);                                                \
  static_assert(!detail::data_is_first<Arg...>, STG_TAKES_THE_GRAPH_OF);                                           \
  static_assert(detail::graph_is_first<Arg...> || detail::batch_is_first<Arg...> || detail::data_is_first<Arg...>, \
                STG_TAKES_A_GRAPH)
#endif

}  // namespace stg::detail
