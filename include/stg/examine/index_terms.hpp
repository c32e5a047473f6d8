// Variables and terms of an index form, and places: the position along its axes at which a value is read.
#pragma once

#include <cstdint>  // int64_t

#include <stg/examine/scalar_term.hpp>  // scalar_term, index_variable, index_equations
#include <stg/ir/program.hpp>           // program

namespace stg::examine::detail {

class index_terms {
 protected:
  using kind = scalar_term::kind;
  static constexpr int none = scalar_term::none;

  /// The position at which a value is read: its row is a variable, its places along axes are terms.
  struct place {
    int row = none, step = none;
    int index[ir::shape::max_rank] = {none, none, none, none};
  };

  constexpr explicit index_terms(const ir::program& of) : p(of) {}

  constexpr int new_vertex(int set = 0) { return add({index_variable::kind::vertex, -1, -1, {}, vertices++, set}); }
  constexpr int new_edge(int src, int dst, int relation) {
    return add({index_variable::kind::edge, src, dst, {}, edges++, relation});
  }
  constexpr int new_feature(ir::extent of) { return add({index_variable::kind::feature, -1, -1, of, features++}); }
  constexpr int add(const index_variable& v) {
    made.variables.push_back(v);
    return made.variables.size() - 1;
  }
  constexpr int add(const scalar_term& t) {
    made.terms.push_back(t);
    return made.terms.size() - 1;
  }
  constexpr int term(kind what, int a = none, int b = none, int c = none) {
    scalar_term t;
    t.what = what;
    t.operands[0] = a;
    t.operands[1] = b;
    t.operands[2] = c;
    return add(t);
  }
  constexpr int of(kind what, std::int64_t which, int row = none) {
    scalar_term t;
    t.what = what;
    t.of = which;
    t.row = row;
    return add(t);
  }
  constexpr int variable(int v) { return of(kind::variable, v); }
  constexpr int number(double x) {
    scalar_term t;
    t.number = x;
    return add(t);
  }
  constexpr int size(ir::extent e) {
    return e.is_static() ? number(static_cast<double>(e.code)) : of(kind::extent, e.code);
  }
  constexpr int reduce(ir::opcode code, int over, int body, int owner = none) {
    scalar_term t;
    t.what = kind::reduce;
    t.code = code;
    t.of = over;
    t.row = owner;
    t.operands[0] = body;
    return add(t);
  }
  constexpr int apply(ir::opcode code, ir::value_id statement, int a, int b = none, int c = none) {
    const int made_at = term(kind::apply, a, b, c);
    made.terms[made_at].code = code;
    made.terms[made_at].of = statement;
    return made_at;
  }

  /// A place along an axis, moved; none is the only place there is, 0.
  constexpr int shifted(kind what, int a, ir::extent by) {
    if (by.is_static() && by.code == 0) return a;
    if (a == none && by.is_static()) return number(static_cast<double>(what == kind::plus ? by.code : -by.code));
    return term(what, a == none ? number(0) : a, size(by));
  }

  /// A new row of a value that is reduced: a vertex, or an edge between two.
  constexpr int new_row(const ir::domain& where) {
    if (where == ir::space::vertex) return new_vertex(where.set);
    const int dst = new_vertex(), src = new_vertex();
    return new_edge(src, dst, where.set);
  }

  /// Of an operand that broadcasts: axes are counted from the right.
  constexpr place broadcast(const place& at, const ir::shape& dims, const ir::shape& from) const {
    place r;
    r.row = at.row;
    for (int k = 0; k < from.rank; ++k) r.index[k] = from.axes[k].is_one() ? none : at.index[dims.rank - from.rank + k];
    return r;
  }

  /// The place of an element in another shape of the same memory. Runs of axes with as many elements on both sides are
  /// taken by themselves, so that an axis that stays is read as it is.
  constexpr place reshaped(const place& at, const ir::shape& dims, const ir::shape& from) {
    place there;
    there.row = at.row;
    int a = 0, b = 0;  // axes of dims and of from
    while (b < from.rank) {
      if (from.axes[b].is_one()) ++b;
      else if (a < dims.rank && dims.axes[a].is_one()) ++a;
      else if (a < dims.rank && dims.axes[a] == from.axes[b]) there.index[b++] = at.index[a++];
      else run(at, dims, from, a, b, there);
    }
    return there;
  }
  /// The shortest run that begins at axes a and b; a and b then stand behind it.
  constexpr void run(const place& at, const ir::shape& dims, const ir::shape& from, int& a, int& b, place& there) {
    const int first_a = a, first_b = b;
    ir::polynomial n(1), m(1);
    do {
      const bool smaller = n.is_integer() && m.is_integer() ? n.integer() <= m.integer() : b == from.rank;
      if (a < dims.rank && (smaller || b == from.rank)) n = n * p.polynomial_of(dims.axes[a++]);
      else if (b < from.rank) m = m * p.polynomial_of(from.axes[b++]);
    } while (!(n == m) && (a < dims.rank || b < from.rank));
    int flat = none;
    for (int k = first_a; k < a; ++k) {
      if (dims.axes[k].is_one()) continue;
      flat = flat == none ? at.index[k] : term(kind::plus, term(kind::times, flat, size(dims.axes[k])), at.index[k]);
    }
    if (flat == none) flat = number(0);
    bool is_last = true;
    for (int k = b - 1; k >= first_b; --k) {
      if (from.axes[k].is_one()) continue;
      bool is_first = true;
      for (int before = first_b; before < k; ++before) is_first = is_first && from.axes[before].is_one();
      int stride = none;
      for (int behind = k + 1; behind < b; ++behind) {
        if (from.axes[behind].is_one()) continue;
        stride = stride == none ? size(from.axes[behind]) : term(kind::times, stride, size(from.axes[behind]));
      }
      int index = is_last ? flat : term(kind::quotient, flat, stride);
      if (!is_first) index = term(kind::remainder, index, size(from.axes[k]));
      there.index[k] = index;
      is_last = false;
    }
  }

  const ir::program& p;
  index_equations made{};
  int vertices = 0, edges = 0, features = 0;
};

}  // namespace stg::examine::detail
