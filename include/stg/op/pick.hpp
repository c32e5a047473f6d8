// One entry of the first feature axis, chosen by a number of the vertex or edge: W[e(relation)]; and transpose.
#pragma once

#include <concepts>  // integral
#include <cstdint>   // int64_t
#include <utility>   // make_index_sequence

#include <stg/dsl/embedding.hpp>   // embedding
#include <stg/op/reshape.hpp>      // detail::has_axis, detail::axis_of
#include <stg/op/shape_rules.hpp>  // choosing
#include <stg/op/unread.hpp>       // STG_TAKES_VALUES

namespace stg::op {

/// Entry `index` of x's first axis: x (n, …), index () i32 → (…). An index outside of [0, n) gives 0.
struct pick : operation<ir::opcode::pick, category::feature, 2> {
  static constexpr op::movement moves = op::movement::from_entry;
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "a (n, …), b an index, i32 () → (…)";
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement &x = p.operand(s, 0), &index = p.operand(s, 1);
    if (index.type != scalar_type::i32) throw rule_is_broken{rule::scalar_types_agree};
    if (x.dims.rank < 1 || index.dims.rank != 0) throw rule_is_broken{rule::shape_follows_from_operands};
    s.where = common_domain(x.where, index.where);
    s.type = x.type;
    s.dims = ir::shape();
    for (int a = 1; a < x.dims.rank; ++a) s.dims.push(x.dims.axes[a]);
  }
  static constexpr rule wrong_operands(const ir::program& p, const ir::statement& s) {
    return p.operand(s, 0).dims.rank < 1 ? rule::shape_follows_from_operands : choosing(p, s);
  }
  /// A table that all rows pick from, such as an embedding's, gets the sum of their cotangents entry by entry, in
  /// memory and time of the rows and the table. A value with a table of its own for each row gets zeros but for one
  /// entry, and so does a short table that edges pick from: its entries are summed by vertex, in registers, where
  /// cotangents of edges would have to lie in memory.
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    const ir::extent entries = d.operand(0).dims().axes[0];
    const ir::domain rows = d.result().where();
    const bool is_shared = d.operand(0).where() == ir::space::graph && !(rows == ir::space::graph);
    const bool is_short = rows == ir::space::edge && entries.is_static() && entries.code <= summed_by_vertex;
    if (is_shared && !is_short)
      d.add(0, d.scatter_sum(d.broadcast_like(d.cotangent(), d.result()), d.operand(1), entries));
    else d.add(0, d.put(d.cotangent(), d.operand(1), entries));
  }
  static constexpr std::int64_t summed_by_vertex = 4;  // entries at most, as many as a vertex has edges at least
};

/// Zeros, with x as entry `index` of a further first axis: the gradient of pick.
struct put : operation<ir::opcode::put, category::feature, 2> {
  static constexpr op::movement moves = op::movement::to_entry;
  static constexpr bool brings_shape = true;
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "a (…), b an index, i32 () → (n, …)";
  static constexpr void infer(const ir::program& p, ir::statement& s) {  // the first extent is said
    const ir::statement &x = p.operand(s, 0), &index = p.operand(s, 1);
    if (index.type != scalar_type::i32) throw rule_is_broken{rule::scalar_types_agree};
    if (index.dims.rank != 0) throw rule_is_broken{rule::shape_follows_from_operands};
    s.where = common_domain(x.where, index.where);
    s.type = x.type;
    s.dims = ir::shape();
    s.dims.push(s.beginning());
    for (int a = 0; a < x.dims.rank; ++a) s.dims.push(x.dims.axes[a]);
  }
  static constexpr rule wrong_operands(const ir::program& p, const ir::statement& s) {
    return p.operand(s, 0).dims.rank >= ir::shape::max_rank ? rule::shape_follows_from_operands : choosing(p, s);
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, d.pick(d.cotangent(), d.operand(1))); }
};

/// Entry i is the sum of the rows of x whose index is i, in their order: x (…) per vertex or edge, index () i32 → (n,
/// …) for the graph. Rows with an index outside of [0, n) count nowhere. The gradient of a pick from a parameter.
struct scatter_sum : operation<ir::opcode::scatter_sum, category::reduction, 2> {
  static constexpr op::domain domain{op::operands::numbers};  // real ones, and the index
  static constexpr std::string_view in_words = "vertices or edges (…), b an index of each, i32 () → graph (n, …)";
  static constexpr void infer(const ir::program& p, ir::statement& s) {  // the first extent is said
    const ir::statement &x = p.operand(s, 0), &index = p.operand(s, 1);
    if (x.where == ir::space::graph || index.where != x.where) throw rule_is_broken{rule::spaces_agree};
    if (!is_real(x.type) || index.type != scalar_type::i32) throw rule_is_broken{rule::scalar_types_agree};
    if (index.dims.rank != 0) throw rule_is_broken{rule::shape_follows_from_operands};
    s.where = ir::space::graph;
    s.type = x.type;
    s.dims = ir::shape();
    s.dims.push(s.beginning());
    for (int a = 0; a < x.dims.rank; ++a) s.dims.push(x.dims.axes[a]);
  }
  /// Rows of vertices or edges, each with a label.
  static constexpr rule wrong_operands(const ir::program& p, const ir::statement& s) {
    const ir::statement &x = p.operand(s, 0), &index = p.operand(s, 1);
    if (x.where == ir::space::graph || index.where != x.where) return rule::spaces_agree;
    if (!is_real(x.type)) return rule::scalar_types_agree;
    return x.dims.rank >= ir::shape::max_rank ? rule::shape_follows_from_operands : choosing(p, s);
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, d.pick(d.cotangent(), d.operand(1))); }
};

/// Two axes change places: the statement's axis and its attribute.
struct transpose : operation<ir::opcode::transpose, category::feature, 1> {
  static constexpr op::movement moves = op::movement::swap;
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "two axes change places";
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& x = p.operand(s, 0);
    const int a = s.swapped_axis(), b = s.other_axis();
    if (a < 0 || b < 0 || a >= x.dims.rank || b >= x.dims.rank) throw rule_is_broken{rule::shape_follows_from_operands};
    s.where = x.where;
    s.type = x.type;
    s.dims = x.dims;
    s.dims.axes[a] = x.dims.axes[b];
    s.dims.axes[b] = x.dims.axes[a];
  }
  static constexpr rule wrong_operands(const ir::program& p, const ir::statement& s) {
    const int rank = p.operand(s, 0).dims.rank;
    const bool ok = s.swapped_axis() >= 0 && s.swapped_axis() < rank && ir::names_one_of(s, rank);
    return ok ? rule::none : rule::shape_follows_from_operands;
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.transpose(d.cotangent(), d.statement().swapped_axis(), d.statement().other_axis()));
  }
};

}  // namespace stg::op

namespace stg {

namespace detail {
template <class X, class Index> struct pick_rules {
  using x = operand_traits<X>;
  using index = operand_traits<Index>;
  static constexpr bool spoiled = is_mistake<X> || is_mistake<Index>;
  static constexpr bool is_index =
      spoiled || (is_expr<Index> && index::type == scalar_type::i32 && index::dims::rank == 0);
  static constexpr bool is_read = !is_index || spoiled || is_expr<X> || std::is_same_v<typename x::where, space::graph>;
  static constexpr bool has_entries = !is_index || !is_read || spoiled || x::dims::rank >= 1;
  static constexpr bool one_kind = !is_index || !is_read || operand_rules<X, Index>::one_kind;
  static constexpr bool one_direction = !is_index || !is_read || operand_rules<X, Index>::one_direction;
  static constexpr bool ok = !spoiled && is_index && is_read && has_entries && one_direction;
};
template <auto First, auto... Rest> constexpr shape<Rest...> without_first(shape<First, Rest...>) { return {}; }
template <auto First, auto... Rest> constexpr shape<1, Rest...> one_of_first(shape<First, Rest...>) { return {}; }

/// Where entry i of an axis begins; one that the axis does not have is left to verify.
constexpr ir::extent beginning(tracer& t, const ir::polynomial& length, std::int64_t i) {
  if (i >= 0) return ir::extent(i);
  const ir::polynomial at = length + ir::polynomial(i);
  if (!at.fits()) {
    t.note(ir::mistake::long_extent);
    return ir::extent(0);
  }
  return at.is_integer() && at.integer() < 0 ? ir::extent(length.integer()) : t.program.intern(at);
}
/// The input of which a value is a part, or what is written behind it.
constexpr text name_behind(const ir::program& p, ir::value_id at) {
  while (ir::is_view(p[at]) || ir::takes_part(p[at].code)) at = p[at].operands[0];
  return p[at].code == ir::opcode::input ? p.inputs[p[at].entry()].name : text("[]");
}
template <class S, class Sh, scalar_type T> constexpr auto entry(expr<S, Sh, T> x, std::int64_t i, int line) {
  const ir::polynomial length = polynomial_from(axis_extent<Sh, 0>);
  if (length.is_integer() && (i >= length.integer() || i < -length.integer()))
    x.trace->note(ir::mistake::entry_outside, name_behind(x.trace->program, x.id), line);
  using one = decltype(one_of_first(Sh()));
  return reshape_to<decltype(without_first(Sh()))>(slice_to<one>(x, 0, beginning(*x.trace, length, i)));
}
}  // namespace detail

/// x[index]: the entry of x's first axis that a number of the vertex or edge names. W[e(relation)] is a parameter per
/// relation: W (relations, …) and relation i32 per edge give (…) per edge. An index that is an input is checked when
/// the program is called: outside of [0, first extent) it raises stg::error.
template <class X, class Index> constexpr auto pick(X x, Index index) {
  using rules = detail::pick_rules<X, Index>;
  constexpr bool is_index = rules::is_index, is_read = rules::is_read, has_entries = rules::has_entries;
  constexpr bool one_kind = rules::one_kind, one_direction = rules::one_direction || !one_kind;
  static_assert(is_index, "stg: x[i] takes a label of the vertex or edge: W[e(relation)], relation of type i32");
  static_assert(is_read, "stg: x[i] takes a parameter or a value; read the feature first: v(x)[i]");
  static_assert(has_entries, "stg: x[i] takes a value with a feature axis, along which i counts");
  static_assert(one_kind, "stg: x[i]" STG_MIXES_KINDS);
  static_assert(one_direction, "stg: x[i] mixes in-edges and out-edges; aggregate one of them first");
  if constexpr (rules::ok) {
    tracer* const t = detail::tracer_of(x, index);
    auto value = detail::value_in(t, x);
    index = detail::value_in(t, index);
    using from = detail::signature<decltype(value)>;
    using where = detail::join_t<typename from::where, typename rules::index::where>;
    using dims = decltype(detail::without_first(typename from::dims()));
    ir::label_range range;
    range.labels = index.id;
    range.classes = t->program.intern(detail::polynomial_from(axis_extent<typename from::dims, 0>));
    t->check(range);
    const ir::value_id entries = detail::seen_from<where>(value), chosen = detail::seen_from<where>(index);
    return detail::emit<where, dims, from::type>(t, ir::opcode::pick, entries, chosen);
  } else {
    return detail::fallback(index, x);
  }
}

/// x[2]: the entry that an integer names, for every vertex or edge the same; x[-1] is the last. x (n, …) gives (…). An
/// entry that x does not have is an error: of `compile` where n is a number, else of the call.
template <class X> constexpr auto pick_entry(X x, written_index i) {
  using from = detail::operand_traits<X>;
  constexpr bool read = !Symbol<X> || detail::is_graph_symbol<X>;
  static_assert(read, "stg: x[i] takes a parameter or a value; read the feature first: v(x)[i]");
  constexpr bool has_entries = !read || from::dims::rank >= 1;
  static_assert(has_entries, "stg: x[i] takes a value with a feature axis, along which i counts");
  if constexpr (read && has_entries)
    return detail::on_values([i](const auto& value) { return detail::entry(value, i.value, i.line); }, x);
  else return mistake();
}

/// Two feature axes change places: transpose<0, 1>(x) of (8, 16) is (16, 8).
template <int A, int B, class S, class Sh, scalar_type T> constexpr auto transpose(expr<S, Sh, T> x) {
  constexpr bool both = detail::has_axis<A, Sh> && detail::has_axis<B, Sh>;
  static_assert(both, "stg: transpose<a, b> takes two of the value's feature axes; axis 0 is the first");
  if constexpr (both) {
    constexpr int a = detail::axis_of<A, Sh>, b = detail::axis_of<B, Sh>;
    constexpr auto sequence = std::make_index_sequence<Sh::rank>();
    using moved = decltype(detail::replace_axis<a, axis_extent<Sh, b>>(Sh(), sequence));
    using to = decltype(detail::replace_axis<b, axis_extent<Sh, a>>(moved(), sequence));
    ir::statement s = detail::statement_of<S, to, T>(*x.trace, ir::opcode::transpose, x.id);
    s.set_swapped(a, b);
    return detail::emit_with<S, to, T>(x.trace, s);
  } else {
    return mistake();
  }
}

// Called on what was not read.
STG_TAKES_VALUES_FOR(transpose, STG_BOTH(A, B), int A, int B)
STG_LACKS_BRACKETS_OF(transpose, 1, "transpose<0, 1>(x)")

}  // namespace stg
