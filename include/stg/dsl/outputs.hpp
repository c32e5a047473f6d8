// The result of a lambda: one value, or several by outputs(y, state = s).
#pragma once

#include <cstddef>      // size_t
#include <type_traits>  // integral_constant, is_same_v, remove_const_t
#include <utility>      // tuple_size, tuple_element

#include <boost/hana/tuple.hpp>  // tuple

#include <stg/base/room.hpp>  // room_for
#include <stg/dsl/build.hpp>  // value_in, operand_traits

namespace stg {

/// The signature of one output. Name is void for an output that is told by its position.
template <class Name, class Space, class Shape, scalar_type T, class Over = shape<>> struct output_type {
  using name = Name;
  using where = Space;
  using dims = Shape;
  using over = Over;  // shape<E>: a value for each of E steps
  static constexpr scalar_type type = T;
};

/// Several outputs: ids as values, signatures as a Boost.Hana tuple type.
template <class... Output> struct STG_NODISCARD(STG_IS_NOT_USED) output_list {
  using types = boost::hana::tuple<Output...>;
  static constexpr int count = sizeof...(Output);
  ir::output values[room_for(count)]{};

  /// `auto [a, b] = layer(v, …)` ends here.
  template <std::size_t K> constexpr mistake get() const {
    static_assert(K != 0,
                  "stg: outputs(a, b) is what a program returns; a function within it returns std::tuple(a, b)");
    return {};
  }
};

/// Outputs without a traced one: values of parameters and scalars alone, in a program of their own.
template <class List> struct loose_outputs {
  ir::program program{};
  List list{};
  mistaken_place wrong{};
};

namespace detail {
template <class X> inline constexpr bool is_output_list = false;
template <class... O> inline constexpr bool is_output_list<output_list<O...>> = true;
template <class List> inline constexpr bool is_output_list<loose_outputs<List>> = true;

/// A tuple, a pair or an array of the standard library.
template <class X>
concept Tuple = !is_output_list<X> && requires {
  std::tuple_size<X>::value;
};

/// The name of an output, void if its position tells it, and its value.
template <class X> struct output_traits {
  using name = void;
  using value = X;
  static constexpr text spelled() { return text(); }
  static constexpr const X& of(const X& x) { return x; }
};
template <class Sym, class X> struct output_traits<binding<Sym, X>> {
  using name = typename Sym::name;
  using value = std::remove_const_t<X>;
  static constexpr text spelled() { return text(name::view()); }
  static constexpr const value& of(const binding<Sym, X>& b) { return b.value; }
};
template <class X> using output_value = typename output_traits<X>::value;

/// Whether all named outputs differ in their names.
template <class Name, class... Other> constexpr bool is_named_once() {
  return std::is_void_v<Name> || !(std::is_same_v<Name, Other> || ...);
}
template <class...> struct output_names { static constexpr bool differ = true; };
template <class X, class... Rest> struct output_names<X, Rest...> {
  static constexpr bool differ =
      is_named_once<typename output_traits<X>::name, typename output_traits<Rest>::name...>() &&
      output_names<Rest...>::differ;
};

template <class X> struct steps_of { using type = shape<>; };
template <class S, class Sh, scalar_type T, class O> struct steps_of<steps_expr<S, Sh, T, O>> { using type = O; };

/// The rules of a named output, which the next call may bind to its symbol again; others have none.
template <class X> struct output_rules { static constexpr bool one_space = true, one_shape = true, one_type = true; };
template <class Sym, class X>
  requires(!is_mistake<std::remove_const_t<X>>)
struct output_rules<binding<Sym, X>> {
  using value = operand_traits<std::remove_const_t<X>>;
  static constexpr bool one_space = ir_space<typename Sym::where> == ir_space<typename value::where> &&
                                    std::is_same_v<typename space_traits<typename Sym::where>::kind,
                                                   typename space_traits<typename value::where>::kind>;
  static constexpr bool one_shape =
      !one_space || (std::is_same_v<typename Sym::dims, typename value::dims> &&
                     std::is_same_v<typename Sym::over, typename steps_of<std::remove_const_t<X>>::type>);
  static constexpr bool one_type = !one_space || !one_shape || Sym::type == settled(value::type);
};

template <class X, class Traits = operand_traits<output_value<X>>>
using output_type_of = output_type<typename output_traits<X>::name, typename Traits::where, typename Traits::dims,
                                   settled(Traits::type), typename steps_of<output_value<X>>::type>;

/// A returned value, in the traced program; one for each step as it is.
template <class X> constexpr ir::value_id returned(tracer* t, const X& x) {
  if constexpr (!is_steps<X>) return value_in(t, x).id;
  else return brought_in(*t, x.trace, x.id);
}

template <class... X> constexpr auto list_outputs(tracer* t, const X&... x) {
  output_list<output_type_of<X>...> list;
  int i = 0;
  ((list.values[i].name = output_traits<X>::spelled(), list.values[i++].at = returned(t, output_traits<X>::of(x))),
   ...);
  return list;
}

template <class X>
inline constexpr bool is_output = is_expr<X> || is_steps<X> || is_graph_symbol<X> || is_loose<X> || is_mistake<X>;
/// Whether one of some values is traced.
template <class... X> inline constexpr bool any_traced = ((is_expr<X> || is_steps<X> || is_sparse<X>) || ...);
template <class A, class... B> constexpr tracer* tracer_of_any(const A& a, const B&... b) {
  if constexpr (is_expr<A> || is_steps<A>) return a.trace;
  else return tracer_of_any(b...);
}
}  // namespace detail

/// Several results of one program: outputs(logits, state = s). A named output is found again by its symbol, and has the
/// symbol's space, shape and scalar type.
template <class... X> constexpr auto outputs(const X&... x) {
  constexpr bool are_values = (detail::is_output<detail::output_value<X>> && ...);
  static_assert(are_values, "stg: outputs takes computed values, or symbol = value; read a feature first: v(x)");
  if constexpr (are_values && !(is_mistake<detail::output_value<X>> || ...)) {
    constexpr bool names_differ = detail::output_names<X...>::differ;
    constexpr bool one_space = (detail::output_rules<X>::one_space && ...);
    constexpr bool one_shape = (detail::output_rules<X>::one_shape && ...);
    constexpr bool one_type = (detail::output_rules<X>::one_type && ...);
    static_assert(names_differ, "stg: outputs(y = a, y = b) gives one name to two values; declare a symbol for each");
    static_assert(one_space, "stg: outputs(y, symbol = x): x lives elsewhere than the symbol; declare it as x is");
    static_assert(one_shape, "stg: outputs(y, symbol = x): x has another shape than the symbol; declare it as x is");
    static_assert(one_type, "stg: outputs(y, symbol = x): x has another scalar type than the symbol; cast it");
    if constexpr (detail::any_traced<detail::output_value<X>...>) {
      return detail::list_outputs(detail::tracer_of_any(detail::output_traits<X>::of(x)...), x...);
    } else {
      tracer t;
      t.is_loose = true;
      auto list = detail::list_outputs(&t, x...);
      return loose_outputs<decltype(list)>{t.program, list, t.first_mistake};
    }
  } else {
    return output_list<>();
  }
}

}  // namespace stg

template <class... Output>
struct std::tuple_size<stg::output_list<Output...>> : std::integral_constant<std::size_t, sizeof...(Output)> {};
template <std::size_t K, class... Output> struct std::tuple_element<K, stg::output_list<Output...>> {
  using type = stg::mistake;
};
