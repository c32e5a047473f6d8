// Gradients of several steps as those of one: their running sum or mean, in memory of its own.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // move

#include <stg/runtime/gradients.hpp>     // add
#include <stg/runtime/named_values.hpp>  // named_values

namespace stg {

#define STG_ADDS_PARAMETERS "stg: gradients are added up, and these are parameters; write mean.add(now.gradients)"

/// The sum, or the mean, of gradients that are added one step after the other: memory for one set, however many steps.
/// A mean is m + (g - m) / k after k steps, so that no sum grows beyond what its type holds.
///
///   auto mean = stg::mean_of_gradients(params);
///   for (const auto& part : parts) mean.add(step(part, …).gradients);
///   optimizer.step(mean.gradients());
///   mean.clear();
template <class Set, bool IsMean> class accumulated_gradients {
  using sum = typename detail::set_in_role<Set, as_gradients>::type;

 public:
  /// Zeros like a set of parameters, where they lie.
  explicit accumulated_gradients(const Set& like) : sum_(like.zeros()) {}

  /// Adds the gradients of a step: a set with the names of the parameters, and perhaps more. Errors: those of `add`.
  template <class... Named>
  STG_SAYS_SET(!detail::is_parameters<named_values<Named...>>, STG_ADDS_PARAMETERS)
  void add(const named_values<Named...>& gradients) {
    STG_CHECK_SET(!detail::is_parameters<named_values<Named...>>, STG_ADDS_PARAMETERS);
    const std::int64_t k = steps_ + 1;
    const double factor = IsMean ? 1 / static_cast<double>(k) : 1;
    const auto of_step = gradients.of(sum_);
    if (IsMean && steps_ > 0) sum_ *= 1 - factor;
    stg::add(sum_, of_step, factor);
    steps_ = k;
  }
  /// What was added up so far; zeros where nothing was. A view of it stays until the next `add` or `clear`.
  sum& gradients() & { return sum_; }
  const sum& gradients() const& { return sum_; }
  sum gradients() && { return std::move(sum_); }
  std::int64_t steps() const { return steps_; }
  /// Begins anew.
  void clear() {
    sum_ = sum_.zeros();
    steps_ = 0;
  }

 private:
  sum sum_;
  std::int64_t steps_ = 0;
};

template <class Set> accumulated_gradients<Set, false> sum_of_gradients(const Set& parameters) {
  return accumulated_gradients<Set, false>(parameters);
}
template <class Set> accumulated_gradients<Set, true> mean_of_gradients(const Set& parameters) {
  return accumulated_gradients<Set, true>(parameters);
}

}  // namespace stg
