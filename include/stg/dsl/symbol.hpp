// Symbols: the named inputs of a program, declared at namespace scope and bound by name when it is called.
#pragma once

#include <cstddef>      // size_t
#include <type_traits>  // conditional_t, is_pointer_v, is_same_v, remove_cvref_t

#include <stg/base/config.hpp>  // STG_SAYS_AT_CALLS
#include <stg/base/name.hpp>    // fixed_string, name, spell
#include <stg/dsl/expr.hpp>     // space
#include <stg/dsl/fixed.hpp>    // fixed_reference
#include <stg/dsl/shape.hpp>    // shape, canonical_extent
#include <stg/dsl/sparse.hpp>   // space::sparse
#include <stg/ir/start.hpp>     // start

namespace stg {

/// `h = H`: a symbol with its value in one call. It refers to H and must not outlive the call. Fixed: the contents of H
/// do not change from call to call.
template <class Symbol, class T, bool Fixed = false> struct binding {
  using symbol = Symbol;
  T& value;
  bool is_temporary = false;  // nobody else has the value: who needs it after the call takes it over
};

#define STG_CALLS_A_PARAMETER "stg: a parameter is not called; a row of it is E[v(id)], a product matmul(x, W)"
#define STG_CALLS_A_FEATURE "stg: a feature is not called; a vertex or an edge reads it: v(x), e.src(x), e(x)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_CALLED(Space, ...)                                                                                    \
  __attribute__((                                                                                                      \
      diagnose_if(std::is_same_v<Space, space::graph> && sizeof...(__VA_ARGS__) < 99, STG_CALLS_A_PARAMETER, "error"), \
      diagnose_if(!std::is_same_v<Space, space::graph> && sizeof...(__VA_ARGS__) < 99, STG_CALLS_A_FEATURE, "error")))
#define STG_CHECK_CALLED(Space, A)
#else
#define STG_SAYS_CALLED(Space, ...)
#define STG_CHECK_CALLED(Space, A)                                                                 \
  static_assert(!std::is_same_v<Space, space::graph> || sizeof...(A) > 98, STG_CALLS_A_PARAMETER); \
  static_assert(std::is_same_v<Space, space::graph> || sizeof...(A) > 98, STG_CALLS_A_FEATURE)
#endif

/// A named input. Declare one with vertex_feature, edge_feature, graph_feature, parameter or scalar. Over: shape<E> if
/// it has a value for each of E steps of a scan.
template <class Name, class Space, class Shape, stg::scalar_type T, bool Trainable, class Over = shape<>>
struct symbol : symbol_without_methods<int> {
  using name = Name;
  using where = Space;
  using dims = Shape;
  using over = Over;
  static constexpr stg::scalar_type type = T;
  static constexpr bool trainable = Trainable;

  ir::start begins{};  // a parameter's beginning for `initialize`

  constexpr symbol() = default;
  constexpr explicit symbol(const ir::start& with) : begins(with) {}

  template <class V> constexpr binding<symbol, V> operator=(V& value) const { return binding<symbol, V>{value}; }
  template <class V> constexpr binding<symbol, const V> operator=(const V& value) const {
    return binding<symbol, const V>{value};
  }
  template <class V>
    requires(!std::is_reference_v<V> && requires(V && v) { static_cast<V&&>(v).share(); })
  constexpr binding<symbol, V> operator=(V&& value) const { return binding<symbol, V>{value, true}; }
  template <class V> constexpr binding<symbol, const V, true> operator=(fixed_reference<V> fixed) const {
    return binding<symbol, const V, true>{fixed.value};
  }

  /// The entry of a parameter's first axis that a label names: W[e(relation)].
  template <class Index>
    requires(!std::is_integral_v<Index>)
  constexpr auto operator[](Index index) const { return pick(*this, index); }
  template <class Entry = symbol> constexpr auto operator[](written_index i) const {
    return pick_entry(Entry(*this), i);
  }

  /// `E(v(id))` and `x(v)` end here.
  template <class... A> STG_SAYS_CALLED(Space, A) constexpr mistake operator()(const A&...) const {
    STG_CHECK_CALLED(Space, A);
    return {};
  }
};

namespace detail {
template <class X> inline constexpr bool is_symbol = false;
template <class N, class S, class Sh, stg::scalar_type T, bool R, class O>
inline constexpr bool is_symbol<symbol<N, S, Sh, T, R, O>> = true;
}  // namespace detail

template <class X>
concept Symbol = detail::is_symbol<X>;

namespace detail {

// The arguments behind a symbol's name: an optional scalar type, then extents.
template <auto E> inline constexpr bool is_extent = !std::is_same_v<std::remove_cv_t<decltype(E)>, stg::scalar_type>;

// nvcc hands decltype((E)) to the host compiler, a reference if E is a sum of extents: hence remove_cvref_t.
template <auto E> constexpr bool is_positive() {
  if constexpr (std::is_integral_v<decltype(E)>) return E > 0;
  else return RuntimeExtent<decltype(E)> || std::is_same_v<std::remove_cvref_t<decltype(E)>, ir::polynomial>;
}
template <auto E> constexpr bool is_short() {
  if constexpr (is_extent<E> && is_positive<E>()) return polynomial_from(E).fits();
  else return true;
}
template <bool Ok, auto... E> struct dims_of { using type = shape<canonical_extent<extent_of<E>>()...>; };
template <auto... E> struct dims_of<false, E...> { using type = shape<>; };

template <auto... Args> struct symbol_arguments {
  static constexpr bool are_extents = (is_extent<Args> && ...);
  static constexpr bool are_sizes = !are_extents || (is_positive<Args>() && ...);
  static constexpr bool are_short = (is_short<Args>() && ...);
  static constexpr bool are_few = sizeof...(Args) <= ir::shape::max_rank;
  using dims = typename dims_of<are_extents && are_sizes && are_few, Args...>::type;
  static constexpr stg::scalar_type type = stg::scalar_type::f32;
};
template <stg::scalar_type T, auto... Extents> struct symbol_arguments<T, Extents...> : symbol_arguments<Extents...> {
  static constexpr stg::scalar_type type = T;
};

template <class Space, bool Trainable, class Args, char... C> constexpr auto declare(name<C...>) {
  constexpr bool are_extents = Args::are_extents;
  static_assert(are_extents, "stg: a symbol has one scalar type and it comes before the extents: <\"x\", f64, 8>");
  constexpr bool are_sizes = Args::are_sizes;
  static_assert(are_sizes, "stg: an extent is a positive integer, extent<\"F\">, or a sum or product of them");
  constexpr bool is_computed_with = !(Trainable && is_storage(Args::type));
  static_assert(is_computed_with, "stg: what is trained is f32 or f64; bf16 and f16 store features");
  constexpr bool are_few = Args::are_few;
  static_assert(are_few, "stg: a feature has at most four axes; multiply some of them");
  constexpr bool are_short = Args::are_short;
  static_assert(are_short,
                "stg: an extent is a sum of at most four products of three names; give a part its own: extent<\"P\">");
  constexpr bool has_room = sizeof...(C) <= text::capacity;
  static_assert(has_room, "stg: the name of an input has at most 62 characters; use a shorter one");
  return symbol<std::conditional_t<has_room, name<C...>, name<'_'>>, Space, typename Args::dims, Args::type,
                Trainable>();
}

template <class Args, char... C> constexpr auto declare_sparse(name<C...> spelled) {
  constexpr bool one_axis = !Args::are_extents || !Args::are_sizes || Args::dims::rank == 1;
  static_assert(one_axis, "stg: a sparse feature has one axis; write sparse_feature<\"x\", 1433>");
  constexpr bool is_of_real_numbers = is_real(Args::type);
  static_assert(is_of_real_numbers, "stg: a sparse feature holds real numbers; labels and masks are dense");
  return declare<space::sparse, false, Args>(spelled);
}

}  // namespace detail

/// One value per vertex: vertex_feature<"h", 8, 16> is an 8 × 16 feature in f32, vertex_feature<"label", i32> a number.
/// Bound to a tensor of shape (vertices, extents…).
template <fixed_string Name, auto... Extents>
inline constexpr auto vertex_feature =
    detail::declare<space::vertex, false, detail::symbol_arguments<Extents...>>(detail::spell<Name, name>::value);

/// One row of numbers per vertex, most of them 0: sparse_feature<"x", 1433>. It is multiplied, matmul(v(x), W), after
/// dropout if need be, and is no value otherwise. Bound to a sparse_tensor of shape (vertices, extent).
template <fixed_string Name, auto... Extents>
inline constexpr auto sparse_feature =
    detail::declare_sparse<detail::symbol_arguments<Extents...>>(detail::spell<Name, name>::value);

/// One value per edge; bound to graph.edge_values(W), which puts the user's edge order into place.
template <fixed_string Name, auto... Extents>
inline constexpr auto edge_feature =
    detail::declare<space::in_edge, false, detail::symbol_arguments<Extents...>>(detail::spell<Name, name>::value);

/// One value for the whole graph that training changes: parameter<"W", 1433, 16>. Bound to a tensor of shape
/// (extents…).
template <fixed_string Name, auto... Extents>
inline constexpr auto parameter =
    detail::declare<space::graph, true, detail::symbol_arguments<Extents...>>(detail::spell<Name, name>::value);

/// One value for the whole graph that training leaves alone, such as running statistics: graph_feature<"mean", 16>.
/// Bound to a tensor of shape (extents…).
template <fixed_string Name, auto... Extents>
inline constexpr auto graph_feature =
    detail::declare<space::graph, false, detail::symbol_arguments<Extents...>>(detail::spell<Name, name>::value);

/// One number for the whole graph: scalar<"eps">. Bound to a number or to a tensor with one element.
template <fixed_string Name, auto... Type>
inline constexpr auto scalar =
    detail::declare<space::graph, false, detail::symbol_arguments<Type...>>(detail::spell<Name, name>::value);

/// The same input, with a gradient made for it by default: trainable(edge_feature<"w">).
template <class N, class S, class Sh, scalar_type T, bool R, class O>
constexpr auto trainable(symbol<N, S, Sh, T, R, O> x) {
  static_assert(is_real(T), "stg: trainable takes a real input; labels and masks have no gradient");
  constexpr bool is_dense = !std::is_same_v<S, space::sparse>;
  static_assert(is_dense, "stg: a sparse feature has no gradient; declare what is trained as a vertex_feature");
  return symbol<N, S, Sh, T, true, O>{x.begins};
}

namespace detail {
/// A name in quotation marks, which nvcc also takes for an argument that may be anything, and hands on spelled out.
template <class T> inline constexpr bool is_spelled = std::is_pointer_v<T>;
template <std::size_t N> inline constexpr bool is_spelled<fixed_string<N>> = true;

template <auto E, class N, class S, class Sh, scalar_type T, bool R> constexpr auto repeated(symbol<N, S, Sh, T, R> x) {
  constexpr bool is_size = is_extent<E> && is_positive<E>();
  constexpr bool is_dense = !std::is_same_v<S, space::sparse>;
  static_assert(is_size,
                "stg: over takes the number of steps: a positive integer or the name of an extent, over<\"T\">");
  static_assert(is_dense, "stg: a sparse feature is the same at every step; what has a value for each step is dense");
  constexpr bool has_room = std::is_same_v<S, space::graph> || Sh::rank < ir::shape::max_rank;
  static_assert(has_room, "stg: a vertex or edge feature over steps has at most three axes; multiply some of them");
  if constexpr (is_size && is_dense && has_room)
    return symbol<N, S, Sh, T, R, shape<canonical_extent<extent_of<E>>()>>{x.begins};
  else return symbol<N, S, Sh, T, R>{x.begins};
}
}  // namespace detail

/// The same input with a value for each of the steps of a scan: over<"T">(vertex_feature<"x", 8>) is bound to a tensor
/// (T, vertices, 8), and v(x) is, in the body of a scan<"T">, the value of the step. Of parameters one for each step,
/// as the layers of a deep network have. edge_feature: bound to graph.edge_steps(W), W of shape (T, edges, extents…) in
/// the order of the edge list.
template <fixed_string T, Symbol X> constexpr auto over(X x) { return detail::repeated<extent<T>>(x); }
template <auto T, Symbol X>
  requires(!detail::is_spelled<std::remove_cvref_t<decltype(T)>>)
constexpr auto over(X x) { return detail::repeated<T>(x); }

namespace detail {
template <class X>
concept OutsideNumbers = requires(const X& x) {
  x.shape();
};
}  // namespace detail
#define STG_BINDS_BY_ONE "stg: an input is bound by one =, and compared as a value that is read; write x = X"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_BOUND(X) __attribute__((diagnose_if(sizeof(X) != 0, STG_BINDS_BY_ONE, "error")))
#define STG_CHECK_BOUND(X)
#else
#define STG_SAYS_BOUND(X)
#define STG_CHECK_BOUND(X) static_assert(sizeof(X) == 0, STG_BINDS_BY_ONE)
#endif
/// `x == X` in place of a binding: what to write.
template <Symbol X, detail::OutsideNumbers V>
STG_SAYS_BOUND(X)
constexpr binding<X, const V> operator==(const X&, const V& value) {
  STG_CHECK_BOUND(X);
  return binding<X, const V>{value};
}

}  // namespace stg
