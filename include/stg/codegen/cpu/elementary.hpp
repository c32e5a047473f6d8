// Elementary functions of a register of numbers: polynomials over floats that stay in registers, the others lane by
// lane.
#pragma once

#include <cstdint>      // int32_t, int64_t
#include <cstring>      // memcpy
#include <limits>       // numeric_limits
#include <type_traits>  // remove_cvref_t, conditional_t

#include <stg/base/config.hpp>  // STG_INLINE
#include <stg/base/math.hpp>    // functions

namespace stg::math {

/// Elementary functions of a vector. Of floats, exp exp2 expm1 log log1p tanh sin cos and erf are polynomials that stay
/// in registers, and rounding is arithmetic for every type; the others go lane by lane.
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
  template <class F> STG_INLINE static V each(const V& x, const V& y, F f) {
    V z = x;
    for (int i = 0; i < count; ++i) z[i] = f(x[i], y[i]);
    return z;
  }
#define STG_BY_LANES(word) \
  STG_INLINE static V word(const V& x) { return each(x, functions<element>::word); }
  STG_BY_LANES(sqrt)
  STG_BY_LANES(cbrt)
  STG_BY_LANES(log2)
  STG_BY_LANES(asin)
  STG_BY_LANES(acos)
  STG_BY_LANES(atan)
  STG_BY_LANES(sinh)
  STG_BY_LANES(cosh)
#undef STG_BY_LANES
#define STG_OF_FLOATS(word)                                         \
  STG_INLINE static V word(const V& x) {                            \
    if constexpr (sizeof(element) == 4) return word##_of_floats(x); \
    else return each(x, functions<element>::word);                  \
  }
  STG_OF_FLOATS(exp)
  STG_OF_FLOATS(exp2)
  STG_OF_FLOATS(expm1)
  STG_OF_FLOATS(log)
  STG_OF_FLOATS(log1p)
  STG_OF_FLOATS(tanh)
  STG_OF_FLOATS(sin)
  STG_OF_FLOATS(cos)
  STG_OF_FLOATS(erf)
#undef STG_OF_FLOATS
  STG_INLINE static V pow(const V& x, const V& y) { return each(x, y, functions<element>::pow); }
  STG_INLINE static V fmod(const V& x, const V& y) { return each(x, y, functions<element>::fmod); }

  /// To a whole number, half to even. Adding 2²³, or 2⁵² for doubles, to a smaller number rounds it; a larger one is
  /// whole. Zeros keep their sign, also those that negative numbers are rounded to.
  STG_INLINE static V round(const V& x) {
    const V size = without_sign(x);
    const V r = (size + smallest_whole) - smallest_whole;
    return with_sign_of(x, size < smallest_whole ? r : size);
  }
  STG_INLINE static V floor(const V& x) {
    const V r = round(x);
    return with_sign_of(x, x < r ? r - element(1) : r);
  }
  STG_INLINE static V ceil(const V& x) {
    const V r = round(x);
    return with_sign_of(x, r < x ? r + element(1) : r);
  }

 private:
  typedef std::int32_t integers __attribute__((vector_size(sizeof(V))));
  typedef std::uint32_t naturals __attribute__((vector_size(sizeof(V))));
  using bits_of_element = std::conditional_t<sizeof(element) == 8, std::int64_t, std::int32_t>;
  typedef bits_of_element words __attribute__((vector_size(sizeof(V))));
  static constexpr element smallest_whole = sizeof(element) == 8 ? element(4503599627370496.) : element(8388608.);

  STG_INLINE static words bits_of(const V& x) {
    words bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  STG_INLINE static V number_of(const words& bits) {
    V x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  static constexpr bits_of_element size_bits = std::numeric_limits<bits_of_element>::max();
  STG_INLINE static V without_sign(const V& x) { return number_of(bits_of(x) & size_bits); }
  STG_INLINE static V with_sign_of(const V& x, const V& size) {
    return number_of((bits_of(size) & size_bits) | (bits_of(x) & ~size_bits));
  }

  /// x = n ln 2 + r with |r| <= ln 2 / 2, for x between `low` and `high`, and exp(r) = 1 + r + r² p by a polynomial of
  /// degree 7. Coefficients: Cephes expf (S. Moshier).
  struct reduced {
    V shifted;  // n + 1.5 · 2²³: its last bits are those of the whole number n
    V n, r, p;
    STG_INLINE explicit reduced(const V& of) {
      const V shift = V{} + 12582912.f;  // adding it rounds to an integer
      shifted = of * 1.44269504f + shift;
      n = shifted - shift;
      r = of - n * .693359375f;
      r = r + n * 2.12194440e-4f;
      p = V{} + 1.9875691500e-4f;
      p = p * r + 1.3981999507e-3f;
      p = p * r + 8.3334519073e-3f;
      p = p * r + 4.1665795894e-2f;
      p = p * r + 1.6666665459e-1f;
      p = p * r + .5f;
    }
    STG_INLINE V less_one() const { return p * r * r + r; }
  };
  /// 2ⁿ for a vector of whole numbers from -126 to 127.
  STG_INLINE static void power_of_two(V& r, const integers& n) {
    const integers bits = (n + 127) << 23;
    std::memcpy(&r, &bits, sizeof r);
  }
  /// p 2ⁿ for p near 1 and n + 1.5 · 2²³, whose last bits are added to p's exponent. They may wrap: n may be anything.
  STG_INLINE static V times_power(const V& p, const V& shifted) {
    return number_of(reinterpret_cast<words>(reinterpret_cast<naturals>(bits_of(p)) +
                                             (reinterpret_cast<naturals>(bits_of(shifted)) << 23)));
  }

  /// exp(x) = 2ⁿ exp(r), which cannot carry into the sign between the bounds; at most 1 ulp off where the result is a
  /// normal number; +∞ above, 0 below, whatever came out there. NaN stays.
  STG_INLINE static V exp_of_floats(const V& x) {
    constexpr float low = -87.33654f, high = 88.72284f;
    const reduced e(x);
    V p = times_power(e.less_one() + 1.f, e.shifted);
    p = x < low ? V{} : p;
    return x <= high ? p : x * 3.4e38f;  // +∞, and NaN stays
  }

  /// expm1(x) = 2ⁿ (exp(r) - 1) + (2ⁿ - 1), so that nothing cancels near 0, as twice its half since 2¹²⁸ is not a
  /// float; at most 2 ulp off; -1 below, +∞ above, NaN through. The sign of 0 is not kept.
  STG_INLINE static V expm1_of_floats(const V& x) {
    constexpr float low = -18.f, high = 88.72284f;
    const V above = x < low ? V{} + low : x, within = high < above ? V{} + high : above;
    const reduced e(within);
    V half;
    power_of_two(half, __builtin_convertvector(e.n - 1.f, integers));  // NaN - 1 is NaN: no integer overflows
    V y = half * e.less_one() + (half - .5f);
    y += y;
    return high < x ? V{} + __builtin_inff() : y;
  }

  /// tanh(x) = -t / (t + 2) with t = expm1(-2 |x|), and the sign of x; at most 3 ulp off.
  STG_INLINE static V tanh_of_floats(const V& x) {
    const V t = expm1_of_floats(without_sign(x) * -2.f);
    return with_sign_of(x, -t / (t + 2.f));
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

  /// exp2(x) = 2ⁿ exp2(f) with whole n and |f| <= ½, bounds as exp's; at most 1.2 ulp off where the result is a
  /// normal number, 0 below and +∞ above. Coefficients: Cephes exp2f (S. Moshier).
  STG_INLINE static V exp2_of_floats(const V& x) {
    constexpr float low = -126.f, high = 127.999992f;
    const V shift = V{} + 12582912.f, shifted = x + shift, f = x - (shifted - shift);
    V p = V{} + 1.535336188319500e-4f;
    p = p * f + 1.339887440266574e-3f;
    p = p * f + 9.618437357674640e-3f;
    p = p * f + 5.550332471162809e-2f;
    p = p * f + 2.402264791363012e-1f;
    p = p * f + 6.931472028550421e-1f;
    p = p * f + 1.f;
    p = times_power(p, shifted);
    p = x < low ? V{} : p;
    return x <= high ? p : x * 3.4e38f;  // +∞, and NaN stays
  }

  /// log1p(x) = log(u) + (x - (u - 1)) / u with u = 1 + x: the second term is what u lost (D. Goldberg, ACM Computing
  /// Surveys 23, 1991, theorem 4 in this form). At most 1.5 ulp off; -∞ at -1, NaN below, +∞, NaN and zeros through.
  STG_INLINE static V log1p_of_floats(const V& x) {
    const V u = x + 1.f;
    const V lost = x - (u - 1.f);
    const V y = log_of_floats(u) + (V{} < u ? lost / u : V{});
    const V finite = x <= 3.40282347e38f ? y : x;
    return x == V{} ? x : finite;
  }

  /// |x| = n π/2 + r with |r| <= π/4 (r carries an error of 2⁻²³ of its own at most), for |x| up to `most`: π/2 in four
  /// parts of which three have so few bits that their products with n are exact (W. Cody, W. Waite, 1980).
  struct turned {
    static constexpr float most = 8192.f;
    V r;
    integers n;
    STG_INLINE explicit turned(const V& size) {
      const V shift = V{} + 12582912.f;
      const V turns = (size * .636619772f + shift) - shift;
      n = __builtin_convertvector(turns, integers);
      r = size - turns * 1.5703125f;
      r = r - turns * 4.837512969970703125e-4f;
      r = r - turns * 7.5495336204767227e-8f;
      r = r - turns * 2.5633440682570896e-12f;
    }
    /// sin(|x| + quarters π/2). Coefficients: Cephes sinf (S. Moshier).
    STG_INLINE V sine(int quarters) const {
      const V square = r * r;
      V s = V{} - 1.9515295891e-4f;
      s = s * square + 8.3321608736e-3f;
      s = s * square - 1.6666654611e-1f;
      s = s * square * r + r;
      V c = V{} + 2.443315711809948e-5f;
      c = c * square - 1.388731625493765e-3f;
      c = c * square + 4.166664568298827e-2f;
      c = c * square * square - square * .5f + 1.f;
      const integers quarter = n + quarters;
      const V y = (quarter & 1) == 0 ? s : c;
      return number_of(bits_of(y) ^ (quarter & 2) << 30);
    }
  };
  template <int Bytes> struct truths { typedef std::int32_t type __attribute__((vector_size(Bytes))); };
  /// Whether a lane is not 0: halves are combined until one word is left.
  template <int Bytes> STG_INLINE static bool any(const typename truths<Bytes>::type& lanes) {
    if constexpr (Bytes == 8) {
      std::int64_t word;
      std::memcpy(&word, &lanes, sizeof word);
      return word != 0;
    } else {
      typename truths<Bytes / 2>::type low, high;
      std::memcpy(&low, &lanes, sizeof low);
      std::memcpy(&high, reinterpret_cast<const char*>(&lanes) + sizeof low, sizeof high);
      return any<Bytes / 2>(low | high);
    }
  }

  /// At most 2 ulp off; NaN at infinities. A register that holds a number above 8192 goes lane by lane.
  STG_INLINE static V sin_of_floats(const V& x) {
    const V size = without_sign(x);
    if (any<sizeof(V)>(turned::most < size)) return each(x, functions<element>::sin);
    return number_of(bits_of(turned(size).sine(0)) ^ (bits_of(x) & ~size_bits));
  }
  STG_INLINE static V cos_of_floats(const V& x) {
    const V size = without_sign(x);
    if (any<sizeof(V)>(turned::most < size)) return each(x, functions<element>::cos);
    return turned(size).sine(1);
  }

  /// erf(x) = x T(x²) for |x| <= 1, else ±(1 - exp(p(|x|))) with p of degree 6, fitted to log erfc between 1 and 4 for
  /// the least error of the result; beyond, ±1 is next. At most 1.3 ulp off. Coefficients of T: Cephes erff (S.
  /// Moshier).
  STG_INLINE static V erf_of_floats(const V& x) {
    const V square = x * x, size = without_sign(x);
    V t = V{} + 7.853861353153693e-5f;
    t = t * square - 8.010193625184903e-4f;
    t = t * square + 5.188327685732524e-3f;
    t = t * square - 2.685381193529856e-2f;
    t = t * square + 1.128358514861418e-1f;
    t = t * square - 3.761262582423300e-1f;
    t = t * square + 1.28379165726710e-1f;  // T - 1: adding x loses less
    const V a = 4.f < size ? V{} + 4.f : size;
    V p = V{} + 1.8638120113e-4f;
    p = p * a - 2.9476774218e-3f;
    p = p * a + 2.1838138192e-2f;
    p = p * a - 1.0310690492e-1f;
    p = p * a - 6.3814466479e-1f;
    p = p * a - 1.1270892884e+0f;
    p = p * a - 3.414995150e-4f;
    const V tail = with_sign_of(x, 1.f - exp_of_floats(p));
    return 1.f < size ? tail : x * t + x;
  }
};

}  // namespace stg::math
