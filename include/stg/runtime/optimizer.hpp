// Optimisers: SGD and Adam over a parameter set and its gradients, with weight decay per parameter; where the
// parameters lie, on the host or on a device.
#pragma once

#include <array>        // array
#include <cstdint>      // int64_t
#include <span>         // span
#include <type_traits>  // is_same_v, remove_cvref_t
#include <vector>       // vector

#include <stg/runtime/named_values.hpp>  // hana::for_each over the items of named_values
#include <stg/runtime/tensor.hpp>        // tensor
#include <stg/runtime/update_rule.hpp>   // adam_progress

namespace stg {

struct sgd_options {
  double learning_rate = 0.01;
  double momentum = 0;
};
struct adam_options {
  double learning_rate = 0.001;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-8;
};

namespace detail {
/// One parameter's part in an update: arrays of `size` floats, or doubles, that do not overlap. SGD has no second
/// state.
struct parameter_update {
  void* value;
  const void* gradient;
  void *first, *second;
  std::int64_t size;
  double decay;
  bool in_double;
};

// One pass over all parameters: parallel over blocks when they are many, bitwise equal for any number of threads. On a
// device launched, not waited for.
void update_sgd(location, std::span<const parameter_update>, const sgd_options&);
void update_adam(location, std::span<const parameter_update>, const adam_options&, adam_progress*);
/// An adam_progress before the first step.
tensor<double> no_progress(location);
[[noreturn]] void wrong_gradient(std::string_view name, const dimensions& gradient, const dimensions& parameter);
[[noreturn]] void wrong_state(std::string_view name, const dimensions& state, const dimensions& parameter);
[[noreturn]] void wrong_place(std::string_view what, std::string_view name, location lies, location optimiser);

/// State and weight decay of an optimiser, one entry per parameter. The set is referred to and must outlive it.
template <class Parameters> class optimizer_base {
 public:
  explicit optimizer_base(Parameters& parameters)
      : parameters_(&parameters), place_(place_of(parameters)), decay_(Parameters::count, 0.0) {}

 protected:
  /// Where the parameters lay when the optimiser was made, and its state does.
  location place() const { return place_; }
  template <class Symbol> void set_decay(Symbol, double decay) {
    constexpr int at = Parameters::template position<typename Symbol::name>();
    static_assert(at >= 0, "stg: weight decay is set for a parameter that the set does not have");
    if constexpr (at >= 0) decay_[at] = decay;
  }
  void set_decay(double decay) { decay_.assign(Parameters::count, decay); }

  /// Every parameter with its gradient, matched by name, and its states, which have the shapes that the parameters had
  /// when the optimiser was made. Error before anything is updated when a shape differs, or one lies elsewhere than the
  /// states.
  template <class Gradients>
  std::array<parameter_update, Parameters::count> updates(const Gradients& gradients, Parameters& first,
                                                          Parameters* second = nullptr) {
    std::array<parameter_update, Parameters::count> all{};
    boost::hana::for_each(parameters_->items(), [&](auto& item) {
      using Name = typename std::remove_cvref_t<decltype(item)>::name;
      constexpr int at = Gradients::template position<Name>();
      constexpr int mine = Parameters::template position<Name>();
      static_assert(at >= 0, "stg: a parameter has no gradient in this set; compile the step for all of them");
      if constexpr (at >= 0) {
        using T = typename std::remove_cvref_t<decltype(item.value)>::value_type;
        const auto& g = gradients.template get<at>();
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(g)>, tensor<T>>,
                      "stg: a gradient has another scalar type than its parameter; give those of its own step");
        const dimensions& state = first.template get<mine>().shape();  // the second's, too
        if (!(g.shape() == item.value.shape())) wrong_gradient(item.text(), g.shape(), item.value.shape());
        if (!(state == item.value.shape())) wrong_state(item.text(), state, item.value.shape());
        if (!(item.value.place() == place_)) wrong_place("parameter", item.text(), item.value.place(), place_);
        if (!(g.place() == place_)) wrong_place("the gradient of", item.text(), g.place(), place_);
        all[mine] = {item.value.data(),
                     g.data(),
                     first.template get<mine>().data(),
                     second == nullptr ? nullptr : second->template get<mine>().data(),
                     item.value.size(),
                     decay_[mine],
                     std::is_same_v<T, double>};
      }
    });
    return all;
  }

 private:
  static location place_of(const Parameters& parameters) {
    location place;
    if constexpr (Parameters::count > 0) place = parameters.template get<0>().place();
    return place;
  }

  Parameters* parameters_;
  location place_;
  std::vector<double> decay_;
};

/// Memory shaped like every parameter, in one place, zero at first.
template <class Parameters> Parameters zeros_like(const Parameters& parameters, location where) {
  Parameters zeros;
  boost::hana::for_each(parameters.items(), [&](const auto& item) {
    constexpr int nth = Parameters::template position<typename std::remove_cvref_t<decltype(item)>::name>();
    auto& zero = zeros.template get<nth>();
    zero = std::remove_cvref_t<decltype(zero)>(item.value.shape(), where);
  });
  return zeros;
}
}  // namespace detail

/// Stochastic gradient descent with momentum: v = momentum · v + (g + decay · w), w = w - learning_rate · v.
template <class Parameters> class sgd : detail::optimizer_base<Parameters> {
 public:
  explicit sgd(Parameters& parameters, sgd_options options = {})
      : detail::optimizer_base<Parameters>(parameters),
        options_(options),
        velocity_(detail::zeros_like(parameters, this->place())) {}
  /// L2 penalty of one parameter, or of all; returns the optimiser.
  template <class Symbol> sgd& weight_decay(Symbol symbol, double decay) {
    return this->set_decay(symbol, decay), *this;
  }
  sgd& weight_decay(double decay) { return this->set_decay(decay), *this; }
  /// One update from the gradients of a step. Errors, before anything is updated: a gradient or a parameter of another
  /// shape than when the optimiser was made, or elsewhere.
  template <class Gradients> void step(const Gradients& gradients) {
    detail::update_sgd(this->place(), this->updates(gradients, velocity_), options_);
  }
  sgd_options& options() { return options_; }

 private:
  sgd_options options_;
  Parameters velocity_;
};

/// Adam. Kingma and Ba, ICLR 2015, algorithm 1; weight decay is added to the gradient as PyTorch's Adam does.
///
///   stg::adam optimiser(params, {.learning_rate = 0.01});
///   optimiser.weight_decay(W1, 5e-4);
///   optimiser.step(gradients);
///
/// Parameters that lie on a device are updated there, in files that are compiled as CUDA: make the optimiser after
/// `params.to(stg::cuda())`.
template <class Parameters> class adam : detail::optimizer_base<Parameters> {
 public:
  explicit adam(Parameters& parameters, adam_options options = {})
      : detail::optimizer_base<Parameters>(parameters),
        options_(options),
        first_(detail::zeros_like(parameters, this->place())),
        second_(detail::zeros_like(parameters, this->place())),
        progress_(detail::no_progress(this->place())) {}
  /// L2 penalty of one parameter, or of all; returns the optimiser.
  template <class Symbol> adam& weight_decay(Symbol symbol, double decay) {
    return this->set_decay(symbol, decay), *this;
  }
  adam& weight_decay(double decay) { return this->set_decay(decay), *this; }
  /// One update from the gradients of a step. Errors as sgd's.
  template <class Gradients> void step(const Gradients& gradients) {
    const auto all = this->updates(gradients, first_, &second_);
    detail::update_adam(this->place(), all, options_, reinterpret_cast<detail::adam_progress*>(progress_.data()));
  }
  adam_options& options() { return options_; }

 private:
  adam_options options_;
  Parameters first_, second_;
  tensor<double> progress_;  // an adam_progress, beside the parameters
};

}  // namespace stg
