// The operations that say by a formula what is exact, as a list that tests go over.
#pragma once

#include <stg/op/list.hpp>  // Exact, pointwise

namespace stg::test {

template <class... Op> struct operations {};
template <class... A, class... B> constexpr operations<A..., B...> operator+(operations<A...>, operations<B...>) {
  return {};
}
template <class Op> constexpr auto with_formula() {
  if constexpr (op::Exact<Op>) return operations<Op>();
  else return operations<>();
}
#define STG_WITH_FORMULA(word) +with_formula<op::word>()
inline constexpr auto with_formulas = operations<>() STG_OPERATIONS(STG_WITH_FORMULA);
#undef STG_WITH_FORMULA

/// One of them in the language, of as many values as it takes.
template <class Op, class S, class Sh, scalar_type T>
constexpr auto of_values(expr<S, Sh, T> a, [[maybe_unused]] expr<S, Sh, T> b) {
  if constexpr (Op::arity == 1) return detail::pointwise<Op::code>(a);
  else return detail::pointwise<Op::code, T>(a, b);
}
/// A value of the operation's k-th domain that follows x, of any size.
template <class Op> constexpr auto within_domain(auto x, int k) {
  const op::interval all = Op::domain.of(k);
  const double low = all.hole > 0 ? all.hole : all.low < -2 ? -2 : all.low, high = all.high > 2 ? 2 : all.high;
  return low + (high - low) * sigmoid(x);
}
/// The sum of every third of them, from the first, the second or the third on.
template <int First> constexpr auto every_third(auto x, auto y) {
  return [&]<class... Op>(operations<Op...>) {
    int place = 0;
    auto sum = 0.0 * x;
    const auto add = [&](auto term) { sum = sum + term; };
    ((place++ % 3 == First ? add(of_values<Op>(within_domain<Op>(x, 0), within_domain<Op>(y, 1))) : void()), ...);
    return sum;
  }(with_formulas);
}
/// Its formula.
template <class Op> long double exact(long double a, [[maybe_unused]] long double b) {
  if constexpr (Op::arity == 1) return Op::exact(a);
  else return Op::exact(a, b);
}

}  // namespace stg::test
