// The common part of all optimisers: each parameter beside its gradient and its states, weight decay, the learning
// rate.
#pragma once

#include <array>        // array
#include <cstdint>      // int64_t
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_convertible_v, is_same_v, remove_cvref_t
#include <vector>       // vector

#include <stg/base/instead.hpp>          // STG_INSTEAD_FOR
#include <stg/runtime/named_values.hpp>  // named_values, has_names_of
#include <stg/runtime/tensor.hpp>        // tensor

namespace stg::detail {

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

[[noreturn]] void wrong_gradient(std::string_view name, const dimensions& gradient, const dimensions& parameter);
[[noreturn]] void wrong_state(std::string_view name, const dimensions& state, const dimensions& parameter);
[[noreturn]] void wrong_place(std::string_view what, std::string_view name, location lies, location optimiser);
/// The rate; error when it is negative or no number.
double checked_learning_rate(double rate);
/// The weight decay of a parameter, or of all; error when it is negative or no number.
double checked_decay(double decay, std::string_view of = {});
/// Error unless the numbers of an optimiser in a file, its rate and steps first, are possible ones.
void check_state_numbers(const tensor<double>& numbers, std::int64_t count, const std::string& file);

/// False for every T, and looked at when a function is used.
template <class T> inline constexpr bool no_optimizer_takes = false;

/// A set written by save_state, and its name.
template <class Parameters> struct named_state {
  std::string_view name;
  Parameters* values;
};

#define STG_KEEPS_NO_GRADIENTS "stg: each step gives gradients of its own, and none is kept; leave zero_grad() out"
#define STG_RATE_IS_A_SCHEDULE \
  "stg: learning_rate takes a number; ask a schedule for the epoch's: optimizer.learning_rate(rate(epoch))"

/// Self is the optimiser, Options its options. The parameters are referred to and must outlive it.
template <class Self, class Parameters, class Options> class optimizer_base {
 public:
  /// Weight decay of one parameter, or of all; returns the optimiser. Error when it is negative or no number.
  template <class Symbol> Self& weight_decay(Symbol, double decay) {
    constexpr bool is_symbol = HasName<Symbol>;
    constexpr int at = position_of<Parameters, Symbol>();
    constexpr bool is_trained = at >= 0 || !is_symbol;
    static_assert(is_symbol, "stg: weight decay is set by a symbol, then a number: optimizer.weight_decay(W, 5e-4)");
    static_assert(is_trained, "stg: weight decay is set for a parameter that the set does not have");
    if constexpr (at >= 0) decay_[at] = checked_decay(decay, Symbol::name::view());
    return static_cast<Self&>(*this);
  }
  /// The decay before the parameter: what to write.
  STG_INSTEAD_FOR((HasName Symbol), sizeof(Symbol) == 0,
                  "stg: weight decay is set by a symbol, then a number: optimizer.weight_decay(W, 5e-4)",
                  bool weight_decay(double, Symbol))
  Self& weight_decay(double decay) {
    decay_.assign(Parameters::count, checked_decay(decay));
    return static_cast<Self&>(*this);
  }

  double learning_rate() const { return options_.learning_rate; }
  /// The rate of the steps from now on; returns the optimiser. A step captured on a device keeps its rate. Error when
  /// it is negative or no number.
  Self& learning_rate(double rate) {
    options_.learning_rate = checked_learning_rate(rate);
    return static_cast<Self&>(*this);
  }
  /// PyTorch's calls that stg does not have.
  template <class Set = Parameters> STG_SAYS_SET(Set::count < 0, STG_KEEPS_NO_GRADIENTS) void zero_grad() {
    STG_CHECK_SET(Set::count < 0, STG_KEEPS_NO_GRADIENTS);
  }
  /// Of a schedule itself: what to write.
  template <class Rate>
    requires(!std::is_convertible_v<const Rate&, double>)
  STG_SAYS_SET(sizeof(Rate) == 0, STG_RATE_IS_A_SCHEDULE)
  Self& learning_rate(const Rate&) {
    STG_CHECK_SET(sizeof(Rate) == 0, STG_RATE_IS_A_SCHEDULE);
    return static_cast<Self&>(*this);
  }
  Options options() const { return options_; }

 protected:
  /// Checked options.
  optimizer_base(Parameters& parameters, const Options& options)
      : parameters_(&parameters), options_(options), place_(place_of(parameters)), decay_(Parameters::count, 0.0) {}

  const Parameters& parameters() const { return *parameters_; }
  /// The parameters' place when the optimiser was made, and the place of its state.
  location place() const { return place_; }

  /// Every parameter with its gradient, matched by name, and its states, of the parameters' shapes when the optimiser
  /// was made. Error before anything is updated when a shape differs, or one lies elsewhere than the states.
  template <class Gradients>
  std::array<parameter_update, Parameters::count> updates(const Gradients& gradients, Parameters& first,
                                                          Parameters* second = nullptr) {
    std::array<parameter_update, Parameters::count> all{};
    boost::hana::for_each(parameters_->items(), [&](auto& item) {
      using Name = typename std::remove_cvref_t<decltype(item)>::name;
      constexpr int at = Gradients::template position<Name>();
      constexpr int mine = Parameters::template position<Name>();
      if constexpr (at >= 0) {
        auto& w = tensor_of(item.value);
        const auto& g = tensor_of(gradients.template get<at>());
        auto& state = tensor_of(first.template get<mine>());  // of the second's shape, too
        using T = typename std::remove_cvref_t<decltype(w)>::value_type;
        constexpr bool one_type = std::is_same_v<std::remove_cvref_t<decltype(g)>, tensor<T>>;
        static_assert(one_type,
                      "stg: a gradient has another scalar type than its parameter; give those of its own step");
        if (!(g.shape() == w.shape())) wrong_gradient(item.text(), g.shape(), w.shape());
        if (!(state.shape() == w.shape())) wrong_state(item.text(), state.shape(), w.shape());
        if (!(w.place() == place_)) wrong_place("parameter", item.text(), w.place(), place_);
        if (!(g.place() == place_)) wrong_place("the gradient of", item.text(), g.place(), place_);
        all[mine] = {w.data(),
                     g.data(),
                     state.data(),
                     second == nullptr ? nullptr : tensor_of(second->template get<mine>()).data(),
                     w.size(),
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
  Options options_;
  location place_;
  std::vector<double> decay_;
};

/// The sentences of a step, in its own body.
#define STG_STEPS_WITHOUT_GRADIENTS "stg: an optimiser's step takes gradients; write optimizer.step(now.gradients)"
#define STG_STEPS_WITH_PARAMETERS \
  "stg: an optimiser's step is given parameters, not their gradients; write optimizer.step(now.gradients)"
#define STG_LACKS_A_GRADIENT "stg: the optimiser trains a parameter without a gradient here; compile the step for all"
#define STG_HAS_FURTHER_GRADIENTS \
  "stg: the optimiser does not train all of these; write optimizer.step(gradients.of(params))"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_STEP(Gradients, Parameters)                                                                      \
  __attribute__((                                                                                                 \
      diagnose_if(!(detail::is_named_set<Gradients>), STG_STEPS_WITHOUT_GRADIENTS, "error"),                      \
      diagnose_if(detail::is_parameters<Gradients>, STG_STEPS_WITH_PARAMETERS, "error"),                          \
      diagnose_if(!(!detail::is_named_set<Gradients> || detail::has_names_of<Gradients, Parameters>),             \
                  STG_LACKS_A_GRADIENT, "error"),                                                                 \
      diagnose_if(!(!detail::has_names_of<Gradients, Parameters> || detail::has_names_of<Parameters, Gradients>), \
                  STG_HAS_FURTHER_GRADIENTS, "error")))
#define STG_CHECK_STEP(Gradients, Parameters)
#else
#define STG_SAYS_STEP(Gradients, Parameters)
#define STG_CHECK_STEP(Gradients, Parameters)                                                                \
  static_assert(detail::is_named_set<Gradients>, STG_STEPS_WITHOUT_GRADIENTS);                               \
  static_assert(!detail::is_parameters<Gradients>, STG_STEPS_WITH_PARAMETERS);                               \
  static_assert(!detail::is_named_set<Gradients> || detail::has_names_of<Gradients, Parameters>,             \
                STG_LACKS_A_GRADIENT);                                                                       \
  static_assert(!detail::has_names_of<Gradients, Parameters> || detail::has_names_of<Parameters, Gradients>, \
                STG_HAS_FURTHER_GRADIENTS)
#endif

/// Of a set that is trained.
#define STG_TRAINS_GRADIENTS "stg: an optimiser trains parameters, and these are gradients; write stg::adam(params)"

}  // namespace stg::detail
