// Dense products of vertex or edge values: rows × parameter, and rowsᵀ × rows summed over all of them, which is a
// parameter's gradient.
#pragma once

#include <stg/dsl/build.hpp>      // emit, lift
#include <stg/op/arithmetic.hpp>  // operator+
#include <stg/op/feature.hpp>     // sum
#include <stg/op/operation.hpp>   // operation
#include <stg/op/reshape.hpp>     // reshape
#include <stg/op/sparse.hpp>      // sparse_product

namespace stg::op {

/// x (…, k) × W (k, m) → (…, m); with attribute 1, W is stored as (m, k). Rows x of bf16 or f16 are read as f32, so
/// that a plan may store them narrow (pass/width.hpp).
struct matmul : operation<ir::opcode::matmul, category::dense, 2> {
  static constexpr op::domain domain{};
  static constexpr std::string_view in_words = "vertex or edge (…, k) × graph (k, m) → (…, m)";
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& x = p.operand(s, 0);
    const ir::statement& w = p.operand(s, 1);
    const bool transposed = s.is_transposed();
    if (w.where != ir::space::graph || x.where == ir::space::graph) throw rule_is_broken{rule::spaces_agree};
    if (computed_in(x.type) != w.type) throw rule_is_broken{rule::scalar_types_agree};
    if (x.dims.rank < 1 || w.dims.rank != 2) throw rule_is_broken{rule::shape_follows_from_operands};
    if (!(x.dims.axes[x.dims.rank - 1] == w.dims.axes[transposed ? 1 : 0]))
      throw rule_is_broken{rule::shape_follows_from_operands};
    s.where = x.where;
    s.type = w.type;
    s.dims = x.dims;
    s.dims.axes[s.dims.rank - 1] = w.dims.axes[transposed ? 0 : 1];
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    const bool transposed = d.statement().is_transposed();
    if (d.wants(0)) d.add(0, d.cast(d.matmul(d.cotangent(), d.operand(1), !transposed), d.operand(0).type()));
    if (d.wants(1))
      d.add(1,
            transposed ? d.reduced_matmul(d.cotangent(), d.operand(0)) : d.reduced_matmul(d.operand(0), d.cotangent()));
  }
};

/// x (…, k), g (…, m) → Σ over vertices, or over edges, of xᵀ g: (k, m). Rows of bf16 or f16 are read as f32.
struct reduced_matmul : operation<ir::opcode::reduced_matmul, category::dense, 2> {
  static constexpr op::domain domain{};
  static constexpr std::string_view in_words = "vertices or edges (…, k), (…, m) → graph (k, m)";
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& x = p.operand(s, 0);
    const ir::statement& g = p.operand(s, 1);
    if (x.where == ir::space::graph || g.where != x.where) throw rule_is_broken{rule::spaces_agree};
    if (computed_in(x.type) != computed_in(g.type)) throw rule_is_broken{rule::scalar_types_agree};
    if (x.dims.rank < 1 || x.dims.rank != g.dims.rank) throw rule_is_broken{rule::shape_follows_from_operands};
    for (int a = 0; a + 1 < x.dims.rank; ++a)
      if (!(x.dims.axes[a] == g.dims.axes[a])) throw rule_is_broken{rule::shape_follows_from_operands};
    s.where = ir::space::graph;
    s.type = computed_in(x.type);
    s.dims = ir::shape();
    s.dims.push(x.dims.axes[x.dims.rank - 1]);
    s.dims.push(g.dims.axes[g.dims.rank - 1]);
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    if (d.wants(0)) d.add(0, d.cast(d.matmul(d.operand(1), d.cotangent(), true), d.operand(0).type()));
    if (d.wants(1)) d.add(1, d.cast(d.matmul(d.operand(0), d.cotangent(), false), d.operand(1).type()));
  }
};

}  // namespace stg::op

namespace stg {

namespace detail {
#define STG_MULTIPLIES_STEPS "stg: matmul" STG_TAKES_ONE_STEP
#define STG_MULTIPLIES_UNREAD "stg: matmul takes a value and a parameter; read the feature first: matmul(v(x), W)"
#define STG_MULTIPLIES_VERTICES \
  "stg: matmul takes a parameter on the right; for two vertex values write sum(a * b, axis<0>)"
#define STG_MULTIPLIES_KINDS "stg: matmul" STG_MIXES_KINDS
#define STG_MULTIPLIES_DIRECTIONS "stg: matmul mixes in-edges and out-edges; aggregate one of them first"
#define STG_MULTIPLIES_NO_MATRIX "stg: matmul takes a value with a feature axis and a parameter with two"
#define STG_MULTIPLIES_OTHER_WIDTHS "stg: matmul: the last extent of x is not the first extent of the parameter"
#define STG_MULTIPLIES_OTHER_TYPES "stg: matmul mixes scalar types; write cast<f32>(x) or cast<f64>(x)"
template <class X, class W> struct product_rules {
  static constexpr bool is_of_one_step = operand_rules<X, W>::is_of_one_step;
  using x = operand_traits<X>;
  using w = operand_traits<W>;
  static constexpr bool spoiled = operand_rules<X, W>::spoiled;
  static constexpr bool reads_features = spoiled || (operand_rules<X, W>::reads_features && !x::is_number);
  static constexpr bool is_of_graph = std::is_same_v<typename w::where, space::graph>;
  /// A matrix of its own per vertex or edge, such as W[e(relation)].
  static constexpr bool has_own_matrix = !spoiled && reads_features && !is_sparse<X> && is_expr<W> &&
                                         w::dims::rank == 2 && !is_of_graph && x::dims::rank == 1;
  /// Two values of the graph, such as a pooled one and a parameter.
  static constexpr bool one_row = !is_sparse<X> && std::is_same_v<typename x::where, space::graph> && is_of_graph;
  static constexpr bool parameter_is_graph = !reads_features || spoiled || has_own_matrix || is_of_graph;
  static constexpr bool one_kind = !has_own_matrix || operand_rules<X, W>::one_kind;
  static constexpr bool one_direction = !has_own_matrix || operand_rules<X, W>::one_direction;
  static constexpr bool ranks = !spoiled && reads_features && parameter_is_graph && one_direction;
  static constexpr bool parameter_is_matrix =
      !ranks || (w::dims::rank == 2 && x::dims::rank >= 1 && (!one_row || x::dims::rank < ir::shape::max_rank));
  static constexpr bool widths() {
    if constexpr (ranks && w::dims::rank == 2 && x::dims::rank >= 1)
      return same_extent<axis_extent<typename x::dims, x::dims::rank - 1>, axis_extent<typename w::dims, 0>>;
    else return true;
  }
  static constexpr bool widths_agree = widths();
  static constexpr bool types_agree = !ranks || agree(x::type, w::type);
  static constexpr scalar_type type = common(x::type, w::type);
  static constexpr bool ok = ranks && parameter_is_matrix && widths_agree && types_agree;
};

/// x (…, k) · W (k, m) as Σ over k of x (…, k, 1) ⊙ W: (…, m), for a single row or rows that have a W each.
template <auto... E, class X, class W> constexpr auto summed_product(shape<E...>, const X& x, const W& w) {
  return sum(reshape<E..., 1>(x) * w, axis<-2>);
}
}  // namespace detail

/// x (…, k) times a parameter W (k, m): (…, m), per vertex, per edge, or once for the graph: matmul(pooled, W). x may
/// be a sparse feature (k). What is gathered is multiplied before it is gathered; a product that is left on the edges
/// keeps an array with a row for each of them. W may also be a value with a matrix (k, m) per vertex or edge,
/// W[e(relation)] or one that a network computed.
template <class X, class W>
#if STG_SAYS_AT_CALLS
__attribute__((diagnose_if(!(detail::product_rules<X, W>::is_of_one_step), STG_MULTIPLIES_STEPS, "error"),
               diagnose_if(!(detail::product_rules<X, W>::reads_features), STG_MULTIPLIES_UNREAD, "error"),
               diagnose_if(!(detail::product_rules<X, W>::parameter_is_graph), STG_MULTIPLIES_VERTICES, "error"),
               diagnose_if(!(detail::product_rules<X, W>::one_kind), STG_MULTIPLIES_KINDS, "error"),
               diagnose_if(!(detail::product_rules<X, W>::one_direction || !detail::product_rules<X, W>::one_kind),
                           STG_MULTIPLIES_DIRECTIONS, "error"),
               diagnose_if(!(detail::product_rules<X, W>::parameter_is_matrix), STG_MULTIPLIES_NO_MATRIX, "error"),
               diagnose_if(!(detail::product_rules<X, W>::widths_agree), STG_MULTIPLIES_OTHER_WIDTHS, "error"),
               diagnose_if(!(detail::product_rules<X, W>::types_agree), STG_MULTIPLIES_OTHER_TYPES, "error")))
#endif
constexpr auto
matmul(const X& x, const W& w) {
  using rules = detail::product_rules<X, W>;
#if !STG_SAYS_AT_CALLS
  static_assert(rules::is_of_one_step, STG_MULTIPLIES_STEPS);
  static_assert(rules::reads_features, STG_MULTIPLIES_UNREAD);
  static_assert(rules::parameter_is_graph, STG_MULTIPLIES_VERTICES);
  static_assert(rules::one_kind, STG_MULTIPLIES_KINDS);
  static_assert(rules::one_direction || !rules::one_kind, STG_MULTIPLIES_DIRECTIONS);
  static_assert(rules::parameter_is_matrix, STG_MULTIPLIES_NO_MATRIX);
  static_assert(rules::widths_agree, STG_MULTIPLIES_OTHER_WIDTHS);
  static_assert(rules::types_agree, STG_MULTIPLIES_OTHER_TYPES);
#endif
  if constexpr (rules::ok && (rules::has_own_matrix || rules::one_row)) {
    return detail::summed_product(typename rules::x::dims(), x, w);
  } else if constexpr (rules::ok) {
    using dims = typename detail::operand_traits<X>::dims;
    constexpr int last = dims::rank - 1;
    using to = decltype(detail::replace_axis<last, axis_extent<typename rules::w::dims, 1>>(
        dims(), std::make_index_sequence<dims::rank>()));
    tracer* const t = detail::tracer_of(x, w);
    auto parameter = detail::lift<rules::type>(t, w);
    if constexpr (detail::is_sparse<X>) {
      return detail::sparse_product<to>(x, parameter.id);
    } else {
      auto rows = detail::lift<rules::type>(t, x);
      return detail::emit<typename rules::x::where, to, rules::type>(t, ir::opcode::matmul, rows.id, parameter.id);
    }
  } else {
    return detail::fallback(x, w);
  }
}

namespace detail {
/// Whether a row stands where the weight belongs, and a matrix behind it.
template <class W, class B> constexpr bool find_weight_behind() {
  if constexpr (is_mistake<W> || is_mistake<B> || !is_operand<W> || !is_operand<B>) return false;
  else return operand_traits<W>::dims::rank == 1 && operand_traits<B>::dims::rank == 2;
}
template <class W, class B> inline constexpr bool weight_is_first = !find_weight_behind<W, B>();
}  // namespace detail

#define STG_ADDS_THE_BIAS_FIRST "stg: linear takes the weight, then the bias; exchange the two: linear(v(x), W, b)"
/// matmul(x, W) + b: what other libraries call a linear or dense layer.
template <class X, class W, class B>
#if STG_SAYS_AT_CALLS
__attribute__((diagnose_if(!(detail::weight_is_first<W, B>), STG_ADDS_THE_BIAS_FIRST, "error")))
#endif
constexpr auto
linear(X x, W w, B b) {
  constexpr bool weight_is_first = detail::weight_is_first<W, B>;
#if !STG_SAYS_AT_CALLS
  static_assert(weight_is_first, STG_ADDS_THE_BIAS_FIRST);
#endif
  if constexpr (weight_is_first) return matmul(x, w) + b;
  else return mistake();
}

STG_TAKES_ARGUMENTS(matmul, 2, 2, "matmul(v(x), W)")
STG_TAKES_ARGUMENTS(linear, 3, 3, "linear(v(x), W, b)")

}  // namespace stg
