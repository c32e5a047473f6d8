// Functions of the language called on what was not read: one overload each, below the function. Parameters and scalars,
// which are the same everywhere, are read; of a feature the sentence says that it was not.
#pragma once

#include <stg/dsl/build.hpp>  // on_values, mistake, Symbol

namespace stg {

/// At least one argument is a symbol, a value without a program, a sparse feature or what a scan gave for all of its
/// steps, or stands for a mistake that was reported.
template <class... X>
concept Unread = ((Symbol<X> || detail::is_loose<X> || is_mistake<X> || detail::is_sparse<X> || detail::is_steps<X>) ||
                  ...);

namespace detail {
template <class... X> inline constexpr bool reported = (is_mistake<X> || ...);
template <class... X>
inline constexpr bool has_feature = ((Symbol<X> && !is_graph_symbol<X>) || ...) && !reported<X...>;
template <class... X> inline constexpr bool has_sparse = (is_sparse<X> || ...) && !reported<X...> && !has_feature<X...>;
template <class... X>
inline constexpr bool has_steps = (is_steps<X> || ...) && !reported<X...> && !has_feature<X...> && !has_sparse<X...>;
}  // namespace detail

/// A parameter or scalar is read and the function called again; of anything else that is no value a sentence says so:
/// STG_SAYS_UNREAD and STG_SAYS_STEPS in front of the function, the rest is its body. `X` and `x` are the arguments,
/// the last one is what is called. Few functions take what a scan gave for all of its steps, and have no sentence about
/// it.
#define STG_READS_FIRST "; read the feature first: v(x), e.src(x), e.dst(x) or e(x)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_UNREAD(function, values, ...)                                                                    \
  __attribute__((                                                                                                 \
      diagnose_if(detail::has_feature<__VA_ARGS__>, "stg: " #function " takes " values STG_READS_FIRST, "error"), \
      diagnose_if(detail::has_sparse<__VA_ARGS__>, "stg: " #function STG_TAKES_NO_SPARSE, "error")))
#define STG_SAYS_STEPS(function, ...) \
  __attribute__((diagnose_if(detail::has_steps<__VA_ARGS__>, "stg: " #function STG_TAKES_ONE_STEP, "error")))
#define STG_CHECK_UNREAD(function, values, ...)
#define STG_CHECK_STEPS(function, ...)
#else
#define STG_SAYS_UNREAD(function, values, ...)
#define STG_SAYS_STEPS(function, ...)
#define STG_CHECK_UNREAD(function, values, ...)                                                         \
  static_assert(!detail::has_feature<__VA_ARGS__>, "stg: " #function " takes " values STG_READS_FIRST); \
  static_assert(!detail::has_sparse<__VA_ARGS__>, "stg: " #function STG_TAKES_NO_SPARSE)
#define STG_CHECK_STEPS(function, ...) \
  static_assert(!detail::has_steps<__VA_ARGS__>, "stg: " #function STG_TAKES_ONE_STEP)
#endif
#define STG_READS_ARGUMENTS(X, x, ...)                                                                          \
  if constexpr (detail::reported<X> || detail::has_feature<X> || detail::has_sparse<X> || detail::has_steps<X>) \
    return mistake();                                                                                           \
  else return detail::on_values([](const auto&... value) { return __VA_ARGS__(value...); }, x)

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
