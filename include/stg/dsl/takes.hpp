// Whether a lambda takes so many arguments, be its body right or wrong.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <type_traits>  // is_class_v, is_final_v

namespace stg::detail {

#ifdef __CUDACC__  // nvcc 13 ends with an error of its own if a lambda is a base
template <class F, class... A> inline constexpr bool takes_arguments = false;
#else

/// A function of N arguments of any types. int: declared alike, the lambda's would hide it.
template <int N> struct takes_any;
template <> struct takes_any<1> { template <class A, int = 0> int operator()(A) const; };
template <> struct takes_any<2> { template <class A, class B, int = 0> int operator()(A, B) const; };
template <> struct takes_any<3> { template <class A, class B, class C, int = 0> int operator()(A, B, C) const; };
template <> struct takes_any<4> {
  template <class A, class B, class C, class D, int = 0> int operator()(A, B, C, D) const;
};
template <> struct takes_any<5> {
  template <class A, class B, class C, class D, class E, int = 0> int operator()(A, B, C, D, E) const;
};

/// Whether a class has a call operator: beside another one of the name, the name is ambiguous.
struct has_call_operator {
  void operator()();
};
template <class F> struct beside_call_operator : F, has_call_operator {};
template <class F> inline constexpr bool is_callable_class = !requires { &beside_call_operator<F>::operator(); };

template <class F, int N> struct beside_anything : F, takes_any<N> {
  using F::operator();
  using takes_any<N>::operator();
};

/// Whether F is a lambda of as many arguments as there are A: beside a function that takes the same, the call is
/// ambiguous, and nobody looks into the body. Asked if F cannot be called: a lambda that takes the arguments has a
/// mistake of C++ in its body, and the compiler has said it.
template <class F, class... A> constexpr bool find_takes() {
  constexpr int count = sizeof...(A);
  if constexpr (!std::is_class_v<F> || std::is_final_v<F> || count == 0 || count > 5) return false;
  else if constexpr (!is_callable_class<F>) return false;
  else return !requires(const beside_anything<F, count>& both, A... a) {
      both(a...);
    };
}
template <class F, class... A> inline constexpr bool takes_arguments = find_takes<F, A...>();
#endif

}  // namespace stg::detail
