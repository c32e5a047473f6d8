// Optimisers: SGD, Adam and AdamW over a parameter set and its gradients, with weight decay per parameter; they update
// in the parameters' place, on the host or on a device.
#pragma once

#include <array>        // array
#include <concepts>     // convertible_to
#include <cstdint>      // int64_t
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view

#include <stg/base/instead.hpp>            // STG_INSTEAD_FIELD
#include <stg/runtime/optimizer_base.hpp>  // optimizer_base, parameter_update
#include <stg/runtime/update_rule.hpp>     // adam_progress

namespace stg {

// PyTorch's options: rates, momentum, epsilon and decay are finite and 0 or more, betas in [0, 1). Optimisers raise an
// error that names the option for other values.
struct sgd_options {
  double learning_rate = 0.01;
  double momentum = 0;
  STG_INSTEAD_FIELD(lr, "stg: sgd has no lr; write {.learning_rate = 0.1}")
  STG_INSTEAD_FIELD(weight_decay, "stg: weight decay is the optimiser's function: optimizer.weight_decay(5e-4)")
};
struct adam_options {
  double learning_rate = 0.001;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-8;
  STG_INSTEAD_FIELD(lr, "stg: adam has no lr; write {.learning_rate = 0.01}")
  STG_INSTEAD_FIELD(betas, "stg: adam has no betas; write {.beta1 = 0.9, .beta2 = 0.999}")
  STG_INSTEAD_FIELD(eps, "stg: adam has no eps; write {.epsilon = 1e-8}")
  STG_INSTEAD_FIELD(weight_decay, "stg: weight decay is the optimiser's function: optimizer.weight_decay(5e-4)")
};
struct adamw_options {
  double learning_rate = 0.001;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
  STG_INSTEAD_FIELD(lr, "stg: adamw has no lr; write {.learning_rate = 0.01}")
  STG_INSTEAD_FIELD(betas, "stg: adamw has no betas; write {.beta1 = 0.9, .beta2 = 0.999}")
  STG_INSTEAD_FIELD(eps, "stg: adamw has no eps; write {.epsilon = 1e-8}")
};

#define STG_TRAINS_NO_PARAMETERS \
  "stg: an optimiser takes the parameters that it trains first; write stg::adam(params, {.learning_rate = 0.01})"

#define STG_TRAINS_A_TEMPORARY \
  "stg: an optimiser refers to its parameters; give them a name first: auto params = stg::parameters<loss>()"

namespace detail {
/// Stands for an optimiser that was made without parameters: it has the same calls, so that one mistake is one message.
struct no_parameters {};
struct unmade_optimizer {
  template <class... Gradients> void step(const Gradients&...) {}
  void zero_grad() {}
  template <class... Arg> unmade_optimizer& weight_decay(const Arg&...) { return *this; }
  template <class... Rate> unmade_optimizer& learning_rate(const Rate&...) { return *this; }
};

/// The options; error for one outside of its range.
const sgd_options& checked(const sgd_options&);
const adam_options& checked(const adam_options&);
const adamw_options& checked(const adamw_options&);

/// The target of a weight decay: the gradient, as an L2 penalty, or the parameter.
enum class decay_of { gradient, parameter };

// One pass over all parameters: parallel over blocks when they are many, bitwise equal for any number of threads. On a
// device launched, not waited for.
void update_sgd(location, std::span<const parameter_update>, const sgd_options&);
void update_adam(location, std::span<const parameter_update>, const adam_options&, decay_of, adam_progress*);
/// An adam_progress before the first step, and a host's one from a number of steps.
tensor<double> no_progress(location);
adam_progress read_progress(const tensor<double>&);
void write_progress(tensor<double>&, const adam_progress&);

/// The common part of Adam and AdamW: two running averages of each gradient and their progress.
template <class Self, class Parameters, class Options, decay_of Decay>
class adam_base : public optimizer_base<Self, Parameters, Options> {
  using base = optimizer_base<Self, Parameters, Options>;

 public:
  /// One update from the gradients of a step, which are those of all its parameters. Errors, before anything is
  /// updated: a gradient or a parameter of another shape than when the optimiser was made, or elsewhere.
  template <class Gradients> STG_SAYS_STEP(Gradients, Parameters) void step(const Gradients& gradients) {
    STG_CHECK_STEP(Gradients, Parameters);
    if constexpr (is_named_set<Gradients>) {
      const auto all = this->updates(gradients, first_, &second_);
      const Options& o = this->options();
      update_adam(this->place(), all, {o.learning_rate, o.beta1, o.beta2, o.epsilon}, Decay,
                  reinterpret_cast<adam_progress*>(progress_.data()));
    }
  }
  template <class... Arg>
    requires(sizeof...(Arg) != 1)
  STG_SAYS_SET(sizeof...(Arg) == 1, STG_STEPS_WITHOUT_GRADIENTS)
  void step(const Arg&...) { STG_CHECK_SET(sizeof...(Arg) == 1, STG_STEPS_WITHOUT_GRADIENTS); }
  /// Updates so far, including captured steps.
  std::int64_t steps() const { return static_cast<std::int64_t>(read_progress(progress_).steps); }

  // The sets for save_state.
  std::array<named_state<Parameters>, 2> state_sets() { return {{{"first", &first_}, {"second", &second_}}}; }
  tensor<double> state_numbers() const {
    const adam_progress now = read_progress(progress_);
    return tensor<double>::from({4}, {this->learning_rate(), now.steps, now.beta1_power, now.beta2_power});
  }
  void check_state(const tensor<double>& numbers, const std::string& file) const {
    check_state_numbers(numbers, 4, file);
  }
  void state_numbers(const tensor<double>& numbers) {
    this->learning_rate(numbers(0));
    write_progress(progress_, {.beta1_power = numbers(2), .beta2_power = numbers(3), .steps = numbers(1)});
  }

 protected:
  adam_base(Parameters& parameters, const Options& options)
      : base(parameters, checked(options)),
        first_(parameters.zeros(this->place())),
        second_(parameters.zeros(this->place())),
        progress_(no_progress(this->place())) {}

 private:
  Parameters first_, second_;
  tensor<double> progress_;  // an adam_progress, beside the parameters
};
}  // namespace detail

/// Stochastic gradient descent with momentum: v = momentum · v + (g + decay · w), w = w - learning_rate · v.
///
///   stg::sgd optimizer(params, {.learning_rate = 0.1, .momentum = 0.9});
template <class Parameters> class sgd : public detail::optimizer_base<sgd<Parameters>, Parameters, sgd_options> {
  using base = detail::optimizer_base<sgd<Parameters>, Parameters, sgd_options>;

 public:
  /// Error for an option outside of its range.
  STG_SAYS_SET(!detail::is_gradients<Parameters>, STG_TRAINS_GRADIENTS)
  explicit sgd(Parameters& parameters, sgd_options options = {})
      : base(parameters, detail::checked(options)), velocity_(parameters.zeros(this->place())) {
    STG_CHECK_SET(!detail::is_gradients<Parameters>, STG_TRAINS_GRADIENTS);
  }
  explicit sgd(Parameters&& parameters, sgd_options options = {}) : sgd(parameters, options) {
    constexpr bool has_a_name = Parameters::count < 0;
    static_assert(has_a_name, STG_TRAINS_A_TEMPORARY);
  }
  template <std::convertible_to<double> Number, class... More>
  sgd(Parameters& parameters, const Number&, const More&...) : sgd(parameters) {
    static_assert(detail::no_optimizer_takes<Number>,
                  "stg: sgd takes options, not a number; write stg::sgd(params, {.learning_rate = 0.1})");
  }

  /// One update from the gradients of a step, which are those of all its parameters. Errors, before anything is
  /// updated: a gradient or a parameter of another shape than when the optimiser was made, or elsewhere.
  template <class Gradients> STG_SAYS_STEP(Gradients, Parameters) void step(const Gradients& gradients) {
    STG_CHECK_STEP(Gradients, Parameters);
    if constexpr (detail::is_named_set<Gradients>) {
      detail::update_sgd(this->place(), this->updates(gradients, velocity_), this->options());
      ++steps_;
    }
  }
  template <class... Arg>
    requires(sizeof...(Arg) != 1)
  STG_SAYS_SET(sizeof...(Arg) == 1, STG_STEPS_WITHOUT_GRADIENTS)
  void step(const Arg&...) { STG_CHECK_SET(sizeof...(Arg) == 1, STG_STEPS_WITHOUT_GRADIENTS); }
  /// Calls of step so far.
  std::int64_t steps() const { return steps_; }

  // The name for save_state.
  static constexpr std::string_view state_name = "sgd";
  std::array<detail::named_state<Parameters>, 1> state_sets() { return {{{"velocity", &velocity_}}}; }
  tensor<double> state_numbers() const {
    return tensor<double>::from({2}, {this->learning_rate(), static_cast<double>(steps_)});
  }
  void check_state(const tensor<double>& numbers, const std::string& file) const {
    detail::check_state_numbers(numbers, 2, file);
  }
  void state_numbers(const tensor<double>& numbers) {
    this->learning_rate(numbers(0));
    steps_ = static_cast<std::int64_t>(numbers(1));
  }

 private:
  Parameters velocity_;
  std::int64_t steps_ = 0;
};

/// Adam. Kingma and Ba, ICLR 2015, algorithm 1; weight decay is added to the gradient as PyTorch's Adam does.
///
///   stg::adam optimizer(params, {.learning_rate = 0.01});
///   optimizer.weight_decay(W1, 5e-4);
///   optimizer.step(now.gradients);
///
/// Parameters that lie on a device are updated there, in files that are compiled as CUDA: make the optimiser after
/// `params.to(stg::cuda())`.
template <class Parameters>
class adam : public detail::adam_base<adam<Parameters>, Parameters, adam_options, detail::decay_of::gradient> {
  using base = detail::adam_base<adam<Parameters>, Parameters, adam_options, detail::decay_of::gradient>;

 public:
  static constexpr std::string_view state_name = "adam";
  /// Error for an option outside of its range.
  STG_SAYS_SET(!detail::is_gradients<Parameters>, STG_TRAINS_GRADIENTS)
  explicit adam(Parameters& parameters, adam_options options = {}) : base(parameters, options) {
    STG_CHECK_SET(!detail::is_gradients<Parameters>, STG_TRAINS_GRADIENTS);
  }
  explicit adam(Parameters&& parameters, adam_options options = {}) : adam(parameters, options) {
    constexpr bool has_a_name = Parameters::count < 0;
    static_assert(has_a_name, STG_TRAINS_A_TEMPORARY);
  }
  template <std::convertible_to<double> Number, class... More>
  adam(Parameters& parameters, const Number&, const More&...) : adam(parameters) {
    static_assert(detail::no_optimizer_takes<Number>,
                  "stg: adam takes options, not a number; write stg::adam(params, {.learning_rate = 0.1})");
  }
};

/// Adam whose weight decay is no part of the gradient: w = w - learning_rate · (decay · w + Adam's own). Loshchilov and
/// Hutter, ICLR 2019, algorithm 2, whose decay is this one times the learning rate, as PyTorch has it. All parameters
/// decay by options.weight_decay until weight_decay says otherwise.
///
///   stg::adamw optimizer(params, {.learning_rate = 0.01, .weight_decay = 0.05});
///   optimizer.weight_decay(b1, 0);
template <class Parameters>
class adamw : public detail::adam_base<adamw<Parameters>, Parameters, adamw_options, detail::decay_of::parameter> {
  using base = detail::adam_base<adamw<Parameters>, Parameters, adamw_options, detail::decay_of::parameter>;

 public:
  static constexpr std::string_view state_name = "adamw";
  /// Error for an option outside of its range.
  STG_SAYS_SET(!detail::is_gradients<Parameters>, STG_TRAINS_GRADIENTS)
  explicit adamw(Parameters& parameters, adamw_options options = {}) : base(parameters, options) {
    STG_CHECK_SET(!detail::is_gradients<Parameters>, STG_TRAINS_GRADIENTS);
    this->weight_decay(options.weight_decay);
  }
  explicit adamw(Parameters&& parameters, adamw_options options = {}) : adamw(parameters, options) {
    constexpr bool has_a_name = Parameters::count < 0;
    static_assert(has_a_name, STG_TRAINS_A_TEMPORARY);
  }
  template <std::convertible_to<double> Number, class... More>
  adamw(Parameters& parameters, const Number&, const More&...) : adamw(parameters) {
    static_assert(detail::no_optimizer_takes<Number>,
                  "stg: adamw takes options, not a number; write stg::adamw(params, {.learning_rate = 0.1})");
  }
};

// Without parameters: what to write.
template <> class sgd<detail::no_parameters> : public detail::unmade_optimizer {
 public:
  template <class Other, class Options = sgd_options> sgd(const Other&, const Options&) : sgd(Options()) {}
  template <class Options = sgd_options> explicit sgd(const Options&) {
    constexpr bool fits = sizeof(Options) == 0;
    static_assert(fits, STG_TRAINS_NO_PARAMETERS);
  }
};
sgd(sgd_options)->sgd<detail::no_parameters>;
sgd(double)->sgd<detail::no_parameters>;
template <class Other>
  requires(!detail::is_named_set<std::remove_const_t<Other>>)
sgd(Other&, sgd_options = {})
->sgd<detail::no_parameters>;
template <class Other> sgd(Other*, sgd_options = {}) -> sgd<detail::no_parameters>;
template <> class adam<detail::no_parameters> : public detail::unmade_optimizer {
 public:
  template <class Other, class Options = adam_options> adam(const Other&, const Options&) : adam(Options()) {}
  template <class Options = adam_options> explicit adam(const Options&) {
    constexpr bool fits = sizeof(Options) == 0;
    static_assert(fits, STG_TRAINS_NO_PARAMETERS);
  }
};
adam(adam_options)->adam<detail::no_parameters>;
adam(double)->adam<detail::no_parameters>;
template <class Other>
  requires(!detail::is_named_set<std::remove_const_t<Other>>)
adam(Other&, adam_options = {})
->adam<detail::no_parameters>;
template <class Other> adam(Other*, adam_options = {}) -> adam<detail::no_parameters>;
template <> class adamw<detail::no_parameters> : public detail::unmade_optimizer {
 public:
  template <class Other, class Options = adamw_options> adamw(const Other&, const Options&) : adamw(Options()) {}
  template <class Options = adamw_options> explicit adamw(const Options&) {
    constexpr bool fits = sizeof(Options) == 0;
    static_assert(fits, STG_TRAINS_NO_PARAMETERS);
  }
};
adamw(adamw_options)->adamw<detail::no_parameters>;
adamw(double)->adamw<detail::no_parameters>;
template <class Other>
  requires(!detail::is_named_set<std::remove_const_t<Other>>)
adamw(Other&, adamw_options = {})
->adamw<detail::no_parameters>;
template <class Other> adamw(Other*, adamw_options = {}) -> adamw<detail::no_parameters>;

}  // namespace stg
