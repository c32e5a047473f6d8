// Shapes as types: shape<8, extent<"F">>, broadcast, reduced, joined at compile time.
#pragma once

#include <cstddef>      // size_t
#include <type_traits>  // conditional_t, is_same_v
#include <utility>      // index_sequence

#include <stg/dsl/extent.hpp>  // RuntimeExtent, polynomial_from
#include <stg/ir/program.hpp>  // program
#include <stg/ir/shape.hpp>    // ir::shape

namespace stg {

/// The feature axes of a value. Every element is an int or the enumerator of a run-time extent.
template <auto... E> struct shape { static constexpr int rank = sizeof...(E); };

namespace detail {

template <auto E> struct box { static constexpr auto value = E; };
template <auto E> constexpr bool is_one() {
  if constexpr (RuntimeExtent<decltype(E)>) return false;
  else return E == 1;
}
template <auto A, auto B> inline constexpr bool same_extent = std::is_same_v<box<A>, box<B>>;

template <class... Box> struct boxes {};
template <class... Box> constexpr auto shape_from(boxes<Box...>) { return shape<Box::value...>(); }

template <std::size_t K, class P> struct pad_left;
template <std::size_t K, class... Box> struct pad_left<K, boxes<Box...>> : pad_left<K - 1, boxes<box<1>, Box...>> {};
template <class... Box> struct pad_left<0, boxes<Box...>> { using type = boxes<Box...>; };

template <class A, class B> struct zip;
template <class... A, class... B> struct zip<boxes<A...>, boxes<B...>> {
  static constexpr bool ok = ((same_extent<A::value, B::value> || is_one<A::value>() || is_one<B::value>()) && ...);
  using type = shape<(std::conditional_t<is_one<A::value>(), B, A>::value)...>;
};
constexpr std::size_t missing(std::size_t have, std::size_t want) { return have < want ? want - have : 0; }

template <class A, class B> struct broadcast;
template <auto... A, auto... B>
struct broadcast<shape<A...>, shape<B...>>
    : zip<typename pad_left<missing(sizeof...(A), sizeof...(B)), boxes<box<A>...>>::type,
          typename pad_left<missing(sizeof...(B), sizeof...(A)), boxes<box<B>...>>::type> {};

template <class Shape> struct shape_axes;
template <auto... E> struct shape_axes<shape<E...>> {
  template <int I> static constexpr auto at() {
    constexpr int rank = sizeof...(E);
    static_assert(I >= 0 && I < rank, "stg internal: an axis that was not checked");
    return pick<I, box<E>...>();
  }
  template <int I, class First, class... Rest> static constexpr auto pick() {
    if constexpr (I == 0) return First::value;
    else return pick<I - 1, Rest...>();
  }
};

/// The shape with axis I replaced by extent New.
template <int I, auto New, auto... E, std::size_t... K>
constexpr auto replace_axis(shape<E...>, std::index_sequence<K...>) {
  return shape<(std::conditional_t<K == I, box<New>, box<E>>::value)...>();
}
/// The shape without axis I.
template <int I, int At, class Done, class... Rest> struct drop;
template <int I, int At, class... Done> struct drop<I, At, boxes<Done...>> { using type = boxes<Done...>; };
template <int I, int At, class... Done, class First, class... Rest>
struct drop<I, At, boxes<Done...>, First, Rest...>
    : std::conditional_t<I == At, drop<I, At + 1, boxes<Done...>, Rest...>,
                         drop<I, At + 1, boxes<Done..., First>, Rest...>> {};
template <int I, auto... E> constexpr auto drop_axis(shape<E...>) {
  return shape_from(typename drop<I, 0, boxes<>, box<E>...>::type());
}

template <class A, class B> struct sum_of_extents {
  static constexpr ir::polynomial polynomial() { return A::polynomial() + B::polynomial(); }
};

/// Number of elements as a polynomial: reshape must keep it.
template <auto... E> constexpr ir::polynomial elements(shape<E...>) {
  return (ir::polynomial(1) * ... * polynomial_from(E));
}

template <class Sh> struct elements_of {  // a provider: polynomial() of a shape's number of elements
  static constexpr ir::polynomial polynomial() { return elements(Sh()); }
};

/// The same shape in a program's own terms.
template <auto E> constexpr ir::extent intern_extent(ir::program& p) {
  if constexpr (RuntimeExtent<decltype(E)>) return p.intern(polynomial_from(E));
  else return ir::extent(E);
}
template <auto... E> constexpr ir::shape intern(ir::program& p, shape<E...>) {
  ir::shape dims;
  (dims.push(intern_extent<E>(p)), ...);
  return dims;
}

}  // namespace detail

template <class A, class B> inline constexpr bool broadcasts = detail::broadcast<A, B>::ok;
template <class A, class B> using broadcast_t = typename detail::broadcast<A, B>::type;
/// Extent of axis I of a shape.
template <class Shape, int I> inline constexpr auto axis_extent = detail::shape_axes<Shape>::template at<I>();

}  // namespace stg
