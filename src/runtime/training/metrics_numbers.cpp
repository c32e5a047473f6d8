// Figures of numbers beside what they should be.
#include "metric_shapes.hpp"  // check_agrees

#include <stg/runtime/metrics.hpp>  // mean_absolute_error

#include <algorithm>  // max, min
#include <cmath>      // abs, isnan, sqrt
#include <limits>     // numeric_limits

namespace stg {

namespace {

/// The mean over columns of what body says of each: body(each), where each(f) calls f(y, target) for the counted rows.
template <class T, class Body>
double mean_of_columns(const char* what, const const_tensor<T>& y, const const_tensor<T>& target, counted_rows over,
                       const Body& body) {
  if (y.rank() == 0) throw error(std::string(what) + ": y of shape (); give (rows, ...)");
  detail::require_host(y.shape(), y.place());
  detail::check_agrees(what, "target", target, y.shape(), "y", y);
  if (y.size() == 0)
    throw error(std::string(what) + ": y of shape " + to_string(y.shape()) + " has no number; give one at least");
  const std::int64_t rows = y.extent(0), columns = y.size() / rows;
  over.check(what, rows);
  std::int64_t counted = 0;
  for (std::int64_t r = 0; r < rows; ++r) counted += over.count(r);
  if (counted == 0) throw error(std::string(what) + ": nothing is counted; give a mask that names a row");
  double sum = 0;
  for (std::int64_t c = 0; c < columns; ++c)
    sum += body(static_cast<double>(counted), [&](const auto& f) {
      for (std::int64_t r = 0; r < rows; ++r)
        if (over.count(r))
          f(static_cast<double>(y.data()[r * columns + c]), static_cast<double>(target.data()[r * columns + c]));
    });
  return sum / static_cast<double>(columns);
}

/// The mean over columns of the mean of error(y, target).
template <class T, class Error>
double mean_error(const char* what, const const_tensor<T>& y, const const_tensor<T>& target, counted_rows over,
                  const Error& error_of) {
  return mean_of_columns(what, y, target, over, [&](double rows, const auto& each) {
    double sum = 0;
    each([&](double a, double b) { sum += error_of(a, b); });
    return sum / rows;
  });
}

double squared(double a, double b) { return (a - b) * (a - b); }

}  // namespace

template <class T>
double mean_absolute_error(const const_tensor<T>& y, const const_tensor<T>& target, counted_rows over) {
  return mean_error("mean_absolute_error", y, target, over, [](double a, double b) { return std::abs(a - b); });
}

template <class T>
double mean_squared_error(const const_tensor<T>& y, const const_tensor<T>& target, counted_rows over) {
  return mean_error("mean_squared_error", y, target, over, squared);
}

template <class T>
double root_mean_squared_error(const const_tensor<T>& y, const const_tensor<T>& target, counted_rows over) {
  return mean_of_columns("root_mean_squared_error", y, target, over, [](double rows, const auto& each) {
    double sum = 0;
    each([&](double a, double b) { sum += squared(a, b); });
    return std::sqrt(sum / rows);
  });
}

template <class T>
double mean_absolute_percentage_error(const const_tensor<T>& y, const const_tensor<T>& target, counted_rows over) {
  return mean_error("mean_absolute_percentage_error", y, target, over, [](double a, double b) {
    return std::abs(a - b) / std::max(std::abs(b), std::numeric_limits<double>::epsilon());
  });
}

template <class T> double r2_score(const const_tensor<T>& y, const const_tensor<T>& target, counted_rows over) {
  return mean_of_columns("r2_score", y, target, over, [](double rows, const auto& each) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double mean = 0, unexplained = 0, spread = 0, least = infinity, largest = -infinity;
    each([&](double, double b) {
      mean += b / rows;
      least = std::min(least, b);
      largest = std::max(largest, b);
    });
    each([&](double a, double b) {
      unexplained += squared(a, b);
      spread += squared(b, mean);
    });
    if (rows == 1 || std::isnan(unexplained)) return std::numeric_limits<double>::quiet_NaN();
    if (least == largest) return unexplained == 0 ? 1.0 : 0.0;
    return 1 - unexplained / spread;
  });
}

#define STG_METRICS(T)                                                                                          \
  template double mean_absolute_error(const const_tensor<T>&, const const_tensor<T>&, counted_rows);            \
  template double mean_squared_error(const const_tensor<T>&, const const_tensor<T>&, counted_rows);             \
  template double root_mean_squared_error(const const_tensor<T>&, const const_tensor<T>&, counted_rows);        \
  template double mean_absolute_percentage_error(const const_tensor<T>&, const const_tensor<T>&, counted_rows); \
  template double r2_score(const const_tensor<T>&, const const_tensor<T>&, counted_rows);
STG_METRICS(float)
STG_METRICS(double)

#undef STG_METRICS

}  // namespace stg
