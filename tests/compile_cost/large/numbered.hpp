// Parameters of a layer each: W0, W1, … as one template.
#pragma once

#include <stg/stg.hpp>  // parameter

/// The name of parameter `letter` of layer K.
template <int K> constexpr stg::fixed_string<4> numbered(char letter) {
  const char name[4] = {letter, static_cast<char>('0' + K / 10), static_cast<char>('0' + K % 10), 0};
  return stg::fixed_string<4>(name);
}

/// Whether a program, and its training step with the gradients of all parameters, end in plans: every pass has been
/// evaluated by the compiler, within its limits.
template <const auto& F> constexpr bool is_planned() {
  using training = stg::differentiated<stg::ref<F>, stg::provided<0>, stg::required<>>;
  return stg::executable<stg::inferred<stg::ref<F>>>::plan.unit_count > 0 &&
         stg::executable<typename training::forward>::plan.unit_count > 0 &&
         stg::executable<typename training::gradient>::plan.unit_count > 0;
}
