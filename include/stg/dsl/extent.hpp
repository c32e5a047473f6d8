// Extents as template arguments: integers, extent<"F">, and their sums and products, one spelling for equal ones.
#pragma once

#include <concepts>     // integral, same_as
#include <cstdint>      // int64_t
#include <type_traits>  // remove_const_t
#include <utility>      // integer_sequence

#include <stg/base/name.hpp>  // fixed_string, name, spell
#include <stg/ir/extent.hpp>  // polynomial

namespace stg {

/// A named run-time extent is the only enumerator of an enum that belongs to its name, so it prints as its name.
template <char... C> struct extent_t {
  enum dim { size };
  static constexpr dim id = size;
  static constexpr ir::polynomial polynomial() {
    static_assert(sizeof...(C) <= text::capacity,
                  "stg: the name of an extent has at most 62 characters; use a shorter one");
    return ir::polynomial(text(name<C...>::view().substr(0, text::capacity)));
  }
  friend constexpr extent_t extent_type_of(dim) { return extent_t(); }
};

/// A size that is known when tensors are bound: vertex_feature<"x", extent<"F">>.
template <fixed_string F> inline constexpr auto extent = detail::spell<F, extent_t>::value.id;

/// coefficient × names, a term of a sum of extents.
template <std::int64_t Coefficient, class... Name> struct times {
  static constexpr ir::polynomial polynomial() {
    return (ir::polynomial(Coefficient) * ... * ir::polynomial(text(Name::view())));
  }
};

/// A sum or product of extents, 2 * extent<"F"> + 3, in canonical order.
template <class... Term> struct extent_sum {
  enum dim { size };
  static constexpr dim id = size;
  static constexpr ir::polynomial polynomial() { return (Term::polynomial() + ...); }
  friend constexpr extent_sum extent_type_of(dim) { return extent_sum(); }
};

template <class T>
concept RuntimeExtent = requires(T e) {
  extent_type_of(e).polynomial();
};

template <class T>
concept ExtentOperand = RuntimeExtent<T> || std::integral<T> || std::same_as<T, ir::polynomial>;

namespace detail {
/// The polynomial behind an extent in any spelling.
template <class T> constexpr ir::polynomial polynomial_from(T e) {
  if constexpr (RuntimeExtent<T>) return extent_type_of(e).polynomial();
  else return ir::polynomial(e);
}
}  // namespace detail

template <ExtentOperand A, ExtentOperand B>
  requires RuntimeExtent<A> || RuntimeExtent<B>
constexpr ir::polynomial operator+(A a, B b) { return detail::polynomial_from(a) + detail::polynomial_from(b); }
template <ExtentOperand A, ExtentOperand B>
  requires RuntimeExtent<A> || RuntimeExtent<B>
constexpr ir::polynomial operator*(A a, B b) { return detail::polynomial_from(a) * detail::polynomial_from(b); }

namespace detail {

template <auto E> struct extent_of {  // a provider: polynomial() of a written extent
  static constexpr ir::polynomial polynomial() { return polynomial_from(E); }
};

template <class Provider, int Term, int Factor> struct factor_text {
  static constexpr std::string_view view() { return std::string_view(value.letters, value.length); }
  static constexpr text value = Provider::polynomial().terms[Term].factors[Factor];
};
template <class Provider, int Term, int... Factor> constexpr auto term_type(std::integer_sequence<int, Factor...>) {
  return times<Provider::polynomial().terms[Term].coefficient,
               std::remove_const_t<decltype(spell_view<factor_text<Provider, Term, Factor>, name>::value)>...>();
}
template <class Provider, int... Term> constexpr auto sum_type(std::integer_sequence<int, Term...>) {
  return extent_sum<decltype(term_type<Provider, Term>(
      std::make_integer_sequence<int, Provider::polynomial().terms[Term].degree>()))...>();
}

/// The one template argument that stands for a polynomial: an int, extent<"F">, or an extent_sum. 1 for one that does
/// not fit; the caller reports this.
template <class Provider> constexpr auto canonical_extent() {
  constexpr ir::polynomial p = Provider::polynomial();
  if constexpr (!p.fits()) return 1;
  else if constexpr (p.is_integer()) return static_cast<int>(p.integer());
  else if constexpr (p.count == 1 && p.terms[0].coefficient == 1 && p.terms[0].degree == 1)
    return spell_view<factor_text<Provider, 0, 0>, extent_t>::value.id;
  else return sum_type<Provider>(std::make_integer_sequence<int, p.count>()).id;
}

}  // namespace detail

}  // namespace stg
