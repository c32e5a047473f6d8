// Products of sparse features: rows × parameter, and the parameter's gradient; scaling and dropout of a sparse feature.
#pragma once

#include <stg/dsl/build.hpp>     // emit, constant
#include <stg/op/operation.hpp>  // operation

namespace stg::op {

/// Whether m masks x: a random mask of x's shape, or the constant 1 that leaves it as it is.
constexpr bool masks(const ir::statement& x, const ir::statement& m) {
  if (m.type != x.type) return false;
  if (m.code == ir::opcode::constant) return m.value() == 1 && m.where == ir::space::graph && m.dims == ir::shape();
  return m.code == ir::opcode::keep_mask && m.where == ir::space::vertex && m.dims == x.dims;
}

/// x (k), a sparse input, times W (k, m), where entries count as often as the mask says: (x · mask) W, (m).
struct sparse_matmul : operation<ir::opcode::sparse_matmul, category::dense, 3> {
  static constexpr op::domain domain{};
  static constexpr std::string_view in_words = "sparse (k) × graph (k, m), mask c → vertex (m)";
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& x = p.operand(s, 0);
    const ir::statement& w = p.operand(s, 1);
    if (w.where != ir::space::graph || x.where != ir::space::vertex) throw rule_is_broken{rule::spaces_agree};
    if (x.type != w.type) throw rule_is_broken{rule::scalar_types_agree};
    if (x.dims.rank != 1 || w.dims.rank != 2 || !(x.dims.axes[0] == w.dims.axes[0]))
      throw rule_is_broken{rule::shape_follows_from_operands};
    s.where = x.where;
    s.type = x.type;
    s.dims = ir::shape();
    s.dims.push(w.dims.axes[1]);
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    if (d.wants(0)) d.add(0, d.matmul(d.cotangent(), d.operand(1), true) * d.operand(2));
    if (d.wants(1)) d.add(1, d.sparse_reduced_matmul(d.operand(0), d.cotangent(), d.operand(2)));
  }
};

/// x (k), a sparse input, g (m) → Σ over vertices of (x · mask)ᵀ g: (k, m).
struct sparse_reduced_matmul : operation<ir::opcode::sparse_reduced_matmul, category::dense, 3> {
  static constexpr op::domain domain{};
  static constexpr std::string_view in_words = "sparse (k), vertex (m), mask c → graph (k, m)";
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& x = p.operand(s, 0);
    const ir::statement& g = p.operand(s, 1);
    if (x.where != ir::space::vertex || g.where != ir::space::vertex) throw rule_is_broken{rule::spaces_agree};
    if (x.type != g.type) throw rule_is_broken{rule::scalar_types_agree};
    if (x.dims.rank != 1 || g.dims.rank != 1) throw rule_is_broken{rule::shape_follows_from_operands};
    s.where = ir::space::graph;
    s.type = x.type;
    s.dims = ir::shape();
    s.dims.push(x.dims.axes[0]);
    s.dims.push(g.dims.axes[0]);
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    if (d.wants(0)) d.add(0, d.matmul(d.operand(1), d.cotangent(), true) * d.operand(2));
    if (d.wants(1)) d.add(1, d.sparse_matmul(d.operand(0), d.cotangent(), d.operand(2)));
  }
};

}  // namespace stg::op

namespace stg {

namespace detail {

/// The product of a sparse feature and a parameter, To its shape.
template <class To, class Sh, scalar_type T> constexpr auto sparse_product(sparse_expr<Sh, T> x, ir::value_id w) {
  const ir::value_id mask = x.mask == ir::no_value ? constant<T>(x.trace, 1).id : x.mask;
  auto product = emit<space::vertex, To, T>(x.trace, ir::opcode::sparse_matmul, x.id, w, mask);
  if (x.scale == ir::no_value) return product;
  return emit<space::vertex, To, T>(x.trace, ir::opcode::mul, product.id, x.scale);
}

/// The rules of x * a: those of values, unless one is a sparse feature and the other a number for each vertex or for
/// all.
template <class A, class B> struct scaled_rules : operand_rules<A, B> {
  template <class X, class S> static constexpr bool is_scale() {
    using scale = operand_traits<S>;
    using where = typename scale::where;
    constexpr bool read = is_expr<S> || (is_symbol<S> && std::is_same_v<where, space::graph>);
    constexpr bool whole = std::is_same_v<where, space::vertex> || std::is_same_v<where, space::graph>;
    if constexpr (!is_sparse<X> || is_mistake<S>) return false;
    else if constexpr (scale::is_number) return true;
    else
      return read && whole && std::is_same_v<typename scale::dims, shape<>> &&
             agree(scale::type, operand_traits<X>::type);
  }
  static constexpr bool scales = is_scale<A, B>() || is_scale<B, A>();
  static constexpr bool is_dense = scales || operand_rules<A, B>::is_dense;
};

/// A sparse feature times one number.
template <class A, class B> constexpr auto scale(A a, B b) {
  if constexpr (is_sparse<B>) {
    return scale(b, a);
  } else {
    constexpr scalar_type type = operand_traits<A>::type;
    const ir::value_id by = lift<type>(a.trace, b).id;
    if (a.scale == ir::no_value) {
      a.scale = by;
    } else {
      ir::statement both = statement_of<space::vertex, shape<>, type>(*a.trace, ir::opcode::mul, a.scale, by);
      both.where = op::common_domain(a.trace->program[a.scale].where, a.trace->program[by].where);
      a.scale = a.trace->emit(both);
    }
    return a;
  }
}

}  // namespace detail

/// Dropout of a sparse feature: an entry is dropped where dropout of the same dense feature would drop it, and numbers
/// that are not stored cost nothing.
template <class Sh, scalar_type T> constexpr auto dropout(sparse_expr<Sh, T> x, written p) {
  if (!(p >= 0 && p < 1)) x.trace->note(ir::mistake::dropout_of_everything, text("dropout"), p.line);
  if (x.mask != ir::no_value && p != 0) x.trace->note(ir::mistake::dropout_twice, text("dropout"), p.line);
  if (!(p > 0 && p < 1)) return x;
  ir::statement s = detail::statement_of<space::vertex, Sh, T>(*x.trace, ir::opcode::keep_mask);
  s.set_drop_probability(p);
  s.set_site(x.trace->sites++);
  x.mask = x.trace->emit(s);
  return x;
}

}  // namespace stg
