// The entry points of one instruction set's loops over parameters and gradients.
#pragma once

#include <cstdint>  // int64_t

#include <stg/runtime/update_rule.hpp>  // sgd_factors, adam_factors

namespace stg {

/// Updates of n neighbouring elements in the calling thread. Arrays do not overlap, but for those of add.
template <class T> struct optimizer_functions {
  void (*sgd)(T* w, const T* g, T* velocity, std::int64_t n, const detail::sgd_factors<T>& factors);
  void (*adam)(T* w, const T* g, T* first, T* second, std::int64_t n, const detail::adam_factors<T>& factors);
  void (*add)(T* to, const T* from, std::int64_t n, T factor);  // to + factor · from
  void (*scale)(T* x, std::int64_t n, T factor);
  void (*limit)(T* x, std::int64_t n, T most);
  double (*squares)(const T* x, std::int64_t n);  // their sum
};

struct optimizer_table {
  optimizer_functions<float> f32;
  optimizer_functions<double> f64;
};

extern const optimizer_table optimizer_table_baseline;
extern const optimizer_table optimizer_table_avx2;  // these two exist on x86-64 alone
extern const optimizer_table optimizer_table_avx512;

}  // namespace stg
