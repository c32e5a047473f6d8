// Functions of the language called on a symbol that was not read, or on a sparse feature: one overload each, for the
// sentence alone.
#pragma once

#include <stg/dsl/build.hpp>  // mistake, Symbol

namespace stg {

/// At least one argument is a symbol or a sparse feature where a value belongs, or stands for a mistake that was
/// reported.
template <class... X>
concept Unread = ((Symbol<X> || is_mistake<X> || detail::is_sparse<X>) || ...);

namespace detail {
template <class... X> inline constexpr bool reported = (is_mistake<X> || ...);
template <class... X> inline constexpr bool has_symbol = (Symbol<X> || ...) && !reported<X...>;
template <class... X> inline constexpr bool has_sparse = (is_sparse<X> || ...) && !reported<X...>;
}  // namespace detail

#define STG_TAKES_VALUES(function, ...)                                                                          \
  template <__VA_ARGS__ __VA_OPT__(, ) class... X>                                                               \
    requires Unread<X...>                                                                                        \
  constexpr auto function(const X&...) {                                                                         \
    static_assert(!detail::has_symbol<X...>,                                                                     \
                  "stg: " #function " takes values; read the feature first: v(x), e.src(x), e.dst(x) or e(x)");  \
    static_assert(!detail::has_sparse<X...> || detail::has_symbol<X...>, "stg: " #function STG_TAKES_NO_SPARSE); \
    return mistake();                                                                                            \
  }

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
STG_TAKES_VALUES(cross_entropy)
STG_TAKES_VALUES(nll)
STG_TAKES_VALUES(bce_with_logits)
STG_TAKES_VALUES(mse)
STG_TAKES_VALUES(l1)
STG_TAKES_VALUES(huber)
STG_TAKES_VALUES(cast, scalar_type To)
STG_TAKES_VALUES(one_hot, auto N)
STG_TAKES_VALUES(reshape, auto... To)
STG_TAKES_VALUES(slice, int Begin, int End)
STG_TAKES_VALUES(concat, auto Axis)
STG_TAKES_VALUES(named, fixed_string Name)

#undef STG_TAKES_VALUES

/// Of a sparse feature there is a dropout.
template <class... X>
  requires((Symbol<X> || is_mistake<X>) || ...)
constexpr auto dropout(const X&...) {
  static_assert(!detail::has_symbol<X...>,
                "stg: dropout takes values; read the feature first: v(x), e.src(x), e.dst(x) or e(x)");
  return mistake();
}

/// Unary minus and negation of a symbol or a sparse feature.
template <Unread X> constexpr auto operator-(const X&) {
  static_assert(!detail::has_symbol<X>,
                "stg: - takes a value; read the feature first: v(x), e.src(x), e.dst(x) or e(x)");
  static_assert(!detail::has_sparse<X>, "stg: -" STG_TAKES_NO_SPARSE);
  return mistake();
}
template <Unread X> constexpr auto operator!(const X&) {
  static_assert(!detail::has_symbol<X>,
                "stg: ! takes a value; read the feature first: v(x), e.src(x), e.dst(x) or e(x)");
  static_assert(!detail::has_sparse<X>, "stg: !" STG_TAKES_NO_SPARSE);
  return mistake();
}

}  // namespace stg
