// Initial values of parameters, drawn from Philox: one seed gives the same values everywhere.
#pragma once

#include <stg/base/config.hpp>     // STG_SAYS_AT_CALLS
#include <stg/base/instead.hpp>    // STG_INSTEAD_FOR
#include <stg/ir/start.hpp>        // beginning
#include <stg/runtime/tensor.hpp>  // tensor

#include <concepts>     // floating_point
#include <cstdint>      // uint64_t
#include <string_view>  // string_view

namespace stg {

// T is float or double. Element i depends on the seed and on i alone; parameters of one model need different seeds.

/// Every element uniform in [low, high). Error unless low <= high and both are finite.
template <class T> void uniform(tensor<T>& t, double low, double high, std::uint64_t seed);

/// Every element normal (Box and Muller 1958). Error unless mean and standard deviation are finite and the latter >= 0.
template <class T> void normal(tensor<T>& t, double mean, double standard_deviation, std::uint64_t seed);

/// Glorot and Bengio 2010 as PyG's `glorot`: uniform in ±sqrt(6 / (a + b)), where (a, b) are the last two extents.
/// Error when the rank is below 2.
///
///   stg::tensor<float> W({1433, 16});
///   stg::glorot_uniform(W, 42);
template <class T> void glorot_uniform(tensor<T>& t, std::uint64_t seed);

/// The same variance, 2 / (a + b), from a normal distribution. Error when the rank is below 2.
template <class T> void glorot_normal(tensor<T>& t, std::uint64_t seed);

/// He et al. 2015: uniform in ±sqrt(6 / ((1 + slope²) a)), where a is the last extent but one, the inputs of a weight
/// (..., in, out). slope is leaky_relu's; sqrt(5) is the default of torch's linear layer. Error when the rank is below
/// 2.
template <class T> void kaiming_uniform(tensor<T>& t, std::uint64_t seed, double slope = 0);

// With a real number where the seed belongs: what to write.
#define STG_SEED_IS_REAL(form) "stg: a seed is an integer, and stands where it says seed: " form
#if STG_SAYS_AT_CALLS
#define STG_SAYS_SEED(form) __attribute__((diagnose_if(sizeof(Seed) > 0, STG_SEED_IS_REAL(form), "error")))
#define STG_CHECK_SEED(form)
#else
#define STG_SAYS_SEED(form)
#define STG_CHECK_SEED(form)                     \
  constexpr bool is_integer = sizeof(Seed) == 0; \
  static_assert(is_integer, STG_SEED_IS_REAL(form));
#endif
template <class T, std::floating_point Seed>
STG_SAYS_SEED("uniform(t, low, high, seed)")
void uniform(tensor<T>&, double, double, Seed) {
  STG_CHECK_SEED("uniform(t, low, high, seed)")
}
template <class T, std::floating_point Seed>
STG_SAYS_SEED("normal(t, mean, deviation, seed)")
void normal(tensor<T>&, double, double, Seed) {
  STG_CHECK_SEED("normal(t, mean, deviation, seed)")
}
template <class T, std::floating_point Seed>
STG_SAYS_SEED("glorot_uniform(W, seed)")
void glorot_uniform(tensor<T>&, Seed) {
  STG_CHECK_SEED("glorot_uniform(W, seed)")
}
template <class T, std::floating_point Seed>
STG_SAYS_SEED("glorot_normal(W, seed)")
void glorot_normal(tensor<T>&, Seed) {
  STG_CHECK_SEED("glorot_normal(W, seed)")
}
template <class T, std::floating_point Seed>
STG_SAYS_SEED("kaiming_uniform(W, seed, slope)")
void kaiming_uniform(tensor<T>&, Seed, double = 0) {
  STG_CHECK_SEED("kaiming_uniform(W, seed, slope)")
}

template <class T> void constant(tensor<T>& t, double value);
template <class T> void zeros(tensor<T>& t);
template <class T> void ones(tensor<T>& t);

// Without a seed: what to write.
STG_INSTEAD_FOR((class T), sizeof(T) == 0, "stg: random numbers take a seed last: uniform(params[W], -1, 1, 7)",
                bool uniform(tensor<T>&, double, double))
STG_INSTEAD_FOR((class T), sizeof(T) == 0, "stg: random numbers take a seed last: normal(params[W], 0, 0.1, 7)",
                bool normal(tensor<T>&, double, double))
STG_INSTEAD_FOR((class T), sizeof(T) == 0, "stg: random numbers take a seed last: glorot_uniform(params[W], 7)",
                bool glorot_uniform(tensor<T>&))
STG_INSTEAD_FOR((class T), sizeof(T) == 0, "stg: random numbers take a seed last: glorot_normal(params[W], 7)",
                bool glorot_normal(tensor<T>&))
STG_INSTEAD_FOR((class T), sizeof(T) == 0, "stg: random numbers take a seed last: kaiming_uniform(params[W], 7)",
                bool kaiming_uniform(tensor<T>&))

namespace detail {
/// One parameter of `initialize`. Errors as above, with its name.
template <class T> void begin(tensor<T>& t, const ir::beginning& as, std::string_view name, std::uint64_t seed);
}  // namespace detail

}  // namespace stg
