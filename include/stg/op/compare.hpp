// Comparisons, conditions & | ^ ! of them, is_nan, select and cast; the messages for `a && b`.
#pragma once

#include <stg/base/instead.hpp>  // STG_INSTEAD_FOR
#include <stg/base/config.hpp>   // STG_LANEWISE
#include <stg/dsl/build.hpp>     // pointwise, STG_CHECK_PLACES
#include <stg/op/operation.hpp>  // comparison
#include <stg/op/unread.hpp>     // STG_TAKES_VALUES

namespace stg::op {

struct less : comparison<ir::opcode::less> {
  template <class T> STG_LANEWISE static constexpr auto apply(const T& a, const T& b) { return a < b; }
};
struct less_equal : comparison<ir::opcode::less_equal> {
  template <class T> STG_LANEWISE static constexpr auto apply(const T& a, const T& b) { return a <= b; }
};
struct equal : comparison<ir::opcode::equal> {
  static constexpr bool commutative = true;
  template <class T> STG_LANEWISE static constexpr auto apply(const T& a, const T& b) { return a == b; }
};
struct not_equal : comparison<ir::opcode::not_equal> {
  static constexpr bool commutative = true;
  template <class T> STG_LANEWISE static constexpr auto apply(const T& a, const T& b) { return a != b; }
};

/// The second operand where the first is true, else the third. The gradient follows the choice.
struct select : pointwise<ir::opcode::select, 3> {
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "a is a condition; all three broadcast, b and c share a type";
  static constexpr op::operands operands = op::operands::stored;
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& condition = p.operand(s, 0);
    if (condition.type != scalar_type::boolean) throw rule_is_broken{rule::scalar_types_agree};
    s.where = condition.where;
    s.dims = condition.dims;
    s.type = p.operand(s, 1).type;
    if (s.type != p.operand(s, 2).type) throw rule_is_broken{rule::scalar_types_agree};
    for (int k = 1; k < 3; ++k) {
      s.where = common_domain(s.where, p.operand(s, k).where);
      const ir::broadcast_result both = ir::broadcast(s.dims, p.operand(s, k).dims);
      if (!both.ok) throw rule_is_broken{rule::shapes_broadcast};
      s.dims = both.dims;
    }
  }
  template <class M, class T> STG_LANEWISE static constexpr T apply(const M& condition, const T& a, const T& b) {
    return condition ? a : b;
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(1, d.select(d.operand(0), d.cotangent(), d.zero()));
    d.add(2, d.select(d.operand(0), d.zero(), d.cotangent()));
  }
};

/// Another scalar type. From a real to a real the gradient is cast back; from anything else there is none.
struct cast : operation<ir::opcode::cast, category::pointwise, 1> {
  static constexpr op::domain domain{op::operands::values, kink::whole};
  static constexpr op::operands operands = op::operands::stored;
  static constexpr std::string_view in_words = "as a, of another type";
  static constexpr void infer(const ir::program& p, ir::statement& s) {  // the type is the statement's own
    s.where = p.operand(s, 0).where;
    s.dims = p.operand(s, 0).dims;
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    if (is_differentiable(d.operand(0).type())) d.add(0, d.cast(d.cotangent(), d.operand(0).type()));
  }
};

}  // namespace stg::op

namespace stg {

/// a < b per feature, a condition, and a <= b, a > b, a >= b of numbers, a == b, a != b of conditions, too. Shapes and
/// spaces as of a + b. No comparison with NaN holds but !=.
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES("<", detail::operand_rules<A, B>)
STG_SAYS_TYPES("<", detail::operand_rules<A, B>)
STG_SAYS_NUMBERS("<", detail::operand_rules<A, B>)
constexpr auto operator<(A a, B b) {
  using rules = detail::operand_rules<A, B>;
  STG_CHECK_PLACES(rules, "<");
  STG_CHECK_TYPES(rules, "<");
  STG_CHECK_NUMBERS(rules, "<");
  if constexpr (rules::ok_numbers) return detail::pointwise<ir::opcode::less, scalar_type::boolean>(a, b);
  else return detail::fallback(a, b);
}
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES("<=", detail::operand_rules<A, B>)
STG_SAYS_TYPES("<=", detail::operand_rules<A, B>)
STG_SAYS_NUMBERS("<=", detail::operand_rules<A, B>)
constexpr auto operator<=(A a, B b) {
  using rules = detail::operand_rules<A, B>;
  STG_CHECK_PLACES(rules, "<=");
  STG_CHECK_TYPES(rules, "<=");
  STG_CHECK_NUMBERS(rules, "<=");
  if constexpr (rules::ok_numbers) return detail::pointwise<ir::opcode::less_equal, scalar_type::boolean>(a, b);
  else return detail::fallback(a, b);
}
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES(">", detail::operand_rules<A, B>)
STG_SAYS_TYPES(">", detail::operand_rules<A, B>)
STG_SAYS_NUMBERS(">", detail::operand_rules<A, B>)
constexpr auto operator>(A a, B b) {
  using rules = detail::operand_rules<A, B>;
  STG_CHECK_PLACES(rules, ">");
  STG_CHECK_TYPES(rules, ">");
  STG_CHECK_NUMBERS(rules, ">");
  if constexpr (rules::ok_numbers) return detail::pointwise<ir::opcode::less, scalar_type::boolean>(b, a);
  else return detail::fallback(a, b);
}
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES(">=", detail::operand_rules<A, B>)
STG_SAYS_TYPES(">=", detail::operand_rules<A, B>)
STG_SAYS_NUMBERS(">=", detail::operand_rules<A, B>)
constexpr auto operator>=(A a, B b) {
  using rules = detail::operand_rules<A, B>;
  STG_CHECK_PLACES(rules, ">=");
  STG_CHECK_TYPES(rules, ">=");
  STG_CHECK_NUMBERS(rules, ">=");
  if constexpr (rules::ok_numbers) return detail::pointwise<ir::opcode::less_equal, scalar_type::boolean>(b, a);
  else return detail::fallback(a, b);
}
template <class A, class B>
  requires(OperandPair<A, B> && !(Symbol<A> && Symbol<B>))
STG_SAYS_PLACES("==", detail::operand_rules<A, B>)
STG_SAYS_TYPES("==", detail::operand_rules<A, B>)
constexpr auto operator==(A a, B b) {
  using rules = detail::operand_rules<A, B>;
  STG_CHECK_PLACES(rules, "==");
  STG_CHECK_TYPES(rules, "==");
  if constexpr (rules::ok) return detail::pointwise<ir::opcode::equal, scalar_type::boolean>(a, b);
  else return detail::fallback(a, b);
}
template <class A, class B>
  requires(OperandPair<A, B> && !(Symbol<A> && Symbol<B>))
STG_SAYS_PLACES("!=", detail::operand_rules<A, B>)
STG_SAYS_TYPES("!=", detail::operand_rules<A, B>)
constexpr auto operator!=(A a, B b) {
  using rules = detail::operand_rules<A, B>;
  STG_CHECK_PLACES(rules, "!=");
  STG_CHECK_TYPES(rules, "!=");
  if constexpr (rules::ok) return detail::pointwise<ir::opcode::not_equal, scalar_type::boolean>(a, b);
  else return detail::fallback(a, b);
}

/// Not a, per feature.
template <class S, class Sh, scalar_type T> constexpr auto operator!(expr<S, Sh, T> a) {
  static_assert(T == scalar_type::boolean, "stg: ! takes a condition; write x == 0");
  return detail::pointwise<ir::opcode::equal, scalar_type::boolean>(a, 0.0);
}

namespace detail {
/// What must hold of select's operands; the first rule that is broken is the only one that is false.
template <class Condition, class A, class B> struct choice_rules {
  using both = operand_rules<A, B>;
  using named = typename both::named;
  using a = operand_traits<A>;
  using b = operand_traits<B>;
  using first = operand_rules<Condition, A>;
  using second = operand_rules<Condition, B>;
  static constexpr bool spoiled = both::spoiled;
  static constexpr bool is_of_one_step = both::is_of_one_step;
  static constexpr scalar_type type = both::type;
  static constexpr bool is_condition = spoiled || operand_traits<Condition>::type == scalar_type::boolean;
  static constexpr bool is_dense = !is_condition || both::is_dense;
  static constexpr bool has_value = !is_condition || !is_dense || !(a::is_number && b::is_number) || both::spoiled;
  static constexpr bool asks = is_condition && is_dense && has_value && !spoiled;
  static constexpr bool reads_features = !asks || both::reads_features;
  static constexpr bool computes = !asks || both::computes;
  static constexpr bool one_kind = !asks || !reads_features || (both::one_kind && first::one_kind && second::one_kind);
  static constexpr bool one_direction =
      !asks || !reads_features || (both::one_direction && first::one_direction && second::one_direction);
  static constexpr bool shapes() {
    if constexpr (asks && reads_features && one_direction && both::shapes_agree)
      return broadcasts<typename operand_traits<Condition>::dims, broadcast_t<typename a::dims, typename b::dims>>;
    else return !asks || !reads_features || !one_direction;
  }
  static constexpr bool shapes_agree = shapes();
  static constexpr bool types_agree = !asks || !reads_features || !one_direction || !shapes_agree || both::types_agree;
  static constexpr bool ok = asks && reads_features && one_direction && shapes_agree && types_agree;
  using chosen = broadcast_t<typename a::dims, typename b::dims>;
};
}  // namespace detail

/// a where the condition holds, else b, per feature; both are computed. One of a and b may be a number.
template <class S, class Sh, scalar_type T, class A, class B>
STG_SAYS_PLACES("select", detail::choice_rules<expr<S, Sh, T>, A, B>)
STG_SAYS_TYPES("select", detail::choice_rules<expr<S, Sh, T>, A, B>) constexpr auto select(expr<S, Sh, T> condition,
                                                                                           A a, B b) {
  using rules = detail::choice_rules<expr<S, Sh, T>, A, B>;
  constexpr bool is_condition = rules::is_condition;
  static_assert(is_condition, "stg: select takes a condition first: select(a > b, x, y)");
  constexpr bool has_value = rules::has_value;
  static_assert(has_value, "stg: select takes at least one computed value; of 1 and 0 write cast<f32>(condition)");
  STG_CHECK_PLACES(rules, "select");
  STG_CHECK_TYPES(rules, "select");
  if constexpr (rules::ok) {
    using where = detail::join_t<S, detail::join_t<typename rules::a::where, typename rules::b::where>>;
    using dims = broadcast_t<Sh, typename rules::chosen>;
    tracer* const t = detail::tracer_of(condition, a, b);
    auto x = detail::lift<rules::type>(t, a);
    auto y = detail::lift<rules::type>(t, b);
    const ir::value_id c = detail::seen_from<where>(detail::value_in(t, condition));
    const ir::value_id i = detail::seen_from<where>(x), j = detail::seen_from<where>(y);
    return detail::emit<where, dims, rules::type>(t, ir::opcode::select, c, i, j);
  } else {
    return detail::fallback(a, b);
  }
}

namespace detail {
/// What must hold of a & b, a | b and a ^ b: both are conditions.
template <class A, class B> struct condition_rules : operand_rules<A, B> {
  using both = operand_rules<A, B>;
  static constexpr bool types_agree = true, computes = true;
  static constexpr bool are_conditions =
      both::spoiled || !both::reads_features || !both::is_dense || !both::one_direction || !both::shapes_agree ||
      (both::a::type == scalar_type::boolean && both::b::type == scalar_type::boolean);
  static constexpr bool ok = both::ok && are_conditions;
};

enum class logic : int { conjunction, disjunction, exclusive };
template <logic Which, class A, class B> constexpr auto combined(A a, B b) {
  if constexpr (!are_traced<A, B>) {
    return on_values([](const auto& x, const auto& y) { return combined<Which>(x, y); }, a, b);
  } else {
    tracer* t = tracer_of(a, b);
    auto x = lift<scalar_type::boolean>(t, a);
    auto y = lift<scalar_type::boolean>(t, b);
    if constexpr (Which == logic::conjunction) return select(x, y, x);
    else if constexpr (Which == logic::disjunction) return select(x, x, y);
    else return pointwise<ir::opcode::not_equal, scalar_type::boolean>(x, y);
  }
}
}  // namespace detail

/// Both conditions hold, per feature. Both are computed: a program skips nothing.
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES("&", detail::condition_rules<A, B>)
constexpr auto operator&(A a, B b) {
  using rules = detail::condition_rules<A, B>;
  STG_CHECK_PLACES(rules, "&");
  constexpr bool are_conditions = rules::are_conditions;
  static_assert(are_conditions, "stg: & takes conditions; write (x > a) & (x < b)");
  if constexpr (rules::ok) return detail::combined<detail::logic::conjunction>(a, b);
  else return mistake();
}
/// At least one of two conditions holds, per feature.
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES("|", detail::condition_rules<A, B>)
constexpr auto operator|(A a, B b) {
  using rules = detail::condition_rules<A, B>;
  STG_CHECK_PLACES(rules, "|");
  constexpr bool are_conditions = rules::are_conditions;
  static_assert(are_conditions, "stg: | takes conditions; write (x < a) | (x > b)");
  if constexpr (rules::ok) return detail::combined<detail::logic::disjunction>(a, b);
  else return mistake();
}
/// Exactly one of two conditions holds, per feature.
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES("^", detail::condition_rules<A, B>)
constexpr auto operator^(A a, B b) {
  using rules = detail::condition_rules<A, B>;
  STG_CHECK_PLACES(rules, "^");
  constexpr bool are_conditions = rules::are_conditions;
  static_assert(are_conditions, "stg: ^ takes conditions, and is no power; write (x > a) ^ (x > b), or pow(x, n)");
  if constexpr (rules::ok) return detail::combined<detail::logic::exclusive>(a, b);
  else return mistake();
}

// A program has no branches and no short circuits: what a person writes out of habit gets its own sentence.
template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator&&(A a, B b) {
  constexpr bool is_said = is_mistake<A> || is_mistake<B>;
  static_assert(is_said, "stg: a && b cannot skip b in a program; write a & b");
  return detail::fallback(a, b);
}
template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator||(A a, B b) {
  constexpr bool is_said = is_mistake<A> || is_mistake<B>;
  static_assert(is_said, "stg: a || b cannot skip b in a program; write a | b");
  return detail::fallback(a, b);
}

/// Whether x is NaN, per feature: the one number that is not equal to itself.
template <class S, class Sh, scalar_type T> constexpr auto is_nan(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: is_nan takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::not_equal, scalar_type::boolean>(x, x);
}

/// The same numbers in another scalar type: cast<f32>(degree == 0).
template <scalar_type To, class S, class Sh, scalar_type T> constexpr auto cast(expr<S, Sh, T> x) {
  if constexpr (agree(To, T)) return detail::typed<To>(x);
  else return detail::emit<S, Sh, To>(x.trace, ir::opcode::cast, x.id);
}

// Called on what was not read.
STG_TAKES_VALUES_BESIDE(<)
STG_TAKES_VALUES_BESIDE(>)
STG_TAKES_VALUES(is_nan)
STG_TAKES_VALUES(select)
STG_TAKES_VALUES_FOR(cast, To, scalar_type To)
STG_LACKS_BRACKETS_OF(cast, 1, "cast<f32>(x)")
STG_INSTEAD_FOR((class To, class X), sizeof(X) == 0,
                "stg: a scalar type is f32, f64, i32 or boolean, not one of C++: cast<f32>(x)",
                constexpr mistake cast(const X&))
STG_TAKES_ARGUMENTS(select, 3, 3, "select(a > b, x, y)")
STG_TAKES_A_VALUE_BEHIND(!)

}  // namespace stg
