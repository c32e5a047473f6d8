// Registers: a number, or a vector of them, per scalar type; loading, storing and converting.
//
// Vectors are written with the compilers' vector extensions, as wide as the kernel's instruction set has them. At plain
// -O3 a loop over floats may stay scalar (g++ 12 jams edges instead). They are loaded and stored as vectors of their
// elements, not by memcpy, whose bytes might be anything: after each store all pointers and offsets were read again.
#pragma once

#include <bit>          // bit_cast
#include <cstdint>      // int32_t, int64_t
#include <cstring>      // memcpy
#include <type_traits>  // conditional_t
#include <utility>      // integer_sequence

#include <stg/base/config.hpp>             // STG_INLINE
#include <stg/base/room.hpp>               // array_length
#include <stg/codegen/cpu/elementary.hpp>  // functions of a register
#include <stg/ir/scalar.hpp>               // scalar_type, element_t, computed_in

namespace stg::cpu {

namespace detail {
template <class T, int L> struct vector_of {
  typedef T type __attribute__((vector_size(sizeof(T) * L)));
  typedef T unaligned __attribute__((vector_size(sizeof(T) * L), aligned(alignof(T))));
};
template <class T, int L> using vec = typename vector_of<T, L>::type;

// A truth value is a bool, or a lane of all ones in a vector of 32-bit integers; numbers of two bytes are floats.
template <scalar_type S, int L> struct lanes {
  using type = vec<std::conditional_t<S == scalar_type::boolean, std::int32_t, element_t<computed_in(S)>>, L>;
};
template <scalar_type S> struct lanes<S, 1> { using type = element_t<computed_in(S)>; };

/// The memory operand of a spelled instruction. An array, since g++ 12 takes a struct that is packed and may alias for
/// one of no bytes, and stores to it for lost.
template <int L, class T> STG_INLINE auto& row_of(T* first) { return *reinterpret_cast<T(*)[array_length(L)]>(first); }

/// Floats of numbers of two bytes, and back to the nearest, as base/float16.hpp does it for one.
template <scalar_type S, int L> STG_INLINE void widen(vec<float, L>& r, const vec<std::uint16_t, L>& bits) {
  using words = vec<std::uint32_t, L>;
  const words wide = __builtin_convertvector(bits, words);
  if constexpr (S == scalar_type::bf16) {
    r = reinterpret_cast<vec<float, L>>(wide << 16);
  } else {
    const words size = wide & 0x7fffu,
                scaled = reinterpret_cast<words>(reinterpret_cast<vec<float, L>>(size << 13) * 0x1p112f);
    const words number = size >= 0x7c00u ? size << 13 | 0x7f800000u : scaled;
    r = reinterpret_cast<vec<float, L>>((wide & 0x8000u) << 16 | number);
  }
}
/// Loads and widens from memory. Eight lanes and more are found in kernels for AVX2 and AVX-512 alone, which have an
/// instruction for it; it is spelled, since g++ takes the conversion apart before it knows the instruction set.
template <scalar_type S, int L> STG_INLINE void load_widened(vec<float, L>& r, const element_t<S>* from) {
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (L == 8 || L == 16) {
    const auto& row = row_of<L>(from);
    if constexpr (S == scalar_type::bf16) {
      vec<std::uint32_t, L> wide;
      asm("vpmovzxwd %1, %0" : "=v"(wide) : "m"(row));
      r = reinterpret_cast<vec<float, L>>(wide << 16);
    } else {
      asm("vcvtph2ps %1, %0" : "=v"(r) : "m"(row));
    }
    return;
  }
#endif
  vec<std::uint16_t, L> bits;
  std::memcpy(&bits, from, sizeof bits);
  widen<S, L>(r, bits);
}
template <scalar_type S, int L> STG_INLINE vec<std::uint16_t, L> narrow(const vec<float, L>& x) {
  using words = vec<std::uint32_t, L>;
  const words bits = reinterpret_cast<words>(x), size = bits & 0x7fffffffu;
  words numbers;
  if constexpr (S == scalar_type::bf16) {
    const words rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    numbers = size > 0x7f800000u ? bits >> 16 | 0x40u : rounded;
  } else {
    const words small = reinterpret_cast<words>(reinterpret_cast<vec<float, L>>(size) + 0.5f) - 0x3f000000u;
    const words normal = (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;
    const words finite = size < 0x38800000u ? small : normal;
    const words large = size > 0x7f800000u ? words{} + 0x7e00u : words{} + 0x7c00u;
    numbers = (size >= 0x477ff000u ? large : finite) | (bits >> 16 & 0x8000u);
  }
  return __builtin_convertvector(numbers, vec<std::uint16_t, L>);
}
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
  } else if constexpr (is_storage(S)) {
    detail::load_widened<S, L>(r, from);
  } else {
    r = *reinterpret_cast<const typename detail::vector_of<element_t<S>, L>::unaligned*>(from);
  }
}

template <scalar_type S, int L> STG_INLINE void store(element_t<S>* to, const lanes_t<S, L>& r) {
  if constexpr (L == 1) {
    *to = r;
  } else if constexpr (S == scalar_type::boolean) {
    const detail::vec<signed char, L> bytes = __builtin_convertvector(r & 1, detail::vec<signed char, L>);
    std::memcpy(to, &bytes, sizeof bytes);
  } else if constexpr (is_storage(S)) {
    const detail::vec<std::uint16_t, L> bits = detail::narrow<S, L>(r);
    std::memcpy(static_cast<void*>(to), &bits, sizeof bits);
  } else {
    *reinterpret_cast<typename detail::vector_of<element_t<S>, L>::unaligned*>(to) = r;
  }
}

/// One number in every lane. Of floats their bits: adding zeros to a float is an instruction, since it changes -0. An
/// integer in sixteen lanes is spelled: g++ 12 may insert it into one after the other.
template <scalar_type S, int L> STG_INLINE void splat(lanes_t<S, L>& r, element_t<S> x) {
  if constexpr (L == 1) {
    r = x;
  } else if constexpr (S == scalar_type::boolean) {
    r = lanes_t<S, L>{} - static_cast<std::int32_t>(x);
#if defined(__x86_64__) && !defined(__clang__)
  } else if constexpr (S == scalar_type::i32 && L == 16) {
    asm("vpbroadcastd %1, %0" : "=v"(r) : "r"(x));
#endif
  } else {
    using number = element_t<computed_in(S)>;
    using bits = std::conditional_t<sizeof(number) == 8, std::int64_t, std::int32_t>;
    r = reinterpret_cast<lanes_t<S, L>>(detail::vec<bits, L>{} + std::bit_cast<bits>(static_cast<number>(x)));
  }
}

/// 0, 1, 2, … in memory: added lane by lane, they would be inserted one by one.
template <class T, int L> struct numbers_of_lanes { T at[array_length(L)]; };
template <class T, int L>
inline constexpr numbers_of_lanes<T, L> lane_numbers = [] {
  numbers_of_lanes<T, L> n{};
  for (int k = 0; k < L; ++k) n.at[k] = static_cast<T>(k);
  return n;
}();

/// r is x, as a value that the compiler takes for a different one. g++ 12 ends in an internal error if the result of
/// one comparison of two doubles is both kept as truth values and chosen by (leaky_relu and its slope), on plain
/// x86-64.
template <int L, class V> STG_INLINE void take_apart(V& r, const V& x) {
  r = x;
#if defined(__x86_64__)
  if constexpr (L == 2 && sizeof(V) == 16) asm("" : "+x"(r));
#endif
}

/// A comparison's result as truth values: g++ and clang give integers as wide as the operands.
template <int L, class M> STG_INLINE void truth(lanes_t<scalar_type::boolean, L>& r, const M& m) {
  if constexpr (L == 1) r = m;
  else r = __builtin_convertvector(m, lanes_t<scalar_type::boolean, L>);
}

/// op::div of integers, in registers. Lanes past the end of a row may hold 0 as well.
template <int L>
STG_INLINE void divide_integers(lanes_t<scalar_type::i32, L>& r, const lanes_t<scalar_type::i32, L>& a,
                                const lanes_t<scalar_type::i32, L>& b) {
  using words = detail::vec<std::uint32_t, L>;
  const auto by_zero = b == 0, by_minus_one = b == -1;                              // -1 where it is so, else 0
  const words all = reinterpret_cast<words>(a / (b - by_zero - 2 * by_minus_one));  // a where it is so
  const words sign = reinterpret_cast<words>(by_minus_one);
  r = reinterpret_cast<lanes_t<scalar_type::i32, L>>(((all ^ sign) - sign) & ~reinterpret_cast<words>(by_zero));
}

/// select: truth values choose between two registers.
template <scalar_type S, int L>
STG_INLINE void choose(lanes_t<S, L>& r, const lanes_t<scalar_type::boolean, L>& condition, const lanes_t<S, L>& a,
                       const lanes_t<S, L>& b) {
  if constexpr (L == 1 || sizeof(element_t<S>) <= 4) r = condition ? a : b;
  else r = __builtin_convertvector(condition, detail::vec<std::int64_t, L>) ? a : b;
}

namespace detail {
/// Numbers of any type as floats with the values of a type of two bytes.
template <scalar_type To, scalar_type From, int L>
STG_INLINE void round_to(lanes_t<To, L>& r, const lanes_t<From, L>& x) {
  if constexpr (L == 1) {
    r = element_t<To>(static_cast<float>(x));
  } else if constexpr (From == scalar_type::f32) {
    widen<To, L>(r, narrow<To, L>(x));
  } else {
    const vec<float, L> floats = __builtin_convertvector(x, vec<float, L>);
    widen<To, L>(r, narrow<To, L>(From == scalar_type::boolean ? -floats : floats));
  }
}
}  // namespace detail

template <scalar_type To, scalar_type From, int L>
STG_INLINE void convert(lanes_t<To, L>& r, const lanes_t<From, L>& x) {
  if constexpr (To == From || computed_in(From) == To) r = x;
  else if constexpr (is_storage(To)) detail::round_to<To, computed_in(From), L>(r, x);
  else if constexpr (L == 1) r = static_cast<element_t<To>>(x);
  else if constexpr (To == scalar_type::boolean) truth<L>(r, x != 0);
  else if constexpr (From == scalar_type::boolean) r = __builtin_convertvector(x & 1, lanes_t<To, L>);
  else r = __builtin_convertvector(x, lanes_t<To, L>);
}

/// Whether a register of L lanes is loaded and stored in part, at full speed: true for AVX-512. Spelled instructions
/// are for g++: clang wants the instruction set of the enclosing function, before it is inlined.
#if defined(__x86_64__) && !defined(__clang__)
template <int L> inline constexpr bool has_lane_masks = L == 16;
#else
template <int L> inline constexpr bool has_lane_masks = false;
#endif
/// A bit for each of the first n lanes, n < 16.
using lane_mask = unsigned short;
STG_INLINE lane_mask first_lanes(std::int64_t n) { return static_cast<lane_mask>((1u << n) - 1); }

/// The lanes of a mask from memory, and zeros: others are not read. Spelled, as in load_widened.
template <scalar_type S, int L>
STG_INLINE void load_masked([[maybe_unused]] lanes_t<S, L>& r, [[maybe_unused]] const element_t<S>* from,
                            [[maybe_unused]] lane_mask wanted) {
  static_assert(has_lane_masks<L>, "stg internal: registers of AVX-512 alone");
#if defined(__x86_64__) && !defined(__clang__)
  const auto& row = detail::row_of<L>(from);
  if constexpr (sizeof(element_t<S>) == 4) {
    asm("vmovups %[row], %[r]%{%[wanted]%}%{z%}" : [r] "=v"(r) : [row] "m"(row), [wanted] "Yk"(wanted));
  } else if constexpr (sizeof(element_t<S>) == 2) {
    detail::vec<std::uint16_t, L> bits;
    asm("vmovdqu16 %[row], %[r]%{%[wanted]%}%{z%}" : [r] "=v"(bits) : [row] "m"(row), [wanted] "Yk"(wanted));
    detail::widen<S, L>(r, bits);
  } else {
    detail::vec<signed char, L> bytes;
    asm("vmovdqu8 %[row], %[r]%{%[wanted]%}%{z%}" : [r] "=v"(bytes) : [row] "m"(row), [wanted] "Yk"(wanted));
    r = __builtin_convertvector(bytes, lanes_t<S, L>) != 0;
  }
#endif
}
/// Stores the lanes of a mask. A load soon after waits for the cache, unless by the same mask.
template <scalar_type S, int L>
STG_INLINE void store_masked([[maybe_unused]] element_t<S>* to, [[maybe_unused]] const lanes_t<S, L>& r,
                             [[maybe_unused]] lane_mask wanted) {
  static_assert(has_lane_masks<L>, "stg internal: registers of AVX-512 alone");
#if defined(__x86_64__) && !defined(__clang__)
  auto& row = detail::row_of<L>(to);
  if constexpr (sizeof(element_t<S>) == 4) {
    asm("vmovups %[r], %[row]%{%[wanted]%}" : [row] "+m"(row) : [r] "v"(r), [wanted] "Yk"(wanted));
  } else if constexpr (sizeof(element_t<S>) == 2) {
    const detail::vec<std::uint16_t, L> bits = detail::narrow<S, L>(r);
    asm("vmovdqu16 %[r], %[row]%{%[wanted]%}" : [row] "+m"(row) : [r] "v"(bits), [wanted] "Yk"(wanted));
  } else {
    const detail::vec<signed char, L> bytes = __builtin_convertvector(r & 1, detail::vec<signed char, L>);
    asm("vmovdqu8 %[r], %[row]%{%[wanted]%}" : [row] "+m"(row) : [r] "v"(bytes), [wanted] "Yk"(wanted));
  }
#endif
}
/// The lanes of a mask, and `others`.
template <scalar_type S, int L>
STG_INLINE void keep_lanes([[maybe_unused]] lanes_t<S, L>& r, [[maybe_unused]] lane_mask kept,
                           [[maybe_unused]] element_t<S> others) {
  static_assert(has_lane_masks<L> && sizeof(element_t<S>) == 4, "stg internal: registers of AVX-512 alone");
#if defined(__x86_64__) && !defined(__clang__)
  lanes_t<S, L> other;
  splat<S, L>(other, others);
  asm("vblendmps %[r], %[other], %[r]%{%[kept]%}" : [r] "+v"(r) : [other] "v"(other), [kept] "Yk"(kept));
#endif
}

namespace detail {
template <class V, class T, class At, int... K>
STG_INLINE void collect_lanes(V& r, const T* base, const At& at, std::integer_sequence<int, K...>) {
  r = V{base[at(K)]...};
}
}  // namespace detail

/// base[at(k)] for k < n, which is at least 1; other lanes are some of these.
template <scalar_type S, int L, class At>
STG_INLINE void collect(lanes_t<S, L>& r, const element_t<S>* base, std::int64_t n, const At& at) {
  constexpr auto lanes = std::make_integer_sequence<int, L>();
  if (n >= L) return detail::collect_lanes(r, base, at, lanes);
  detail::collect_lanes(
      r, base, [&at, n ](int k) __attribute__((always_inline)) { return at(k < n ? k : 0); }, lanes);
}

/// base[ids[k] * Stride] for k < n, which is at least 1; other lanes are some of these, or zeros. The products fit 32
/// bits. AVX-512's instruction is spelled, as in load_widened; AVX2's is no faster than single loads.
template <scalar_type S, int L, int Stride>
STG_INLINE void gather(lanes_t<S, L>& r, const element_t<S>* base, const std::int32_t* ids, std::int64_t n) {
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (has_lane_masks<L> && S == scalar_type::f32) {
    lane_mask wanted = n >= L ? lane_mask(0xffff) : first_lanes(n);
    detail::vec<std::int32_t, L> at;
    asm("vmovdqu32 %[ids], %[at]%{%[wanted]%}%{z%}"
        : [at] "=v"(at)
        : [ids] "m"(detail::row_of<L>(ids)), [wanted] "Yk"(wanted));
    at *= Stride;
    asm("vxorps %[r], %[r], %[r]\n\t"
        "vgatherdps (%[base],%[at],4), %[r]%{%[wanted]%}"
        : [r] "=&v"(r), [wanted] "+Yk"(wanted)
        : [at] "v"(at), [base] "r"(base), "m"(*reinterpret_cast<const float(*)[]>(base)));
    return;
  }
#endif
  collect<S, L>(
      r, base, n, [ids](int k) __attribute__((always_inline)) { return ids[k] * Stride; });
}

namespace detail {
template <class Both, class Half, int... I>
STG_INLINE void join_halves(Both& r, const Half& low, const Half& high, std::integer_sequence<int, I...>) {
  r = __builtin_shufflevector(low, high, I...);
}
template <class Both, class Half, int... I>
STG_INLINE void take_halves(Half& low, Half& high, const Both& r, std::integer_sequence<int, I...>) {
  low = __builtin_shufflevector(r, r, I...);
  high = __builtin_shufflevector(r, r, (I + static_cast<int>(sizeof...(I)))...);
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
  if constexpr (L == 2) low = r[0], high = r[1];
  else detail::take_halves(low, high, r, std::make_integer_sequence<int, L / 2>());
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
  } else if constexpr (is_storage(S)) {
    detail::vec<std::uint16_t, L> bits{};
    for (int k = 0; k < L; ++k)
      if (element + k < N) bits[k] = row[element + k].bits;
    detail::widen<S, L>(r, bits);
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
