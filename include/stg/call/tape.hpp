// A tape: one recorded training call that can be differentiated, and the trainer that records it.
#pragma once

#include <concepts>  // integral
#include <memory>    // shared_ptr
#include <utility>   // integer_sequence, move

#include <stg/base/instead.hpp>           // STG_INSTEAD_FOR
#include <stg/base/error.hpp>             // error
#include <stg/call/call_inputs.hpp>       // to_be_held
#include <stg/call/called_on.hpp>         // CalledOn, STG_CHECK_ON
#include <stg/call/recording.hpp>         // recording, zero_memory
#include <stg/runtime/out_of_memory.hpp>  // no_memory

namespace stg {

/// In place of a cotangent: this output has none, and counts as if its cotangent were 0.
struct no_cotangent {};
inline constexpr no_cotangent none{};

/// A recorded training call: its graph, its bindings, its random numbers, and the memory of its saved values. Any
/// number may be alive and they may be differentiated in any order. Views of its outputs and gradients share in its
/// memory, which lives as long as any of them; a tape recorded with such a view, or with a temporary tensor or set,
/// keeps it. Other bound tensors are referred to: they outlive the tape, and keep their contents until `backward`.
/// Movable; `stg::tape_of<model>` is the name of its type.
template <class Ref, class Provided, class Entries, class Backend = default_backend> class tape {
  using recording = detail::recording<Ref, Entries>;
  using positions = typename detail::provided_positions<Provided>::sequence;

 public:
  explicit tape(detail::recording_handle<recording> recorded, std::shared_ptr<detail::zero_memory> zeros)
      : recorded_(std::move(recorded)), zeros_(std::move(zeros)) {}

  /// The program's outputs, as views that share in the tape's memory. Error, here and below, for a tape that was moved.
  auto outputs() { return recorded().output_views(); }
  /// One output: `tape.output<0>()`.
  template <int K = 0> auto output() {
    constexpr bool has_output = K >= 0 && K < detail::outputs_t<Ref>::count;
    static_assert(has_output, "stg: the program has no output of this number; they count from 0");
    if constexpr (K >= 0 && K < detail::outputs_t<Ref>::count) {
      auto all = recorded().output_views();
      return std::move(all.template get<K>());
    } else {
      return tensor<float>();
    }
  }
  /// Its position as an argument: what to write.
  STG_INSTEAD_FOR((std::integral Position), sizeof(Position) == 0,
                  "stg: an output's position is a constant in brackets: tape.output<0>()",
                  tensor<float> output(Position))

  /// Gradients for cotangents of the real outputs, in their order and of their shapes: views that share in the tape's
  /// memory, indexed by symbol. An output without a cotangent, by `stg::none` or by leaving out the last ones, adds
  /// nothing; at least one has one. Once per tape: saved values are overwritten. Error when called again, for a wrong
  /// shape, or for a cotangent elsewhere.
  ///
  ///   auto grads = tape.backward(d_first);             // the first of two outputs
  ///   auto grads = tape.backward(stg::none, d_second);
  template <class... Cotangent> auto backward(const Cotangent&... cotangents) try {
    constexpr bool has_room = sizeof...(Cotangent) <= positions::size();
    static_assert(has_room, "stg: backward takes one cotangent for each real output, in their order");
    constexpr bool has_some = (... || !std::is_same_v<Cotangent, no_cotangent>);
    static_assert(has_some, "stg: backward has no cotangent; give that of one output: tape.backward(d)");
    constexpr bool are_few = sizeof...(Cotangent) <= positions::size();
    constexpr bool are_tensors = fit<Cotangent...>(positions());
    static_assert(are_tensors || !are_few,
                  "stg: a cotangent is a tensor like its output, of edges edge_values: tensor<float>::full(shape, 1)");
    if constexpr (are_few && are_tensors) {
      recording& call = recorded();
      if (differentiated_) throw error("a tape is differentiated once; record the call again");
      const std::byte* data[positions::size() + 1]{};
      place_cotangents(data, positions(), cotangents...);
      differentiated_ = true;
      call.backward(data);
    }
    return recorded().gradient_views();
  } catch (const std::bad_alloc&) {
    detail::no_memory();
  }

  /// Bytes of the tape's memory by the plan, forward and backward together.
  std::int64_t bytes() const { return recorded().planned_bytes(); }

 private:
  recording& recorded() const {
    if (!recorded_) throw error("a tape that was moved records no call; ask the tape that it was moved to");
    return *recorded_;
  }
  /// Whether the first of the real outputs have tensors of these types.
  template <int K, class T> static constexpr bool fits_output() {
    constexpr ir::statement s = detail::output_statement<Ref>(K);
    using element = element_t<s.type>;
    return std::is_same_v<T, no_cotangent> || std::is_same_v<T, detail::tensor_in<detail::kind_of(s), element>> ||
           (s.where != ir::space::edge && detail::is_tensor_of<T, element>);
  }
  template <int K, class T> static constexpr bool fits = fits_output<K, T>();
  template <int... K> static constexpr bool fit(std::integer_sequence<int, K...>) { return true; }
  template <class T, class... Rest> static constexpr bool fit(std::integer_sequence<int>) { return true; }
  template <class T, class... Rest, int First, int... K>
  static constexpr bool fit(std::integer_sequence<int, First, K...>) {
    return fits<First, T> && fit<Rest...>(std::integer_sequence<int, K...>());
  }

  template <int First, int... K, class T, class... Rest>
  void place_cotangents(const std::byte** data, std::integer_sequence<int, First, K...>, const T& cotangent,
                        const Rest&... rest) {
    *data = checked<First>(cotangent);
    place_cotangents(data + 1, std::integer_sequence<int, K...>(), rest...);
  }
  template <int... K> void place_cotangents(const std::byte** data, std::integer_sequence<int, K...>) {
    ((*data++ = checked<K>(none)), ...);
  }

  template <int K, class T> const std::byte* checked(const T& cotangent) const {
    constexpr ir::statement s = detail::output_statement<Ref>(K);
    if constexpr (std::is_same_v<T, no_cotangent>) {
      return zeros_->at_least(recorded_->output_shape(K).size() * static_cast<std::int64_t>(bytes_of(s.type)),
                              recorded_->place());
    } else {
      if constexpr (s.where == ir::space::edge) return checked_edges<K>(cotangent);
      else return checked_values<K>(cotangent);
    }
  }
  template <int K, class E> const std::byte* checked_edges(const E& cotangent) const {
    const std::byte* const data = checked_values<K>(cotangent.values());
    check_edges("cotangent of output " + std::to_string(K), "cotangent", cotangent.edge_identity(), recorded_->on());
    return data;
  }
  template <int K, class T> const std::byte* checked_values(const const_tensor<T>& cotangent) const {
    const dimensions wanted = recorded_->output_shape(K);
    if (!(cotangent.shape() == wanted))
      throw error("cotangent of output " + std::to_string(K) + " has shape " + to_string(cotangent.shape()) +
                  "; the output has " + to_string(wanted));
    check_place("cotangent of output " + std::to_string(K), "cotangent", cotangent.place(), recorded_->place());
    return reinterpret_cast<const std::byte*>(cotangent.data());
  }

  detail::recording_handle<recording> recorded_;
  std::shared_ptr<detail::zero_memory> zeros_;
  bool differentiated_ = false;
};

/// A program compiled for training: records calls. Gradients are made for all trainable inputs, or for the given
/// symbols.
template <class Ref, class Provided, class Entries, class Backend = default_backend> class trainer {
 public:
  using tape = stg::tape<Ref, Provided, Entries, Backend>;

  explicit trainer(const Backend& on = Backend()) try
      : backend_(on), pool_(detail::pool_on(on)), zeros_(std::make_shared<detail::zero_memory>()) {
  } catch (const std::bad_alloc&) {
    detail::no_memory();
  }

  /// Seed of the random numbers, at first 0; calls are numbered from 0 again, so that they repeat their draws.
  void seed(std::uint64_t s) {
    seed_ = s;
    calls_ = 0;
  }
  /// From the next call on scans keep no more than is asked for (checkpoints.hpp). Error for a number less than 0, and
  /// for both of them.
  void checkpoint(const checkpoints& keep) {
    detail::check(keep);
    keep_ = keep;
  }
  /// For a bare number: what to write.
  STG_INSTEAD_FOR((std::integral Steps), sizeof(Steps) == 0,
                  "stg: checkpoint takes every so many steps, or bytes: step.checkpoint({.every = 10})",
                  bool checkpoint(Steps))
  /// Runs the program in training: dropout draws anew in every call, by the call's number. Returns a tape. Errors: as
  /// in bind_inputs, more edges than check_edge_ids allows, and too little memory; a call that throws has taken a
  /// number all the same. One call at a time, since it counts them; existing tapes may be differentiated in other
  /// threads meanwhile.
  ///
  ///   auto tape  = layer.record(graph, h = H, el = EL, er = ER);
  ///   auto grads = tape.backward(dOut);
  ///   use(grads[h]);
  ///
  /// A graph_sequence has a graph for each step of the scans; the tape keeps it. One call or backward at a time for all
  /// tapes of a sequence. Blocks are computed hop by hop: outputs and their cotangents have a row for each seed.
  ///
  ///   auto tape = encoder.record(b.blocks(), x = b[X], params);
  template <detail::CalledOn On, class... Arg, class Finding = detail::finding_of<Ref, Arg...>>
  STG_SAYS_BINDINGS(Finding)
  STG_SAYS_ON(Ref, Entries, On, Finding, Arg) tape record(const On& on, Arg&&... args) {
    STG_CHECK_BINDINGS(Finding);
    STG_CHECK_ON(Ref, Entries, On, Finding, Arg);
    if constexpr (detail::is_right_on<Ref, Entries, On, Finding, Arg...>)
      return record_form<detail::form_on<Ref, Entries, On, Arg...>, Arg...>(call_graph(on), args...);
    else return detail::unmade<tape>();
  }
  template <class... Arg>
    requires(!detail::graph_is_first<Arg...>)
  STG_SAYS_GRAPH(Arg)
  tape record(const Arg&...) {
    STG_CHECK_GRAPH(Arg);
    return detail::unmade<tape>();
  }
  /// A call of the recorder itself: what to write.
  template <class... Arg> tape operator()(const Arg&...) {
    constexpr bool is_recorded = sizeof...(Arg) > 99;
    static_assert(is_recorded, "stg: a recorder is not called, it records: recorder.record(graph, x = X, params)");
    return detail::unmade<tape>();
  }
  /// How often a prologue ran: once for fixed inputs that stay the same.
  std::uint64_t prologue_runs() const { return kept_.runs(); }
  /// The contents of fixed inputs have changed: the next call computes the kept values anew.
  void forget_fixed() { kept_.forget(); }

 private:
  /// Arg: as deduced for Arg&&.
  template <class Form, class... Arg>
  tape record_form(const call_graph& on, std::remove_reference_t<Arg>&... args) try {
    return tape(detail::record_call<Ref, Form, Provided, Entries, Backend>(backend_, pool_, on, kept_, keep_, seed_,
                                                                           calls_++, detail::to_be_held<Arg>(args)...),
                zeros_);
  } catch (const std::bad_alloc&) {
    detail::no_memory();
  }

  Backend backend_;
  std::shared_ptr<basic_arena_pool<typename Backend::arena>> pool_;
  std::shared_ptr<detail::zero_memory> zeros_;
  kept_store kept_;
  std::uint64_t seed_ = 0;
  std::uint32_t calls_ = 0;
  checkpoints keep_;
};

namespace detail {

/// Stands for a missing recorder, and for its tapes: used as they are, so that one mistake is one message.
template <class Ref> struct unmade_recorder {
  struct tape {
    const outputs_t<Ref>& outputs() const { return unmade<const outputs_t<Ref>&>(); }
    template <class... Cotangent> auto backward(const Cotangent&...) const {
      return unmade<gradient_set<Ref, trainable_entries<Ref>>>();
    }
  };
  void seed(std::uint64_t) {}
  void checkpoint(const checkpoints&) {}
  template <class... Arg> tape record(const Arg&...) const { return unmade<tape>(); }
};

}  // namespace detail

}  // namespace stg
