// Registers: a number, or a vector of them, per scalar type; loading, storing and converting.
//
// Vectors are written with the compilers' vector extensions, as wide as the kernel's instruction set has them. At plain
// -O3 a loop over floats may stay scalar (g++ 12 jams edges instead).
#pragma once

#include <cstdint>      // int32_t
#include <cstring>      // memcpy
#include <type_traits>  // conditional_t
#include <utility>      // integer_sequence

#include <stg/base/config.hpp>  // STG_INLINE
#include <stg/base/math.hpp>    // functions
#include <stg/ir/scalar.hpp>    // scalar_type, element_t

namespace stg::cpu {

namespace detail {
template <class T, int L> struct vector_of { typedef T type __attribute__((vector_size(sizeof(T) * L))); };
template <class T, int L> using vec = typename vector_of<T, L>::type;

// A truth value is a bool, or a lane of all ones in a vector of 32-bit integers.
template <scalar_type S, int L> struct lanes {
  using type = vec<std::conditional_t<S == scalar_type::boolean, std::int32_t, element_t<S>>, L>;
};
template <scalar_type S> struct lanes<S, 1> { using type = element_t<S>; };
}  // namespace detail

/// L values of a scalar type in a register.
template <scalar_type S, int L> using lanes_t = typename detail::lanes<S, L>::type;

/// L numbers from memory that need not be aligned.
template <scalar_type S, int L> STG_INLINE void load(lanes_t<S, L>& r, const element_t<S>* from) {
  if constexpr (L == 1) {
    r = *from;
  } else if constexpr (S == scalar_type::boolean) {
    detail::vec<signed char, L> bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    r = __builtin_convertvector(bytes, lanes_t<S, L>) != 0;
  } else {
    std::memcpy(&r, from, sizeof r);
  }
}

template <scalar_type S, int L> STG_INLINE void store(element_t<S>* to, const lanes_t<S, L>& r) {
  if constexpr (L == 1) {
    *to = r;
  } else if constexpr (S == scalar_type::boolean) {
    const detail::vec<signed char, L> bytes = __builtin_convertvector(r & 1, detail::vec<signed char, L>);
    std::memcpy(to, &bytes, sizeof bytes);
  } else {
    std::memcpy(to, &r, sizeof r);
  }
}

/// One number in every lane.
template <scalar_type S, int L> STG_INLINE void splat(lanes_t<S, L>& r, element_t<S> x) {
  if constexpr (L == 1) r = x;
  else if constexpr (S == scalar_type::boolean) r = lanes_t<S, L>{} - static_cast<std::int32_t>(x);
  else r = lanes_t<S, L>{} + x;
}

/// A comparison's result as truth values: g++ and clang give integers as wide as what was compared.
template <int L, class M> STG_INLINE void truth(lanes_t<scalar_type::boolean, L>& r, const M& m) {
  if constexpr (L == 1) r = m;
  else r = __builtin_convertvector(m, lanes_t<scalar_type::boolean, L>);
}

/// select: truth values choose between two registers.
template <scalar_type S, int L>
STG_INLINE void choose(lanes_t<S, L>& r, const lanes_t<scalar_type::boolean, L>& condition, const lanes_t<S, L>& a,
                       const lanes_t<S, L>& b) {
  if constexpr (L == 1 || sizeof(element_t<S>) == 4 || S == scalar_type::boolean) r = condition ? a : b;
  else r = __builtin_convertvector(condition, detail::vec<std::int64_t, L>) ? a : b;
}

template <scalar_type To, scalar_type From, int L>
STG_INLINE void convert(lanes_t<To, L>& r, const lanes_t<From, L>& x) {
  if constexpr (To == From) r = x;
  else if constexpr (L == 1) r = static_cast<element_t<To>>(x);
  else if constexpr (To == scalar_type::boolean) truth<L>(r, x != 0);
  else if constexpr (From == scalar_type::boolean) r = __builtin_convertvector(x & 1, lanes_t<To, L>);
  else r = __builtin_convertvector(x, lanes_t<To, L>);
}

namespace detail {
template <class Both, class Half, int... I>
STG_INLINE void join_halves(Both& r, const Half& low, const Half& high, std::integer_sequence<int, I...>) {
  r = __builtin_shufflevector(low, high, I...);
}
}  // namespace detail

/// Two halves of a register as one, and back.
template <scalar_type S, int L>
STG_INLINE void join(lanes_t<S, L>& r, const lanes_t<S, L / 2>& low, const lanes_t<S, L / 2>& high) {
  if constexpr (L == 2 && S == scalar_type::boolean) r = lanes_t<S, L>{-std::int32_t{low}, -std::int32_t{high}};
  else if constexpr (L == 2) r = lanes_t<S, L>{low, high};
  else detail::join_halves(r, low, high, std::make_integer_sequence<int, L>());
}
template <scalar_type S, int L>
STG_INLINE void halve(lanes_t<S, L / 2>& low, lanes_t<S, L / 2>& high, const lanes_t<S, L>& r) {
  std::memcpy(&low, &r, sizeof low);
  std::memcpy(&high, reinterpret_cast<const char*>(&r) + sizeof low, sizeof high);
}

/// A register of elements from a row of N, taken as W with padding: L of them, or all of them repeated.
template <scalar_type S, int L, int N, int W>
STG_INLINE void repeat(lanes_t<S, L>& r, const element_t<S>* row, int element) {
  if constexpr (L > W) {
    lanes_t<S, L / 2> half;
    repeat<S, L / 2, N, W>(half, row, element);
    join<S, L>(r, half, half);
  } else if constexpr (N == W) {
    load<S, L>(r, row + element);
  } else if constexpr (L == 1) {
    r = element < N ? row[element] : element_t<S>{};
  } else {
    splat<S, L>(r, element_t<S>{});
    for (int k = 0; k < L; ++k)
      if (element + k < N) r[k] = S == scalar_type::boolean ? -row[element + k] : row[element + k];
  }
}

/// The sum, or the maximum, of all lanes, halving: the order is the same for every call.
template <scalar_type S, int L> STG_INLINE element_t<S> sum_of_lanes(const lanes_t<S, L>& r) {
  if constexpr (L == 1) {
    return r;
  } else {
    lanes_t<S, L / 2> low, high;
    halve<S, L>(low, high, r);
    return sum_of_lanes<S, L / 2>(low + high);
  }
}
template <scalar_type S, int L> STG_INLINE element_t<S> max_of_lanes(const lanes_t<S, L>& r) {
  if constexpr (L == 1) {
    return r;
  } else {
    lanes_t<S, L / 2> low, high;
    halve<S, L>(low, high, r);
    return max_of_lanes<S, L / 2>(low < high ? high : low);
  }
}

}  // namespace stg::cpu

namespace stg::math {

/// Elementary functions of a vector. exp and log of floats are polynomials that stay in registers; the others go lane
/// by lane.
template <class V>
  requires requires(V v) { v[0]; }
struct functions<V> {
  using element = std::remove_cvref_t<decltype(V{}[0])>;
  static constexpr int count = sizeof(V) / sizeof(element);

  STG_INLINE static V splat(double x) { return V{} + static_cast<element>(x); }

  template <class F> STG_INLINE static V each(const V& x, F f) {
    V y = x;
    for (int i = 0; i < count; ++i) y[i] = f(x[i]);
    return y;
  }
  STG_INLINE static V exp(const V& x) {
    if constexpr (sizeof(element) == 4) return exp_of_floats(x);
    else return each(x, functions<element>::exp);
  }
  STG_INLINE static V log(const V& x) {
    if constexpr (sizeof(element) == 4) return log_of_floats(x);
    else return each(x, functions<element>::log);
  }
  STG_INLINE static V sqrt(const V& x) { return each(x, functions<element>::sqrt); }
  STG_INLINE static V tanh(const V& x) {
    if constexpr (sizeof(element) == 4) return tanh_of_floats(x);
    else return each(x, functions<element>::tanh);
  }
  STG_INLINE static V expm1(const V& x) {
    if constexpr (sizeof(element) == 4) return expm1_of_floats(x);
    else return each(x, functions<element>::expm1);
  }
  STG_INLINE static V pow(const V& x, const V& y) {
    V z = x;
    for (int i = 0; i < count; ++i) z[i] = functions<element>::pow(x[i], y[i]);
    return z;
  }

 private:
  typedef std::int32_t integers __attribute__((vector_size(sizeof(V))));

  /// x = n ln 2 + r with |r| <= ln 2 / 2, for x between `low` and `high`: r, n, and exp(r) - 1 by a polynomial of
  /// degree
  /// 7. Coefficients: Cephes expf (S. Moshier).
  struct reduced {
    V n, less_one;
    STG_INLINE explicit reduced(const V& x) {
      const V shift = V{} + 12582912.f;  // 1.5 · 2²³: adding it rounds to an integer
      n = (x * 1.44269504f + shift) - shift;
      V r = x - n * .693359375f;
      r = r + n * 2.12194440e-4f;
      V p = V{} + 1.9875691500e-4f;
      p = p * r + 1.3981999507e-3f;
      p = p * r + 8.3334519073e-3f;
      p = p * r + 4.1665795894e-2f;
      p = p * r + 1.6666665459e-1f;
      p = p * r + .5f;
      less_one = p * r * r + r;
    }
  };
  /// 2ⁿ for a vector of whole numbers from -126 to 127.
  STG_INLINE static void power_of_two(V& r, const integers& n) {
    const integers bits = (n + 127) << 23;
    std::memcpy(&r, &bits, sizeof r);
  }
  STG_INLINE static V clamped(const V& x, float low, float high) {
    V c = x < low ? V{} + low : x;
    return high < c ? V{} + high : c;
  }

  /// exp(x) = 2ⁿ exp(r), n added to the exponent's bits, which cannot carry between the bounds; at most 1 ulp off where
  /// the result is a normal number; +∞ above, 0 below. NaN stays: it converts to -2³¹, which shifts to 0.
  STG_INLINE static V exp_of_floats(const V& x) {
    constexpr float low = -87.33654f, high = 88.72284f;
    const reduced e(clamped(x, low, high));
    V p = e.less_one + 1.f;
    integers bits;
    std::memcpy(&bits, &p, sizeof bits);
    bits += __builtin_convertvector(e.n, integers) << 23;
    std::memcpy(&p, &bits, sizeof p);
    p = x < low ? V{} : p;
    return high < x ? V{} + __builtin_inff() : p;
  }

  /// expm1(x) = 2ⁿ (exp(r) - 1) + (2ⁿ - 1), so that nothing cancels near 0, as twice its half since 2¹²⁸ is not a
  /// float; at most 2 ulp off; -1 below, +∞ above, NaN through. The sign of 0 is not kept.
  STG_INLINE static V expm1_of_floats(const V& x) {
    constexpr float low = -18.f, high = 88.72284f;
    const reduced e(clamped(x, low, high));
    V half;
    power_of_two(half, __builtin_convertvector(e.n, integers) - 1);
    V y = half * e.less_one + (half - .5f);
    y += y;
    return high < x ? V{} + __builtin_inff() : y;
  }

  /// tanh(x) = -t / (t + 2) with t = expm1(-2 |x|), and the sign of x; at most 3 ulp off.
  STG_INLINE static V tanh_of_floats(const V& x) {
    integers bits, result;
    std::memcpy(&bits, &x, sizeof bits);
    const integers size_bits = bits & 0x7fffffff;
    V size, y;
    std::memcpy(&size, &size_bits, sizeof size);
    const V t = expm1_of_floats(size * -2.f);
    y = -t / (t + 2.f);
    std::memcpy(&result, &y, sizeof result);
    result = (result & 0x7fffffff) | (bits - size_bits);
    std::memcpy(&y, &result, sizeof y);
    return y;
  }

  /// log(x) = n ln 2 + log(m) with x = 2ⁿ m and √½ <= m < √2; degree-8 polynomial, at most 1 ulp off; -∞ at 0, NaN
  /// below, +∞ and NaN through. Coefficients: Cephes logf (S. Moshier).
  STG_INLINE static V log_of_floats(const V& x) {
    constexpr float least = 1.17549435e-38f;  // numbers below 2⁻¹²⁶ have no exponent of their own
    const V scaled = x < least ? x * 8388608.f : x;
    integers bits;
    std::memcpy(&bits, &scaled, sizeof bits);
    V e = __builtin_convertvector((bits >> 23) - 126, V);
    e = x < least ? e - 23.f : e;
    bits = (bits & 0x007fffff) | 0x3f000000;  // the mantissa as a number in [½, 1)
    V m;
    std::memcpy(&m, &bits, sizeof m);
    constexpr float root_half = .707106781186547524f;
    e = m < root_half ? e - 1.f : e;
    m = (m < root_half ? m + m : m) - 1.f;
    V p = V{} + 7.0376836292e-2f;
    p = p * m - 1.1514610310e-1f;
    p = p * m + 1.1676998740e-1f;
    p = p * m - 1.2420140846e-1f;
    p = p * m + 1.4249322787e-1f;
    p = p * m - 1.6668057665e-1f;
    p = p * m + 2.0000714765e-1f;
    p = p * m - 2.4999993993e-1f;
    p = p * m + 3.3333331174e-1f;
    const V square = m * m;
    V y = p * m * square;
    y = y - e * 2.12194440e-4f;
    y = y - square * .5f;
    y = m + y + e * .693359375f;
    y = x <= V{} ? V{} - __builtin_inff() : y;
    y = x < V{} ? V{} + __builtin_nanf("") : y;
    return x <= 3.40282347e38f ? y : x;
  }
};

}  // namespace stg::math
