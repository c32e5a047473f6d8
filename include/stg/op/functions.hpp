// Functions of the language that are one operation on numbers: macros that write a function by its operation's name.
#pragma once

#include <stg/base/config.hpp>  // STG_LANEWISE, STG_SAYS_AT_CALLS
#include <stg/base/math.hpp>    // functions
#include <stg/dsl/build.hpp>    // pointwise, operand_rules, STG_CHECK_PLACES

/// In the struct of an operation: math::functions has its formula, and the compiler has it for long double.
#define STG_EVALUATES_AS_MATH(function)                                                                  \
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::function(a); } \
  static long double exact(long double a) { return __builtin_##function##l(a); }

/// A function of one real value: STG_REAL_FUNCTION(exp) is exp(x).
#if STG_SAYS_AT_CALLS
#define STG_REAL_FUNCTION(function)                                                                                   \
  template <class S, class Sh, scalar_type T>                                                                         \
  __attribute__((                                                                                                     \
      diagnose_if(!is_real(T), "stg: " #function " takes a real value; write cast<f32>(x)", "error"))) constexpr auto \
  function(expr<S, Sh, T> x) {                                                                                        \
    return detail::pointwise<ir::opcode::function>(x);                                                                \
  }
#else
#define STG_REAL_FUNCTION(function)                                                         \
  template <class S, class Sh, scalar_type T> constexpr auto function(expr<S, Sh, T> x) {   \
    static_assert(is_real(T), "stg: " #function " takes a real value; write cast<f32>(x)"); \
    return detail::pointwise<ir::opcode::function>(x);                                      \
  }
#endif

/// A function of two real values, or of a value and a number: pow(x, y), pow(x, 2).
#define STG_REAL_FUNCTION_OF_TWO(function)                                                                     \
  template <class S, class Sh, scalar_type T, class S2, class Sh2, scalar_type T2>                             \
  STG_SAYS_PLACES(#function, detail::operand_rules<expr<S, Sh, T>, expr<S2, Sh2, T2>>)                         \
  STG_SAYS_TYPES(#function, detail::operand_rules<expr<S, Sh, T>, expr<S2, Sh2, T2>>) constexpr auto function( \
      expr<S, Sh, T> a, expr<S2, Sh2, T2> b) {                                                                 \
    using rules = detail::operand_rules<expr<S, Sh, T>, expr<S2, Sh2, T2>>;                                    \
    STG_CHECK_PLACES(rules, #function);                                                                        \
    STG_CHECK_TYPES(rules, #function);                                                                         \
    static_assert(is_real(T) || is_storage(T), "stg: " #function " takes real values; write cast<f32>(x)");    \
    if constexpr (rules::ok_numbers) return detail::pointwise<ir::opcode::function, rules::type>(a, b);        \
    else return mistake();                                                                                     \
  }                                                                                                            \
  template <class S, class Sh, scalar_type T> constexpr auto function(expr<S, Sh, T> a, double b) {            \
    static_assert(is_real(T), "stg: " #function " takes real values; write cast<f32>(x)");                     \
    return detail::pointwise<ir::opcode::function, T>(a, b);                                                   \
  }

/// A function of two values that are numbers, integers too, or of a number and a value: max(x, y), max(x, 0),
/// max(0, x). Spelled with expr in each overload, one for equal signatures, so that it wins over std::max under `using
/// namespace std;`.
#define STG_NUMBER_FUNCTION_OF_TWO(function)                                                                \
  template <class S, class Sh, scalar_type T, class S2, class Sh2, scalar_type T2>                          \
  STG_SAYS_PLACES(#function, detail::operand_rules<expr<S, Sh, T>, expr<S2, Sh2, T2>>)                      \
  STG_SAYS_TYPES(#function, detail::operand_rules<expr<S, Sh, T>, expr<S2, Sh2, T2>>)                       \
      STG_SAYS_NUMBERS(#function, detail::operand_rules<expr<S, Sh, T>, expr<S2, Sh2, T2>>) constexpr auto  \
      function(expr<S, Sh, T> a, expr<S2, Sh2, T2> b) {                                                     \
    using rules = detail::operand_rules<expr<S, Sh, T>, expr<S2, Sh2, T2>>;                                 \
    STG_CHECK_PLACES(rules, #function);                                                                     \
    STG_CHECK_TYPES(rules, #function);                                                                      \
    STG_CHECK_NUMBERS(rules, #function);                                                                    \
    if constexpr (rules::ok_numbers) return detail::pointwise<ir::opcode::function, rules::type>(a, b);     \
    else return mistake();                                                                                  \
  }                                                                                                         \
  template <class S, class Sh, scalar_type T> constexpr auto function(expr<S, Sh, T> a, expr<S, Sh, T> b) { \
    static_assert(is_number(T), "stg: " #function " takes numbers; write cast<f32>(x)");                    \
    return detail::pointwise<ir::opcode::function, T>(a, b);                                                \
  }                                                                                                         \
  template <class S, class Sh, scalar_type T> constexpr auto function(expr<S, Sh, T> a, double b) {         \
    static_assert(is_number(T), "stg: " #function " takes numbers; write cast<f32>(x)");                    \
    return detail::pointwise<ir::opcode::function, T>(a, b);                                                \
  }                                                                                                         \
  template <class S, class Sh, scalar_type T> constexpr auto function(double a, expr<S, Sh, T> b) {         \
    static_assert(is_number(T), "stg: " #function " takes numbers; write cast<f32>(x)");                    \
    return detail::pointwise<ir::opcode::function, T>(a, b);                                                \
  }
