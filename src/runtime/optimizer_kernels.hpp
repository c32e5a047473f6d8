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

inline constexpr optimizer_table table = {{sgd<float>, adam<float>}, {sgd<double>, adam<double>}};

}  // namespace stg::STG_ISA::optimizer
