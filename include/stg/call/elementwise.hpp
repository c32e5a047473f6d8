// Operations of your own: a function of one, two or three numbers, with its gradient, that lambdas apply like ours.
//
//   struct softcap : stg::elementwise<softcap, "softcap", 2> {
//     STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
//     static constexpr auto gradient(auto d, auto x, auto cap) {
//       auto t = tanh(x / cap);
//       return std::tuple(d * (1 - t * t), d * (t - x / cap * (1 - t * t)));
//     }
//   };
//   ...
//   auto scores = stg::apply<softcap>(e.src(h) * e.dst(h), 30);
#pragma once

#include <concepts>     // convertible_to
#include <cstdint>      // int64_t
#include <string_view>  // string_view
#include <tuple>        // tuple
#include <type_traits>  // is_arithmetic_v, type_identity
#include <utility>      // declval, integer_sequence

#include <stg/base/name.hpp>                 // fixed_string
#include <stg/base/numbers.hpp>              // numbers
#include <stg/codegen/draft/own_kernel.hpp>  // own_pointwise
#include <stg/dsl/build.hpp>                 // emit, lift, operand_rules
#include <stg/ir/operation_name.hpp>         // operation_number
#include <stg/op/elementwise.hpp>            // named_operation
#include <stg/op/own_gradient.hpp>           // custom_gradient
#include <stg/runtime/own_operations.hpp>    // add_operation

namespace stg {

template <class Op> bool add_operation();

namespace op {

template <fixed_string Name> inline constexpr fixed_string letters_of = Name;
/// The base of a user's operation: Self is its struct, Name its name in programs, Arity its number of operands.
template <class Self, fixed_string Name, int Arity> struct users_operation {
  static constexpr std::string_view name = letters_of<Name>.view();
  static constexpr int arity = Arity;
  static constexpr std::int64_t number = ir::operation_number(Name.view());
  static constexpr op::domain domain{};

  /// Numbers or registers of them, as kernels have them.
  template <class T, class... More> STG_LANEWISE static T apply(const T& x, const More&... more) {
    return math::numbers<T>(Self::value(math::numbers<T>(x), math::numbers<T>(more)...)).get();
  }
  static constexpr bool takes_number = false;

  /// Found by kernels, which have the operation's number alone.
  friend constexpr auto operation_named(named_operation<number>) { return static_cast<Self*>(nullptr); }
  inline static const bool is_known = add_operation<Self>();
};

}  // namespace op

/// The base of an operation of your own, `struct softcap : stg::elementwise<softcap, "softcap", 2>`, with members:
///
/// * `STG_LANEWISE static auto value(auto x, …)`: the function of as many numbers. Each is a number or a register of
///   numbers, with + - * /, comparisons, select(c, a, b), min, max, abs and the elementary functions;
/// * `static constexpr auto gradient(auto d, auto x, …)`, where there is one: of the cotangent d and the operands, in
///   the language of lambdas. It gives a gradient for each operand, several as std::tuple(dx, dy);
/// * `static constexpr stg::op::domain domain{…}`, where it is not defined for all numbers: check_operation goes by it.
///
/// Name is the operation's name in programs, texts and files: the same operation has the same name in every process.
template <class Self, fixed_string Name, int Arity> using elementwise = op::users_operation<Self, Name, Arity>;

/// Makes an operation known that no lambda of this process applies: a loaded model may.
///
///   stg::add_operation<softcap>();
///   auto model = stg::load_model("folder");
template <class Op> bool add_operation() {
  own_operation one;
  one.number = Op::number;
  one.written = __PRETTY_FUNCTION__;
  one.written.remove_prefix(one.written.rfind("Op = ") + 5);
  one.written.remove_suffix(1);
  one.arity = Op::arity;
  one.value = [](const long double* x) -> long double {
    if constexpr (Op::arity == 1) return Op::apply(x[0]);
    else if constexpr (Op::arity == 2) return Op::apply(x[0], x[1]);
    else return Op::apply(x[0], x[1], x[2]);
  };
  one.f32 = &drafts::own_pointwise<Op, scalar_type::f32>;
  one.f64 = &drafts::own_pointwise<Op, scalar_type::f64>;
  return add_operation(one);
}

namespace detail {

template <class Op>
concept OwnOperation = requires {
  { Op::number } -> std::convertible_to<std::int64_t>;
  { Op::arity } -> std::convertible_to<int>;
  Op::is_known;
};
/// Whether a struct has a function of this name, with any arguments: beside another one of the name, lookup finds none.
struct has_gradient {
  int gradient;
};
template <class Op> struct gradient_twice : Op, has_gradient {};
template <class Op> inline constexpr bool names_gradient = !requires { &gradient_twice<Op>::gradient; };

/// The rules of an operation's struct, for operands of expression X; the first broken rule is the only one that is
/// false.
template <class Op, class X, int... K> struct own_operation_rules {
  template <int> using operand = X;
  template <int> using numbers = math::numbers<double>;
  static constexpr bool has_value = requires(numbers<K>... x) { math::numbers<double>(Op::value(x...)); };
  static constexpr auto find_gradient() {
    if constexpr (!has_value || !names_gradient<Op>) return std::type_identity<X>();
    else if constexpr (requires(X d, operand<K>... x) { Op::gradient(d, x...); })
      return std::type_identity<
          std::remove_cvref_t<decltype(Op::gradient(std::declval<X>(), std::declval<operand<K>>()...))>>();
    else return std::type_identity<void>();
  }
  using gradient = typename decltype(find_gradient())::type;
  static constexpr bool takes_cotangent = !std::is_void_v<gradient>;
  static constexpr bool as_many() {
    if constexpr (!has_value || !takes_cotangent || !names_gradient<Op>) return true;
    else return std::tuple_size_v<decltype(as_tuple(std::declval<gradient>()))> == Op::arity;
  }
  static constexpr bool gives_as_many = as_many();
  static constexpr bool ok = has_value && takes_cotangent && gives_as_many;
};
template <class Op, class X, int... K>
constexpr own_operation_rules<Op, X, K...> rules_of_own(std::integer_sequence<int, K...>) {
  return {};
}

/// The space, shape and type of a result of these operands, as an expression; a double if all are numbers, and a
/// mistake, which was said, if they do not go together.
template <class All> constexpr auto joined_operands() { return std::type_identity<All>(); }
template <class All, class X, class... Rest> constexpr auto joined_operands() {
  using rules = operand_rules<All, X>;
  constexpr bool reads_features = rules::reads_features, is_dense = rules::is_dense,
                 is_of_one_step = rules::is_of_one_step, one_kind = rules::one_kind,
                 one_direction = rules::one_direction || !one_kind, shapes_agree = rules::shapes_agree,
                 types_agree = rules::types_agree, computes = rules::computes;
  static_assert(reads_features, "stg: an operation" STG_READS_FEATURES);
  static_assert(is_dense, "stg: an operation" STG_TAKES_NO_SPARSE);
  static_assert(is_of_one_step, "stg: an operation" STG_TAKES_ONE_STEP);
  static_assert(one_kind, "stg: an operation" STG_MIXES_KINDS);
  static_assert(one_direction, "stg: an operation" STG_MIXES_DIRECTIONS);
  static_assert(shapes_agree, "stg: an operation" STG_BROADCASTS);
  static_assert(types_agree, "stg: an operation" STG_MIXES_TYPES);
  static_assert(computes, "stg: an operation" STG_ONLY_STORES);
  if constexpr (!rules::ok) return std::type_identity<mistake>();
  else if constexpr (std::is_arithmetic_v<All> && std::is_arithmetic_v<X>) return joined_operands<double, Rest...>();
  else
    return joined_operands<expr<join_t<typename rules::a::where, typename rules::b::where>,
                                broadcast_t<typename rules::a::dims, typename rules::b::dims>, rules::type>,
                           Rest...>();
}
template <class X, class... Rest> constexpr auto all_operands() {
  if constexpr (std::is_arithmetic_v<X>) return joined_operands<double, Rest...>();
  else return joined_operands<X, X, Rest...>();  // by itself, too
}

/// Operand x as rows of space S and shape Sh.
template <class S, class Sh, class From, class FromSh, scalar_type T>
constexpr expr<S, Sh, T> spread_to(expr<From, FromSh, T> x) {
  const ir::value_id seen = seen_from<S>(x);
  if constexpr (std::is_same_v<FromSh, Sh> && std::is_same_v<From, S>) return expr<S, Sh, T>{x.trace, seen};
  else return emit<S, Sh, T>(x.trace, ir::opcode::broadcast_to, seen);
}

/// The statement that applies Op.
template <class Op, class Result, class... X> constexpr Result emit_own(tracer* t, const X&... x) {
  using made = signature<Result>;
  constexpr ir::opcode code = Op::arity == 1   ? ir::opcode::elementwise_1
                              : Op::arity == 2 ? ir::opcode::elementwise_2
                                               : ir::opcode::elementwise_3;
  ir::statement s = statement_of<typename made::where, typename made::dims, made::type>(*t, code, x...);
  s.set_operation(Op::number);
  return Result{t, t->emit(s)};
}

/// Op of operands that go together, in the program that t traces.
template <class Op, class S, class Sh, scalar_type T, class... X>
constexpr auto apply_traced(tracer* t, const X&... x) {
  using result = expr<S, Sh, T>;
  using rules = decltype(rules_of_own<Op, result>(std::make_integer_sequence<int, Op::arity>()));
  constexpr bool has_value = rules::has_value, takes_cotangent = rules::takes_cotangent,
                 gives_as_many = rules::gives_as_many;
  static_assert(has_value,
                "stg: the struct of an operation has a function static auto value(auto x), one x per operand");
  static_assert(takes_cotangent,
                "stg: the gradient of an operation takes the cotangent and each operand: (auto d, auto x)");
  static_assert(gives_as_many, "stg: the gradient of an operation gives a value per operand, several as a std::tuple");
  if constexpr (rules::ok) static_cast<void>(&Op::is_known);
  if constexpr (!rules::ok) {
    return mistake();
  } else if constexpr (!names_gradient<Op>) {
    return emit_own<Op, result>(t, seen_from<S>(lift<T>(t, x))...);
  } else {
    const auto layer = [](vertex_view v, const auto&... of) { return emit_own<Op, result>(v.trace, of.id...); };
    const auto gradient = [](vertex_view, const auto& d, const auto&... of) { return Op::gradient(d, of...); };
    return layer_with_gradient<decltype(layer), decltype(gradient)>{layer, gradient}(
        vertex_view{t}, spread_to<S, Sh>(lift<T>(t, x))...);
  }
}

}  // namespace detail

/// An operation of your own on values, as ours are: shapes broadcast, a number takes the type of the other operands,
/// and graph values are read from anywhere. Real values alone.
///
///   auto y = stg::apply<softcap>(v(x), 30);
template <detail::OwnOperation Op, class... X> constexpr auto apply(const X&... x) {
  constexpr bool has_name = Op::number > 0, takes_some = Op::arity >= 1 && Op::arity <= 3;
  constexpr bool takes_as_many = !takes_some || sizeof...(X) == Op::arity;
  static_assert(has_name, "stg: an operation's name begins with a letter and has up to 12 of a to z, 0 to 9, _");
  static_assert(takes_some, "stg: an operation of your own takes one, two or three values");
  static_assert(takes_as_many, "stg: the operation takes another number of values, the last argument of its base");
  if constexpr (!has_name || !takes_some || !takes_as_many || (is_mistake<X> || ...)) {
    return mistake();
  } else {
    using all = typename decltype(detail::all_operands<X...>())::type;
    constexpr bool has_value = !std::is_arithmetic_v<all>;
    static_assert(has_value, "stg: an operation is applied to a value of the program, not to numbers alone");
    if constexpr (!has_value || is_mistake<all>) {
      return mistake();
    } else if constexpr (!detail::are_traced<X...>) {
      return detail::on_values([](const auto&... y) { return apply<Op>(y...); }, x...);
    } else {
      using of = detail::signature<all>;
      constexpr bool takes_reals = is_real(of::type);
      static_assert(takes_reals, "stg: an operation of your own takes real values; write cast<f32>(x)");
      if constexpr (!takes_reals) {
        return mistake();
      } else {
        return detail::apply_traced<Op, typename of::where, typename of::dims, of::type>(detail::tracer_of(x...), x...);
      }
    }
  }
}

}  // namespace stg
