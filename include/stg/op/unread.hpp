// Functions of the language called on what was not read: one overload each, below the function. Parameters and scalars,
// which are the same everywhere, are read; of a feature the sentence says that it was not.
#pragma once

#include <cstddef>      // size_t
#include <type_traits>  // is_arithmetic_v, is_base_of_v, is_convertible_v

#include <stg/base/instead.hpp>  // STG_INSTEAD_FOR
#include <stg/dsl/build.hpp>     // on_values, mistake, Symbol
#include <stg/dsl/edges.hpp>     // edge_view
#include <stg/dsl/vertex.hpp>    // vertex_view

namespace stg {

namespace detail {
/// Numbers outside of the program: a tensor, a vector, an array.
template <class X> inline constexpr bool holds_numbers = requires(const X& x) { x.data(); };
template <class X, std::size_t N> inline constexpr bool holds_numbers<X[N]> = !std::is_same_v<X, char>;
/// No value: numbers outside of the program, several values at once, or a vertex or edges in place of what they read.
template <class X>
inline constexpr bool is_foreign =
    holds_numbers<X> || has_several<X> || std::is_base_of_v<vertex_view, X> || is_edge_view<X>;
}  // namespace detail

namespace detail {
template <class X>
concept Number = std::is_arithmetic_v<X>;
/// A number or a text, where a value belongs.
template <class X>
concept NoMask = std::is_arithmetic_v<X> || std::is_convertible_v<const X&, const char*>;

template <class X>
inline constexpr bool is_of_language = is_foreign<X> ? !holds_numbers<X> : is_operand<X> && !std::is_arithmetic_v<X>;
template <class A, class B>
concept OneForeign = (is_foreign<A> || is_foreign<B>)&&(is_of_language<A> || is_of_language<B>);
}  // namespace detail

/// At least one argument is a symbol, a value without a program, a sparse feature or what a scan gave for all of its
/// steps, or no value at all, or stands for a mistake that was reported.
template <class... X>
concept Unread = ((Symbol<X> || detail::is_loose<X> || is_mistake<X> || detail::is_sparse<X> || detail::is_steps<X> ||
                   detail::is_foreign<X>) ||
                  ...);

namespace detail {
template <class... X> inline constexpr bool reported = (is_mistake<X> || ...);
template <class... X>
inline constexpr bool has_feature = ((Symbol<X> && !is_graph_symbol<X>) || ...) && !reported<X...>;
template <class... X> inline constexpr bool has_sparse = (is_sparse<X> || ...) && !reported<X...> && !has_feature<X...>;
template <class... X>
inline constexpr bool has_steps = (is_steps<X> || ...) && !reported<X...> && !has_feature<X...> && !has_sparse<X...>;
template <class... X>
inline constexpr bool may_be_foreign = !reported<X...> && !has_feature<X...> && !has_sparse<X...> && !has_steps<X...>;
template <class... X> inline constexpr bool has_numbers_outside = may_be_foreign<X...> && (holds_numbers<X> || ...);
template <class... X>
inline constexpr bool has_several_at_once =
    may_be_foreign<X...> && !(holds_numbers<X> || ...) && (has_several<X> || ...);
template <class... X> inline constexpr bool any_foreign = (is_foreign<X> || ...);
template <class... X>
inline constexpr bool has_place =
    may_be_foreign<X...> && !(holds_numbers<X> || ...) && !(has_several<X> || ...) && (is_foreign<X> || ...);
}  // namespace detail

/// A parameter or scalar is read and the function called again; of anything else that is no value a sentence says so:
/// STG_SAYS_UNREAD and STG_SAYS_STEPS in front of the function, the rest is its body. `X` and `x` are the arguments,
/// the last one is what is called. Few functions take what a scan gave for all of its steps, and have no sentence about
/// it.
#define STG_TAKES_NO_TENSOR \
  "stg: a function of a program takes values; declare an input, bind the tensor to it, and read it: v(x)"
#define STG_TAKES_ONE_VALUE \
  "stg: a function takes one value, and this is several; take them apart: auto [y, mean, variance] = ..."
#define STG_TAKES_NO_PLACE \
  "stg: a vertex and edges are no values; they read v(x), e.src(x), and come first in a lambda: [](auto v)"
#define STG_READS_FIRST "; read the feature first: v(x), e.src(x), e.dst(x) or e(x)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_UNREAD(function, values, ...)                                                                    \
  __attribute__((                                                                                                 \
      diagnose_if(detail::has_feature<__VA_ARGS__>, "stg: " #function " takes " values STG_READS_FIRST, "error"), \
      diagnose_if(detail::has_sparse<__VA_ARGS__>, "stg: " #function STG_TAKES_NO_SPARSE, "error"),               \
      diagnose_if(detail::has_numbers_outside<__VA_ARGS__>, STG_TAKES_NO_TENSOR, "error"),                        \
      diagnose_if(detail::has_several_at_once<__VA_ARGS__>, STG_TAKES_ONE_VALUE, "error"),                        \
      diagnose_if(detail::has_place<__VA_ARGS__>, STG_TAKES_NO_PLACE, "error")))
#define STG_SAYS_STEPS(function, ...) \
  __attribute__((diagnose_if(detail::has_steps<__VA_ARGS__>, "stg: " #function STG_TAKES_ONE_STEP, "error")))
#define STG_CHECK_UNREAD(function, values, ...)
#define STG_CHECK_STEPS(function, ...)
#else
#define STG_SAYS_UNREAD(function, values, ...)
#define STG_SAYS_STEPS(function, ...)
#define STG_CHECK_UNREAD(function, values, ...)                                                         \
  static_assert(!detail::has_feature<__VA_ARGS__>, "stg: " #function " takes " values STG_READS_FIRST); \
  static_assert(!detail::has_sparse<__VA_ARGS__>, "stg: " #function STG_TAKES_NO_SPARSE);               \
  static_assert(!detail::has_numbers_outside<__VA_ARGS__>, STG_TAKES_NO_TENSOR);                        \
  static_assert(!detail::has_several_at_once<__VA_ARGS__>, STG_TAKES_ONE_VALUE);                        \
  static_assert(!detail::has_place<__VA_ARGS__>, STG_TAKES_NO_PLACE)
#define STG_CHECK_STEPS(function, ...) \
  static_assert(!detail::has_steps<__VA_ARGS__>, "stg: " #function STG_TAKES_ONE_STEP)
#endif
#define STG_READS_ARGUMENTS(X, x, ...)                                                                            \
  if constexpr (detail::reported<X> || detail::has_feature<X> || detail::has_sparse<X> || detail::has_steps<X> || \
                (detail::may_be_foreign<X> && detail::any_foreign<X>))                                            \
    return mistake();                                                                                             \
  else return detail::on_values([](const auto&... value) { return __VA_ARGS__(value...); }, x)

/// Of a function with fewer or more arguments than it takes: what to write.
#if defined(__CUDACC__)
#define STG_TAKES_ARGUMENTS(function, least, most, form)
#elif STG_SAYS_AT_CALLS
#define STG_TAKES_ARGUMENTS(function, least, most, form)                                                             \
  template <auto... T, class... X>                                                                                   \
    requires((sizeof...(X) < least || sizeof...(X) > most) && !Unread<X...> && (detail::is_expr<X> || ...))          \
  __attribute__((                                                                                                    \
      diagnose_if(sizeof...(X) < 99, "stg: " #function " takes other arguments: " form, "error"))) constexpr mistake \
  function(const X&...) {                                                                                            \
    return {};                                                                                                       \
  }
#else
#define STG_TAKES_ARGUMENTS(function, least, most, form)                                                    \
  template <auto... T, class... X>                                                                          \
    requires((sizeof...(X) < least || sizeof...(X) > most) && !Unread<X...> && (detail::is_expr<X> || ...)) \
  constexpr mistake function(const X&...) {                                                                 \
    static_assert(sizeof...(X) > 98, "stg: " #function " takes other arguments: " form);                    \
    return {};                                                                                              \
  }
#endif
namespace detail {
/// Whether values stand before a place, and something else than a number in it: no symbol either, which is read first.
template <int Place, class... X> constexpr bool has_no_number_at() {
  if constexpr (static_cast<int>(sizeof...(X)) <= Place || Unread<X...>) return false;
  else {
    constexpr bool is_value[] = {is_expr<X>...}, is_number[] = {std::is_arithmetic_v<X>...};
    for (int k = 0; k < Place; ++k)
      if (!is_value[k]) return false;
    return is_value[Place] && !is_number[Place];
  }
}
}  // namespace detail
/// Of a function of values with a number behind them, which is none: a value.
#if defined(__CUDACC__)
#define STG_TAKES_A_NUMBER(function, place, form)
#elif STG_SAYS_AT_CALLS
#define STG_TAKES_A_NUMBER(function, place, form)                                                                  \
  template <auto... T, class... X>                                                                                 \
    requires(detail::has_no_number_at<place, X...>())                                                              \
  __attribute__((diagnose_if(sizeof...(X) < 99, "stg: " #function " takes a number, known while compiling: " form, \
                             "error"))) constexpr mistake                                                          \
  function(const X&...) {                                                                                          \
    return {};                                                                                                     \
  }
#else
#define STG_TAKES_A_NUMBER(function, place, form)                                                        \
  template <auto... T, class... X>                                                                       \
    requires(detail::has_no_number_at<place, X...>())                                                    \
  constexpr mistake function(const X&...) {                                                              \
    static_assert(sizeof...(X) > 98, "stg: " #function " takes a number, known while compiling: " form); \
    return {};                                                                                           \
  }
#endif
/// Of a function without what it takes in its brackets.
#if defined(__CUDACC__)
#define STG_LACKS_BRACKETS_OF(function, least, form)
#elif STG_SAYS_AT_CALLS
#define STG_LACKS_BRACKETS_OF(function, least, form)                                                      \
  template <class... X>                                                                                   \
    requires(sizeof...(X) >= least && !Unread<X...> && (detail::is_expr<X> || ...))                       \
  __attribute__((diagnose_if(sizeof...(X) < 99, "stg: " #function " takes a constant in brackets: " form, \
                             "error"))) constexpr mistake                                                 \
  function(const X&...) {                                                                                 \
    return {};                                                                                            \
  }
#else
#define STG_LACKS_BRACKETS_OF(function, least, form)                                            \
  template <class... X>                                                                         \
    requires(sizeof...(X) >= least && !Unread<X...> && (detail::is_expr<X> || ...))             \
  constexpr mistake function(const X&...) {                                                     \
    static_assert(sizeof...(X) > 99, "stg: " #function " takes a constant in brackets: " form); \
    return {};                                                                                  \
  }
#endif

/// Of an operator between a value and something that is none: a tensor, several values, a vertex, edges.
#if defined(__CUDACC__)
#define STG_TAKES_VALUES_BESIDE(op)
#else
#define STG_TAKES_VALUES_BESIDE(op)                                       \
  template <class A, class B>                                             \
    requires detail::OneForeign<A, B> STG_SAYS_UNREAD(op, "values", A, B) \
  constexpr mistake operator op(const A&, const B&) {                     \
    STG_CHECK_UNREAD(op, "values", A, B);                                 \
    return {};                                                            \
  }
#endif

/// Of an operator in front of a value.
#define STG_TAKES_A_VALUE_BEHIND(op)                                                                                   \
  template <Unread X> STG_SAYS_UNREAD(op, "a value", X) STG_SAYS_STEPS(op, X) constexpr auto operator op(const X& x) { \
    STG_CHECK_UNREAD(op, "a value", X);                                                                                \
    STG_CHECK_STEPS(op, X);                                                                                            \
    STG_READS_ARGUMENTS(X, x, operator op);                                                                            \
  }

#define STG_BOTH(a, b) a, b
#define STG_THREE(a, b, c) a, b, c
#define STG_TAKES_VALUES(function)                                        \
  template <class... X>                                                   \
    requires Unread<X...> STG_SAYS_UNREAD(function, "values", X...)       \
  STG_SAYS_STEPS(function, X...) constexpr auto function(const X&... x) { \
    STG_CHECK_UNREAD(function, "values", X...);                           \
    STG_CHECK_STEPS(function, X...);                                      \
    STG_READS_ARGUMENTS(X..., x..., function);                            \
  }
#define STG_TAKES_VALUES_FOR(function, argument, ...)                     \
  template <__VA_ARGS__, class... X>                                      \
    requires Unread<X...> STG_SAYS_UNREAD(function, "values", X...)       \
  STG_SAYS_STEPS(function, X...) constexpr auto function(const X&... x) { \
    STG_CHECK_UNREAD(function, "values", X...);                           \
    STG_CHECK_STEPS(function, X...);                                      \
    STG_READS_ARGUMENTS(X..., x..., function<argument>);                  \
  }
/// The same of two arguments of one type: overloads of their own win over the standard library's under `using namespace
/// std;`.
#define STG_TAKES_TWO_VALUES_OF_ONE_TYPE(function)                              \
  template <Unread X>                                                           \
  STG_SAYS_UNREAD(function, "values", X)                                        \
  STG_SAYS_STEPS(function, X) constexpr auto function(const X& a, const X& b) { \
    STG_CHECK_UNREAD(function, "values", X);                                    \
    STG_CHECK_STEPS(function, X);                                               \
    STG_READS_ARGUMENTS(X, STG_BOTH(a, b), function);                           \
  }
/// The same of functions that take what has a value for each step, too.
#define STG_TAKES_VALUES_OR_STEPS(function)                         \
  template <class... X>                                             \
    requires Unread<X...> STG_SAYS_UNREAD(function, "values", X...) \
  constexpr auto function(const X&... x) {                          \
    STG_CHECK_UNREAD(function, "values", X...);                     \
    STG_READS_ARGUMENTS(X..., x..., function);                      \
  }
#define STG_TAKES_VALUES_OR_STEPS_FOR(function, argument, ...)      \
  template <__VA_ARGS__, class... X>                                \
    requires Unread<X...> STG_SAYS_UNREAD(function, "values", X...) \
  constexpr auto function(const X&... x) {                          \
    STG_CHECK_UNREAD(function, "values", X...);                     \
    STG_READS_ARGUMENTS(X..., x..., function<argument>);            \
  }

}  // namespace stg
