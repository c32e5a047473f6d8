// Extents of feature axes: integers, named run-time extents, and canonical sums and products of them.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/text.hpp>  // text

namespace stg::ir {

/// coefficient × product of names; names are sorted, so equal terms are equal values.
struct term {
  static constexpr int max_factors = 3;
  std::int64_t coefficient = 0;
  text factors[max_factors]{};
  int degree = 0;

  constexpr bool same_product(const term& other) const {
    if (degree != other.degree) return false;
    for (int i = 0; i < degree; ++i)
      if (!(factors[i] == other.factors[i])) return false;
    return true;
  }
  constexpr bool before(const term& other) const {  // the order of terms in a sum: higher degree first, then by name
    if (degree != other.degree) return degree > other.degree;
    for (int i = 0; i < degree; ++i)
      if (!(factors[i] == other.factors[i])) return factors[i].view() < other.factors[i].view();
    return false;
  }
  constexpr bool operator==(const term& other) const { return coefficient == other.coefficient && same_product(other); }
};

namespace detail {
// Without the compiler's own words for overflow, which nvcc does not evaluate.
inline constexpr std::int64_t largest = 0x7FFFFFFFFFFFFFFF;

constexpr bool fits_sum(std::int64_t a, std::int64_t b) { return b > 0 ? a <= largest - b : a >= -largest - b; }
constexpr bool fits_product(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0) return true;
  if (a < -largest || b < -largest) return false;
  return (a < 0 ? -a : a) <= largest / (b < 0 ? -b : b);
}
}  // namespace detail

/// A polynomial in named extents with integer coefficients, in canonical form: equal iff spelled equal after expansion.
/// A sum or product with too many terms or factors, or with coefficients beyond 2^63, does not fit; nor does a result
/// computed from it.
struct polynomial {
  static constexpr int max_terms = 4;
  struct too_large {};  // thrown: one that does not fit is to be an extent of a program

  term terms[max_terms]{};
  int count = 0;  // -1: does not fit

  constexpr polynomial() = default;
  /// The members in order: nvcc's spelling of a sum of extents as a template argument.
  constexpr polynomial(const term (&all)[max_terms], int n) : count(n) {
    for (int i = 0; i < n; ++i) terms[i] = all[i];
  }
  constexpr polynomial(std::int64_t value) {
    term t;
    t.coefficient = value;
    add(t);
  }
  constexpr polynomial(const text& name) {
    term t;
    t.coefficient = 1;
    t.factors[0] = name;
    t.degree = 1;
    add(t);
  }

  constexpr bool fits() const { return count >= 0; }
  constexpr void spoil() {
    *this = polynomial();
    count = -1;
  }
  constexpr bool is_integer() const { return count == 0 || (count == 1 && terms[0].degree == 0); }
  constexpr std::int64_t integer() const { return count == 0 ? 0 : terms[0].coefficient; }

  constexpr void add(const term& t) {
    if (t.coefficient == 0 || !fits()) return;
    int at = 0;
    while (at < count && terms[at].before(t)) ++at;
    if (at < count && terms[at].same_product(t)) {
      if (!detail::fits_sum(terms[at].coefficient, t.coefficient)) return spoil();
      terms[at].coefficient += t.coefficient;
      if (terms[at].coefficient == 0) {
        for (int i = at; i + 1 < count; ++i) terms[i] = terms[i + 1];
        terms[--count] = term();
      }
      return;
    }
    if (count == max_terms) return spoil();
    for (int i = count++; i > at; --i) terms[i] = terms[i - 1];
    terms[at] = t;
  }

  constexpr bool operator==(const polynomial& other) const {
    if (count != other.count) return false;
    for (int i = 0; i < count; ++i)
      if (!(terms[i] == other.terms[i])) return false;
    return true;
  }
};

constexpr polynomial operator+(polynomial a, const polynomial& b) {
  if (!b.fits()) a.spoil();
  for (int i = 0; i < b.count; ++i) a.add(b.terms[i]);
  return a;
}

constexpr polynomial operator*(const polynomial& a, const polynomial& b) {
  polynomial product;
  if (!a.fits() || !b.fits()) product.spoil();
  for (int i = 0; i < a.count; ++i)
    for (int j = 0; j < b.count; ++j) {
      term t = a.terms[i];
      if (!detail::fits_product(t.coefficient, b.terms[j].coefficient)) {
        product.spoil();
        return product;
      }
      t.coefficient *= b.terms[j].coefficient;
      for (int f = 0; f < b.terms[j].degree; ++f) {
        if (t.degree == term::max_factors) {
          product.spoil();
          return product;
        }
        int at = t.degree++;
        for (; at > 0 && b.terms[j].factors[f].view() < t.factors[at - 1].view(); --at)
          t.factors[at] = t.factors[at - 1];
        t.factors[at] = b.terms[j].factors[f];
      }
      product.add(t);
    }
  return product;
}

/// The value of a polynomial; value_of(name) gives the size bound to a named extent.
template <class ValueOf> constexpr std::int64_t evaluate(const polynomial& p, const ValueOf& value_of) {
  std::int64_t sum = 0;
  for (int i = 0; i < p.count; ++i) {
    std::int64_t product = p.terms[i].coefficient;
    for (int f = 0; f < p.terms[i].degree; ++f) product *= value_of(p.terms[i].factors[f]);
    sum += product;
  }
  return sum;
}

}  // namespace stg::ir
