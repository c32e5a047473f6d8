// Initial values drawn from Philox.
#include <stg/base/error.hpp>          // error
#include <stg/base/philox.hpp>         // philox, uniform_double
#include <stg/runtime/initialize.hpp>  // uniform, normal, glorot_uniform

#include <cmath>    // cos, isfinite, log, nextafter, sqrt
#include <numbers>  // pi
#include <string>   // string, to_string

namespace stg {

namespace {

/// The last two extents of a weight, (..., in, out).
struct fans {
  double in, out;
};

fans fans_of(const char* function, const dimensions& shape) {
  if (shape.rank() < 2)
    throw error(std::string(function) + " of a tensor of shape " + to_string(shape) + "; give (..., in, out)");
  return {static_cast<double>(shape[shape.rank() - 2]), static_cast<double>(shape[shape.rank() - 1])};
}
/// Those of a parameter with so many axes of its own, of which one alone (n) counts as (n, 1).
fans fans_of(const char* function, const dimensions& shape, int axes) {
  if (axes == 1) return {static_cast<double>(shape[shape.rank() - 1]), 1};
  return fans_of(function, shape);
}

void check_range(const char* function, double a, double b, bool right, const char* rule) {
  if (!right || !std::isfinite(a) || !std::isfinite(b))
    throw error(std::string(function) + " with " + std::to_string(a) + " and " + std::to_string(b) + "; give " + rule);
}

philox_words bits(std::int64_t i, std::uint64_t seed) { return philox(static_cast<std::uint64_t>(i), 0, seed); }

}  // namespace

template <class T> void uniform(tensor<T>& t, double low, double high, std::uint64_t seed) {
  check_range("uniform", low, high, low <= high, "finite numbers, the lower first");
  for (std::int64_t i = 0; i < t.size(); ++i) {
    const philox_words w = bits(i, seed);
    const T value = static_cast<T>(low + (high - low) * uniform_double(w.word[0], w.word[1]));
    // Rounding to T can reach `high`, which the interval excludes.
    const T below = value < high || low == high ? value : std::nextafter(value, static_cast<T>(low));
    t.data()[i] = below;
  }
}

template <class T> void normal(tensor<T>& t, double mean, double standard_deviation, std::uint64_t seed) {
  check_range("normal", mean, standard_deviation, standard_deviation >= 0, "finite numbers, the second not negative");
  for (std::int64_t i = 0; i < t.size(); ++i) {
    const philox_words w = bits(i, seed);
    const double radius = std::sqrt(-2 * std::log(1 - uniform_double(w.word[0], w.word[1])));  // 1 - u is in (0, 1]
    const double angle = 2 * std::numbers::pi * uniform_double(w.word[2], w.word[3]);
    t.data()[i] = static_cast<T>(mean + standard_deviation * radius * std::cos(angle));
  }
}

namespace {

template <class T> void glorot_uniform(tensor<T>& t, fans f, std::uint64_t seed) {
  const double bound = t.size() == 0 ? 0 : std::sqrt(6 / (f.in + f.out));
  uniform(t, -bound, bound, seed);
}
template <class T> void glorot_normal(tensor<T>& t, fans f, std::uint64_t seed) {
  normal(t, 0, t.size() == 0 ? 0 : std::sqrt(2 / (f.in + f.out)), seed);
}
template <class T> void kaiming_uniform(tensor<T>& t, fans f, std::uint64_t seed, double slope) {
  const double bound = t.size() == 0 ? 0 : std::sqrt(6 / ((1 + slope * slope) * f.in));
  uniform(t, -bound, bound, seed);
}

template <class T> void begin_as(tensor<T>& t, const ir::start& as, int axes, std::uint64_t seed) {
  using rule = ir::start::rule;
  switch (as.how) {
    case rule::by_shape:
      return axes < 2 ? zeros(t) : glorot_uniform(t, seed);
    case rule::constant:
      return constant(t, as.first);
    case rule::uniform:
      return uniform(t, as.first, as.second, seed);
    case rule::normal:
      return normal(t, as.first, as.second, seed);
    case rule::glorot_uniform:
      return glorot_uniform(t, fans_of("glorot_uniform", t.shape(), axes), seed);
    case rule::glorot_normal:
      return glorot_normal(t, fans_of("glorot_normal", t.shape(), axes), seed);
    case rule::kaiming_uniform:
      return kaiming_uniform(t, fans_of("kaiming_uniform", t.shape(), axes), seed, as.first);
  }
}

}  // namespace

template <class T> void glorot_uniform(tensor<T>& t, std::uint64_t seed) {
  glorot_uniform(t, fans_of("glorot_uniform", t.shape()), seed);
}
template <class T> void glorot_normal(tensor<T>& t, std::uint64_t seed) {
  glorot_normal(t, fans_of("glorot_normal", t.shape()), seed);
}
template <class T> void kaiming_uniform(tensor<T>& t, std::uint64_t seed, double slope) {
  kaiming_uniform(t, fans_of("kaiming_uniform", t.shape()), seed, slope);
}

template <class T> void constant(tensor<T>& t, double value) { t.fill(static_cast<T>(value)); }
template <class T> void zeros(tensor<T>& t) { t.fill(T{0}); }
template <class T> void ones(tensor<T>& t) { t.fill(T{1}); }

void detail::not_initialized(std::string_view name) {
  throw error("parameter '" + std::string(name) +
              "' was never initialised; write initialize(params, seed), or initialize(params, stg::init::zeros)");
}

template <class T>
void detail::begin(tensor<T>& t, const ir::beginning& as, std::string_view name, std::uint64_t seed) {
  try {
    begin_as(t, as.rule, as.axes < 0 ? t.rank() : as.axes, seed);
  } catch (const error& e) {
    throw error("parameter '" + std::string(name) + "': " + e.what());
  }
}

template void uniform(tensor<float>&, double, double, std::uint64_t);
template void uniform(tensor<double>&, double, double, std::uint64_t);
template void normal(tensor<float>&, double, double, std::uint64_t);
template void normal(tensor<double>&, double, double, std::uint64_t);
template void glorot_uniform(tensor<float>&, std::uint64_t);
template void glorot_uniform(tensor<double>&, std::uint64_t);
template void glorot_normal(tensor<float>&, std::uint64_t);
template void glorot_normal(tensor<double>&, std::uint64_t);
template void kaiming_uniform(tensor<float>&, std::uint64_t, double);
template void kaiming_uniform(tensor<double>&, std::uint64_t, double);
template void constant(tensor<float>&, double);
template void constant(tensor<double>&, double);
template void zeros(tensor<float>&);
template void zeros(tensor<double>&);
template void ones(tensor<float>&);
template void ones(tensor<double>&);
template void detail::begin(tensor<float>&, const ir::beginning&, std::string_view, std::uint64_t);
template void detail::begin(tensor<double>&, const ir::beginning&, std::string_view, std::uint64_t);

}  // namespace stg
