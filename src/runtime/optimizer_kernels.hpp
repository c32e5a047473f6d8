// Optimiser updates, compiled once per instruction set by optimizer_{baseline,avx2,avx512}.cpp.
// Includers define STG_OPTIMIZER_ISA. No inline function of the standard library or of stg is called here: the linker
// would merge copies of it, and AVX-512 code then runs on machines without it. Plain loops over arrays that do not
// overlap: the compiler makes registers of them, given that a square root need not set errno.
#pragma once

#include "optimizer_table.hpp"  // optimizer_table

namespace stg::STG_OPTIMIZER_ISA {

inline float square_root(float x) { return __builtin_sqrtf(x); }
inline double square_root(double x) { return __builtin_sqrt(x); }

template <class T>
void sgd(T* __restrict w, const T* __restrict g, T* __restrict velocity, std::int64_t n, T rate, T momentum, T decay) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T v = momentum * velocity[i] + (g[i] + decay * w[i]);
    velocity[i] = v;
    w[i] -= rate * v;
  }
}

template <class T>
void adam(T* __restrict w, const T* __restrict g, T* __restrict first, T* __restrict second, std::int64_t n,
          const adam_factors<T>& factors) {
  const adam_factors<T> f = factors;
  for (std::int64_t i = 0; i < n; ++i) {
    const T d = g[i] + f.decay * w[i];
    const T m = f.beta1 * first[i] + (1 - f.beta1) * d;
    const T v = f.beta2 * second[i] + (1 - f.beta2) * d * d;
    first[i] = m;
    second[i] = v;
    w[i] -= f.rate * m / (square_root(v) * f.scale + f.epsilon);
  }
}

inline constexpr optimizer_table table = {{sgd<float>, adam<float>}, {sgd<double>, adam<double>}};

}  // namespace stg::STG_OPTIMIZER_ISA
