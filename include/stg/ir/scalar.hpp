// Scalar types of values: the tag, its C++ type and its size.
#pragma once

#include <cstdint>      // int32_t
#include <string_view>  // string_view

namespace stg {

/// Type of one number. f32 for features, f64 for checking, i32 for labels and indices, boolean for masks.
enum class scalar_type : int { f32, f64, i32, boolean };

inline constexpr scalar_type f32 = scalar_type::f32;
inline constexpr scalar_type f64 = scalar_type::f64;
inline constexpr scalar_type i32 = scalar_type::i32;
inline constexpr scalar_type boolean = scalar_type::boolean;

constexpr std::string_view name_of(scalar_type s) {
  constexpr std::string_view names[] = {"f32", "f64", "i32", "bool"};
  return names[static_cast<int>(s)];
}

constexpr bool is_real(scalar_type s) { return s == scalar_type::f32 || s == scalar_type::f64; }

/// Bytes of one number in memory.
constexpr int bytes_of(scalar_type s) { return s == scalar_type::f64 ? 8 : s == scalar_type::boolean ? 1 : 4; }

namespace detail {
template <scalar_type S> struct element;
template <> struct element<scalar_type::f32> { using type = float; };
template <> struct element<scalar_type::f64> { using type = double; };
template <> struct element<scalar_type::i32> { using type = std::int32_t; };
template <> struct element<scalar_type::boolean> { using type = bool; };
template <class T> struct scalar_of;
template <> struct scalar_of<float> { static constexpr scalar_type value = scalar_type::f32; };
template <> struct scalar_of<double> { static constexpr scalar_type value = scalar_type::f64; };
template <> struct scalar_of<std::int32_t> { static constexpr scalar_type value = scalar_type::i32; };
template <> struct scalar_of<bool> { static constexpr scalar_type value = scalar_type::boolean; };
}  // namespace detail

/// C++ type that stores a scalar: element_t<f32> is float.
template <scalar_type S> using element_t = typename detail::element<S>::type;

/// Scalar type of a C++ element: scalar_of<float> is f32.
template <class T> inline constexpr scalar_type scalar_of = detail::scalar_of<T>::value;

}  // namespace stg
