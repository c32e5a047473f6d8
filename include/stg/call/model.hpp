// stg::compile: a lambda becomes a function of a graph and tensors.
#pragma once

#include <memory>       // make_shared
#include <type_traits>  // type_identity
#include <utility>      // integer_sequence
#include <vector>       // vector

#include <stg/base/instead.hpp>           // STG_INSTEAD_FOR
#include <stg/base/error.hpp>             // error
#include <stg/base/larger.hpp>            // larger
#include <stg/call/bindings.hpp>          // STG_CHECK_BINDINGS
#include <stg/call/call_inputs.hpp>       // call_inputs
#include <stg/call/called_on.hpp>         // CalledOn, STG_CHECK_ON
#include <stg/call/fixed.hpp>             // prologue
#include <stg/call/inference.hpp>         // run_plainly
#include <stg/call/memory.hpp>            // inference_memory
#include <stg/call/results.hpp>           // outputs_t
#include <stg/call/said.hpp>              // found, keeps_rules
#include <stg/compile.hpp>                // inferred, executable
#include <stg/runtime/arena_pool.hpp>     // basic_arena_pool
#include <stg/runtime/binding.hpp>        // find_same_inputs
#include <stg/runtime/out_of_memory.hpp>  // no_memory

namespace stg {

namespace detail {

/// One output is a tensor; several are named values.
template <class Outputs> struct result_of { using type = Outputs; };
template <class Named> struct result_of<named_values<Named>> { using type = typename Named::value_type; };

/// One inference call: binds, runs, and fills the caller's tensors. Ref: a program, or its form with fixed inputs.
template <class Ref, class Backend> class inference_call {
  using bound = bound_program_t<Ref>;

 public:
  template <class... Arg>
  inference_call(const Backend& runs, const call_graph& over, const Arg&... args) : backend(runs), on(over) {
    (inputs.take(args), ...);
    bind_inputs(view_of(canonical<bound>::value), on,
                {inputs.bound, static_cast<std::size_t>(canonical<bound>::value.room.inputs)},
                {extents, static_cast<std::size_t>(canonical<bound>::value.room.extents)}, backend.place(),
                steps_of_call<bound>(on));
    kinds_for<Ref>::find(kinds, on);
  }

  outputs_t<Ref> allocate() const { return allocate_outputs(std::make_integer_sequence<int, outputs_t<Ref>::count>()); }

  void run_into(outputs_t<Ref>& results, block_of<Backend>& block, const kept_store& kept) {
    inference_memory<Ref, Backend> m(sizes(), backend);
    prologue<Ref, Backend> once;
    once.measure(backend, sizes());
    const std::int64_t working = (larger(m.bytes(), once.working_bytes()) + 15) / 16 * 16;
    block.reserve(working + backend.bytes_of_numbers(inputs.count));
    backend.bring_numbers({inputs.bound, static_cast<std::size_t>(inputs.count)}, block.data() + working);
    once.run(backend, kept, on, sizes(), inputs, block.data());
    std::byte* to[outputs_t<Ref>::count + 1];
    fill_pointers(results, to, std::make_integer_sequence<int, outputs_t<Ref>::count>());
    run_plainly<Ref>(
        backend, m, on, sizes(), [&](int entry) { return once.input(inputs, entry); }, to, block.data());
  }

  std::vector<same_input> same_inputs() const {
    return find_same_inputs(view_of(canonical<bound>::value),
                            {inputs.bound, static_cast<std::size_t>(canonical<bound>::value.room.inputs)});
  }

  /// Error unless a set of tensors has the shapes of the results, lies where the program runs, and shares no memory
  /// with an input or within itself.
  void check(const outputs_t<Ref>& results) const {
    byte_range taken[outputs_t<Ref>::count + 1];
    check_outputs(results, taken, std::make_integer_sequence<int, outputs_t<Ref>::count>());
    check_apart(view_of(canonical<bound>::value), {inputs.bound, static_cast<std::size_t>(inputs.count)},
                {taken, static_cast<std::size_t>(outputs_t<Ref>::count)});
  }

 private:
  call_sizes sizes() const { return sizes_of(on, extents, kinds.rows()); }
  template <int K> dimensions output_shape() const { return shape_of_value(output_statement<Ref>(K), sizes()); }

  template <int... K> outputs_t<Ref> allocate_outputs(std::integer_sequence<int, K...>) const {
    outputs_t<Ref> results;
    ((results.template get<K>() = owned_in<kind_of(output_statement<Ref>(K)), element_t<output_statement<Ref>(K).type>>(
          output_shape<K>(), backend.place(), on)),
     ...);
    return results;
  }
  template <int... K>
  void fill_pointers(outputs_t<Ref>& results, std::byte** to, std::integer_sequence<int, K...>) const {
    ((to[K] = data_of(results.template get<K>())), ...);
  }
  template <int... K>
  void check_outputs(const outputs_t<Ref>& results, byte_range* taken, std::integer_sequence<int, K...>) const {
    ((taken[K] = check_output(results.template get<K>(), output_shape<K>(), K)), ...);
  }
  template <class T> byte_range check_output(const T& given, const dimensions& expected, int k) const {
    if constexpr (requires { given.values(); }) {
      return check_output(given.values(), expected, k);
    } else if (!(given.shape() == expected)) {
      throw error("output " + std::to_string(k) + " has shape " + to_string(given.shape()) + "; the program gives " +
                  to_string(expected));
    } else {
      check_place("output " + std::to_string(k), "results", given.place(), backend.place());
      return {given.data(), given.bytes()};
    }
  }

  const Backend& backend;
  const call_graph& on;
  call_inputs<bound> inputs{};
  kinds_of_call<canonical<Ref>::value.room.kinds> kinds;
  std::int64_t extents[canonical<bound>::value.room.extents + 1]{};
};

}  // namespace detail

namespace detail {
/// A tape of a call that is an error: it gives whatever it is asked for.
struct nothing_recorded {
  template <int K = 0> tensor<float> output() const { return {}; }
  template <class... Cotangent> nothing_recorded backward(const Cotangent&...) const { return {}; }
  template <class Symbol> tensor<float> operator[](Symbol) const { return {}; }
};
}  // namespace detail

#define STG_IS_INFERENCE \
  "stg: a compiled model does inference always; train by stg::value_and_grad<loss>(), and leave this out"

/// A compiled program. It knows no graph; a call binds one. Copies share their idle memory, and the values kept of
/// fixed inputs. Safe to call from several threads at a time.
template <class Ref, class Backend = default_backend> class model {
  using no_entries = detail::no_entries;
  template <class On, class... Arg> using form_on = detail::form_on<Ref, no_entries, On, Arg...>;

 public:
  explicit model(const Backend& runs = Backend()) : backend(runs), pool(detail::pool_on(runs)) {}
  /// The result of a call: a tensor, or edge values, or named values if the program has several outputs.
  using result = typename detail::result_of<detail::outputs_t<Ref>>::type;

  /// Runs inference: dropout keeps everything. Bindings are `symbol = tensor`, or parameter sets, one for every input.
  /// Returns a tensor, or named values when the program has several outputs. Errors of bind_inputs.
  ///
  ///   auto layer = stg::compile<gat>();
  ///   stg::tensor<float> out = layer(graph, h = H, el = EL, er = ER);
  ///
  /// A graph_sequence has a graph for each step of the scans, and their number (docs/time.md). Edge values are read in
  /// scans alone. Errors also for weights of another sequence.
  ///
  ///   stg::tensor<float> out = model(sequence, x = X, w = sequence.weights(), params);
  ///
  /// Blocks are computed hop by hop: a row for each seed. Bindings are the batch graph's. Errors also for a program
  /// that reads more hops away than were sampled.
  ///
  ///   stg::tensor<float> of_seeds = model(b.blocks(), x = b[X], params);
  template <detail::CalledOn On, class... Arg, class Finding = detail::finding_of<Ref, Arg...>>
  STG_SAYS_BINDINGS(Finding)
  STG_SAYS_ON(Ref, no_entries, On, Finding, Arg) result operator()(const On& on, const Arg&... args) const {
    STG_CHECK_BINDINGS(Finding);
    STG_CHECK_ON(Ref, no_entries, On, Finding, Arg);
    if constexpr (detail::is_right_on<Ref, no_entries, On, Finding, Arg...>)
      return call<form_on<On, Arg...>>(call_graph(on), args...);
    else return detail::unmade<result>();
  }
  template <class... Arg>
    requires(!detail::graph_is_first<Arg...>)
  STG_SAYS_GRAPH(Arg)
  result operator()(const Arg&...) const {
    STG_CHECK_GRAPH(Arg);
    return detail::unmade<result>();
  }

  /// The same into existing tensors: allocates nothing after the first call. `results` is the result of a call. Errors
  /// also for results of other shapes, elsewhere than the program runs, or in the memory of an input, fixed ones
  /// included, or of one another: other vertices still read an input when a vertex writes its results.
  ///
  ///   layer.into(out, graph, h = H, el = EL, er = ER);   // out is none of H, EL and ER
  template <class Results, detail::CalledOn On, class... Arg, class Finding = detail::finding_of<Ref, Arg...>>
  STG_SAYS_BINDINGS(Finding)
  STG_SAYS_ON(Ref, no_entries, On, Finding, Arg) void into(Results& results, const On& on, const Arg&... args) const {
    constexpr bool takes_results = std::is_same_v<Results, result> || std::is_same_v<Results, detail::outputs_t<Ref>>;
    static_assert(takes_results, "stg: into writes to what a call returned, or a tensor of its type; give one first");
    STG_CHECK_BINDINGS(Finding);
    STG_CHECK_ON(Ref, no_entries, On, Finding, Arg);
    if constexpr (takes_results && detail::is_right_on<Ref, no_entries, On, Finding, Arg...>)
      call_into<form_on<On, Arg...>>(results, call_graph(on), args...);
  }
  template <class Results, class... Arg>
    requires(!detail::graph_is_first<Arg...>)
  STG_SAYS_GRAPH(Arg)
  void into(Results&, const Arg&...) const { STG_CHECK_GRAPH(Arg); }

  /// The inputs of such a call that are one tensor under two names, or parts of the same memory with the same shape and
  /// type. A call reads them in place, so that the second name costs no memory traffic if rows are read together; edge
  /// values that a sweep puts in its order first (docs/performance.md) are put there once.
  ///
  ///   for (const stg::same_input& s : layer.same_inputs(graph, h = H, g = H)) std::cout << s.input << " is " << s.as;
  template <detail::CalledOn On, class... Arg, class Finding = detail::finding_of<Ref, Arg...>>
  STG_SAYS_BINDINGS(Finding)
  STG_SAYS_ON(Ref, no_entries, On, Finding, Arg) std::vector<same_input> same_inputs(const On& on,
                                                                                     const Arg&... args) const {
    STG_CHECK_BINDINGS(Finding);
    STG_CHECK_ON(Ref, no_entries, On, Finding, Arg);
    if constexpr (detail::is_right_on<Ref, no_entries, On, Finding, Arg...>)
      return detail::inference_call<form_on<On, Arg...>, Backend>(backend, call_graph(on), args...).same_inputs();
    else return {};
  }

  /// PyTorch's calls that stg does without.
  template <class Program = Ref> void train(bool = true) const {
    constexpr bool fits = sizeof(Program) == 0;
    static_assert(fits, STG_IS_INFERENCE);
  }
  template <class Program = Ref> void eval() const {
    constexpr bool fits = sizeof(Program) == 0;
    static_assert(fits, STG_IS_INFERENCE);
  }

  STG_INSTEAD_FOR((class... Arg), sizeof...(Arg) > 9999,
                  "stg: a tape is of a program for training: stg::compile_for_training<model>().record(graph, ...)",
                  detail::nothing_recorded record(const Arg&...) const)
  STG_INSTEAD_FOR((class... Arg), sizeof...(Arg) > 9999,
                  "stg: gradients are a step's: stg::value_and_grad<loss>()(graph, x = X, params).gradients",
                  detail::nothing_recorded backward(const Arg&...) const)
  STG_INSTEAD_FOR((class... Arg), sizeof...(Arg) > 9999,
                  "stg: a model has no parameters of its own; make them: auto params = stg::parameters<model>()",
                  named_values<> parameters(const Arg&...) const)

  /// How often a prologue ran: once for fixed inputs that stay the same.
  std::uint64_t prologue_runs() const { return kept.runs(); }
  /// The contents of fixed inputs have changed: the next call computes the kept values anew.
  void forget_fixed() const { kept.forget(); }

 private:
  /// Form: the program that runs, Ref or a form of it.
  template <class Form, class... Arg> result call(const call_graph& on, const Arg&... args) const try {
    detail::inference_call<Form, Backend> call(backend, on, args...);
    auto results = call.allocate();
    detail::block_of<Backend> block(pool);
    call.run_into(results, block, kept);
    if constexpr (detail::outputs_t<Ref>::count == 1) return std::move(results.template get<0>());
    else return results;
  } catch (const std::bad_alloc&) {
    detail::no_memory();
  }
  template <class Form, class Results, class... Arg>
  void call_into(Results& results, const call_graph& on, const Arg&... args) const try {
    detail::inference_call<Form, Backend> call(backend, on, args...);
    detail::block_of<Backend> block(pool);
    if constexpr (detail::outputs_t<Ref>::count == 1 && !std::is_same_v<Results, detail::outputs_t<Ref>>) {
      detail::outputs_t<Ref> views;  // results stays whole when a check throws
      views.template get<0>() = detail::as_view(results);
      call.check(views);
      call.run_into(views, block, kept);
    } else {
      call.check(results);
      call.run_into(results, block, kept);
    }
    detail::now_of(results, on);
  } catch (const std::bad_alloc&) {
    detail::no_memory();
  }

  Backend backend;
  std::shared_ptr<basic_arena_pool<typename Backend::arena>> pool;
  kept_store kept;
};

namespace detail {

/// Stands for a wrong program's model: it has the same calls and results, so that one mistake is one message.
template <class Ref> struct unmade_model {
  using result = typename result_of<outputs_t<Ref>>::type;

  template <class... Arg> result operator()(const Arg&...) const { return unmade<result>(); }
  template <class Results, class... Arg> void into(Results&, const Arg&...) const {}
  template <class... Arg> std::vector<same_input> same_inputs(const Arg&...) const { return {}; }
  std::uint64_t prologue_runs() const { return 0; }
  void forget_fixed() const {}
};

/// The checks of compile, apart from it: places have a compile each.
template <class Ref, class Backend> auto checked_model(const Backend& on) {
  if constexpr (is_right<Ref> && has_decisions<Ref>) {
    constexpr pass::promise_finding narrow = find_refused_width<Ref>();
    constexpr pass::promise_finding why =
        narrow.what != pass::refused_promise::none ? narrow : find_refused_promise<inferred<Ref>>();
    STG_CHECK_PROMISES(why);
  }
  if constexpr (is_right<Ref>) return model<Ref, Backend>(on);
  else return unmade_model<Ref>();
}

}  // namespace detail

/// Compiles a lambda at namespace scope: `stg::compile<gat>()`. A broken rule is a compile error that names it.
template <const auto& F, class Backend = default_backend>
auto compile() {  // Backend: files compiled with and without optimisation have a function each
#include <stg/call/look_into.inc>
  return detail::checked_model<ref<F>>(Backend());
}
/// The type of compile<F>()'s result on the CPU, for members and other files; the type of this model's result is
/// `model_of<F>::result`.
///
///   stg::model_of<gat> layer;
template <const auto& F> using model_of = decltype(compile<F>());
STG_TAKES_LAMBDAS_WITH_ADDRESS(compile)  // stg: a program captures nothing; bind a number as scalar<"n">
#ifndef __CUDACC__                       // nvcc does not tell overloads of templates that take references apart
namespace detail {
/// A function of a program, and of nothing else.
template <class F> inline constexpr bool is_pass = false;
template <class F>
  requires requires { &F::operator(); }
inline constexpr bool is_pass<F> = std::is_invocable_v<const F&, const ir::program&>;
}  // namespace detail
/// A graph and bindings given to compile itself: says how to write it, and returns the result of such a call.
template <const auto& F, class First, class... Rest> auto compile(const First&, const Rest&...) {
  constexpr bool is_no_pass = !detail::is_pass<First>, is_no_argument = sizeof(First) == 0 || !is_no_pass;
  static_assert(is_no_pass, "stg: a pass stands in the brackets, behind the program: stg::compile<model, pass>()");
  static_assert(is_no_argument, "stg: what is called stands behind (): stg::compile<model>()(graph, x = X)");
  return detail::unmade<typename model<ref<F>, default_backend>::result>();
}
#endif
/// For a lambda as an argument: what to write.
template <class F> auto compile(const F&) {
  constexpr bool is_template_argument = sizeof(F) == 0;
  static_assert(is_template_argument,
                "stg: a program is a template argument, constexpr at namespace scope: stg::compile<model>()");
  return mistake();
}

}  // namespace stg
