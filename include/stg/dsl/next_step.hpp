// The result of a scan's body, next(h).gives(y), and its rules.
#pragma once

#include <tuple>        // tuple, tuple_cat
#include <type_traits>  // is_same_v, remove_cvref_t, type_identity
#include <utility>      // declval

#include <stg/dsl/build.hpp>    // value_in, constant
#include <stg/dsl/outputs.hpp>  // Tuple
#include <stg/dsl/takes.hpp>    // takes_arguments
#include <stg/dsl/vertex.hpp>   // vertex_view

namespace stg {

/// The result of a scan's body: the values of the next step, and after `gives` the collected ones.
template <class Carried, class Given> struct next_step {
  Carried carried;
  Given given;

  /// Beside the carried values, a value for each step: next(h).gives(y).
  template <class... Y> constexpr auto gives(const Y&... y) const {
    constexpr bool gives_once = std::is_same_v<Given, std::tuple<>>;
    static_assert(gives_once, "stg: a step gives all its values at once: next(h).gives(a, b)");
    auto all = std::tuple_cat(given, std::tuple<Y...>(y...));
    return next_step<Carried, decltype(all)>{carried, all};
  }
};
/// The values for the next step of a scan, in the order of their initial values.
template <class... X> constexpr auto next(const X&... x) {
  return next_step<std::tuple<X...>, std::tuple<>>{std::tuple<X...>(x...), {}};
}

namespace detail {

/// A body whose scan is cut into parts.
template <class F> struct split_body {
  F body;

  template <class... A>
    requires requires(const F& f, A... a) { f(a...); }
  constexpr auto operator()(A... a) const { return body(a...); }
};
template <class F> inline constexpr bool is_split_body = false;
template <class F> inline constexpr bool is_split_body<split_body<F>> = true;

template <class F> struct unsplit { using type = F; };
template <class F> struct unsplit<split_body<F>> { using type = F; };
template <class F> using unsplit_t = typename unsplit<F>::type;

template <class X> inline constexpr bool is_next_step = false;
template <class C, class G> inline constexpr bool is_next_step<next_step<C, G>> = true;

/// A value that a step may carry or give: settled, in the program of the step.
template <class X>
inline constexpr bool is_step_value = is_expr<X> || is_graph_symbol<X> || is_loose<X> || std::is_arithmetic_v<X>;

template <class X> constexpr auto settled_value(tracer* t, const X& x) {
  if constexpr (std::is_arithmetic_v<X>) {
    return constant<scalar_type::f32>(t, static_cast<double>(x));
  } else {
    auto y = value_in(t, x);
    using from = signature<decltype(y)>;
    return expr<typename from::where, typename from::dims, settled(from::type)>{y.trace, y.id};
  }
}
template <class X> using settled_t = decltype(settled_value(static_cast<tracer*>(nullptr), std::declval<X>()));

/// An initial value of a scan: as settled_value, but a number or a value of no type of its own, such as zeros<16>(v),
/// takes the type of the step's result for it.
template <class X> constexpr auto initial_value(tracer* t, const X& x) {
  if constexpr (std::is_arithmetic_v<X>) return constant<scalar_type::real>(t, static_cast<double>(x));
  else return value_in(t, x);
}
template <class X> using initial_t = decltype(initial_value(static_cast<tracer*>(nullptr), std::declval<X>()));

/// The body's result, as carried and given values: one value alone is carried if the scan carries one, else given.
template <int Carried, class R> constexpr auto as_next_step(const R& r) {
  if constexpr (is_next_step<R>) return r;
  else if constexpr (Carried == 1) return next(r);
  else if constexpr (Carried == 0) return next().gives(r);
  else return mistake();
}
template <class Carried> inline constexpr int carried_count = 0;
template <class... X, class G> inline constexpr int carried_count<next_step<std::tuple<X...>, G>> = sizeof...(X);
template <class R> inline constexpr bool has_mistake = is_mistake<R>;
template <class... X, class... Y>
inline constexpr bool has_mistake<next_step<std::tuple<X...>, std::tuple<Y...>>> = (is_mistake<X> || ...) ||
                                                                                   (is_mistake<Y> || ...);
template <class R> inline constexpr bool are_step_values = false;
template <class... X, class... Y>
inline constexpr bool are_step_values<next_step<std::tuple<X...>, std::tuple<Y...>>> = (is_step_value<X> && ...) &&
                                                                                       (is_step_value<Y> && ...);

/// The rules between a step's arguments and its results; the first broken rule is the only false one.
template <class Carried, class R> struct step_rules {
  static constexpr bool one_space = true, one_shape = true, one_type = true, ok = false;
};
template <class... A, class... X, class G> struct step_rules<std::tuple<A...>, next_step<std::tuple<X...>, G>> {
  template <class B, class Y>
  static constexpr bool same_space =
      std::is_same_v<typename signature<B>::where, typename signature<settled_t<Y>>::where>;
  template <class B, class Y>
  static constexpr bool same_shape =
      std::is_same_v<typename signature<B>::dims, typename signature<settled_t<Y>>::dims>;
  template <class B, class Y>
  static constexpr bool same_type = settled(signature<B>::type) == signature<settled_t<Y>>::type;
  static constexpr bool one_space = (same_space<A, X> && ...);
  static constexpr bool one_shape = !one_space || (same_shape<A, X> && ...);
  static constexpr bool one_type = !one_space || !one_shape || (same_type<A, X> && ...);
  static constexpr bool ok = one_space && one_shape && one_type;
};

/// The result of a body for carried values of these types, as it is and as a next step.
template <class F, class... A>
using returned_t =
    std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<vertex_view>(), std::declval<A>()...))>;
template <class F, class... A> constexpr auto find_given_by() {
  if constexpr (std::is_void_v<returned_t<F, A...>>) return std::type_identity<void>();
  else return std::type_identity<decltype(as_next_step<sizeof...(A)>(std::declval<returned_t<F, A...>>()))>();
}
template <class F, class... A> using given_t = typename decltype(find_given_by<F, A...>())::type;

/// The types of a scan's carried values. A value without an initial type has the type of the step's result, or, if
/// there is none either, the type of the others. Type f32 stays `real` in the step, the same in a program, so a body is
/// looked at once.
template <class Given, class... A> struct carried_types { using type = std::tuple<A...>; };
template <class... X, class G, class... A>
  requires(sizeof...(X) == sizeof...(A) && (is_step_value<X> && ...) &&
           ((signature<A>::type == scalar_type::real) || ...))
struct carried_types<next_step<std::tuple<X...>, G>, A...> {
  template <class B, class Y>
  static constexpr scalar_type after =
      signature<B>::type == scalar_type::real ? signature<initial_t<Y>>::type : signature<B>::type;
  static constexpr bool any_f64 = ((after<A, X> == scalar_type::f64) || ...);
  template <class B, class Y>
  static constexpr bool is_f64 = signature<B>::type == scalar_type::real &&
                                 (after<B, Y> == scalar_type::f64 || (after<B, Y> == scalar_type::real && any_f64));
  template <class B, class Y>
  using one = std::conditional_t<is_f64<B, Y>,
                                 expr<typename signature<B>::where, typename signature<B>::dims, scalar_type::f64>, B>;
  using type = std::tuple<one<A, X>...>;
};
template <class F, class... A> using carried_t = typename carried_types<given_t<F, A...>, A...>::type;

template <class Given> inline constexpr int collected_count = 0;
template <class C, class... Y> inline constexpr int collected_count<next_step<C, std::tuple<Y...>>> = sizeof...(Y);

/// The result of a body for the initial values of a scan, found as near to the user's line as can be. Takes: whether it
/// takes as many values, asked before its body is looked into: clang forgets a function with a wrong body.
template <class F, class... Initial>
inline constexpr bool takes_initial = takes_arguments<unsplit_t<F>, vertex_view, Initial...>;
template <class F, bool Takes, class... Initial>
auto look_into(int)
    -> decltype(std::declval<const F&>()(std::declval<vertex_view>(), std::declval<initial_t<Initial>>()...), 0);
template <class F, bool Takes, class... Initial> long look_into(long);

/// The rules of a scan; the first broken rule is the only one that is false. E: the number of steps.
template <auto E, class F, class... Initial> struct scan_rules {
  static constexpr bool is_size = is_extent<E> && is_positive<E>();
  static constexpr bool begins = !is_size || (is_step_value<Initial> && ...);
  static constexpr int carried = sizeof...(Initial);

  template <class... A> static constexpr bool is_called_with(std::type_identity<std::tuple<A...>>) {
    return requires(const F& f, vertex_view v, A... a) { f(v, a...); };
  }
  template <class... A> static constexpr auto returned_with(std::type_identity<std::tuple<A...>>) {
    return std::type_identity<returned_t<F, A...>>();
  }
  template <class... A> static constexpr auto given_with(std::type_identity<std::tuple<A...>>) {
    return std::type_identity<given_t<F, A...>>();
  }
  template <class... A> static constexpr auto carried_with(std::type_identity<std::tuple<A...>> begun) {
    if constexpr (is_called_with(begun)) return std::type_identity<carried_t<F, A...>>();
    else return begun;
  }
  static constexpr auto find_first() {
    if constexpr (is_size && begins) return carried_with(std::type_identity<std::tuple<initial_t<Initial>...>>());
    else return std::type_identity<std::tuple<>>();
  }
  using first = typename decltype(find_first())::type;
  static constexpr bool find_called() {
    if constexpr (is_size && begins) return is_called_with(std::type_identity<first>());
    else return true;
  }
  static constexpr bool is_called = find_called();
  /// If the body cannot be called, but takes as many values, its mistake was said.
  static constexpr bool may_take = is_called || takes_initial<F, Initial...>;
  /// The body takes one value more: a state that the scan does not begin with.
  static constexpr bool has_first = may_take || !takes_arguments<unsplit_t<F>, vertex_view, Initial..., mistake>;
  static constexpr bool takes_state = may_take || !has_first;
  static constexpr bool was_right = is_size && begins && is_called;
  static constexpr auto find_returned() {
    if constexpr (was_right) return returned_with(std::type_identity<first>());
    else return std::type_identity<mistake>();
  }
  using returned = typename decltype(find_returned())::type;
  static constexpr bool returns = !std::is_void_v<returned>;
  static constexpr bool is_no_tuple = !Tuple<returned>;
  static constexpr auto find_given() {
    if constexpr (was_right && returns && is_no_tuple) return given_with(std::type_identity<first>());
    else return std::type_identity<mistake>();
  }
  using given = typename decltype(find_given())::type;
  static constexpr bool is_whole = was_right && returns && is_no_tuple && !is_mistake<returned> && !has_mistake<given>;
  static constexpr bool as_many = !is_whole || (carried_count<given> == carried && is_next_step<given>);
  static constexpr bool are_values = !is_whole || !as_many || are_step_values<given>;
  static constexpr bool may_compare = is_whole && as_many && are_values;
  static constexpr auto find_kinds() {
    if constexpr (may_compare) return std::type_identity<step_rules<first, given>>();
    else return std::type_identity<step_rules<void, mistake>>();
  }
  using kinds = typename decltype(find_kinds())::type;
  static constexpr bool ok = may_compare && kinds::ok;

  /// The most values for a user who takes the result of a wrong scan apart.
  static constexpr int find_count() {
    const int begun = has_first ? carried : carried + 1;
    int most = begun > carried_count<given> ? begun : carried_count<given>;
    most += collected_count<given>;
    if constexpr (!is_no_tuple) {
      constexpr int returned_count = static_cast<int>(std::tuple_size_v<returned>);
      most = most > returned_count ? most : returned_count;
    }
    return most;
  }
  static constexpr int count = find_count();
};

}  // namespace detail

}  // namespace stg
