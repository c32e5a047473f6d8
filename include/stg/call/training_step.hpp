// A training step: a loss and its gradients in one call, whose memory stays for the next.
#pragma once

#include <cstdint>      // int64_t
#include <concepts>     // integral
#include <memory>       // shared_ptr
#include <string>       // to_string
#include <type_traits>  // is_invocable_v
#include <utility>      // move

#include <stg/base/instead.hpp>           // STG_INSTEAD_FOR
#include <stg/base/error.hpp>             // error
#include <stg/base/math.hpp>              // is_finite
#include <stg/call/called_on.hpp>         // CalledOn, STG_CHECK_ON
#include <stg/call/recorded_call.hpp>     // recorded_call
#include <stg/codegen/part_calls.hpp>     // any_rank_ends
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/runtime/shared_keeper.hpp>  // shared_keeper

namespace stg {

/// The result of a step of value_and_grad: the loss, all outputs, and gradients indexed by symbol. Views, valid until
/// the next step, even if it throws, and while the training_step lives; results of a step without a name keep its
/// memory.
template <class T, class Outputs, class Gradients> struct step_result {
  T loss;
  Outputs outputs;
  Gradients gradients;
};

namespace detail {

/// An optimiser, or a function in its place after a step: it takes the step_result and the step's number.
template <class Update, class Result>
concept UpdatesFrom = std::is_invocable_v<Update&, Result&, std::int64_t> || requires(Update& update, Result& now) {
  update.step(now.gradients);
};

/// Whether a run ends, by the word of this rank, or of any rank of a cut graph.
template <class On, class... Arg> bool ends_for_all(bool mine, const On& on, const Arg&...) {
  if constexpr (std::is_convertible_v<const On&, const graph&>)
    return codegen::any_rank_ends(static_cast<const graph&>(on).ranks(), mine);
  else return mine;
}
/// Runs the update after a step of a run on args; true if the run ends with it.
template <class Update, class Result, class... Arg>
bool ends_after(Update& update, Result& now, std::int64_t step, const Arg&... args) {
  if constexpr (!UpdatesFrom<Update, Result>) {
    return true;  // refused by STG_CHECK_UPDATE
  } else if constexpr (requires { update.step(now.gradients); }) {
    update.step(now.gradients);
    return false;
  } else if constexpr (std::is_same_v<decltype(update(now, step)), bool>) {
    return ends_for_all(update(now, step), args...);
  } else {
    update(now, step);
    return false;
  }
}

}  // namespace detail

#define STG_CHECK_UPDATE(Update, Result)                        \
  constexpr bool updates = detail::UpdatesFrom<Update, Result>; \
  static_assert(updates,                                        \
                "stg: run takes an optimiser, or a function of a step's result and its number, after the steps")

/// A loss compiled for training: forward and gradient in one call. Its memory is allocated by the first step.
template <class Ref, class Entries, class Backend = default_backend> class training_step {
  template <class Form> using call_of = detail::recorded_call<Form, provided<0>, Entries, Backend>;
  using T = element_t<detail::output_statement<Ref>(0).type>;

 public:
  /// The result of a step: `decltype(step)::result`.
  using result = step_result<T, detail::outputs_t<Ref>, detail::gradient_set<Ref, Entries>>;

  explicit training_step(const Backend& runs = Backend()) : backend_(runs), block_(detail::pool_on(runs)) {}

  /// Seed of the random numbers, at first 0; steps are numbered from 0 again, so that they repeat their draws.
  void seed(std::uint64_t s) {
    seed_ = s;
    calls_ = 0;
  }
  /// From the next step on scans keep no more than is asked for (checkpoints.hpp). Error for a number less than 0, and
  /// for both of them.
  void checkpoint(const checkpoints& keep) {
    detail::check(keep);
    keep_ = keep;
  }
  /// For a bare number: what to write.
  STG_INSTEAD_FOR((std::integral Steps), sizeof(Steps) == 0,
                  "stg: checkpoint takes every so many steps, or bytes: step.checkpoint({.every = 10})",
                  bool checkpoint(Steps))
  /// The loss, all outputs and the gradients: a step_result. Dropout draws anew in every step, by the step's number.
  /// Errors: as in bind_inputs, an input that is a result of the step before, more edges than check_edge_ids allows,
  /// too little memory, and on a device labels outside of their classes. After an error the step can be called again;
  /// the results of the step before may have been overwritten, and the number is taken. One call at a time, unlike a
  /// model's: steps share their memory and are counted. Threads that train at a time have a training_step each.
  ///
  ///   auto [loss, outputs, grads] = step(graph, x = X, label = Y, params);
  ///
  /// A graph_sequence has a graph for each step of the scans, and their number (docs/time.md). Edge values are read in
  /// scans alone.
  ///
  ///   auto [loss, outputs, grads] = step(sequence, x = X, y = Y, w = sequence.weights(), params);
  ///
  /// Blocks are computed hop by hop, for a loss over the seeds. Bindings are the batch graph's, and gradients of vertex
  /// features have a row for each of its vertices. Errors also for a program that reads more hops away than were
  /// sampled.
  ///
  ///   optimizer.step(step(b.blocks(), x = b[X], label = b[Y], known = b.known, params).gradients);
  template <detail::CalledOn On, class... Arg, class Finding = detail::finding_of<Ref, Arg...>>
  [[nodiscard(STG_STEP_IS_NOT_USED)]] STG_SAYS_BINDINGS(Finding) STG_SAYS_ON(Ref, Entries, On, Finding, Arg) result
  operator()(const On& on, const Arg&... args) & {
    STG_CHECK_BINDINGS(Finding);
    STG_CHECK_ON(Ref, Entries, On, Finding, Arg);
    if constexpr (detail::is_right_on<Ref, Entries, On, Finding, Arg...>) return step<On>(call_graph(on), args...);
    else return detail::unmade<result>();
  }
  /// The same for a step that has no name, or no more: its memory lives as long as a view of its results.
  ///
  ///   auto now = stg::value_and_grad<loss>()(graph, x = X, label = Y, params);
  template <detail::CalledOn On, class... Arg, class Finding = detail::finding_of<Ref, Arg...>>
  [[nodiscard(STG_STEP_IS_NOT_USED)]] STG_SAYS_BINDINGS(Finding) STG_SAYS_ON(Ref, Entries, On, Finding, Arg) result
  operator()(const On& on, const Arg&... args) && {
    STG_CHECK_BINDINGS(Finding);
    STG_CHECK_ON(Ref, Entries, On, Finding, Arg);
    if constexpr (detail::is_right_on<Ref, Entries, On, Finding, Arg...>) return last<On>(call_graph(on), args...);
    else return detail::unmade<result>();
  }
  template <class... Arg>
    requires(!detail::graph_is_first<Arg...>)
  STG_SAYS_GRAPH(Arg)
  result operator()(const Arg&...) {
    STG_CHECK_GRAPH(Arg);
    return detail::unmade<result>();
  }
  /// Up to `steps` steps in one call, each followed by `update`: an optimiser, or a function of the result and the
  /// step's number from 0, which ends the run by giving back true, on a cut graph for all ranks. Returns the last
  /// step's result, with the numbers of as many single calls. A loss that is infinite or no number ends the run before
  /// the update, so that parameters stay as they were. After the first step nothing is allocated. Errors: fewer than
  /// one step, and the errors of a step and of `update`, after any number of updates.
  ///
  ///   auto last = step.run(100, optimizer, graph, x = X, label = Y, params);
  template <class Update, class... Arg> result run(std::int64_t steps, Update&& update, const Arg&... args) & {
    STG_CHECK_UPDATE(Update, result);
    if (steps < 1) throw error("run makes " + std::to_string(steps) + " steps; ask for one at least");
    for (std::int64_t made = 0;; ++made) {
      result now = (*this)(args...);
      if (!math::is_finite(static_cast<double>(now.loss)) || detail::ends_after(update, now, made, args...) ||
          made + 1 == steps)
        return now;
    }
  }
  /// The update before the number of steps: what to write.
  template <class Update, class... Arg>
    requires(!std::is_convertible_v<Update, std::int64_t>)
  result run(Update&&, const Arg&...) {
    constexpr bool counts_first = sizeof...(Arg) > 99;
    static_assert(counts_first,
                  "stg: run takes the number of steps, then the optimiser: step.run(100, optimizer, graph, ...)");
    return detail::unmade<result>();
  }
  /// The same for a step that has no name, or no more: its memory lives as long as a view of its results.
  ///
  ///   auto last = stg::value_and_grad<loss>().run(100, optimizer, graph, x = X, label = Y, params);
  template <class Update, class... Arg> result run(std::int64_t steps, Update&& update, const Arg&... args) && {
    const shared_step kept(std::move(*this));
    return kept->run(steps, update, args...);
  }
  /// Bytes of the last step's memory by the plan.
  std::int64_t bytes() const { return bytes_; }
  /// How often a prologue ran: once for fixed inputs that stay the same.
  std::uint64_t prologue_runs() const { return kept_.runs(); }
  /// The contents of fixed inputs have changed: the next step computes the kept values anew.
  void forget_fixed() { kept_.forget(); }

 private:
  /// A step shared by its results and its caller.
  class shared_step {
   public:
    explicit shared_step(training_step&& taken) try
        : kept_(new owned(std::move(taken))), while_it_runs_(reinterpret_cast<std::byte*>(kept_), {kept_}) {
      kept_->of.shared_ = kept_;
    } catch (const std::bad_alloc&) {
      detail::no_memory();
    }
    training_step* operator->() const { return &kept_->of; }

   private:
    struct owned final : detail::shared_keeper {
      training_step of;
      explicit owned(training_step&& from) : of(std::move(from)) {}
    };
    owned* kept_;
    detail::memory while_it_runs_;
  };

  template <class On, class... Arg> result last(const call_graph& on, const Arg&... args) {
    const shared_step kept(std::move(*this));
    return kept->template step<On>(on, args...);
  }
  template <class On, class... Arg> result step(const call_graph& on, const Arg&... args) try {
    using Call = call_of<detail::form_on<Ref, Entries, On, Arg...>>;
    Call& now = in_form<Call>();
    now.share_with_views(shared_);
    now.keep(keep_);
    now.forward(on, block_, kept_, seed_, calls_++, args...);
    now.look_at_labels();
    bytes_ = now.planned_bytes();
    const std::byte* cotangent = backend_.template one<T>();
    now.backward(&cotangent);
    auto outputs = now.output_views();
    const T loss = backend_.number_at(outputs.template get<0>().data());
    return result{loss, std::move(outputs), now.gradient_views()};
  } catch (const std::bad_alloc&) {
    detail::no_memory();
  }
  /// The call of a form. One is there at a time: steps of a loop bind the same inputs as fixed.
  template <class Call> Call& in_form() {
    static constexpr char tag = 0;
    if (form_ != &tag) {
      call_ = std::shared_ptr<Call>(new Call(backend_));
      form_ = &tag;
    }
    return *static_cast<Call*>(call_.get());
  }

  Backend backend_;
  detail::block_of<Backend> block_;
  kept_store kept_;
  std::shared_ptr<void> call_;
  const void* form_ = nullptr;
  detail::memory_keeper* shared_ = nullptr;  // of a step without a name: its keeper
  std::uint64_t seed_ = 0;
  std::uint32_t calls_ = 0;
  std::int64_t bytes_ = 0;
  checkpoints keep_;
};

namespace detail {

/// Stands for a step of a wrong program: it has the same calls and results, so that one mistake is one message.
template <class Ref> struct unmade_step {
  using result = step_result<float, outputs_t<Ref>, gradient_set<Ref, trainable_entries<Ref>>>;

  void seed(std::uint64_t) {}
  void checkpoint(const checkpoints&) {}
  template <class... Arg> result operator()(const Arg&...) const { return unmade<result>(); }
  template <class Update, class... Arg> result run(std::int64_t, Update&&, const Arg&...) const {
    return unmade<result>();
  }
};

}  // namespace detail

}  // namespace stg
