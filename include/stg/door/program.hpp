// A compiled program behind one type without templates, for callers in other languages: inputs and results are tensors
// by name.
#pragma once

#include <cstddef>      // size_t
#include <cstdint>      // uint64_t
#include <memory>       // make_shared, make_unique, shared_ptr, unique_ptr
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_same_v, remove_cvref_t, type_identity
#include <utility>      // integer_sequence, move, pair
#include <variant>      // get, holds_alternative
#include <vector>       // vector

#include <stg/base/error.hpp>           // error
#include <stg/call/inputs_by_name.hpp>  // inputs_by_name, program_input, any_tensor
#include <stg/call/model.hpp>           // compile
#include <stg/call/training.hpp>        // compile_for_training, value_and_grad
#include <stg/door/signature.hpp>       // signature, signature_of

namespace stg::door {

/// What a program is called on: one of them.
struct called_with {
  const graph* plain = nullptr;
  const graphs* kinds = nullptr;
  const graph_sequence* steps = nullptr;
  const blocks* hops = nullptr;  // of programs for blocks
};

using named_tensor = std::pair<std::string, any_tensor>;

/// A program with its signature.
class described_program {
 public:
  virtual ~described_program() = default;
  const signature& described() const { return signature_; }

 protected:
  explicit described_program(signature s) : signature_(std::move(s)) {}

 private:
  signature signature_;
};

/// A compiled program. Edge values are in the order of edge ids, as `graph::edge_values` puts them.
class program : public described_program {
 public:
  /// Errors: those of inputs_by_name, and what the program is not called on.
  virtual std::vector<any_tensor> operator()(const called_with& on, std::span<const program_input> inputs) const = 0;
  /// The same into tensors that a call gave, or of their types and shapes. Errors: those of model::into.
  virtual void into(std::span<any_tensor> results, const called_with& on,
                    std::span<const program_input> inputs) const = 0;

 protected:
  using described_program::described_program;
};

/// A recorded call.
class recorded {
 public:
  virtual ~recorded() = default;
  /// Views that share in the call's memory.
  virtual std::vector<any_tensor> outputs() = 0;
  /// Gradients for a cotangent of each real output, in their order; null for one without. Views, as the outputs are.
  virtual std::vector<named_tensor> backward(std::span<const any_tensor* const> cotangents) = 0;
};
/// A program whose calls are recorded for their gradients.
class training : public described_program {
 public:
  virtual std::unique_ptr<recorded> record(const called_with& on, std::span<const program_input> inputs) = 0;
  virtual void seed(std::uint64_t s) = 0;

 protected:
  using described_program::described_program;
};

/// A loss with its gradients.
class loss : public described_program {
 public:
  struct result {
    double value = 0;
    std::vector<any_tensor> outputs{};
    std::vector<named_tensor> gradients{};  // views until the next step
  };
  virtual result operator()(const called_with& on, std::span<const program_input> inputs) = 0;
  virtual void seed(std::uint64_t s) = 0;

 protected:
  using described_program::described_program;
};

/// Makes programs, trainings or losses that compute once what depends on some of their inputs alone.
template <class Made> class binder : public described_program {
 public:
  /// Their names.
  virtual std::vector<std::string> fixed() const = 0;
  /// The program of one binding of them: what it has computed of them is kept while they and the graph stay where they
  /// are, whatever becomes of their contents. Its random numbers are its own.
  virtual std::shared_ptr<Made> of_one_binding() const = 0;

 protected:
  using described_program::described_program;
};

namespace detail {

/// The signature of a program, with the names of its outputs, which are the results' and not the program's, and of the
/// inputs that have gradients.
template <class Ref, class Entries> signature described_of() {
  signature s = signature_of(stg::canonical<Ref>::value.thaw());
  s.program = [] { return stg::canonical<Ref>::value.thaw(); };
  std::size_t k = 0;
  const auto take = [&](std::string_view name) { s.outputs[k++].name = name; };
  [&]<class... Named>(std::type_identity<named_values<Named...>>) {
    (take(Named::text()), ...);
  }(std::type_identity<stg::detail::outputs_t<Ref>>());
  s.is_over_sets = stg::detail::is_over_sets<Ref>;
  if constexpr (!stg::detail::is_over_sets<Ref>)
    s.takes_steps = stg::detail::called_on<graph_sequence>::template mistake<Ref, Entries, inputs_by_name> ==
                    stg::detail::call_mistake();
  const ir::program p = stg::canonical<Ref>::value.thaw();
  [&]<int... Entry>(std::integer_sequence<int, Entry...>) {
    (s.gradients.emplace_back(p.inputs[Entry].name.view()), ...);
  }
  (Entries());
  return s;
}

[[noreturn]] void not_called_on(const called_with& on, bool is_over_sets);

/// Calls f(graph), f(graphs) or f(sequence), for those that a program of these entries can be called on; f(blocks) for
/// a program for blocks, whose `kinds` is the batch's graph.
template <class Ref, class Entries, bool TakesBlocks, class F>
decltype(auto) on_what(const called_with& on, const F& f) {
  using stg::detail::call_mistake, stg::detail::called_on, stg::detail::is_over_sets;
  if (on.hops != nullptr) {
    if constexpr (TakesBlocks) return f(*on.hops);
    not_called_on(on, is_over_sets<Ref>);
  }
  if constexpr (is_over_sets<Ref>) {
    if (on.kinds != nullptr) return f(*on.kinds);
  } else {
    if (on.plain != nullptr) return f(*on.plain);
    if constexpr (called_on<graph_sequence>::mistake<Ref, Entries, inputs_by_name> == call_mistake())
      if (on.steps != nullptr) return f(*on.steps);
  }
  not_called_on(on, is_over_sets<Ref>);
}

template <class V> auto&& plain_tensor(V&& t) {
  if constexpr (requires { t.values(); }) return t.values();
  else return t;
}
/// The tensors of a call's results, one or a set; moved, or seen.
template <class Results, class F> void each_result(Results& results, const F& f) {
  if constexpr (stg::detail::is_named_set<Results>)
    for_each(results, [&](std::string_view name, auto& t) { f(name, plain_tensor(t)); });
  else f(std::string_view(), plain_tensor(results));
}
template <class Results> std::vector<any_tensor> moved(Results results) {
  std::vector<any_tensor> all;
  each_result(results, [&](std::string_view, auto& t) { all.emplace_back(std::move(t)); });
  return all;
}
template <class Results> std::vector<named_tensor> moved_by_name(Results results) {
  std::vector<named_tensor> all;
  each_result(results, [&](std::string_view name, auto& t) { all.emplace_back(name, std::move(t)); });
  return all;
}

[[noreturn]] void wrong_results(std::size_t given, std::size_t wanted);
[[noreturn]] void wrong_result(std::size_t k, scalar_type wanted);

template <class T> void see(tensor<T>& t, tensor<T>& given) { t = given.view(); }
template <class Self, class T> void see(stg::detail::tensor_of_edges<Self, T>& t, tensor<T>& given) {
  t = Self::in_id_order(given.view());
}
/// Makes results views of given tensors. Errors: another number of them, or another type of numbers.
template <class Results> void see_all(Results& results, std::span<any_tensor> given) {
  std::size_t wanted = 0, k = 0;
  each_result(results, [&](std::string_view, const auto&) { ++wanted; });
  if (given.size() != wanted) wrong_results(given.size(), wanted);
  const auto take = [&](auto& t) {
    using T = typename std::remove_reference_t<decltype(plain_tensor(t))>::value_type;
    if (!std::holds_alternative<tensor<T>>(given[k])) wrong_result(k, scalar_of<T>);
    see(t, std::get<tensor<T>>(given[k++]));
  };
  if constexpr (stg::detail::is_named_set<Results>) for_each(results, [&](std::string_view, auto& t) { take(t); });
  else take(results);
}

/// Inputs: how a call takes them, inputs_by_name or inputs_by_name_with_fixed.
template <const auto& F, bool TakesBlocks, class Inputs = inputs_by_name> class compiled final : public program {
  using model_type = decltype(compile<F>());

 public:
  compiled() : program(described_of<ref<F>, stg::detail::no_entries>()) {}
  std::vector<any_tensor> operator()(const called_with& on, std::span<const program_input> inputs) const override {
    return on_what<ref<F>, stg::detail::no_entries, TakesBlocks>(
        on, [&](const auto& what) { return moved(model_(what, Inputs(inputs))); });
  }
  void into(std::span<any_tensor> results, const called_with& on,
            std::span<const program_input> inputs) const override {
    typename model_type::result seen;
    see_all(seen, results);
    on_what<ref<F>, stg::detail::no_entries, TakesBlocks>(
        on, [&](const auto& what) { model_.into(seen, what, Inputs(inputs)); });
  }

 private:
  model_type model_ = compile<F>();
};

[[noreturn]] void wrong_cotangents(std::size_t given, std::size_t outputs);
[[noreturn]] void wrong_cotangent(int output, scalar_type wanted);

template <class Ref, class Tape> class recorded_on final : public recorded {
  using positions = typename stg::detail::provided_positions<stg::detail::all_real_outputs<Ref>>::sequence;

 public:
  explicit recorded_on(Tape tape) : tape_(std::move(tape)) {}
  std::vector<any_tensor> outputs() override { return moved(tape_.outputs()); }
  std::vector<named_tensor> backward(std::span<const any_tensor* const> cotangents) override {
    if (cotangents.size() != positions::size()) wrong_cotangents(cotangents.size(), positions::size());
    return moved_by_name(differentiated(cotangents.data(), positions()));
  }

 private:
  template <int... K> auto differentiated(const any_tensor* const* given, std::integer_sequence<int, K...>) {
    return tape_.backward(cotangent<K>(given[rank_of<K>(positions())])...);
  }
  /// The number of real outputs before output At.
  template <int At, int... K> static constexpr std::size_t rank_of(std::integer_sequence<int, K...>) {
    return (std::size_t{0} + ... + (K < At ? 1u : 0u));
  }
  /// A view of what is given for output K, or zeros.
  template <int K> auto cotangent(const any_tensor* given) {
    constexpr ir::statement s = stg::detail::output_statement<Ref>(K);
    using T = element_t<s.type>;
    if (given != nullptr && !std::holds_alternative<tensor<T>>(*given)) wrong_cotangent(K, s.type);
    auto output = tape_.template output<K>();
    using V = decltype(output);
    tensor<T> view = given != nullptr ? tensor<T>::view_of(const_cast<T*>(std::get<tensor<T>>(*given).data()),
                                                           std::get<tensor<T>>(*given).shape())
                                      : tensor<T>(plain_tensor(output).shape());
    if constexpr (std::is_same_v<V, tensor<T>>) return view;
    else return V::in_id_order(std::move(view), output.edge_identity());
  }

  Tape tape_;
};

/// Inputs: as of `compiled`.
template <class Ref, bool TakesBlocks, class Trainer, class Entries, class Inputs = inputs_by_name>
class recorder_of : public training {
 public:
  explicit recorder_of(signature s) : training(std::move(s)) {}
  std::unique_ptr<recorded> record(const called_with& on, std::span<const program_input> inputs) override {
    return on_what<Ref, Entries, TakesBlocks>(on, [&](const auto& what) -> std::unique_ptr<recorded> {
      using tape_type = typename Trainer::tape;
      return std::make_unique<recorded_on<Ref, tape_type>>(trainer_.record(what, Inputs(inputs)));
    });
  }
  void seed(std::uint64_t s) override { trainer_.seed(s); }

 private:
  Trainer trainer_{};
};

/// The entries of the inputs that gradients are asked for, and the recorder of a lambda.
template <const auto& F, const auto&... Wanted>
using entries_of = typename stg::detail::wanted_entries<ref<F>, std::remove_cvref_t<decltype(Wanted)>...>::type;
template <const auto& F, bool TakesBlocks, class Inputs, const auto&... Wanted> std::unique_ptr<training> recorder() {
  using entries = entries_of<F, Wanted...>;
  using trainer_type = decltype(compile_for_training<F, Wanted...>());
  return std::make_unique<recorder_of<ref<F>, TakesBlocks, trainer_type, entries, Inputs>>(
      described_of<ref<F>, entries>());
}

template <const auto& F, bool TakesBlocks, class Inputs, const auto&... Wanted> class stepper final : public loss {
  using entries = entries_of<F, Wanted...>;

 public:
  stepper() : loss(described_of<ref<F>, entries>()) {}
  result operator()(const called_with& on, std::span<const program_input> inputs) override {
    return on_what<ref<F>, entries, TakesBlocks>(on, [&](const auto& what) {
      auto now = step_(what, Inputs(inputs));
      return result{static_cast<double>(now.loss), moved(std::move(now.outputs)),
                    moved_by_name(std::move(now.gradients))};
    });
  }
  void seed(std::uint64_t s) override { step_.seed(s); }

 private:
  decltype(value_and_grad<F, Wanted...>()) step_ = value_and_grad<F, Wanted...>();
};

/// make(): one of Made, whose inputs of these symbols are fixed.
template <class Made, class Make, class... Symbol> class fixing final : public binder<Made> {
 public:
  fixing(signature s, Make make) : binder<Made>(std::move(s)), make_(std::move(make)) {}
  std::vector<std::string> fixed() const override { return {std::string(Symbol::name::view())...}; }
  std::shared_ptr<Made> of_one_binding() const override { return make_(); }

 private:
  Make make_;
};
template <class Made, class Ref, class Entries, class... Symbol, class Make>
std::unique_ptr<binder<Made>> fixed_in(Make make) {
  return std::make_unique<fixing<Made, Make, Symbol...>>(described_of<Ref, Entries>(), std::move(make));
}

}  // namespace detail

/// The programs of a lambda, each compiled where these are called; with TakesBlocks for the blocks of a batch as well.
/// Errors at compile time: those of compile, compile_for_training and value_and_grad.
///
///   const auto layer = stg::door::make_program<gat>();
///   const auto out = (*layer)({.plain = &graph}, {{"h", H}, {"el", L}, {"er", R}});
template <const auto& F, bool TakesBlocks = false> std::unique_ptr<program> make_program() {
  return std::make_unique<detail::compiled<F, TakesBlocks>>();
}
template <const auto& F, const auto&... Wanted> std::unique_ptr<training> make_training() {
  return detail::recorder<F, false, inputs_by_name, Wanted...>();
}
template <const auto& F, const auto&... Wanted> std::unique_ptr<training> make_training_on_blocks() {
  return detail::recorder<F, true, inputs_by_name, Wanted...>();
}
template <const auto& F, const auto&... Wanted> std::unique_ptr<loss> make_loss() {
  return std::make_unique<detail::stepper<F, false, inputs_by_name, Wanted...>>();
}
template <const auto& F, const auto&... Wanted> std::unique_ptr<loss> make_loss_on_blocks() {
  return std::make_unique<detail::stepper<F, true, inputs_by_name, Wanted...>>();
}
/// The same with fixed inputs. Error at compile time also for an input that is fixed and has a gradient.
///
///   const auto makes = stg::door::make_program_with_fixed<f>(stg::fixed<x>());
///   const auto layer = makes->of_one_binding();
template <const auto& F, class... Symbol>
std::unique_ptr<binder<program>> make_program_with_fixed(fixed_symbols<Symbol...>) {
  return detail::fixed_in<program, ref<F>, stg::detail::no_entries, Symbol...>(
      [] { return std::make_shared<detail::compiled<F, false, inputs_by_name_with_fixed<Symbol...>>>(); });
}
template <const auto& F, const auto&... Wanted, class... Symbol>
std::unique_ptr<binder<training>> make_training_with_fixed(fixed_symbols<Symbol...>) {
  return detail::fixed_in<training, ref<F>, detail::entries_of<F, Wanted...>, Symbol...>(
      [] { return detail::recorder<F, false, inputs_by_name_with_fixed<Symbol...>, Wanted...>(); });
}
template <const auto& F, const auto&... Wanted, class... Symbol>
std::unique_ptr<binder<loss>> make_loss_with_fixed(fixed_symbols<Symbol...>) {
  return detail::fixed_in<loss, ref<F>, detail::entries_of<F, Wanted...>, Symbol...>(
      [] { return std::make_unique<detail::stepper<F, false, inputs_by_name_with_fixed<Symbol...>, Wanted...>>(); });
}

}  // namespace stg::door
