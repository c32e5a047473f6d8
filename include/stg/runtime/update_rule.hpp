// What an optimiser does with one number of a parameter: the same in the loops of every instruction set and in kernels
// of a device.
#pragma once

#include <stg/base/config.hpp>  // STG_LANEWISE, STG_HOST_DEVICE

namespace stg::detail {

/// A running average's β and 1 − β, each rounded by itself: 1 − 0.999f is off by 1.3e-5, which every early step would
/// be off by, too.
template <class T> struct average {
  T kept, added;
  STG_HOST_DEVICE explicit constexpr average(double beta)
      : kept(static_cast<T>(beta)), added(static_cast<T>(1 - beta)) {}

  /// β · now + (1 − β) · next, written as the way from one of them that is short: of 0.999f and 0.001f, whose sum is
  /// not 1, the first is never read, and a constant is its own average.
  STG_LANEWISE T operator()(T now, T next) const {
    return added < T(0.5) ? now + added * (next - now) : next + kept * (now - next);
  }
  /// β · now, written in the same way: 1 − 0.99f is off by 1e-6, and so the way that a steady gradient goes would be.
  STG_LANEWISE T decayed(T now) const { return added < T(0.5) ? now - added * now : kept * now; }
};
/// Factors of one update that are the same for all elements of a parameter.
template <class T> struct sgd_factors {
  T rate;
  average<T> momentum;
  T decay;
};
/// `rate` and `scale` hold the bias corrections of this step.
template <class T> struct adam_factors {
  average<T> first, second;
  T rate, scale, epsilon;
  T decay;   // of the gradient, as an L2 penalty's
  T shrink;  // of the parameter, the learning rate in it
};

/// v = momentum · v + (g + decay · w), w = w - rate · v.
template <class T> STG_LANEWISE inline void update(T& w, T g, T& velocity, const sgd_factors<T>& f) {
  const T v = f.momentum.decayed(velocity) + (g + f.decay * w);
  velocity = v;
  w -= f.rate * v;
}

/// Kingma and Ba, ICLR 2015, algorithm 1, with a decay of one kind, or Loshchilov and Hutter, ICLR 2019, algorithm 2,
/// with the other: w · shrink is taken off, since 1 − shrink has too few digits of it. Root: a square root, since each
/// kind of code has one of its own.
template <class T, class Root>
STG_LANEWISE inline void update(T& w, T g, T& first, T& second, const adam_factors<T>& f, Root root) {
  const T d = g + f.decay * w;
  const T m = f.first(first, d), v = f.second(second, d * d);
  first = m;
  second = v;
  w -= f.rate * m / (root(v) * f.scale + f.epsilon) + f.shrink * w;
}

/// A gradient's value within ± limit; one that is no number stays it.
template <class T> STG_LANEWISE inline T limited(T value, T limit) {
  return value > limit ? limit : value < -limit ? -limit : value;
}

/// How far Adam has come. It lies beside the parameters, so that a step that a device repeats by itself counts.
struct adam_progress {
  double beta1_power = 1, beta2_power = 1;  // β to the power of the steps taken
  double rate = 0, scale = 0;               // of the step at hand
  double steps = 0;

  template <class Root> STG_LANEWISE inline void advance(double learning_rate, double beta1, double beta2, Root root) {
    beta1_power *= beta1;
    beta2_power *= beta2;
    rate = learning_rate / (1 - beta1_power);
    scale = 1 / root(1 - beta2_power);
    steps += 1;
  }
};

}  // namespace stg::detail
