// How a language function writes a statement: lifting numbers and symbols, joining spaces, and the rules of operands.
#pragma once

#include <cstdint>      // int64_t
#include <type_traits>  // is_arithmetic_v, conditional_t

#include <stg/dsl/expr.hpp>    // expr, tracer
#include <stg/dsl/loose.hpp>   // loose_expr
#include <stg/dsl/real.hpp>    // typed
#include <stg/dsl/sparse.hpp>  // sparse_expr
#include <stg/dsl/steps.hpp>   // brought_in, read_step, scan_over
#include <stg/dsl/symbol.hpp>  // symbol

namespace stg::detail {

/// The number of a kind in the traced program and, for the step of a scan, in the programs around it.
constexpr int kind_number(tracer& t, const ir::kind& k) {
  tracer* outermost = &t;
  while (outermost->outer != nullptr) outermost = outermost->outer;
  const int number = ir::kind_number(outermost->program, k);
  for (tracer* at = &t; at != outermost; at = at->outer)
    if (at->program.kinds.size() != outermost->program.kinds.size()) at->program.kinds = outermost->program.kinds;
  return number;
}
template <class Set> constexpr int set_number(tracer& t) {
  ir::kind k;
  k.name = text(Set::name::view());
  return kind_number(t, k);
}
template <class Relation> constexpr int relation_number(tracer& t) {
  ir::kind k;
  k.source = set_number<typename Relation::source>(t);
  k.destination = set_number<typename Relation::destination>(t);
  k.name = text(Relation::name::view());
  return kind_number(t, k);
}
/// The domain of a space's values; a vertex set or relation becomes one of the program's.
template <class S> struct numbered_space {
  static constexpr ir::domain in(tracer&) { return ir_space<S>; }
};
template <class Set> struct numbered_space<space::vertices_of<Set>> {
  static constexpr ir::domain in(tracer& t) { return {ir::space::vertex, set_number<Set>(t)}; }
};
template <class R> struct numbered_space<space::in_edges_of<R>> {
  static constexpr ir::domain in(tracer& t) { return {ir::space::edge, relation_number<R>(t)}; }
};
template <class R> struct numbered_space<space::out_edges_of<R>> : numbered_space<space::in_edges_of<R>> {};
template <class S> constexpr ir::domain domain_of(tracer& t) { return numbered_space<S>::in(t); }

/// A statement with the type, space and shape of its expression.
template <class S, class Sh, scalar_type T>
constexpr ir::statement statement_of(tracer& t, ir::opcode code, ir::value_id a = ir::no_value,
                                     ir::value_id b = ir::no_value, ir::value_id c = ir::no_value) {
  ir::statement s;
  s.code = code;
  s.where = domain_of<S>(t);
  s.type = settled(T);
  s.dims = intern(t.program, Sh());
  s.operands[0] = a;
  s.operands[1] = b;
  s.operands[2] = c;
  return s;
}

/// Writes a statement and returns its expression.
template <class S, class Sh, scalar_type T>
constexpr expr<S, Sh, T> emit(tracer* t, ir::opcode code, ir::value_id a = ir::no_value, ir::value_id b = ir::no_value,
                              ir::value_id c = ir::no_value) {
  return expr<S, Sh, T>{t, t->emit(statement_of<S, Sh, T>(*t, code, a, b, c))};
}
template <class S, class Sh, scalar_type T> constexpr expr<S, Sh, T> emit_with(tracer* t, ir::statement s) {
  return expr<S, Sh, T>{t, t->emit(s)};
}

template <scalar_type T> constexpr expr<space::graph, shape<>, T> constant(tracer* t, double value) {
  ir::statement s = statement_of<space::graph, shape<>, T>(*t, ir::opcode::constant);
  s.set_value(value);
  return emit_with<space::graph, shape<>, T>(t, s);
}

/// The value of a symbol with steps, at the current step of its scan. In a program of its own, which has met no traced
/// value yet: an input with its number of steps.
template <class S, class X> constexpr ir::value_id read_step(tracer* t, const ir::input& in) {
  if (t->is_loose) {
    ir::statement s = statement_of<S, typename X::dims, X::type>(*t, ir::opcode::input);
    s.over = t->program.intern(elements(typename X::over()));
    s.set_entry(t->entry_of(in));
    return t->emit(s);
  }
  tracer& at = reader_of_steps(*t, elements(typename X::over()), in.name);
  return read_step(*t, at, in, statement_of<S, typename X::dims, X::type>(at, ir::opcode::input));
}
/// The same for a result of another scan.
template <class S, class Sh, scalar_type T, class Over>
constexpr expr<S, Sh, T> step_of(tracer* t, steps_expr<S, Sh, T, Over> y) {
  tracer* const at = scan_over(t, elements(Over()), y.trace->depth + 1);
  if (at == nullptr) {
    note_no_step(*t);
    return {t, 0};
  }
  return {t, brought_in(*t, at, brought_in(*at, brought_in(*at->outer, y.trace, y.id), true))};
}

/// The value of a symbol, in the type that it is computed with. verify finds a second symbol of the same name and
/// another shape.
template <class S, Symbol X> constexpr auto read_symbol(tracer* t, X x) {
  using Sh = typename X::dims;
  ir::input in;
  in.name = text(X::name::view());
  in.trainable = X::trainable;
  in.begins = x.begins;
  in.sparse = std::is_same_v<typename X::where, space::sparse>;
  if constexpr (X::over::rank > 0) {
    const ir::value_id at = read_step<S, X>(t, in);
    if constexpr (is_storage(X::type)) return emit<S, Sh, computed_in(X::type)>(t, ir::opcode::cast, at);
    else return expr<S, Sh, X::type>{t, at};
  } else {
    ir::statement s = statement_of<S, Sh, X::type>(*t, ir::opcode::input);
    s.set_entry(t->entry_of(in));
    if constexpr (std::is_same_v<S, space::sparse>) {
      return sparse_expr<Sh, X::type>{t, t->emit(s)};
    } else if constexpr (is_storage(X::type)) {
      const ir::value_id stored = t->emit(s);
      return emit<S, Sh, computed_in(X::type)>(t, ir::opcode::cast, stored);
    } else {
      return emit_with<S, Sh, X::type>(t, s);
    }
  }
}

// ---- operands: expressions, numbers, and graph values: parameters, scalars and values made of them ----

template <class X>
inline constexpr bool is_operand = is_expr<X> || is_symbol<X> || is_loose<X> || is_sparse<X> || is_steps<X> ||
                                   std::is_arithmetic_v<X> || is_mistake<X>;

/// A symbol that may be written without v(…).
template <class X> inline constexpr bool is_graph_symbol = false;
template <class N, class Sh, scalar_type T, bool R, class O>
inline constexpr bool is_graph_symbol<symbol<N, space::graph, Sh, T, R, O>> = true;

template <class... X> inline constexpr bool are_traced = ((is_expr<X> || is_sparse<X>) || ...);
/// The program that the operands are traced into: the innermost, if some stand outside of a scan's step.
template <class A, class... B> constexpr tracer* tracer_of(const A& a, const B&... b) {
  if constexpr (!(is_expr<A> || is_sparse<A>)) {
    return tracer_of(b...);
  } else if constexpr (are_traced<B...>) {
    tracer* const other = tracer_of(b...);
    return a.trace->depth < other->depth ? other : a.trace;
  } else {
    return a.trace;
  }
}

/// An argument of a function of the language as a value of the traced program, if it is a symbol or made of symbols;
/// anything else as it is.
template <class X> constexpr auto value_in(tracer* t, const X& x) {
  if constexpr (is_symbol<X>) return read_symbol<typename X::where>(t, x);
  else if constexpr (is_loose<X>) return tied(t, x);
  else if constexpr (is_expr<X>) return X{t, brought_in(*t, x.trace, x.id)};
  else if constexpr (is_steps<X>) return step_of(t, x);
  else return x;
}

/// f of arguments, graph values among them: in the program of the traced arguments, else in a program of its own. The
/// one place that turns parameters and scalars without v(…) into values.
template <class F, class... X> constexpr auto on_values(F f, const X&... x) {
  if constexpr (are_traced<X...>) {
    return f(value_in(tracer_of(x...), x)...);
  } else {
    tracer t;
    t.is_loose = true;
    return loosened(t, f(value_in(&t, x)...));
  }
}

template <class X> struct operand_traits {  // a number: takes the type of the other operand
  using where = space::graph;
  using dims = shape<>;
  static constexpr bool is_number = true;
  static constexpr scalar_type type = scalar_type::f32;
};
template <class S, class Sh, scalar_type T> struct operand_traits<expr<S, Sh, T>> {
  using where = S;
  using dims = Sh;
  static constexpr bool is_number = false;
  static constexpr scalar_type type = T;
};
template <class Sh, scalar_type T> struct operand_traits<loose_expr<Sh, T>> {
  using where = space::graph;
  using dims = Sh;
  static constexpr bool is_number = false;
  static constexpr scalar_type type = T;
};
template <class Sh, scalar_type T> struct operand_traits<sparse_expr<Sh, T>> {
  using where = space::sparse;
  using dims = Sh;
  static constexpr bool is_number = false;
  static constexpr scalar_type type = T;
};
template <class S, class Sh, scalar_type T, class O>
struct operand_traits<steps_expr<S, Sh, T, O>> : operand_traits<expr<S, Sh, T>> {};
template <class N, class S, class Sh, scalar_type T, bool R, class O> struct operand_traits<symbol<N, S, Sh, T, R, O>> {
  using where = S;
  using dims = Sh;
  static constexpr bool is_number = false;
  static constexpr scalar_type type = computed_in(T);
};

/// An operand as a value; an operand without a type of its own takes type T.
template <scalar_type T, class X> constexpr auto lift(tracer* t, const X& x) {
  if constexpr (std::is_arithmetic_v<X>) return constant<T>(t, static_cast<double>(x));
  else return typed<T>(value_in(t, x));
}

/// The space of a result: graph values are read from anywhere, vertex values from their edges.
template <class A, class B>
using join_t = std::conditional_t<std::is_same_v<A, space::graph> || (is_vertex<A> && is_edge<B>), B, A>;

/// The value seen from space S: a vertex value read by an edge of that vertex is gathered.
template <class S, class From, class Sh, scalar_type T> constexpr ir::value_id seen_from(expr<From, Sh, T> x) {
  if constexpr (is_edge<S> && is_vertex<From>)
    return emit<S, Sh, T>(x.trace, side_of<S> == ir::direction::in ? ir::opcode::gather_dst : ir::opcode::gather_src,
                          x.id)
        .id;
  else return x.id;
}

/// The rules of two operands; the first broken rule is the only one that is false.
template <class A, class B> struct operand_rules {
  static constexpr bool is_of_one_step = !is_steps<A> && !is_steps<B>;
  using a = operand_traits<A>;
  using b = operand_traits<B>;
  template <class X, class S> static constexpr bool read = !is_symbol<X> || std::is_same_v<S, space::graph>;
  static constexpr bool spoiled = is_mistake<A> || is_mistake<B> || !is_of_one_step;  // and was reported
  static constexpr bool is_dense = spoiled || (!is_sparse<A> && !is_sparse<B>);
  static constexpr bool reads_features =
      spoiled || !is_dense || (read<A, typename a::where> && read<B, typename b::where>);
  static constexpr bool may_compare = reads_features && is_dense && is_of_one_step;
  static constexpr bool one_kind = !may_compare || kinds_agree<typename a::where, typename b::where>();
  /// One kind, too: one_kind is asked first, to say which of them differs.
  static constexpr bool one_direction =
      !may_compare || (one_kind && !(is_edge<typename a::where> && is_edge<typename b::where> &&
                                     !std::is_same_v<typename a::where, typename b::where>));
  static constexpr bool shapes_agree = !may_compare || !one_direction || broadcasts<typename a::dims, typename b::dims>;
  static constexpr bool types_agree =
      !may_compare || !one_direction || !shapes_agree || a::is_number || b::is_number || agree(a::type, b::type);
  static constexpr scalar_type type = a::is_number ? b::type : b::is_number ? a::type : common(a::type, b::type);
  using named = std::conditional_t<std::is_void_v<input_of<B>>, input_of<A>, input_of<B>>;  // compilers print it
  static constexpr bool computes =
      !may_compare || !one_direction || !shapes_agree || !types_agree || !(is_storage(a::type) || is_storage(b::type));
  static constexpr bool ok = !spoiled && is_dense && reads_features && one_direction &&
                             broadcasts<typename a::dims, typename b::dims> &&
                             (a::is_number || b::is_number || agree(a::type, b::type)) && computes;

  // Arithmetic and order take no conditions.
  static constexpr bool are_numbers = !ok || stg::is_number(type);
  static constexpr bool ok_numbers = ok && are_numbers;
};

/// The end of the sentence for a sparse feature in a wrong place.
#define STG_TAKES_NO_SPARSE " takes no sparse feature; it can be scaled, dropped out and multiplied: matmul(v(x), W)"

/// The same for a scan's result of all its steps.
#define STG_TAKES_ONE_STEP " takes no value of all steps; in a scan read v(y), else mean(y, all_steps), stacked(y)"

/// The same of values of two kinds.
#define STG_MIXES_KINDS " mixes vertex sets or relations; read what is at the other end as e.src(x) or e.dst(x)"

/// Rules of operators, each in one place: STG_SAYS_… in front of the operator spelled by `what`, STG_CHECK_… in its
/// body (config.hpp). The rules come last, since they have commas.
#define STG_READS_FEATURES " takes values; read the feature first: v(x), e.src(x), e.dst(x) or e(x)"
#define STG_MIXES_DIRECTIONS " mixes in-edges and out-edges; aggregate one of them first"
#define STG_BROADCASTS " takes shapes that broadcast; these differ in an axis where none is 1"
#define STG_MIXES_TYPES " mixes scalar types; write cast<f32>(x) or cast<f64>(x)"
#define STG_ONLY_STORES " takes no bf16 or f16, which only store; write cast<f32>(x)"
#define STG_WANTS_NUMBERS " takes numbers; write cast<f32>(x)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_PLACES(what, ...)                                                                     \
  __attribute__((diagnose_if(!__VA_ARGS__::reads_features, "stg: " what STG_READS_FEATURES, "error"),  \
                 diagnose_if(!__VA_ARGS__::is_dense, "stg: " what STG_TAKES_NO_SPARSE, "error"),       \
                 diagnose_if(!__VA_ARGS__::is_of_one_step, "stg: " what STG_TAKES_ONE_STEP, "error"),  \
                 diagnose_if(!__VA_ARGS__::one_kind, "stg: " what STG_MIXES_KINDS, "error"),           \
                 diagnose_if(!__VA_ARGS__::one_direction, "stg: " what STG_MIXES_DIRECTIONS, "error"), \
                 diagnose_if(!__VA_ARGS__::shapes_agree, "stg: " what STG_BROADCASTS, "error")))
#define STG_SAYS_TYPES(what, ...)                                                               \
  __attribute__((diagnose_if(!__VA_ARGS__::types_agree, "stg: " what STG_MIXES_TYPES, "error"), \
                 diagnose_if(!__VA_ARGS__::computes, "stg: " what STG_ONLY_STORES, "error")))
#define STG_SAYS_NUMBERS(what, ...) \
  __attribute__((diagnose_if(!__VA_ARGS__::are_numbers, "stg: " what STG_WANTS_NUMBERS, "error")))
#define STG_CHECK_PLACES(rules, what)
#define STG_CHECK_TYPES(rules, what)
#define STG_CHECK_NUMBERS(rules, what)
#else
#define STG_SAYS_PLACES(what, ...)
#define STG_SAYS_TYPES(what, ...)
#define STG_SAYS_NUMBERS(what, ...)
#define STG_CHECK_PLACES(rules, what)                                                                 \
  static_assert(rules::reads_features, "stg: " what STG_READS_FEATURES);                              \
  static_assert(rules::is_dense, "stg: " what STG_TAKES_NO_SPARSE);                                   \
  static_assert(rules::is_of_one_step, "stg: " what STG_TAKES_ONE_STEP);                              \
  static_assert(rules::one_kind, "stg: " what STG_MIXES_KINDS);                                       \
  static_assert(rules::one_direction || !rules::one_kind, "stg: " what STG_MIXES_DIRECTIONS);         \
  static_assert(detail::holds_for<rules::shapes_agree, typename rules::named> && rules::shapes_agree, \
                "stg: " what STG_BROADCASTS)
#define STG_CHECK_TYPES(rules, what)                                                                \
  static_assert(detail::holds_for<rules::types_agree, typename rules::named> && rules::types_agree, \
                "stg: " what STG_MIXES_TYPES);                                                      \
  static_assert(rules::computes, "stg: " what STG_ONLY_STORES)
#define STG_CHECK_NUMBERS(rules, what) static_assert(rules::are_numbers, "stg: " what STG_WANTS_NUMBERS)
#endif

/// Result = f(a, b) per feature. Type is the scalar type of the result; operands share theirs.
template <ir::opcode Code, scalar_type Type, class A, class B> constexpr auto pointwise(A a, B b) {
  using R = operand_rules<A, B>;
  if constexpr (!are_traced<A, B>) {
    return on_values([](const auto& x, const auto& y) { return pointwise<Code, Type>(x, y); }, a, b);
  } else {
    tracer* t = tracer_of(a, b);
    auto x = lift<R::type>(t, a);
    auto y = lift<R::type>(t, b);
    using S = join_t<typename R::a::where, typename R::b::where>;
    using Sh = broadcast_t<typename R::a::dims, typename R::b::dims>;
    const ir::value_id i = seen_from<S>(x), j = seen_from<S>(y);
    return emit<S, Sh, Type>(t, Code, i, j);
  }
}

template <ir::opcode Code, class S, class Sh, scalar_type T> constexpr auto pointwise(expr<S, Sh, T> x) {
  return emit<S, Sh, T>(x.trace, Code, x.id);
}

/// After a failed static_assert: a mistake, which everything takes in silence, so that one mistake is one message.
template <class A, class B> constexpr mistake fallback(A a, B b) {
  if constexpr (is_expr<A>) a.trace->note(ir::mistake::is_said);
  else if constexpr (is_expr<B>) b.trace->note(ir::mistake::is_said);
  return {};
}

}  // namespace stg::detail

namespace stg {

/// Two operands of an operator: expressions, symbols or numbers, not two numbers. Two symbols are taken for the
/// message.
template <class A, class B>
concept OperandPair =
    detail::is_operand<A> && detail::is_operand<B> && !(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>);

}  // namespace stg
