// From signals to training data: standardising, windows of lags, splits by time.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // int64_t

namespace stg {

/// How many steps a window looks back and ahead.
struct window_shape {
  std::int64_t lags = 4;            ///< steps that are known: 1 or more
  std::int64_t horizon = 1;         ///< steps that follow, which are asked for: 1 or more
  std::int64_t target_feature = 0;  ///< which feature is asked for where the signal has several
};

/// Inputs and targets, window by window: rows(first, last) are some of them.
template <class T> struct signal_windows {
  tensor<T> features{};  // (windows, vertices, lags), or (windows, vertices, features, lags)
  tensor<T> targets{};   // (windows, vertices, horizon)
};

/// Every window of a signal, (steps, vertices) or (steps, vertices, features): steps - lags - horizon + 1 of them.
/// Window t knows steps [t, t + lags), the oldest first, and is asked for steps [t + lags, t + lags + horizon). T is
/// float or double. Errors: another rank, a signal that is shorter than one window, lags or horizon below 1, a feature
/// that is not there, a device.
///
///   auto w = stg::windows(signal, {.lags = 12, .horizon = 12});       // METR-LA: an hour known, an hour ahead
template <class T> signal_windows<T> windows(const const_tensor<T>& signal, const window_shape& shape);
/// The same one step ahead, without an axis for it: features as above, targets (steps - lags, vertices). This is what
/// PyG-T's get_dataset(lags) gives.
///
///   auto w = stg::lagged(signal, 4);                                   // (517, 20, 4) and (517, 20) of (521, 20)
template <class T> signal_windows<T> lagged(const const_tensor<T>& signal, std::int64_t lags);

/// The axes that are standardised together.
enum class standardized_over {
  steps,              ///< those of one vertex and feature: PyG-T's England Covid and Montevideo
  steps_and_vertices  ///< those of one feature: PyG-T's METR-LA and PEMS-BAY
};

/// Means and deviations: (vertices) or (vertices, features); over steps and vertices (1) or (1, features).
template <class T> struct standardization { tensor<T> mean{}, deviation{}; };

/// The mean and the deviation (of the population: divided by the number, as NumPy's std) of a signal, (steps, vertices)
/// or (steps, vertices, features), summed in double. A deviation of 0, where numbers are all the same, becomes 1, so
/// that they become 0: there PyG-T has NaN, and England Covid, which adds 1e-10 to every deviation, 0 as well. Give
/// the steps to train on, signal.rows(0, n), where those to test on must not be known; PyG-T takes all. Errors: another
/// rank, no steps, or over steps and vertices no vertices, a device.
///
///   auto s = stg::standardization_of(signal);
///   stg::standardize(signal, s);
template <class T>
standardization<T> standardization_of(const const_tensor<T>& signal, standardized_over over = standardized_over::steps);
/// signal = (signal - mean) / deviation, of a signal or of windows: (windows, vertices, lags) where means are
/// (vertices). Error when they are of other vertices or features, or on a device.
template <class T> void standardize(tensor<T>& signal, const standardization<T>& by);
/// The inverse, signal * deviation + mean; of predictions as well: (windows, vertices) or (windows, vertices, horizon).
///
///   stg::destandardize(predicted, s);                                  // in miles per hour again
template <class T> void destandardize(tensor<T>& signal, const standardization<T>& by);

/// Steps, or windows, [first, last).
struct step_range {
  std::int64_t first = 0, last = 0;
  std::int64_t size() const { return last - first; }
  bool operator==(const step_range&) const = default;
};
/// The first to train on, then steps to choose by, the last to report.
struct time_split {
  step_range train, val, test;
};
/// Divides steps or windows in the order of time: ⌊train · steps⌋, ⌊val · steps⌋ and the rest. Shares are decimals as
/// they are written: 0.29 of 100 are 29. This is PyG-T's temporal_signal_split(data, train_ratio = 0.8), which knows no
/// val, and has 28 there, since the product of the doubles is below 29. Windows that are split so share steps: the
/// first to test on knows steps that the last to train on is asked for. Errors: shares that are negative, or more than
/// 1 together, or a negative number of steps.
///
///   auto parts = stg::split_by_time(517, 0.8);                          // 413 to train on, 104 to test on
///   auto known = w.features.rows(parts.train.first, parts.train.last);
time_split split_by_time(std::int64_t steps, double train = 0.8, double val = 0);

}  // namespace stg
