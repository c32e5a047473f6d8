// Scalar types of values: the tag, its C++ type and its size.
#pragma once

#include <cstdint>      // int32_t
#include <string_view>  // string_view

#include <stg/base/float16.hpp>  // bfloat16, float16

namespace stg {

/// Type of one number. f32 for features, f64 for checking, i32 for labels and indices, boolean for masks; bf16 and f16
/// store features in half the memory, and compute in f32. `real` is no type of a program: in the language it stands for
/// real numbers that take the type of the values they meet, such as degrees, and are f32 if they meet none.
enum class scalar_type : int { f32, f64, i32, boolean, bf16, f16, real };

inline constexpr scalar_type f32 = scalar_type::f32;
inline constexpr scalar_type f64 = scalar_type::f64;
inline constexpr scalar_type i32 = scalar_type::i32;
inline constexpr scalar_type boolean = scalar_type::boolean;
inline constexpr scalar_type bf16 = scalar_type::bf16;
inline constexpr scalar_type f16 = scalar_type::f16;

constexpr std::string_view name_of(scalar_type s) {
  constexpr std::string_view names[] = {"f32", "f64", "i32", "bool", "bf16", "f16", "real"};
  return names[static_cast<int>(s)];
}

constexpr bool is_real(scalar_type s) {
  return s == scalar_type::f32 || s == scalar_type::f64 || s == scalar_type::real;
}
/// The type that a program computes with: the default for `real`.
constexpr scalar_type settled(scalar_type s) { return s == scalar_type::real ? scalar_type::f32 : s; }
/// Whether values of these types can be operands of one operation, and the type that both then have.
constexpr bool agree(scalar_type a, scalar_type b) {
  return a == b || (is_real(a) && is_real(b) && (a == scalar_type::real || b == scalar_type::real));
}
constexpr scalar_type common(scalar_type a, scalar_type b) { return a == scalar_type::real ? b : a; }

/// Whether numbers are stored in this type and computed with in another one.
constexpr bool is_storage(scalar_type s) { return s == scalar_type::bf16 || s == scalar_type::f16; }
constexpr scalar_type computed_in(scalar_type s) { return is_storage(s) ? scalar_type::f32 : s; }

/// Whether values of this type are added, compared and multiplied.
constexpr bool is_number(scalar_type s) { return s != scalar_type::boolean && !is_storage(s); }

/// Whether a gradient passes through values of this type: real numbers, stored ones too.
constexpr bool is_differentiable(scalar_type s) { return is_real(s) || is_storage(s); }

/// Bytes of one number in memory.
constexpr int bytes_of(scalar_type s) {
  return s == scalar_type::f64 ? 8 : s == scalar_type::boolean ? 1 : is_storage(s) ? 2 : 4;
}

namespace detail {
template <scalar_type S> struct element;
template <> struct element<scalar_type::f32> { using type = float; };
template <> struct element<scalar_type::f64> { using type = double; };
template <> struct element<scalar_type::i32> { using type = std::int32_t; };
template <> struct element<scalar_type::boolean> { using type = bool; };
template <> struct element<scalar_type::bf16> { using type = bfloat16; };
template <> struct element<scalar_type::f16> { using type = float16; };
template <class T> struct scalar_of;
template <> struct scalar_of<float> { static constexpr scalar_type value = scalar_type::f32; };
template <> struct scalar_of<double> { static constexpr scalar_type value = scalar_type::f64; };
template <> struct scalar_of<std::int32_t> { static constexpr scalar_type value = scalar_type::i32; };
template <> struct scalar_of<bool> { static constexpr scalar_type value = scalar_type::boolean; };
template <> struct scalar_of<bfloat16> { static constexpr scalar_type value = scalar_type::bf16; };
template <> struct scalar_of<float16> { static constexpr scalar_type value = scalar_type::f16; };
}  // namespace detail

/// C++ type that stores a scalar: element_t<f32> is float.
template <scalar_type S> using element_t = typename detail::element<S>::type;

/// Scalar type of a C++ element: scalar_of<float> is f32.
template <class T> inline constexpr scalar_type scalar_of = detail::scalar_of<T>::value;

}  // namespace stg
