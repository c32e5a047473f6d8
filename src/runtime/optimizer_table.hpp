// The entry points of one instruction set's optimiser updates.
#pragma once

#include <cstdint>  // int64_t

namespace stg {

/// Factors of one Adam update that are the same for all elements of a parameter; `rate` and `scale` hold the bias
/// corrections of this step.
template <class T> struct adam_factors { T beta1, beta2, rate, scale, epsilon, decay; };

/// Updates of n neighbouring elements in the calling thread. The arrays do not overlap.
template <class T> struct optimizer_functions {
  void (*sgd)(T* w, const T* g, T* velocity, std::int64_t n, T rate, T momentum, T decay);
  void (*adam)(T* w, const T* g, T* first, T* second, std::int64_t n, const adam_factors<T>& factors);
};

struct optimizer_table {
  optimizer_functions<float> f32;
  optimizer_functions<double> f64;
};

extern const optimizer_table optimizer_table_baseline;
extern const optimizer_table optimizer_table_avx2;  // these two exist on x86-64 alone
extern const optimizer_table optimizer_table_avx512;

}  // namespace stg
