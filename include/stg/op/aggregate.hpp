// Between vertices and edges: gathers, and aggregates over the edges that a vertex owns.
#pragma once

#include <stg/base/instead.hpp>   // STG_INSTEAD_FOR
#include <stg/base/config.hpp>    // STG_HOST_DEVICE, STG_LANEWISE
#include <stg/base/lowest.hpp>    // lowest
#include <stg/dsl/build.hpp>      // emit_with, statement_of
#include <stg/dsl/vertex.hpp>     // vertex_view
#include <stg/op/arithmetic.hpp>  // operator-, operator/
#include <stg/op/elementary.hpp>  // exp
#include <stg/op/operation.hpp>   // operation
#include <stg/op/rounding.hpp>    // shift_of
#include <stg/op/unread.hpp>      // STG_TAKES_VALUES

namespace stg::op {

template <ir::opcode Code> struct gathering : operation<Code, category::gather, 1> {
  static constexpr int cost = 0;
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& x = p.operand(s, 0);
    const int relation = s.where.set;  // which the statement brings itself
    const int from = s.code == ir::opcode::gather_src ? p.source_set(relation) : p.destination_set(relation);
    if (x.where != ir::space::vertex || x.where.set != from) throw rule_is_broken{rule::spaces_agree};
    s.where.kind = ir::space::edge;
    s.type = x.type;
    s.dims = x.dims;
  }
};

/// The source's value at each edge; its gradient is summed over the source's out-edges.
struct gather_src : gathering<ir::opcode::gather_src> {
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.sum_edges(d.on_edges(d.cotangent()), ir::direction::out));
  }
};
/// The destination's value at each edge; its gradient is summed over the destination's in-edges.
struct gather_dst : gathering<ir::opcode::gather_dst> {
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.sum_edges(d.on_edges(d.cotangent()), ir::direction::in));
  }
};

/// Over the edges that a vertex owns; the attribute is the side it owns them on. One that takes messages element by
/// element begins with `neutral` and joins what it has with the next by `apply`; so do the results of a row's parts.
template <ir::opcode Code> struct aggregation : operation<Code, category::aggregate, 1> {
  /// Over no edges.
  template <class T> STG_HOST_DEVICE static constexpr T of_none() { return T{}; }
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& x = p.operand(s, 0);
    if (x.where != ir::space::edge) throw rule_is_broken{rule::spaces_agree};
    s.where = ir::domain(ir::space::vertex, p.owner_set(x.where.set, s.side()));
    s.type = x.type;
    s.dims = x.dims;
  }
};

struct sum_edges : aggregation<ir::opcode::sum_edges> {
  static constexpr op::domain domain{op::operands::numbers};
  template <class T> STG_HOST_DEVICE static constexpr T neutral() { return T{}; }
  template <class T> STG_LANEWISE static constexpr T apply(const T& a, const T& x) { return a + x; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, d.gather_owner(d.cotangent())); }
};

/// 0 over no edges. The first edge in edge order that reaches the maximum gets the gradient.
struct max_edges : aggregation<ir::opcode::max_edges> {
  static constexpr op::domain domain{op::operands::numbers, kink::ties};
  template <class T> STG_HOST_DEVICE static constexpr T neutral() { return lowest<T>(); }
  template <class T> STG_LANEWISE static constexpr T apply(const T& a, const T& x) { return a < x ? x : a; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto first = d.gather_owner(d.first_max_owned(d.operand(0)));
    d.add(0, d.select(d.edge_index() == first, d.gather_owner(d.cotangent()), d.zero()));
  }
};

/// The id of the first edge that reaches the maximum, -1 over no edges.
struct first_max_edge : aggregation<ir::opcode::first_max_edge> {
  static constexpr op::domain domain{op::operands::numbers, kink::ties};
  static constexpr std::string_view in_words = "edge → vertex, shape as a's; i32";
  static constexpr bool differentiable = false;
  template <class T> STG_HOST_DEVICE static constexpr T of_none() { return T{-1}; }
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    aggregation<ir::opcode::first_max_edge>::infer(p, s);
    s.type = scalar_type::i32;
  }
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}
};

/// 1 over no edges. The gradient of a factor is the product of the others: where one factor is 0 it alone has one,
/// where two are none has. `left` is 0 in value: as the sum of the factors that are 0 it carries what these have to do
/// with the gradients of others, so that second derivatives hold as well; third ones do where fewer than two are 0.
struct prod_edges : aggregation<ir::opcode::prod_edges> {
  static constexpr op::domain domain{.first = {.hole = 0.1}};
  template <class T> STG_HOST_DEVICE static constexpr T neutral() { return T{1}; }
  template <class T> STG_LANEWISE static constexpr T apply(const T& a, const T& x) { return a * x; }
  template <class T> STG_HOST_DEVICE static constexpr T of_none() { return neutral<T>(); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto x = d.operand(0);
    auto is_zero = x == d.zero();
    auto others = d.cotangent() * d.prod_owned(d.select(is_zero, d.one(), x));  // of the factors that are not 0
    auto zeros = d.sum_owned(d.cast(is_zero, x.type()));
    auto left = d.sum_owned(d.select(is_zero, x, d.zero()));
    auto none = zeros == d.zero(), one = zeros == d.one(), two = zeros == d.number(2);
    auto pair = d.select(two, others, d.zero());  // times the other of the two that are 0
    auto of_zero = d.gather_owner(d.select(one, others, pair * left)) - d.gather_owner(pair) * x;
    auto of_other = d.gather_owner(d.select(none, others, d.select(one, others * left, d.zero())));
    d.add(0, d.select(is_zero, of_zero, of_other / d.select(is_zero, d.one(), x)));
  }
};

/// The softmax of the largest message: 1 / Σ exp(x - max x), a number up to 1 in which no digit of x is lost; ∞ over no
/// edges. It is 0 where an x is ∞, and ∞ where all are -∞. The gradient is taken with max x held fixed: what is made of
/// the two, as max x - log of this, does not depend on by how much exponents are shifted.
struct top_share_edges : aggregation<ir::opcode::top_share_edges> {
  static constexpr op::domain domain{.first = {-30, 30}};
  static constexpr bool finite = false;
  static constexpr int cost = 14;
  template <class T> STG_HOST_DEVICE static constexpr T of_none() { return -lowest<T>(); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto shares = d.softmax_owned(d.operand(0), d.max_owned(d.operand(0)), d.result());
    d.add(0, d.gather_owner(-(d.cotangent() * d.result())) * shares);
  }
};

/// exp(x - most) · share of scores x, with the largest of them and its share: a softmax. The gradient is that of a
/// softmax of x, which goes to x alone.
template <ir::opcode Code> struct softmax : pointwise<Code, 3> {
  static constexpr op::domain domain{};
  static constexpr bool finite = false;
  static constexpr int passive_operands = 0b110;
  static constexpr int cost = 14;
  template <class T> STG_LANEWISE static T apply(const T& x, const T& most, const T& share) {
    return math::functions<T>::exp(x - most) * share;
  }
};
/// Over the edges that a vertex owns; the attribute is the side it owns them on.
struct softmax_edges : softmax<ir::opcode::softmax_edges> {
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto weighed = d.cotangent() * d.result();
    d.add(0, weighed + d.gather_owner(-d.sum_owned(weighed)) * d.result());
  }
};

/// Takes messages element by element: sums, products, maxima.
template <class Op>
concept ElementwiseAggregate = requires {
  Op::template neutral<float>();
};

}  // namespace stg::op

namespace stg {

namespace detail {

template <ir::opcode Code, class S, class Sh, scalar_type T> constexpr auto aggregate(expr<S, Sh, T> x) {
  ir::statement s = statement_of<owner_of<S>, Sh, T>(*x.trace, Code, x.id);
  s.set_side(side_of<S>);
  return emit_with<owner_of<S>, Sh, T>(x.trace, s);
}
/// 1 / Σ exp(score - max score) over the vertex's edges: with the maximum all that there is to know of a softmax's sum.
template <class S, class Sh, scalar_type T> constexpr auto top_share(expr<S, Sh, T> score) {
  return aggregate<ir::opcode::top_share_edges>(score);
}

}  // namespace detail

/// Sum over the vertex's edges; 0 over none. Shape as the message's.
template <class S, class Sh, scalar_type T> constexpr auto sum(expr<S, Sh, T> message) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: sum aggregates an edge value; read the vertex value as e.src(x), or sum(x, axis<0>)");
  static_assert(is_number(T), "stg: sum takes numbers; write cast<f32>(x)");
  if constexpr (detail::is_edge<S>) return detail::aggregate<ir::opcode::sum_edges>(message);
  else return message;
}

/// Mean over the vertex's edges; 0 over none.
template <class S, class Sh, scalar_type T> constexpr auto mean(expr<S, Sh, T> message) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: mean aggregates an edge value; read the vertex value as e.src(x), or mean(x, axis<0>)");
  static_assert(is_real(T), "stg: mean takes a real value; write cast<f32>(x)");
  if constexpr (detail::is_edge<S> && is_real(T)) {
    return sum(message) / max(detail::owned_edges<S, T>(message.trace), 1.0);
  } else {
    return message;
  }
}

/// Maximum over the vertex's edges; 0 over none. The first edge of a tie gets the gradient.
template <class S, class Sh, scalar_type T> constexpr auto max(expr<S, Sh, T> message) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: max aggregates an edge value; read the vertex value as e.src(x), or max(x, axis<0>)");
  static_assert(is_number(T), "stg: max takes numbers; write cast<f32>(x)");
  if constexpr (detail::is_edge<S>) return detail::aggregate<ir::opcode::max_edges>(message);
  else return message;
}

/// Minimum over the vertex's edges; 0 over none. The first edge of a tie gets the gradient.
template <class S, class Sh, scalar_type T> constexpr auto min(expr<S, Sh, T> message) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: min aggregates an edge value; read the vertex value as e.src(x), or min(x, axis<0>)");
  static_assert(is_number(T), "stg: min takes numbers; write cast<f32>(x)");
  if constexpr (detail::is_edge<S> && is_number(T)) {
    auto most = detail::aggregate<ir::opcode::max_edges>(detail::reversed(message));
    if constexpr (is_real(T)) return 0.0 - most;  // 0 over no edges, not -0
    else return detail::least_integer(most, detail::owned_edges<S, T>(message.trace));
  } else {
    return message;
  }
}

/// Product over the vertex's edges; 1 over none. Zeros have the gradient that they should.
template <class S, class Sh, scalar_type T> constexpr auto prod(expr<S, Sh, T> message) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: prod aggregates an edge value; read the vertex value as e.src(x)");
  static_assert(is_number(T), "stg: prod takes numbers; write cast<f32>(x)");
  if constexpr (detail::is_edge<S>) return detail::aggregate<ir::opcode::prod_edges>(message);
  else return message;
}

/// The id of the edge with the largest message, per feature: the first, where several have it; -1 over no edges. An id
/// is a row of `edge_values`, and its source is `graph.in_edges().neighbour(id)`. i32, without a gradient.
template <class S, class Sh, scalar_type T> constexpr auto argmax(expr<S, Sh, T> message) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: argmax aggregates an edge value; read the vertex value as e.src(x)");
  static_assert(is_number(T), "stg: argmax takes numbers; write cast<f32>(x)");
  if constexpr (detail::is_edge<S>) {
    ir::statement s = detail::statement_of<detail::owner_of<S>, Sh, scalar_type::i32>(
        *message.trace, ir::opcode::first_max_edge, message.id);
    s.set_side(detail::side_of<S>);
    return detail::emit_with<detail::owner_of<S>, Sh, scalar_type::i32>(message.trace, s);
  } else {
    return message;
  }
}

/// The id of the edge with the least message, as argmax.
template <class S, class Sh, scalar_type T> constexpr auto argmin(expr<S, Sh, T> message) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: argmin aggregates an edge value; read the vertex value as e.src(x)");
  static_assert(is_number(T), "stg: argmin takes numbers; write cast<f32>(x)");
  if constexpr (detail::is_edge<S> && is_number(T)) return argmax(detail::reversed(message));
  else return message;
}

/// log Σ exp over the vertex's edges, safe for any score; -∞ over none. Written as max - log(share of the largest).
template <class S, class Sh, scalar_type T> constexpr auto log_sum_exp(expr<S, Sh, T> score) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: log_sum_exp aggregates an edge value; read the vertex value as e.src(x)");
  static_assert(is_real(T), "stg: log_sum_exp takes a real value; write cast<f32>(x)");
  if constexpr (detail::is_edge<S> && is_real(T)) {
    auto most = detail::shift_of(detail::aggregate<ir::opcode::max_edges>(score));
    return most - log(detail::top_share(score));
  } else {
    return score;
  }
}

/// exp(score) / Σ exp(score) over the edges of the vertex that owns this one: attention coefficients that add up to 1.
/// Written as exp(score - max) / Σ exp(score - max), so that scores of any size lose no digits, and two numbers per
/// vertex are all that the gradient needs.
template <class S, class Sh, scalar_type T> constexpr auto softmax(expr<S, Sh, T> score) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: softmax normalises over edges; over features write softmax(x, axis<0>)");
  static_assert(is_real(T), "stg: softmax takes a real value; write cast<f32>(x)");
  if constexpr (detail::is_edge<S> && is_real(T)) {
    auto most = detail::aggregate<ir::opcode::max_edges>(score);
    auto share = detail::top_share(score);
    ir::statement s = detail::statement_of<S, Sh, T>(*score.trace, ir::opcode::softmax_edges, score.id,
                                                     detail::seen_from<S>(most), detail::seen_from<S>(share));
    s.set_side(detail::side_of<S>);
    return detail::emit_with<S, Sh, T>(score.trace, s);
  } else {
    return score;
  }
}

// Called on what was not read.
STG_TAKES_VALUES(prod)
STG_TAKES_VALUES(argmax)
#define STG_FINDS_EDGES \
  "stg: argmax and argmin find an edge and take no axis; classes are counted by stg::accuracy(out, labels)"
STG_INSTEAD_FOR((Expression X, class Axis), sizeof(X) == 0, STG_FINDS_EDGES, constexpr mistake argmax(const X&, Axis))
STG_INSTEAD_FOR((Expression X, class Axis), sizeof(X) == 0, STG_FINDS_EDGES, constexpr mistake argmin(const X&, Axis))
STG_TAKES_VALUES(argmin)

}  // namespace stg
