// What an optimiser at its defaults has to leave after a hundred steps: float64 arithmetic and state, from the
// gradients that it was given.
#pragma once

#include "support/trained_set.hpp"  // trained_set, for_each

#include <gtest/gtest.h>  // ASSERT_NEAR

#include <cmath>        // abs, exp2, pow, sin, sqrt
#include <string_view>  // string_view
#include <type_traits>  // remove_cvref_t
#include <vector>       // vector

namespace stg::test {

inline constexpr int reference_steps = 100;
/// Weight decay of `small` in these runs.
inline constexpr double reference_decay = 0.05;

/// Gradients that seldom change their sign, of sizes that differ a thousandfold: what is compared is the way that
/// parameters went, which begin at zero, so that no step is lost beside a large number.
inline double reference_gradient(std::int64_t i, int step) {
  const double k = static_cast<double>(i);
  return (i % 2 == 0 ? 1 : -1) * std::exp2(static_cast<double>(i % 11) - 7) *
         (1 + 0.5 * std::sin(1.3 * k + 0.7 * step));
}

template <class Set>
Set reference_gradients(const dimensions& small, const dimensions& large, const dimensions& exact, int step) {
  Set s = filled_set<Set>(0, small, large, exact);
  for_each(s, [&](std::string_view, auto& t) {
    using T = typename std::remove_cvref_t<decltype(t)>::value_type;
    for (std::int64_t i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>(reference_gradient(i, step));
  });
  return s;
}

/// One parameter's element and what an optimiser keeps for it.
struct updated_element {
  double w = 0, first = 0, second = 0;
};

/// The formulas of optimizer.hpp at the defaults of its options, written again.
struct sgd_reference {
  double rate = 0.01, momentum = 0;
  void operator()(updated_element& e, double g, double decay, int) const {
    e.first = momentum * e.first + (g + decay * e.w);
    e.w -= rate * e.first;
  }
};
struct adam_reference {
  void operator()(updated_element& e, double g, double decay, int step) const {
    const double d = g + decay * e.w;
    e.first = 0.9 * e.first + 0.1 * d;
    e.second = 0.999 * e.second + 0.001 * d * d;
    const double m = e.first / (1 - std::pow(0.9, step)), v = e.second / (1 - std::pow(0.999, step));
    e.w -= 0.001 * m / (std::sqrt(v) + 1e-8);
  }
};

struct adamw_reference {
  void operator()(updated_element& e, double g, double decay, int step) const {
    const double before = e.w;
    adam_reference()(e, g, 0, step);
    e.w -= 0.001 * decay * before;
  }
};

/// A set that was trained from zero by reference_steps of reference_gradients, against the reference: 1e-6 of the way
/// that each parameter went in float, 1e-13 in double. `decay(name)` is that parameter's weight decay.
template <class Reference, class Decay>
void expect_reference(const trained_set& trained, Reference reference, Decay decay) {
  for_each(trained, [&](std::string_view name, const auto& t) {
    using T = typename std::remove_cvref_t<decltype(t)>::value_type;
    const double tolerance = sizeof(T) == sizeof(float) ? 1e-6 : 1e-13;
    for (std::int64_t i = 0; i < t.size(); ++i) {
      updated_element e;
      for (int step = 1; step <= reference_steps; ++step)
        reference(e, static_cast<T>(reference_gradient(i, step)), decay(name), step);
      ASSERT_NEAR(t.data()[i], e.w, tolerance * std::abs(e.w)) << name << ' ' << i;
    }
  });
}

}  // namespace stg::test
