// Optimiser updates, compiled once per instruction set by kernels_{baseline,avx2,avx512}.cpp.
// No function of the standard library or of stg is called here that is not always inlined:
// the linker would merge copies of it, and AVX-512 code then runs on machines without it. Plain loops over
// arrays that do not overlap: the compiler makes registers of them, given that a square root need not set errno.
#pragma once

#include "optimizer_table.hpp"  // optimizer_table

namespace stg::STG_ISA::optimizer {

inline float square_root(float x) { return __builtin_sqrtf(x); }
inline double square_root(double x) { return __builtin_sqrt(x); }

template <class T>
void sgd(T* __restrict w, const T* __restrict g, T* __restrict velocity, std::int64_t n,
         const detail::sgd_factors<T>& factors) {
  const detail::sgd_factors<T> f = factors;
  for (std::int64_t i = 0; i < n; ++i) detail::update(w[i], g[i], velocity[i], f);
}

template <class T>
void adam(T* __restrict w, const T* __restrict g, T* __restrict first, T* __restrict second, std::int64_t n,
          const detail::adam_factors<T>& factors) {
  const detail::adam_factors<T> f = factors;
  const auto root = [](T x) __attribute__((always_inline)) { return square_root(x); };
  for (std::int64_t i = 0; i < n; ++i) detail::update(w[i], g[i], first[i], second[i], f, root);
}

template <class T> void add(T* to, const T* from, std::int64_t n, T factor) {
  for (std::int64_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

template <class T> void scale(T* x, std::int64_t n, T factor) {
  for (std::int64_t i = 0; i < n; ++i) x[i] *= factor;
}

template <class T> void limit(T* x, std::int64_t n, T most) {
  for (std::int64_t i = 0; i < n; ++i) x[i] = detail::limited(x[i], most);
}

/// Sixteen sums side by side, since a compiler must not change the order of one.
template <class T> double squares(const T* x, std::int64_t n) {
  constexpr std::int64_t width = 16;
  double sums[width] = {};
  std::int64_t i = 0;
  for (; i + width <= n; i += width)
    for (std::int64_t k = 0; k < width; ++k) sums[k] += static_cast<double>(x[i + k]) * static_cast<double>(x[i + k]);
  for (std::int64_t k = 0; i + k < n; ++k) sums[k] += static_cast<double>(x[i + k]) * static_cast<double>(x[i + k]);
  double sum = 0;
  for (std::int64_t k = 0; k < width; ++k) sum += sums[k];
  return sum;
}

template <class T>
inline constexpr optimizer_functions<T> functions = {sgd<T>, adam<T>, add<T>, scale<T>, limit<T>, squares<T>};
inline constexpr optimizer_table table = {functions<float>, functions<double>};

}  // namespace stg::STG_ISA::optimizer
