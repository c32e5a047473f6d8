// Opt-in: microbenchmarks of your own lambda, forward, backward and step, on Google Benchmark.
#pragma once

#include <stg/call/call_inputs.hpp>  // call_inputs
#include <stg/call/fixed.hpp>        // form_of
#include <stg/call/memory.hpp>       // training_memory
#include <stg/call/model.hpp>        // compile
#include <stg/call/report.hpp>       // program_cost
#include <stg/call/training.hpp>     // compile_for_training
#include <stg/runtime/parallel.hpp>  // threads
#include <stg/runtime/probe.hpp>     // gather, arithmetic_peak

#include <benchmark/benchmark.h>  // State, RegisterBenchmark

#include <chrono>       // steady_clock
#include <cstdint>      // int32_t, int64_t
#include <map>          // map
#include <memory>       // shared_ptr
#include <optional>     // optional
#include <string>       // string
#include <string_view>  // string_view
#include <tuple>        // tuple
#include <type_traits>  // remove_cvref_t
#include <utility>      // forward

namespace stg::bench {

namespace running {

/// Seconds of the floor for rows of so many bytes, measured when it is first asked for. The graph is kept: its arrays
/// are what the entry is found by.
inline double floor_seconds(const graph& g, std::int64_t row_bytes) {
  struct entry {
    graph kept;
    double seconds;
  };
  using key = std::tuple<const std::int32_t*, std::int64_t, int>;
  static std::map<key, entry> known;
  const key k{g.in_degrees().data(), row_bytes, threads()};
  auto at = known.find(k);
  if (at == known.end()) at = known.emplace(k, entry{g, probe::gather(g, (row_bytes + 3) / 4).best()}).first;
  return at->second.seconds;
}
inline double peak_operations() {
  static std::map<int, double> known;
  auto at = known.find(threads());
  if (at == known.end()) at = known.emplace(threads(), probe::arithmetic_peak()).first;
  return at->second;
}

inline stg::detail::program_cost sum_of(stg::detail::program_cost a, const stg::detail::program_cost& b) {
  a.bytes += b.bytes;
  a.operations += b.operations;
  a.gathered.insert(a.gathered.end(), b.gathered.begin(), b.gathered.end());
  return a;
}

/// Seconds of one call of `body`.
template <class Body> double seconds_of(const Body& body) {
  const auto before = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

/// `seconds`: of all iterations together.
inline void count(benchmark::State& state, double seconds, const graph& g, const stg::detail::program_cost& cost) {
  const double each = seconds / static_cast<double>(state.iterations());
  double floor = 0;
  for (std::int64_t row : cost.gathered) floor += floor_seconds(g, row);
  const auto bytes = static_cast<double>(cost.bytes);
  state.counters["edges/s"] = static_cast<double>(g.edges()) / each;
  state.counters["MB"] = bytes / 1e6;
  state.counters["GB/s"] = bytes / 1e9 / each;
  if (floor > 0) state.counters["of_floor"] = floor / each;
  state.counters["of_peak"] = static_cast<double>(cost.operations) / peak_operations() / each;
}

/// The name of a lambda's variable, without namespaces, as the compiler spells it.
template <const auto& F> std::string name_of() {
  const std::string_view all = __PRETTY_FUNCTION__;
  const std::size_t from = all.find("F = ") + 4;
  std::string_view name = all.substr(from, all.find_first_of(";]", from) - from);
  if (const auto colon = name.rfind("::"); colon != name.npos) name.remove_prefix(colon + 2);
  return std::string(name);
}

/// What the benchmarks of one program share: the graph, the bindings, and sizes of run-time extents.
template <const auto& F, class... Arg> struct subject {
  using Ref = ref<F>;
  using plain_form = stg::detail::form_of<Ref, false, std::remove_cvref_t<Arg>...>;  // without what fixed inputs settle
  using training_form = stg::detail::form_of<Ref, true, std::remove_cvref_t<Arg>...>;
  using entries = typename stg::detail::wanted_entries<Ref>::type;
  using outputs = stg::detail::all_real_outputs<Ref>;
  static constexpr bool trains =
      stg::detail::find_gradient_mistake<Ref, outputs>(entries()).what == stg::detail::gradient_finding::none;
  graph on;
  std::tuple<Arg...> bindings;
  sizes of{};

  template <class... Given> subject(const graph& on, Given&&... args) : on(on), bindings(std::forward<Given>(args)...) {
    constexpr auto inputs = static_cast<std::size_t>(canonical<Ref>::value.room.inputs);
    constexpr auto extents = static_cast<std::size_t>(canonical<Ref>::value.room.extents);
    stg::detail::call_inputs<Ref> taken{};
    std::int64_t size[extents + 1]{};
    std::apply([&](const auto&... a) { (taken.take(a), ...); }, bindings);
    bind_inputs(view_of(canonical<Ref>::value), on, {taken.bound, inputs}, {size, extents});
    of = {on.vertices(), on.edges(), {}, {}};
    for (const ir::kind& k : view_of(canonical<Ref>::value).kinds) of.kinds.push_back({k.name, rows_of_kind(k, on)});
    for (const ir::statement& s : view_of(canonical<Ref>::value).statements) {
      if (s.code != ir::opcode::input || !canonical<Ref>::value.inputs[s.entry()].sparse) continue;
      const void* const data = taken.bound[s.entry()].data;
      const std::int64_t entries = s.type == scalar_type::f64
                                       ? static_cast<const sparse_view<double>*>(data)->by_row.entries()
                                       : static_cast<const sparse_view<float>*>(data)->by_row.entries();
      of.entries.push_back({canonical<Ref>::value.inputs[s.entry()].name, entries});
    }
    for (std::size_t i = 0; i < extents; ++i) {
      const ir::polynomial& p = canonical<Ref>::value.extents[i];
      if (p.count == 1 && p.terms[0].degree == 1 && p.terms[0].coefficient == 1)
        of.extents.push_back({p.terms[0].factors[0], size[i]});
    }
  }
  template <class Call> decltype(auto) with(const Call& call) {
    return std::apply([&](const auto&... a) -> decltype(auto) { return call(on, a...); }, bindings);
  }
};

template <class Subject> void forward(benchmark::State& state, Subject& s) {
  using Ref = typename Subject::Ref;
  using plan = typename stg::detail::inference_plan<default_backend, typename Subject::plain_form>::P;
  model<Ref> layer;
  auto results = s.with(layer);
  double seconds = 0;
  for (auto _ : state) {
    const double now = seconds_of([&] { s.with([&](const auto&... a) { layer.into(results, a...); }); });
    state.SetIterationTime(now);
    seconds += now;
  }
  count(state, seconds, s.on, stg::detail::cost_of_program(stg::detail::program_of_plan<plan>(), s.of));
}

/// Cotangents are the program's own outputs: numbers of the right shapes.
template <class Subject> void training(benchmark::State& state, Subject& s, bool backward_alone) {
  using Ref = typename Subject::Ref;
  using outputs = typename Subject::outputs;
  using entries = typename Subject::entries;
  using memory = stg::detail::training_memory<typename Subject::training_form, outputs, entries>;
  trainer<Ref, outputs, entries> layer;
  const auto results = s.with(model<Ref>());
  const auto record = [&] { return s.with([&](const auto&... a) { return layer.record(a...); }); };
  const auto differentiate = [&]<int... K>(auto& tape, std::integer_sequence<int, K...>) {
    if constexpr (stg::detail::outputs_t<Ref>::count == 1) static_cast<void>(tape.backward(results));
    else static_cast<void>(tape.backward(results.template get<K>()...));
  };
  const typename stg::detail::provided_positions<outputs>::sequence positions;
  double seconds = 0;
  for (auto _ : state) {
    std::optional<decltype(record())> tape;
    const double recorded = seconds_of([&] { tape.emplace(record()); });
    const double differentiated = seconds_of([&] { differentiate(*tape, positions); });
    const double now = backward_alone ? differentiated : recorded + differentiated;
    state.SetIterationTime(now);
    seconds += now;
  }
  const auto gradient = stg::detail::cost_of_program(stg::detail::program_of_plan<typename memory::G>(), s.of);
  const auto recorded = stg::detail::cost_of_program(stg::detail::program_of_plan<typename memory::F>(), s.of);
  count(state, seconds, s.on, backward_alone ? gradient : sum_of(recorded, gradient));
}

}  // namespace running

/// Registers NAME/forward, and when something is trainable NAME/backward and NAME/step, under a name of your choice.
/// The lambda is bound as in a call of `compile`; the bound tensors must outlive the run of the benchmarks, the graph
/// is kept. Errors of a call, at once.
///
/// Forward computes into tensors that exist; backward is a tape's alone; step records and differentiates, so that what
/// training keeps is paid for. What is computed once for fixed inputs is neither timed nor counted. Counters, per call:
///   edges/s   edges of the graph
///   MB, GB/s  bytes that must move, as explain<F>() gives them: every array once, a neighbour's row once per edge and
///             loop, 4 bytes for an edge's neighbour, 8 for a row's offset
///   of_floor  time of probe::gather for the rows that an edge names, unit by unit, over the time taken: 1 is as fast
///   as
///             those rows can be read, more than 1 is possible where the probe's order of reading is not the best
///   of_peak   operations, as explain counts them, over those of probe::arithmetic_peak in the same time
/// Probes run once per process, when a counter needs them.
template <const auto& F, class... Arg, class Finding = stg::detail::finding_of<ref<F>, std::remove_cvref_t<Arg>...>>
STG_SAYS_BINDINGS(Finding)
void program(const std::string& name, const graph& on, Arg&&... bindings) {
  STG_CHECK_BINDINGS(Finding);
  if constexpr (std::is_same_v<Finding, all_inputs_bound>) {
    using subject = running::subject<F, Arg...>;
    const auto shared = std::make_shared<subject>(on, std::forward<Arg>(bindings)...);
    benchmark::RegisterBenchmark((name + "/forward").c_str(),
                                 [shared](benchmark::State& state) { running::forward(state, *shared); })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
    if constexpr (subject::trains)
      for (const bool alone : {true, false})
        benchmark::RegisterBenchmark(
            (name + (alone ? "/backward" : "/step")).c_str(),
            [shared, alone](benchmark::State& state) { running::training(state, *shared, alone); })
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime();
  }
}

/// The same under the name of the lambda's variable.
///
///   stg::bench::program<gat>(graph, h = H, el = EL, er = ER);     // gat/forward, gat/backward, gat/step
template <const auto& F, class... Arg> void program(const graph& on, Arg&&... bindings) {
  program<F>(running::name_of<F>(), on, std::forward<Arg>(bindings)...);
}

}  // namespace stg::bench
