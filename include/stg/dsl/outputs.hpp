// What a lambda returns: one value, or several by outputs(y, state = s).
#pragma once

#include <boost/hana/tuple.hpp>  // tuple

#include <stg/base/room.hpp>  // room_for
#include <stg/dsl/build.hpp>  // expr, binding

namespace stg {

/// The signature of one output. Name is void for an output that is told by its position.
template <class Name, class Space, class Shape, scalar_type T> struct output_type {
  using name = Name;
  using where = Space;
  using dims = Shape;
  static constexpr scalar_type type = T;
};

/// Several outputs: ids as values, signatures as a Boost.Hana tuple type.
template <class... Output> struct output_list {
  using types = boost::hana::tuple<Output...>;
  static constexpr int count = sizeof...(Output);
  ir::output values[room_for(count)]{};
  tracer* trace = nullptr;
};

namespace detail {
template <class X> struct output_traits;
template <class S, class Sh, scalar_type T> struct output_traits<expr<S, Sh, T>> {
  using type = output_type<void, S, Sh, T>;
  static constexpr ir::output value(const expr<S, Sh, T>& x) {
    ir::output o;
    o.at = x.id;
    return o;
  }
};
template <class Sym, class X> struct output_traits<binding<Sym, X>> {
  using of = output_traits<std::remove_const_t<X>>;
  using type = output_type<typename Sym::name, typename of::type::where, typename of::type::dims, of::type::type>;
  static constexpr ir::output value(const binding<Sym, X>& b) {
    ir::output o = of::value(b.value);
    o.name = text(Sym::name::view());
    return o;
  }
};
template <class X> inline constexpr bool is_output = is_expr<X> || is_mistake<X>;
template <class Sym, class X> inline constexpr bool is_output<binding<Sym, X>> = is_output<std::remove_const_t<X>>;
template <class X> inline constexpr bool is_spoiled = is_mistake<X>;
template <class Sym, class X> inline constexpr bool is_spoiled<binding<Sym, X>> = is_mistake<std::remove_const_t<X>>;
}  // namespace detail

/// Several results of one program: outputs(logits, state = s). A named output is found again by its symbol.
template <class... X> constexpr auto outputs(const X&... x) {
  constexpr bool ok = (detail::is_output<X> && ...);
  static_assert(ok, "stg: outputs takes computed values, or symbol = value; read a feature first: v(x)");
  if constexpr (ok && !(detail::is_spoiled<X> || ...)) {
    output_list<typename detail::output_traits<X>::type...> list;
    int i = 0;
    ((list.values[i++] = detail::output_traits<X>::value(x)), ...);
    return list;
  } else {
    return output_list<>();
  }
}

}  // namespace stg
