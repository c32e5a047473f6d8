// Sources: inputs, constants, structure of the graph, and counter-based random masks; dropout.
#pragma once

#include <stg/dsl/build.hpp>     // emit_with, statement_of, pointwise
#include <stg/dsl/written.hpp>   // written
#include <stg/op/operation.hpp>  // source
#include <stg/op/unread.hpp>     // STG_TAKES_VALUES

namespace stg::op {

struct input : source<ir::opcode::input> {
  static constexpr std::string_view in_words = "says itself what it is";
};
struct constant : source<ir::opcode::constant> {
  static constexpr std::string_view in_words = "graph, ()";
};
/// The number of elements along run-time axes, as a real number: what a mean over features divides by.
struct extent_value : source<ir::opcode::extent_value> {
  static constexpr std::string_view in_words = "graph, ()";
};
struct vertex_count : source<ir::opcode::vertex_count> {
  static constexpr std::string_view in_words = "graph, ()";
};
struct degree : source<ir::opcode::degree> {
  static constexpr std::string_view in_words = "vertex, ()";
};
struct vertex_index : source<ir::opcode::vertex_index> {
  static constexpr std::string_view in_words = "vertex, ()";
};
struct edge_index : source<ir::opcode::edge_index> {
  static constexpr std::string_view in_words = "edge, ()";
};
/// 0, 1, 2, … along the only axis.
struct iota : source<ir::opcode::iota> {
  static constexpr std::string_view in_words = "graph, (n)";
};
/// 1 / (1 - p) with probability 1 - p, else 0, drawn anew in every recorded call. Keyed by seed, call, site and the
/// global id of the vertex or edge (Philox4x32-7, Salmon et al., SC'11), so it is recomputed and never stored.
struct keep_mask : source<ir::opcode::keep_mask> {
  static constexpr std::string_view in_words = "vertex or edge, any shape";
  static constexpr std::string_view source = "Srivastava et al., JMLR 2014; Salmon et al., SC 2011";
  static constexpr op::effect effect = op::effect::random;
};

}  // namespace stg::op

namespace stg {

/// In training, zeroes each element with probability p and scales the others by 1 / (1 - p); the identity in inference.
/// Srivastava et al., JMLR 2014.
template <class S, class Sh, scalar_type T> constexpr auto dropout(expr<S, Sh, T> x, written p) {
  static_assert(is_real(T), "stg: dropout takes a real value; write cast<f32>(x)");
  constexpr bool is_of_rows = !std::is_same_v<S, space::graph>;
  static_assert(is_of_rows, "stg: dropout takes a vertex or edge value, not one of the whole graph");
  if constexpr (is_real(T) && !std::is_same_v<S, space::graph>) {
    if (!(p >= 0 && p < 1)) x.trace->note(ir::mistake::dropout_of_everything, text("dropout"), p.line);
    if (!(p > 0 && p < 1)) return x;  // no mask is drawn that would keep everything
    ir::statement s = detail::statement_of<S, Sh, T>(*x.trace, ir::opcode::keep_mask);
    s.set_drop_probability(p);
    s.set_site(x.trace->sites++);
    return detail::pointwise<ir::opcode::mul, T>(x, detail::emit_with<S, Sh, T>(x.trace, s));
  } else {
    return x;
  }
}

// Called on what was not read.
/// Of a sparse feature there is a dropout.
template <class... X>
  requires((Symbol<X> || detail::is_loose<X> || is_mistake<X>) || ...)
constexpr auto dropout(const X&... x) {
  constexpr bool is_read = !detail::has_feature<X...>;
  static_assert(is_read, "stg: dropout takes values; read the feature first: v(x), e.src(x), e.dst(x) or e(x)");
  if constexpr (detail::reported<X...> || detail::has_feature<X...>) return mistake();
  else return detail::on_values([](const auto&... value) { return dropout(value...); }, x...);
}
STG_TAKES_ARGUMENTS(dropout, 2, 2, "dropout(x, 0.5)")
STG_TAKES_A_NUMBER(dropout, 1, "dropout(x, 0.5)")
/// As a module, and the rate first: what to write.
STG_INSTEAD_FOR((detail::Number P), sizeof(P) == 0, "stg: dropout is a function of a value: dropout(h, 0.5)",
                constexpr mistake dropout(P))
STG_INSTEAD_FOR((detail::Number P, Expression X), sizeof(X) == 0, "stg: dropout takes the value first: dropout(h, 0.5)",
                constexpr mistake dropout(P, const X&))
STG_INSTEAD_FOR((Expression X), sizeof(X) == 0,
                "stg: a program draws no numbers but dropout's; bind noise as a feature: v(noise)",
                constexpr mistake uniform(const X&, detail::any = {}, detail::any = {}))
STG_INSTEAD_FOR((Expression X), sizeof(X) == 0,
                "stg: a program draws no numbers but dropout's; bind noise as a feature: v(noise)",
                constexpr mistake normal(const X&, detail::any = {}, detail::any = {}))

}  // namespace stg
