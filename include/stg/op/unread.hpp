// Functions of the language called on what was not read: one overload each. Parameters and scalars, which are the same
// everywhere, are read; of a feature the sentence says that it was not.
#pragma once

#include <stg/dsl/build.hpp>  // on_values, mistake, Symbol

namespace stg {

/// At least one argument is a symbol, a value without a program, or a sparse feature, or stands for a mistake that was
/// reported.
template <class... X>
concept Unread = ((Symbol<X> || detail::is_loose<X> || is_mistake<X> || detail::is_sparse<X>) || ...);

namespace detail {
template <class... X> inline constexpr bool reported = (is_mistake<X> || ...);
template <class... X>
inline constexpr bool has_feature = ((Symbol<X> && !is_graph_symbol<X>) || ...) && !reported<X...>;
template <class... X> inline constexpr bool has_sparse = (is_sparse<X> || ...) && !reported<X...>;
}  // namespace detail

/// A parameter or scalar is read and the function called again; of anything else that is no value a sentence says so.
/// `X` and `x` are the arguments, the last one is what is called.
#define STG_READS_ARGUMENTS(function, values, X, x, ...)                                                          \
  static_assert(!detail::has_feature<X>,                                                                          \
                "stg: " #function " takes " values "; read the feature first: v(x), e.src(x), e.dst(x) or e(x)"); \
  static_assert(!detail::has_sparse<X> || detail::has_feature<X>, "stg: " #function STG_TAKES_NO_SPARSE);         \
  if constexpr (detail::reported<X> || detail::has_feature<X> || detail::has_sparse<X>) return mistake();         \
  else return detail::on_values([](const auto&... value) { return __VA_ARGS__(value...); }, x)

#define STG_BOTH(a, b) a, b
#define STG_THREE(a, b, c) a, b, c
#define STG_TAKES_VALUES(function) \
  template <class... X>            \
    requires Unread<X...>          \
  constexpr auto function(const X&... x) { STG_READS_ARGUMENTS(function, "values", X..., x..., function); }
#define STG_TAKES_VALUES_FOR(function, argument, ...) \
  template <__VA_ARGS__, class... X>                  \
    requires Unread<X...>                             \
  constexpr auto function(const X&... x) { STG_READS_ARGUMENTS(function, "values", X..., x..., function<argument>); }

STG_TAKES_VALUES(exp)
STG_TAKES_VALUES(exp2)
STG_TAKES_VALUES(expm1)
STG_TAKES_VALUES(log)
STG_TAKES_VALUES(log2)
STG_TAKES_VALUES(log1p)
STG_TAKES_VALUES(sqrt)
STG_TAKES_VALUES(rsqrt)
STG_TAKES_VALUES(cbrt)
STG_TAKES_VALUES(erf)
STG_TAKES_VALUES(sin)
STG_TAKES_VALUES(cos)
STG_TAKES_VALUES(tan)
STG_TAKES_VALUES(asin)
STG_TAKES_VALUES(acos)
STG_TAKES_VALUES(atan)
STG_TAKES_VALUES(sinh)
STG_TAKES_VALUES(cosh)
STG_TAKES_VALUES(tanh)
STG_TAKES_VALUES(sigmoid)
STG_TAKES_VALUES(relu)
STG_TAKES_VALUES(leaky_relu)
STG_TAKES_VALUES(elu)
STG_TAKES_VALUES(silu)
STG_TAKES_VALUES(gelu)
STG_TAKES_VALUES(softplus)
STG_TAKES_VALUES(selu)
STG_TAKES_VALUES(hardtanh)
STG_TAKES_VALUES(square)
STG_TAKES_VALUES(reciprocal)
STG_TAKES_VALUES(clamp)
STG_TAKES_VALUES(abs)
STG_TAKES_VALUES(sign)
STG_TAKES_VALUES(floor)
STG_TAKES_VALUES(ceil)
STG_TAKES_VALUES(round)
STG_TAKES_VALUES(pow)
STG_TAKES_VALUES(fmod)
STG_TAKES_VALUES(detach)
STG_TAKES_VALUES(is_nan)
STG_TAKES_VALUES(sum)
STG_TAKES_VALUES(mean)
STG_TAKES_VALUES(max)
STG_TAKES_VALUES(min)
STG_TAKES_VALUES(prod)
STG_TAKES_VALUES(var)
STG_TAKES_VALUES(stddev)
STG_TAKES_VALUES(argmax)
STG_TAKES_VALUES(argmin)
STG_TAKES_VALUES(count)
STG_TAKES_VALUES(log_sum_exp)
STG_TAKES_VALUES(softmax)
STG_TAKES_VALUES(log_softmax)
STG_TAKES_VALUES(select)
STG_TAKES_VALUES(stored)
STG_TAKES_VALUES(inlined)
STG_TAKES_VALUES(cross_entropy)
STG_TAKES_VALUES(nll)
STG_TAKES_VALUES(bce_with_logits)
STG_TAKES_VALUES(mse)
STG_TAKES_VALUES(l1)
STG_TAKES_VALUES(huber)

// Arguments of one type: overloads of their own win over the standard library's under `using namespace std;`.
template <Unread X> constexpr auto max(const X& a, const X& b) {
  STG_READS_ARGUMENTS(max, "values", X, STG_BOTH(a, b), max);
}
template <Unread X> constexpr auto min(const X& a, const X& b) {
  STG_READS_ARGUMENTS(min, "values", X, STG_BOTH(a, b), min);
}
template <Unread X> constexpr auto clamp(const X& x, const X& low, const X& high) {
  STG_READS_ARGUMENTS(clamp, "values", X, STG_THREE(x, low, high), clamp);
}

STG_TAKES_VALUES_FOR(cast, To, scalar_type To)
STG_TAKES_VALUES_FOR(one_hot, N, auto N)
STG_TAKES_VALUES_FOR(reshape, To..., auto... To)
STG_TAKES_VALUES_FOR(slice, STG_BOTH(Begin, End), int Begin, int End)
STG_TAKES_VALUES_FOR(transpose, STG_BOTH(A, B), int A, int B)
STG_TAKES_VALUES_FOR(concat, Axis, auto Axis)
STG_TAKES_VALUES_FOR(named, Name, fixed_string Name)
STG_TAKES_VALUES_FOR(tag, Name, fixed_string Name)

/// Unary minus and negation of what was not read.
template <Unread X> constexpr auto operator-(const X& x) { STG_READS_ARGUMENTS(-, "a value", X, x, operator-); }
template <Unread X> constexpr auto operator!(const X& x) { STG_READS_ARGUMENTS(!, "a value", X, x, operator!); }

/// Of a sparse feature there is a dropout.
template <class... X>
  requires((Symbol<X> || detail::is_loose<X> || is_mistake<X>) || ...)
constexpr auto dropout(const X&... x) {
  static_assert(!detail::has_feature<X...>,
                "stg: dropout takes values; read the feature first: v(x), e.src(x), e.dst(x) or e(x)");
  if constexpr (detail::reported<X...> || detail::has_feature<X...>) return mistake();
  else return detail::on_values([](const auto&... value) { return dropout(value...); }, x...);
}

#undef STG_TAKES_VALUES
#undef STG_TAKES_VALUES_FOR
#undef STG_BOTH
#undef STG_THREE
#undef STG_READS_ARGUMENTS

}  // namespace stg
