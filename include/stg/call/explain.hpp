// stg::explain, stg::to_dot: the outcome of a lambda, as text and as a drawing; stg::peak_bytes: its memory.
#pragma once

#include <string>   // string
#include <utility>  // integer_sequence
#include <vector>   // vector

#include <stg/base/larger.hpp>             // larger
#include <stg/call/fixed.hpp>              // form_of, prologue
#include <stg/call/memory.hpp>             // inference_memory, training_memory
#include <stg/call/recorded_call.hpp>      // wanted_entries, all_real_outputs
#include <stg/call/report.hpp>             // report, dot
#include <stg/call/said.hpp>               // is_right
#include <stg/codegen/column_kernels.hpp>  // column_kernels_of
#include <stg/dsl/trace.hpp>               // ref
#include <stg/runtime/parallel.hpp>        // threads
#include <stg/runtime/sizes.hpp>           // sizes

namespace stg {

/// Bytes that the plans of a program take at most: without arguments and results in the caller's tensors, with the
/// values kept of fixed inputs.
struct peak_memory {
  std::int64_t inference = 0;
  std::int64_t training = 0;  // a whole step, or a tape and its gradients; 0 when nothing is trainable
};

namespace detail {

/// Training as it is asked for: a loss as value_and_grad does it, anything else as a tape with all real outputs. Fixed:
/// fixed_symbols.
template <class Backend, class Fixed, const auto& F, const auto&... Wrt> struct training_with {
  using Ref = ref<F>;
  using entries = typename wanted_entries<Ref, std::remove_cvref_t<decltype(Wrt)>...>::type;
  static constexpr ir::statement first = output_statement<Ref>(0);
  static constexpr bool is_loss = first.where == ir::space::graph && is_real(first.type) && first.dims.is_scalar();
  using outputs = std::conditional_t<is_loss, provided<0>, all_real_outputs<Ref>>;
  static constexpr gradient_finding finding = find_gradient_mistake<Ref, outputs>(entries()).what;
  static constexpr bool exists = finding == gradient_finding::none;
  using form = form_of<Ref, true, Fixed>;
  using memory = training_memory<form, outputs, entries, Backend>;
};

template <class P> placed_program placed(const frame<P>& values) {
  placed_program p;
  p.program = program_of_plan<P>();
  p.buffers.assign(values.buffers().begin(), values.buffers().end());
  return p;
}
template <int... E> sequence<int> listed(std::integer_sequence<int, E...>) { return sequence<int>{E...}; }

template <class Backend, class Form> placed_prologue prologue_in(const call_sizes& n) {
  placed_prologue p;
  if constexpr (!std::is_same_v<Form, bound_program_t<Form>>) {
    using block = inference_memory<prologue_of<Form>, Backend>;
    const block once(n);
    p.exists = true;
    p.program = placed(once.values);
    for (int k = 0; k < block::outputs; ++k)
      if (once.in_place[k]) p.kept.push_back(frame<typename block::P>::output_root(k));
    p.bytes = {once.buffers, once.workspace};
    prologue<Form, Backend> sizes;
    sizes.measure(Backend(), n);
    p.kept_bytes = sizes.kept_bytes();
  }
  return p;
}

template <class Backend, class Fixed, const auto& F, const auto&... Wrt>
compiled_programs programs_of(const call_sizes& n) {
  using training = training_with<Backend, Fixed, F, Wrt...>;
  using form = form_of<ref<F>, false, Fixed>;
  compiled_programs all;
  all.threads = threads();
  all.inference_prologue = prologue_in<Backend, form>(n);
  const inference_memory<form, Backend> inference(n);
  using P = typename inference_memory<form, Backend>::P;
  all.inference = placed(inference.values);
  for (int k = 0; k < inference.outputs; ++k)
    if (inference.in_place[k]) all.in_callers_tensors.push_back(frame<P>::output_root(k));
  all.inference_bytes = {inference.buffers, inference.workspace};
  all.inference_columns = codegen::column_kernels_of<Backend, P>();

  if constexpr (training::exists) {
    using block = typename training::memory;
    const block step(n);
    all.trains = true;
    all.training_prologue = prologue_in<Backend, typename training::form>(n);
    all.forward = placed(step.head);
    all.gradient = placed(step.tail);
    for (const pass::connection& from : block::plans::connections()) all.connections.push_back(from);
    all.results = block::results;
    all.required = listed(typename training::entries());
    all.canonical = canonical<typename training::form>::value.thaw();
    all.provided = training::outputs::list();
    all.training_bytes = {step.buffers, step.workspace};
    all.forward_columns = codegen::column_kernels_of<Backend, typename block::F>();
    all.gradient_columns = codegen::column_kernels_of<Backend, typename block::G>();
  }
  return all;
}

template <const auto& F> std::vector<std::int64_t> extents_of(const sizes& given) {
  return sizes_of_extents(canonical<ref<F>>::value.thaw().extents, given);
}

/// Graphs of steps of these sizes, for programs that are asked about and do not run.
inline step_graphs step_graphs_in(const sizes& given) {
  step_graphs graphs;
  graphs.all_edges = given.all_edges;
  graphs.most_edges = given.edges;
  return graphs;
}
inline call_sizes call_sizes_of(const sizes& given, const std::int64_t* extents, step_graphs& graphs) {
  if (given.all_edges == 0) return {given.vertices, given.edges, extents, {}, {}, nullptr, nullptr, given.keep};
  return {given.vertices, 0, extents, {}, {}, &graphs, nullptr, given.keep};
}

/// `given`: null for formulas alone.
template <class Backend, class Fixed, const auto& F, const auto&... Wrt>
std::string explanation(const sizes* given, bool in_full) {
  if constexpr (!is_right<ref<F>>) {
    return {};
  } else {
    const std::vector<std::int64_t> extents =
        given != nullptr
            ? extents_of<F>(*given)
            : std::vector<std::int64_t>(static_cast<std::size_t>(canonical<ref<F>>::value.room.extents) + 1, 1);
    const sequence<kind_rows> kinds = rows_of_kinds(canonical<ref<F>>::value.thaw().kinds, given);
    const sizes any{.vertices = 1, .edges = 1};
    step_graphs graphs = step_graphs_in(given != nullptr ? *given : any);
    call_sizes n = call_sizes_of(given != nullptr ? *given : any, extents.data(), graphs);
    n.kinds = kinds.data();
    return report(programs_of<Backend, Fixed, F, Wrt...>(n), given, in_full);
  }
}

/// Bytes of a call with its prologue, which runs in the memory of the call.
template <class Backend, class Form> std::int64_t bytes_with_prologue(std::int64_t bytes, const call_sizes& n) {
  prologue<Form, Backend> once;
  once.measure(Backend(), n);
  return once.kept_bytes() + larger(bytes, once.working_bytes());
}

template <class Backend, class Fixed, const auto& F, const auto&... Wrt> peak_memory peak_of(const call_sizes& n) {
  using training = training_with<Backend, Fixed, F, Wrt...>;
  using form = form_of<ref<F>, false, Fixed>;
  peak_memory peak;
  peak.inference = bytes_with_prologue<Backend, form>(inference_memory<form, Backend>(n).bytes(), n);
  if constexpr (training::exists)
    peak.training = bytes_with_prologue<Backend, typename training::form>(typename training::memory(n).bytes(), n);
  return peak;
}

}  // namespace detail

#define STG_CHECK_EXPLAINED(S)                                                                                         \
  constexpr bool reads_all = !detail::is_program<ref<F>> || (... && (detail::entry_of<ref<F>>(S::name::view()) >= 0)); \
  static_assert(reads_all, "stg: fixed<...>() names an input that the program does not read; name one that it reads")

/// Asks `explain` for more than its summary.
struct in_full_t {};
inline constexpr in_full_t in_full{};

/// The outcome of a lambda and its cost, in twenty lines: for inference and for training its units (passes over
/// vertices or edges, and products), bytes moved, arithmetic, memory, the values saved for the gradient, and the units
/// that cost most; bytes as formulas in |V|, |E| and the extents. Training is value_and_grad's if the first output is a
/// loss, else compile_for_training's, for all trainable inputs or for the given symbols: explain<layer, h>(). With
/// fixed inputs, explain<loss>(stg::fixed<x>()): the programs of calls that bind x as fixed, and the work done once for
/// them. All of it as the host runs it; on a GPU nothing runs block by block, and softmax shares a loop with its sums.
///
///   std::cout << stg::explain<gat>();
template <const auto& F, const auto&... Wrt, class Backend = default_backend> std::string explain() {
#include <stg/call/look_into.inc>
  return detail::explanation<Backend, fixed_symbols<>, F, Wrt...>(nullptr, false);
}
template <const auto& F, const auto&... Wrt, class... S, class Backend = default_backend>
std::string explain(fixed_symbols<S...>) {
#include <stg/call/look_into.inc>
  STG_CHECK_EXPLAINED(S);
  return detail::explanation<Backend, fixed_symbols<S...>, F, Wrt...>(nullptr, false);
}
/// The summary with the numbers behind its formulas. Error when the size of an extent is missing.
///
///   std::cout << stg::explain<gcn>({.vertices = 2708, .edges = 13264, .extents = {stg::sized<"F">(1433)}});
template <const auto& F, const auto&... Wrt, class Backend = default_backend> std::string explain(const sizes& given) {
#include <stg/call/look_into.inc>
  return detail::explanation<Backend, fixed_symbols<>, F, Wrt...>(&given, false);
}
template <const auto& F, const auto&... Wrt, class... S, class Backend = default_backend>
std::string explain(const sizes& given, fixed_symbols<S...>) {
#include <stg/call/look_into.inc>
  STG_CHECK_EXPLAINED(S);
  return detail::explanation<Backend, fixed_symbols<S...>, F, Wrt...>(&given, false);
}

/// The summary, and after it every value, the units with their loops over edges, the stored values with their readers,
/// and the values that the gradient saves or computes again, with the words explained: some hundred lines for a layer.
///
///   std::cout << stg::explain<gat>(stg::in_full);
template <const auto& F, const auto&... Wrt, class Backend = default_backend> std::string explain(in_full_t) {
#include <stg/call/look_into.inc>
  return detail::explanation<Backend, fixed_symbols<>, F, Wrt...>(nullptr, true);
}
template <const auto& F, const auto&... Wrt, class... S, class Backend = default_backend>
std::string explain(fixed_symbols<S...>, in_full_t) {
#include <stg/call/look_into.inc>
  STG_CHECK_EXPLAINED(S);
  return detail::explanation<Backend, fixed_symbols<S...>, F, Wrt...>(nullptr, true);
}
/// The same with the number behind every formula.
template <const auto& F, const auto&... Wrt, class Backend = default_backend>
std::string explain(const sizes& given, in_full_t) {
#include <stg/call/look_into.inc>
  return detail::explanation<Backend, fixed_symbols<>, F, Wrt...>(&given, true);
}
template <const auto& F, const auto&... Wrt, class... S, class Backend = default_backend>
std::string explain(const sizes& given, fixed_symbols<S...>, in_full_t) {
#include <stg/call/look_into.inc>
  STG_CHECK_EXPLAINED(S);
  return detail::explanation<Backend, fixed_symbols<S...>, F, Wrt...>(&given, true);
}

/// For a program as an argument, and for a compiled one: what to write.
template <class F> std::string explain(const F&) {
  constexpr bool fits = sizeof(F) == 0;
  static_assert(fits, "stg: what is explained is a template argument: stg::explain<model>(), of the lambda");
  return {};
}
STG_TAKES_LAMBDAS_WITH_ADDRESS(explain)  // stg: a program captures nothing; bind a number as scalar<"n">

/// The program of a lambda, before it is differentiated and cut into units, as a Graphviz graph: a box per value, blue
/// for vertices, red for edges, grey for the graph, and a double frame per output.
///
///   std::ofstream("gat.dot") << stg::to_dot<gat>();   // dot -Tsvg gat.dot >gat.svg
template <const auto& F> std::string to_dot() {
#include <stg/call/look_into.inc>
  if constexpr (detail::is_right<ref<F>>) return detail::dot(canonical<ref<F>>::value.thaw());
  else return {};
}
template <class F> std::string to_dot(const F&) {
  constexpr bool fits = sizeof(F) == 0;
  static_assert(fits, "stg: what is drawn is a template argument: stg::to_dot<model>(), of the lambda");
  return {};
}
STG_TAKES_LAMBDAS_WITH_ADDRESS(to_dot)  // stg: a program captures nothing; bind a number as scalar<"n">

/// Bytes of memory before anything runs, with the current number of threads; `tape.bytes()` and `step.bytes()` say the
/// same afterwards. Training and fixed inputs as in explain. Error if the size of an extent is missing.
///
///   stg::peak_bytes<loss>({.vertices = 2708, .edges = 13264, .extents = {stg::sized<"F">(1433)}}).training;
template <const auto& F, const auto&... Wrt, class... S, class Backend = default_backend>
peak_memory peak_bytes(const sizes& given, fixed_symbols<S...> = {}) {
#include <stg/call/look_into.inc>
  STG_CHECK_EXPLAINED(S);
  if constexpr (!detail::is_right<ref<F>>) {
    return {};
  } else {
    const std::vector<std::int64_t> extents = detail::extents_of<F>(given);
    const sequence<kind_rows> kinds = detail::rows_of_kinds(canonical<ref<F>>::value.thaw().kinds, &given);
    step_graphs graphs = detail::step_graphs_in(given);
    detail::call_sizes n = detail::call_sizes_of(given, extents.data(), graphs);
    n.kinds = kinds.data();
    return detail::peak_of<Backend, fixed_symbols<S...>, F, Wrt...>(n);
  }
}

#undef STG_CHECK_EXPLAINED

}  // namespace stg
