// Opt-in: rules that rewrite programs, written as two lambdas of the language: a pattern and its replacement.
#pragma once

// As in stg.hpp: a user's globals that a template's own names hide are no mistake.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#include <cstddef>      // size_t
#include <cstdint>      // uint64_t
#include <type_traits>  // conditional_t, is_empty_v, is_void_v
#include <utility>      // declval, index_sequence

#include <stg/base/instead.hpp>     // STG_INSTEAD_FOR
#include <stg/dsl/kinds.hpp>        // vertex_set_type, relation_type
#include <stg/dsl/takes.hpp>        // takes_arguments
#include <stg/dsl/trace.hpp>        // vertex_view, tracer
#include <stg/examine/rewrite.hpp>  // rewrite, fault_of
#include <stg/ir/frozen.hpp>        // stored

namespace stg {

/// The range of a pattern's argument: any real value of any space and shape, unless limited:
/// any_value.on_in_edges().shaped<8>(). Space void: any; Shape void: any; T real: f32 or f64; Code -1: the result of
/// any operation.
template <class Space = void, class Shape = void, scalar_type T = scalar_type::real, int Code = -1> struct wildcard {
  /// One value per vertex, of whichever set; of the vertices of one set.
  constexpr auto on_vertices() const { return wildcard<space::vertex, Shape, T, Code>(); }
  template <class Name> constexpr auto on_vertices(vertex_set_type<Name>) const {
    return wildcard<space::vertices_of<vertex_set_type<Name>>, Shape, T, Code>();
  }
  /// One value per edge of any relation, read by v.in_edges(), or v.out_edges(), of the pattern.
  constexpr auto on_in_edges() const { return wildcard<space::in_edge, Shape, T, Code>(); }
  constexpr auto on_out_edges() const { return wildcard<space::out_edge, Shape, T, Code>(); }
  template <class N, class S, class D> constexpr auto on_in_edges(relation_type<N, S, D>) const {
    return wildcard<space::in_edges_of<relation_type<N, S, D>>, Shape, T, Code>();
  }
  template <class N, class S, class D> constexpr auto on_out_edges(relation_type<N, S, D>) const {
    return wildcard<space::out_edges_of<relation_type<N, S, D>>, Shape, T, Code>();
  }
  /// One value for the graph.
  constexpr auto on_graph() const { return wildcard<space::graph, Shape, T, Code>(); }
  /// Of this shape: shaped<4, extent<"F">>(). A name stands for any extent, the same wherever the rule names it.
  template <auto... E> constexpr auto shaped() const {
    return wildcard<Space, typename detail::symbol_arguments<E...>::dims, T, Code>();
  }
  /// Of exactly this type: of<i32>().
  template <scalar_type To> constexpr auto of() const { return wildcard<Space, Shape, To, Code>(); }
  /// The value of this operation: made_by<stg::ir::opcode::matmul>().
  template <ir::opcode By> constexpr auto made_by() const { return wildcard<Space, Shape, T, static_cast<int>(By)>(); }
  /// A number that is written in the program.
  constexpr auto constant() const { return made_by<ir::opcode::constant>(); }
};
inline constexpr wildcard<> any_value = wildcard<>();

/// In a pattern, a value that may have readers outside of a match: it is computed as before, and the match is taken.
template <class S, class Sh, scalar_type T> constexpr auto kept(expr<S, Sh, T> x) {
  x.trace->program.names.push_back({text(examine::pattern::kept), x.id});
  return x;
}

namespace detail {

template <class W> struct wildcard_traits;
template <class S, class Sh, scalar_type T, int Code> struct wildcard_traits<wildcard<S, Sh, T, Code>> {
  using where = std::conditional_t<std::is_void_v<S>, space::graph, S>;
  using dims = std::conditional_t<std::is_void_v<Sh>, shape<>, Sh>;
  static constexpr scalar_type type = settled(T);
  using value = expr<where, dims, type>;
  static constexpr examine::wildcard_limits limits = {std::is_void_v<S>, std::is_void_v<Sh>, T == scalar_type::real,
                                                      Code};
};
template <class W> using wildcard_value = typename wildcard_traits<W>::value;

template <class... W> struct wildcard_list { static constexpr int count = sizeof...(W); };

/// A lambda of the vertex and these wildcards.
template <class F, class List> inline constexpr bool takes_wildcards = false;
template <class F, class... W>
inline constexpr bool takes_wildcards<F, wildcard_list<W...>> = requires(const F& f, vertex_view v,
                                                                         wildcard_value<W>... w) {
  f(v, w...);
};

/// As many wildcards without limits as a pattern takes, eight at most; none if it takes none of these numbers.
template <class F, class... W> constexpr auto unlimited() {
  if constexpr (takes_wildcards<F, wildcard_list<W...>> && sizeof...(W) > 0) return wildcard_list<W...>();
  else if constexpr (sizeof...(W) < 8) return unlimited<F, W..., wildcard<>>();
  else return wildcard_list<>();
}

/// The result of a pattern or a replacement: one value, or a number if it is no mistake of the lambda's own.
template <class F, class List> struct given_by_side { using type = void; };
template <class F, class... W>
  requires takes_wildcards<F, wildcard_list<W...>>
struct given_by_side<F, wildcard_list<W...>> {
  using type = std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<vertex_view>(),
                                                                     std::declval<wildcard_value<W>>()...))>;
};
template <class X> inline constexpr bool is_one_value = std::is_arithmetic_v<X> || (is_output<X> && !is_mistake<X>);

/// The program of a pattern or of a replacement: the wildcards are its first inputs and its first statements.
template <class F, class List> struct rule_side;
template <class F, class... W> struct rule_side<F, wildcard_list<W...>> {
  static constexpr ir::program_sizes room = {.statements = 64,
                                             .inputs = 16,
                                             .extents = 16,
                                             .outputs = 1,
                                             .scopes = 1,
                                             .scope_sets = 1,
                                             .names = 16,
                                             .checks = 1,
                                             .kinds = 8};

  template <class Wildcard> static constexpr void add(tracer& t) {
    using traits = wildcard_traits<Wildcard>;
    ir::input in;
    in.name.append('?');
    in.name.append_number(static_cast<std::uint64_t>(t.program.size()));
    ir::statement s = statement_of<typename traits::where, typename traits::dims, traits::type>(t, ir::opcode::input);
    s.set_entry(t.entry_of(in));
    t.emit(s);
  }
  static constexpr ir::program make() {
    tracer t;
    (add<W>(t), ...);
    int next = 0;
    const ir::value_id at[] = {(static_cast<void>(sizeof(W)), next++)..., 0};
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return with_output(t, F()(vertex_view{&t}, wildcard_value<W>{&t, at[K]}...));
    }
    (std::make_index_sequence<sizeof...(W)>());
  }

 private:
  template <class X> static constexpr ir::program with_output(tracer& t, const X& given) {
    ir::output out;
    if constexpr (std::is_arithmetic_v<X>)
      out.at = detail::constant<scalar_type::f32>(&t, static_cast<double>(given)).id;
    else out.at = value_in(&t, given).id;
    t.program.outputs.push_back(out);
    return t.program;
  }
};

struct always {
  constexpr bool operator()(const examine::match&) const { return true; }
};
template <class A, class B> struct both {
  [[no_unique_address]] A first{};
  [[no_unique_address]] B second{};
  constexpr auto operator()(const ir::program& p) const {
    return [one = examine::detail::condition_in(p, first),
            other = examine::detail::condition_in(p, second)](const examine::match& m) { return one(m) && other(m); };
  }
};

}  // namespace detail

/// A pattern, its replacement, and its condition; made by rewrite_rule. It is a pass: `rule(program)`, and
/// stg::compile<model, rule>().
template <class Pattern, class Replacement, class Wildcards, class Condition = detail::always> struct rule;
template <class Pattern, class Replacement, class... W, class Condition>
struct rule<Pattern, Replacement, detail::wildcard_list<W...>, Condition> {
  using wildcards = detail::wildcard_list<W...>;
  [[no_unique_address]] Condition condition{};

  /// Both programs, traced once.
  static constexpr examine::pattern pattern() {
    return {ir::stored<detail::rule_side<Pattern, wildcards>>::value.thaw(),
            sequence<examine::wildcard_limits>{detail::wildcard_traits<W>::limits...}};
  }
  static constexpr ir::program replacement() {
    return ir::stored<detail::rule_side<Replacement, wildcards>>::value.thaw();
  }
  /// The same rule, limited to matches with chosen(match): m[0] is the value of the first wildcard, m.root() the
  /// value it replaces. A condition on the whole program is a function of the program that returns a function of a
  /// match.
  ///
  ///   const auto cheap = distribute.where([](const examine::match& m) { return m[0].statement().dims.is_scalar(); });
  template <class Chosen> constexpr auto where(Chosen chosen) const {
    using narrower = detail::both<Condition, Chosen>;
    return rule<Pattern, Replacement, wildcards, narrower>{narrower{condition, chosen}};
  }
  constexpr ir::program operator()(const ir::program& p) const {
    return examine::rewrite(p, pattern(), replacement(), condition);
  }
};

namespace examine {

/// The matches of a rule in a program, with the outcome of each; see matches_of of a pattern. Steps of scans have their
/// own: matches_of(p.callees[0], rule).
template <class P, class R, class W, class C>
constexpr sequence<match> matches_of(const ir::program& p, const stg::rule<P, R, W, C>& by) {
  return matches_of(p, by.pattern(), by.condition);
}

/// A program, and the steps of its scans, after one rule and then the next, each in one walk: new matches in a
/// replacement are left for the next call. Linear. Throws replacement_does_not_fit.
///
///   const ir::program q = examine::rewrite(stg::as_program<model>(), distribute);
template <class... Rule> constexpr ir::program rewrite(ir::program p, const Rule&... rules) {
  const auto apply = [&](const auto& one) {
    if constexpr (!is_mistake<std::remove_cvref_t<decltype(one)>>) p = one(p);
  };
  (apply(rules), ...);
  return p;
}
/// The rule before the program: what to write.
STG_INSTEAD_FOR((class P, class R, class List), sizeof(List) == 0,
                "stg: rewrite takes the program, then rules: examine::rewrite(p, distribute)",
                constexpr ir::program rewrite(const rule<P, R, List>&, const ir::program&))

}  // namespace examine

namespace detail {

/// Whether a lambda takes the vertex and some number of wildcards, and whether it takes these wildcards, its body
/// unseen: clang forgets a lambda with a wrong body, after its message.
template <class F, class... W> constexpr bool takes_any_wildcards() {
  if constexpr (sizeof...(W) > 0 && takes_arguments<F, vertex_view, wildcard_value<W>...>) return true;
  else if constexpr (sizeof...(W) < 4) return takes_any_wildcards<F, W..., wildcard<>>();
  else return false;
}
template <class F, class List> inline constexpr bool takes_unseen = false;
template <class F, class... W>
inline constexpr bool takes_unseen<F, wildcard_list<W...>> = takes_arguments<F, vertex_view, wildcard_value<W>...>;

/// Says what is wrong with a rule, one mistake at a time. PatternTakes: whether the pattern takes wildcards, be its
/// body wrong.
template <class P, class R, class List, bool PatternTakes> constexpr bool is_right_rule() {
  constexpr bool replacement_takes_unseen = takes_unseen<R, List>;
  constexpr bool captures = !std::is_empty_v<P> || !std::is_empty_v<R>;
  constexpr bool has_wildcards = List::count > 0, pattern_takes = has_wildcards && takes_wildcards<P, List>;
  constexpr bool replacement_takes = pattern_takes && takes_wildcards<R, List>;
  constexpr bool takes_wildcard = captures || has_wildcards || PatternTakes;
  constexpr bool takes_them = captures || !has_wildcards || pattern_takes || PatternTakes;
  constexpr bool takes_the_same = captures || !pattern_takes || replacement_takes || replacement_takes_unseen;
  static_assert(!captures, "stg: a rule is of lambdas without captures; what differs from site to site is a wildcard");
  static_assert(takes_wildcard,
                "stg: a pattern takes the vertex and one to eight wildcards; write [](auto v, auto a) { ... }");
  static_assert(takes_them, "stg: a pattern takes the vertex and as many wildcards as rewrite_rule gives limits for");
  static_assert(takes_the_same,
                "stg: a replacement takes the vertex and all wildcards of its pattern, in the same order");
  if constexpr (!captures && replacement_takes) {
    using from = typename given_by_side<P, List>::type;
    using to = typename given_by_side<R, List>::type;
    constexpr bool several = is_output_list<from> || is_output_list<to> || Tuple<from> || Tuple<to>;
    static_assert(!several, "stg: a rule replaces one value by one; write a rule for each of outputs(a, b)");
    constexpr bool are_values = (is_one_value<from> && is_one_value<to>) || is_mistake<from> || is_mistake<to>;
    static_assert(several || are_values, "stg: pattern and replacement return a computed value: return a * (b + c)");
    if constexpr (!several && are_values && !is_mistake<from> && !is_mistake<to>) {
      using made = rule<P, R, List>;
      using fault = examine::rule_fault;
      constexpr fault found = examine::fault_of(made::pattern(), made::replacement());
      static_assert(found != fault::pattern_is_a_wildcard,
                    "stg: a pattern is an operation of its wildcards; a wildcard alone is every value: return a * 1.0");
      static_assert(found != fault::pattern_calls && found != fault::replacement_calls,
                    "stg: a rule has no scan or call in it; it is applied to the statements of their steps");
      static_assert(found != fault::replacement_draws,
                    "stg: a replacement draws no random numbers; leave dropout outside of the rule");
      static_assert(found != fault::unknown_wildcard,
                    "stg: a replacement reads a wildcard that its pattern does not; read it in the pattern, too");
      static_assert(found != fault::unknown_input,
                    "stg: a replacement reads an input that its pattern does not; make it a wildcard of both");
      static_assert(found != fault::unknown_extent,
                    "stg: a replacement names an extent that its pattern does not; name it in a wildcard's shape");
      static_assert(found != fault::unknown_edges,
                    "stg: a replacement reads edges and its pattern none; say of a wildcard: any_value.on_in_edges()");
      static_assert(found != fault::another_space,
                    "stg: a replacement lives elsewhere than its pattern; aggregate edges, or limit the wildcards");
      static_assert(found != fault::another_shape,
                    "stg: a replacement has another shape than its pattern; reduce, reshape or slice it to that");
      static_assert(found != fault::another_type,
                    "stg: a replacement has another scalar type than its pattern; write cast<f32>(x)");
      return found == fault::none;
    }
  }
  return false;
}
template <class P, class R, class List, bool PatternTakes> constexpr auto checked_rule() {
  if constexpr (is_right_rule<P, R, List, PatternTakes>()) return rule<P, R, List>();
  else return mistake();
}

}  // namespace detail

/// A rule: every match of the pattern, a lambda of the vertex and wildcards, becomes the result of the other lambda for
/// the same wildcards. Data flow finds the pattern's computation, with operands of commutative operations in both
/// orders; values between wildcards and result must have no other readers, unless they are kept(x). Shapes broadcast in
/// a replacement as in the language, and a replacement that is narrower is repeated.
///
///   constexpr auto distribute = stg::rewrite_rule([](auto, auto a, auto b, auto c) { return a * (b + c); },
///                                                 [](auto, auto a, auto b, auto c) { return a * b + a * c; });
template <class Pattern, class Replacement> constexpr auto rewrite_rule(Pattern, Replacement) {
  constexpr bool takes = detail::takes_any_wildcards<Pattern>();  // first of all
  return detail::checked_rule<Pattern, Replacement, decltype(detail::unlimited<Pattern>()), takes>();
}
/// The same of wildcards with limits, one for each: rewrite_rule(pattern, replacement, any_value.on_in_edges()).
template <class Pattern, class Replacement, class... S, class... Sh, scalar_type... T, int... Code>
  requires(sizeof...(S) > 0)
constexpr auto rewrite_rule(Pattern, Replacement, wildcard<S, Sh, T, Code>...) {
  using wildcards = detail::wildcard_list<wildcard<S, Sh, T, Code>...>;
  return detail::checked_rule<Pattern, Replacement, wildcards, detail::takes_unseen<Pattern, wildcards>>();
}

}  // namespace stg

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic pop
#pragma GCC diagnostic ignored "-Wpsabi"  // to the end of the file: see base/config.hpp
#endif
