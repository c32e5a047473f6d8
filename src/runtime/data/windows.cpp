// Windows of lags, numbers that are standardised, and parts of time.
#include "../tensor/shortest_text.hpp"  // shortest_text
#include "decimals.hpp"                 // as_decimals

#include <stg/base/error.hpp>             // error
#include <stg/data/windows.hpp>           // windows
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <cmath>   // sqrt
#include <string>  // to_string
#include <vector>  // vector

namespace stg {

namespace {

/// The extents of a signal; of one number per vertex, one feature.
struct signal_shape {
  std::int64_t steps, vertices, features;
};

signal_shape shape_of_signal(const dimensions& shape, location place) {
  detail::require_host(shape, place);
  if (shape.rank() != 2 && shape.rank() != 3)
    throw error("signal of shape " + to_string(shape) + "; give (steps, vertices) or (steps, vertices, features)");
  return {shape[0], shape[1], shape.rank() == 3 ? shape[2] : 1};
}

/// Copies the windows of a signal to `features`, (windows, vertices[, features], lags), and what they are asked for to
/// `targets`, (windows, vertices, horizon).
template <class T>
void cut_windows(const const_tensor<T>& signal, const window_shape& shape, std::int64_t count, T* features,
                 T* targets) {
  const signal_shape s = shape_of_signal(signal.shape(), signal.place());
  const std::int64_t row = s.vertices * s.features;
  const T* const from = signal.data();
  for (std::int64_t w = 0; w < count; ++w) {
    for (std::int64_t i = 0; i < row; ++i)
      for (std::int64_t k = 0; k < shape.lags; ++k) *features++ = from[(w + k) * row + i];
    for (std::int64_t v = 0; v < s.vertices; ++v)
      for (std::int64_t k = 0; k < shape.horizon; ++k)
        *targets++ = from[(w + shape.lags + k) * row + v * s.features + shape.target_feature];
  }
}

template <class T> std::int64_t windows_in(const const_tensor<T>& signal, const window_shape& shape) {
  const signal_shape s = shape_of_signal(signal.shape(), signal.place());
  const auto at_least_one = [](const char* name, std::int64_t value) {
    if (value < 1) throw error("windows have " + std::string(name) + " " + std::to_string(value) + "; give 1 or more");
  };
  at_least_one("lags", shape.lags);
  at_least_one("horizon", shape.horizon);
  if (shape.target_feature < 0 || shape.target_feature >= s.features)
    throw error("windows have target_feature " + std::to_string(shape.target_feature) + "; the signal has " +
                std::to_string(s.features) + (s.features == 1 ? " feature" : " features"));
  if (shape.lags > s.steps || shape.horizon > s.steps - shape.lags)
    throw error("signal of " + std::to_string(s.steps) + " steps has no window of " + std::to_string(shape.lags) +
                " lags and " + std::to_string(shape.horizon) + " ahead; give a longer signal or fewer lags");
  return s.steps - shape.lags - shape.horizon + 1;
}

template <class T> dimensions shape_of_features(const const_tensor<T>& signal, std::int64_t count, std::int64_t lags) {
  return signal.rank() == 2 ? dimensions{count, signal.shape()[1], lags}
                            : dimensions{count, signal.shape()[1], signal.shape()[2], lags};
}

/// Calls body(element, column) for every element of a signal, or of predictions in its unit: columns are those of `by`,
/// whose axes stand for the signal's second and third, or for all of one where they are 1.
template <class T, class Body> void each_column(tensor<T>& signal, const standardization<T>& by, const Body& body) {
  const dimensions &shape = signal.shape(), &of = by.mean.shape();
  detail::require_host(shape, signal.place());
  detail::require_host(of, by.mean.place());
  detail::require_host(by.deviation.shape(), by.deviation.place());
  if (!(of == by.deviation.shape()))
    throw error("standardization has means of shape " + to_string(of) + " and deviations of shape " +
                to_string(by.deviation.shape()) + "; give those that standardization_of made");
  const auto fits = [&](int axis) { return of[axis] == 1 || of[axis] == shape[axis + 1]; };
  if ((of.rank() != 1 && of.rank() != 2) || shape.rank() <= of.rank() || !fits(0) || (of.rank() == 2 && !fits(1)))
    throw error("signal of shape " + to_string(shape) + " and a standardization of shape " + to_string(of) +
                "; give one of the same vertices and features");
  const std::int64_t features = of.rank() == 2 ? shape[2] : 1;
  std::int64_t behind = 1;  // elements that share a column, one behind the other
  for (int axis = of.rank() + 1; axis < shape.rank(); ++axis) behind *= shape[axis];
  const std::int64_t by_feature = of.rank() == 2 && of[1] != 1 ? 1 : 0;
  const std::int64_t by_vertex = of[0] == 1 ? 0 : of.size() / of[0];
  T* at = signal.data();
  for (std::int64_t s = 0; s < shape[0]; ++s)
    for (std::int64_t v = 0; v < shape[1]; ++v)
      for (std::int64_t f = 0; f < features; ++f)
        for (std::int64_t k = 0; k < behind; ++k) body(*at++, v * by_vertex + f * by_feature);
}

}  // namespace

template <class T> signal_windows<T> windows(const const_tensor<T>& signal, const window_shape& shape) try {
  const std::int64_t count = windows_in(signal, shape);
  signal_windows<T> all{tensor<T>::for_overwrite(shape_of_features(signal, count, shape.lags)),
                        tensor<T>::for_overwrite({count, signal.shape()[1], shape.horizon})};
  cut_windows(signal, shape, count, all.features.data(), all.targets.data());
  return all;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> signal_windows<T> lagged(const const_tensor<T>& signal, std::int64_t lags) try {
  const window_shape shape{.lags = lags};
  const std::int64_t count = windows_in(signal, shape);
  signal_windows<T> all{tensor<T>::for_overwrite(shape_of_features(signal, count, lags)),
                        tensor<T>::for_overwrite({count, signal.shape()[1]})};
  cut_windows(signal, shape, count, all.features.data(), all.targets.data());
  return all;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> standardization<T> standardization_of(const const_tensor<T>& signal, standardized_over over) try {
  const signal_shape s = shape_of_signal(signal.shape(), signal.place());
  const bool per_vertex = over == standardized_over::steps;
  if (s.steps == 0 || (!per_vertex && s.vertices == 0))
    throw error("signal of shape " + to_string(signal.shape()) + " has nothing to take a mean of; give some steps");
  const std::int64_t columns = per_vertex ? s.vertices * s.features : s.features;
  std::vector<double> mean(static_cast<std::size_t>(columns)), squares(mean.size());
  const auto column = [&](std::int64_t i) { return static_cast<std::size_t>(i % columns); };
  const auto per_column = static_cast<double>(columns == 0 ? 1 : signal.size() / columns);
  // Deviations are summed from the mean: squares of numbers far from 0 would cancel.
  for (std::int64_t i = 0; i < signal.size(); ++i) mean[column(i)] += static_cast<double>(signal.data()[i]);
  for (double& m : mean) m /= per_column;
  for (std::int64_t i = 0; i < signal.size(); ++i) {
    const double off = static_cast<double>(signal.data()[i]) - mean[column(i)];
    squares[column(i)] += off * off;
  }
  const std::int64_t rows = per_vertex ? s.vertices : 1;
  const dimensions shape = signal.rank() == 3 ? dimensions{rows, s.features} : dimensions{rows};
  standardization<T> by{tensor<T>::for_overwrite(shape), tensor<T>::for_overwrite(shape)};
  for (std::int64_t c = 0; c < columns; ++c) {
    const double deviation = std::sqrt(squares[static_cast<std::size_t>(c)] / per_column);
    by.mean.data()[c] = static_cast<T>(mean[static_cast<std::size_t>(c)]);
    by.deviation.data()[c] = deviation == 0 ? T{1} : static_cast<T>(deviation);
  }
  return by;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> void standardize(tensor<T>& signal, const standardization<T>& by) {
  each_column(signal, by, [&](T& x, std::int64_t c) { x = (x - by.mean.data()[c]) / by.deviation.data()[c]; });
}

template <class T> void destandardize(tensor<T>& signal, const standardization<T>& by) {
  each_column(signal, by, [&](T& x, std::int64_t c) { x = x * by.deviation.data()[c] + by.mean.data()[c]; });
}

time_split split_by_time(std::int64_t steps, double train, double val) {
  if (steps < 0) throw error("split of " + std::to_string(steps) + " steps; give 0 or more");
  if (!(train >= 0 && val >= 0 && train + val <= 1))
    throw error("split by time with shares " + detail::shortest_text(train) + " and " + detail::shortest_text(val) +
                "; give numbers from 0 on, 1 together at most");
  const auto share = [&](double of) {
    if (const auto decimal = detail::as_decimals<1>({of}))  // 0.29 * 100 is below 29
      return static_cast<std::int64_t>(detail::wide_integer{steps} * decimal->units[0] / decimal->per_one);
    return static_cast<std::int64_t>(of * static_cast<double>(steps));
  };
  const std::int64_t trained = share(train), chosen = trained + share(val);
  return {{0, trained}, {trained, chosen}, {chosen, steps}};
}

template signal_windows<float> windows(const const_tensor<float>&, const window_shape&);
template signal_windows<double> windows(const const_tensor<double>&, const window_shape&);
template signal_windows<float> lagged(const const_tensor<float>&, std::int64_t);
template signal_windows<double> lagged(const const_tensor<double>&, std::int64_t);
template standardization<float> standardization_of(const const_tensor<float>&, standardized_over);
template standardization<double> standardization_of(const const_tensor<double>&, standardized_over);
template void standardize(tensor<float>&, const standardization<float>&);
template void standardize(tensor<double>&, const standardization<double>&);
template void destandardize(tensor<float>&, const standardization<float>&);
template void destandardize(tensor<double>&, const standardization<double>&);

}  // namespace stg
