// Tracing: calls a lambda once with a symbolic vertex and keeps its operations as a program.
#pragma once

#include <type_traits>  // is_empty_v, remove_cvref_t, type_identity
#include <utility>      // declval, tuple_size

#include <stg/dsl/keep.hpp>     // decide_as_asked
#include <stg/dsl/outputs.hpp>  // output_list
#include <stg/dsl/vertex.hpp>   // vertex_view
#include <stg/ir/callees.hpp>   // merge_callees
#include <stg/ir/frozen.hpp>    // stored

namespace stg {

namespace detail {

/// The result of a lambda, as outputs of the traced program.
template <class X> constexpr auto as_outputs(tracer* t, const X& x) {
  if constexpr (is_output_list<X>) return x;
  else return list_outputs(t, x);
}
template <class List> constexpr auto as_outputs(tracer* t, const loose_outputs<List>& x) {
  const auto at = take_over(*t, x.program, x.wrong);
  List list = x.list;
  for (int i = 0; i < List::count; ++i) list.values[i].at = at[static_cast<std::size_t>(list.values[i].at)];
  return list;
}
/// The outputs of a lambda that returns X, void if it returns no value.
template <class X> constexpr auto listed_outputs() {
  if constexpr (is_output_list<X> || (is_output<X> && !is_mistake<X>))
    return std::type_identity<decltype(as_outputs(nullptr, std::declval<X>()))>();
  else return std::type_identity<std::conditional_t<is_mistake<X>, output_list<>, void>>();
}

/// Whether F takes one argument, which may be a vertex, be its body right or wrong: beside a function that takes the
/// same the call is ambiguous, and nobody looks into the body.
struct takes_anything {
  template <class A, int = 0> int operator()(A) const;  // 0: declared alike, one would hide the other
};
template <class F> struct beside_one : F, takes_anything {
  using F::operator();
  using takes_anything::operator();
};
template <class F>
concept TakesOne = std::is_empty_v<F> && !std::is_final_v<F> && !requires(const beside_one<F>& both, vertex_view v) {
  both(v);
};

/// The result of lambda F for a vertex. Overloads: compilers say the least on the way to a mistake in the lambda. One:
/// whether it takes one argument, asked before its body is looked into, since clang forgets a function with a wrong
/// body. Then the compiler has said the mistake at its place.
template <bool One> struct not_called {};
template <const auto& F, bool One>
auto given_by(int) -> std::type_identity<std::remove_cvref_t<decltype(F(std::declval<vertex_view>()))>>;
template <const auto& F, bool One> auto given_by(long) -> std::type_identity<not_called<One>>;

/// Calls a lambda with the vertex of a tracer.
template <class F> constexpr void recorded_by(tracer& t, const F& f) {
  t.program.scopes_apart = true;
  const auto results = as_outputs(&t, f(vertex_view{&t}));
  for (int i = 0; i < results.count; ++i) t.program.outputs.push_back(results.values[i]);
  decide_as_asked(t);
}
/// The program of a lambda, with the mistakes that only a number could tell. Statements beyond `most` are left out.
template <class F> constexpr ir::program recorded(const F& f, int most = tracer::no_limit) {
  tracer t;
  t.most = most;
  recorded_by(t, f);
  ir::merge_callees(t.program);
  return t.program;
}

/// Whether a lambda that returns a number made it of a value, as std::tanh(v(x)) does; the conversion has said so.
template <const auto& F> constexpr bool find_conversion() {
  tracer t;
  F(vertex_view{&t});
  return t.program.wrong != ir::mistake::none;
}
template <const auto& F, bool Converts = find_conversion<F>()> constexpr bool converts_a_value(int) { return Converts; }
template <const auto& F> constexpr bool converts_a_value(long) { return true; }

/// Whether the first statements of lambda F, or all, can be written in constant evaluation, and within the compiler's
/// limits.
template <const auto& F, int Most> struct statements_of {
  static constexpr int count() { return recorded(F, Most).size(); }
};
template <class Statements, int = Statements::count()> constexpr bool is_constant(int) { return true; }
template <class Statements> constexpr bool is_constant(long) { return false; }

}  // namespace detail

/// The program of a lambda, at compile time or at run time: `ir::program p = stg::trace(gat);`. Throws ir::mistake for
/// a mistake that `compile` says in a sentence.
template <class F> constexpr ir::program trace(const F& f) {
  ir::program p = detail::recorded(f);
  if (p.wrong != ir::mistake::none) throw p.wrong;
  return p;
}

// The messages about a lambda: in stage::traced<F>::check and detail::has_no_mistake.
#define STG_CAPTURES "stg: a program is a lambda without captures; pass what it needs as arguments of a layer function"
#define STG_TAKES_ONE_VERTEX "stg: a program takes one argument, the vertex; write [](auto v) { return ...; }"
#define STG_RETURNS_SPARSE "stg: a program returns dense values; multiply the sparse feature: return matmul(v(x), W)"
#define STG_RETURNS_A_TUPLE "stg: a program returns several values as outputs(a, b), not as a tuple, pair or array"
#define STG_RETURNS_A_NUMBER \
  "stg: a program returns a value of its inputs, not a number; tanh(v(x)), for one, not std::tanh(v(x))"
#define STG_RETURNS_EDGES "stg: a program returns values, not edges; aggregate what they read: return sum(e.src(x))"
#define STG_RETURNS_NOTHING "stg: a program returns computed values; read a feature first: return v(x)"
#define STG_IS_NO_CONSTANT \
  "stg: a lambda runs while compiling: no printf, and what it reads is constexpr or bound: scalar<\"a\">"
#define STG_IS_TOO_LARGE \
  "stg: the lambda is larger than a compiler's limit; raise -fconstexpr-ops-limit= (clang: -fconstexpr-steps=)"
#define STG_DROPS_ALL "stg: dropout takes a probability of at least 0 and below 1; 1 would leave nothing"
#define STG_DROPS_TWICE \
  "stg: a sparse feature is dropped out once; give both probabilities in one: 1 - (1 - p) * (1 - q)"
#define STG_GRADIENT_OF_ANOTHER "stg: gradient(y, x) takes a value x that y is computed from; name x before y uses it"
#define STG_GRADIENT_HAS_NO_WAY \
  "stg: gradient(y, x) would pass through sign, floor, ceil, round or fmod's divisor; write detach(x)"
#define STG_HAS_A_LONG_NAME "stg: a name with the scopes around it has at most 62 characters; use shorter ones"
#define STG_HAS_A_LONG_EXTENT \
  "stg: x[-1] counts from the end of an extent of three parts at most; give one part a name of its own"
#define STG_READS_STEPS_OUTSIDE \
  "stg: what has a value for each step is read in the body of a scan, through its vertex: v(x)"
#define STG_READS_OTHER_STEPS \
  "stg: what has a value for each step is read in a scan over as many steps: scan<\"T\"> reads over<\"T\">"
#define STG_READS_AN_INNER_STEP \
  "stg: in the body of a scan values are read through its own vertex: [](auto v, auto h) { ... v(x) ... }"
#define STG_READS_BESIDE \
  "stg: a layer with a gradient of its own reads real values that it is given; pass them: f(v, v(x), W)"
#define STG_BEGINS_IN_TWO_WAYS \
  "stg: a parameter is declared twice, with two beginnings; declare it once: initialized(p, init::ones)"
#define STG_IS_KEPT_IN_TWO_WAYS \
  "stg: a value or a scope is kept or stored in two ways; write one of saved, recomputed, keep, stored_as"
#define STG_KEEPS_NOTHING \
  "stg: keep<...> or stored_as<...> names no scope and no value; write scope<...>(v, layer, ...), named<...>(x)"
#define STG_EXCHANGES_NOTHING \
  "stg: merge_exchanges<...> or must_overlap<...> names no scope; write scope<...>(v, layer, ...) in the lambda"
#define STG_TAKES_SOFTMAX_TWICE \
  "stg: cross_entropy takes logits, and softmax is part of it; write cross_entropy(y, v(label)) without softmax"
#define STG_TAKES_SIGMOID_TWICE \
  "stg: bce_with_logits takes logits, and sigmoid is part of it; write bce_with_logits(y, t) without sigmoid"
#define STG_EXCHANGES_BOUNDS "stg: the lower bound comes first: clamp(x, -1.0, 1.0), hardtanh(x, -1.0, 1.0)"
#define STG_HAS_NO_DELTA "stg: huber takes a delta above 0, from which on the loss is a line: huber(y, v(t), 1.0)"
#define STG_HAS_A_LARGE_EPS \
  "stg: eps is at least 0 and below 1, and no width: a norm takes its axis of the value, layer_norm(h)"
#define STG_HAS_NO_MOMENTUM \
  "stg: momentum is a share between 0 and 1, and eps stands behind it: batch_norm(h, m, s, 0.1, 1e-5)"
#define STG_HAS_NO_SHARE \
  "stg: alpha, which goes back to h in each hop, is a share between 0 and 1: appnp(v, h, 10, 0.1)"
#define STG_SENDS_IN_STEPS \
  "stg: a message stands in the lambda of the program itself, not in a scan's step or a called layer"
#define STG_HAS_NO_RANK "stg: ranks are numbered from 0; next_rank() and previous_rank() count from this one"
#define STG_HAS_NO_HOPS "stg: a number of hops is 0 or more: sgc(v, v(x), W, 2), appnp(v, h, 10, 0.1)"
#define STG_HAS_NO_EIGENVALUE \
  "stg: cheb_conv takes the largest eigenvalue, above 0, at most 2; its order is the number of weights"
#define STG_PART_LIES_OUTSIDE "stg: x[i] lies outside of the first axis; 0 <= i < its extent, or x[-1] for the last"
#define STG_BEGINS_IN_NO_RANGE \
  "stg: a parameter begins in a range, the lower number first, or around a mean: init::uniform(-0.25, 0.25)"
#define STG_TAKES_NO_LOGARITHMS \
  "stg: nll takes log-probabilities; write nll(log_softmax(y), v(label)), or cross_entropy(y, v(label))"

namespace stage {
/// The program of the lambda F, and the types of its results.
template <const auto& F> struct traced {
  using lambda = std::remove_cvref_t<decltype(F)>;
  using given_back = typename decltype(detail::given_by<F, detail::TakesOne<lambda>>(0))::type;
  using outputs = typename decltype(detail::listed_outputs<given_back>())::type;
  using results = std::conditional_t<std::is_void_v<outputs>, output_list<>, outputs>;

  static constexpr bool captures = !std::is_empty_v<lambda>;
  static constexpr bool is_wrong_within = std::is_same_v<given_back, detail::not_called<true>>;
  static constexpr bool is_called = !is_wrong_within && !std::is_same_v<given_back, detail::not_called<false>>;
  static constexpr bool is_tuple =
      detail::Tuple<given_back> || (detail::has_several<given_back> && !is_mistake<given_back>);
  static constexpr bool told = detail::is_sparse<given_back> || is_tuple || !is_called ||
                               std::is_arithmetic_v<given_back> || detail::is_edge_view<given_back>;
  /// Looked into if the rest is right: a lambda that cannot be called has one mistake.
  static constexpr bool is_constant() {
    if constexpr (captures || results::count == 0) return true;
    else return detail::is_constant<detail::statements_of<F, tracer::no_limit>>(0);
  }
  /// Its beginning can be called, so that a limit of the compiler is what ends it.
  static constexpr bool is_too_large() {
    if constexpr (is_constant()) return false;
    else return detail::is_constant<detail::statements_of<F, 16>>(0);
  }

  static constexpr bool returns_a_number() {
    if constexpr (captures || !std::is_arithmetic_v<given_back>) return false;
    else return !detail::converts_a_value<F>(0);
  }

  static constexpr auto check() {  // clang cannot use a class after its failed static_assert, but can use a function
    [[maybe_unused]] constexpr bool takes_one = captures || is_called || is_wrong_within;
    [[maybe_unused]] constexpr bool is_sparse = detail::is_sparse<given_back>, is_number = returns_a_number(),
                                    is_edge = detail::is_edge_view<given_back>,
                                    is_nothing = std::is_void_v<outputs> && !told, too_large = is_too_large();
#include <stg/dsl/check_lambda.inc>
    return true;
  }
  static constexpr ir::program make() {
    check();
    if constexpr (results::count != 0 && is_constant()) {
      return detail::recorded(F);
    } else {
      ir::program none;
      none.wrong = ir::mistake::is_said;
      return none;
    }
  }
};
}  // namespace stage

namespace detail {
/// Whether a lambda gave a program: one with a reported mistake gives none or notes it.
template <class Ref> constexpr bool find_program() {
  if constexpr (requires { Ref::value.wrong; }) return Ref::value.wrong == ir::mistake::none && Ref::results::count > 0;
  else return true;
}
template <class Ref> inline constexpr bool is_program = find_program<Ref>();
}  // namespace detail

/// The program of the lambda F as a constant.
template <const auto& F> struct traced : ir::stored<stage::traced<F>> {
  using results = typename stage::traced<F>::results;
};

/// A program as a type, named after the user's variable: ref<app::gat> stands in profiles and errors.
template <const auto& F> struct ref : traced<F> {};

namespace detail {

/// The place of a mistake as a type that compilers print, in_line<11, input<"x">>, or in_line<11, wrong_in<"dropout">>;
/// void for a mistake without a place.
template <int Line, class Word> struct in_line {};
template <STG_WORD Word> struct wrong_in {};
template <const auto& F> struct mistake_in {
  static constexpr mistaken_place place = [] {
    tracer t;
    recorded_by(t, F);
    return t.first_mistake;
  }();
  static constexpr std::string_view view() { return place.word.view(); }
};
constexpr bool is_about_an_input(ir::mistake wrong) {
  return wrong == ir::mistake::steps_read_outside || wrong == ir::mistake::steps_of_another_scan ||
         wrong == ir::mistake::softmax_before_cross_entropy || wrong == ir::mistake::sigmoid_before_bce ||
         wrong == ir::mistake::nll_of_no_logarithms || wrong == ir::mistake::reads_beside ||
         wrong == ir::mistake::begins_in_two_ways || wrong == ir::mistake::begins_in_no_range ||
         wrong == ir::mistake::entry_outside;
}
template <const auto& F> constexpr bool mistake_has_place() {
  constexpr ir::mistake wrong = ref<F>::value.wrong;
  if constexpr (wrong == ir::mistake::none || wrong == ir::mistake::is_said) return false;
  else return mistake_in<F>::place.what == wrong && mistake_in<F>::place.line > 0;
}
template <const auto& F> constexpr auto find_place() {
  if constexpr (mistake_has_place<F>()) {
    using spelled = std::remove_const_t<decltype(spell_view<mistake_in<F>, name>::value)>;
    constexpr int line = mistake_in<F>::place.line;
    if constexpr (is_about_an_input(mistake_in<F>::place.what))
      return std::type_identity<in_line<line, in_words<input, spelled>>>();
    else return std::type_identity<in_line<line, in_words<wrong_in, spelled>>>();
  } else {
    return std::type_identity<void>();
  }
}
template <const auto& F> using place_of_mistake = typename decltype(find_place<F>())::type;

/// Says a mistake of a lambda that only its traced program shows, with its place.
template <class Ref, class Place = void> constexpr auto has_no_mistake() {
  constexpr ir::mistake wrong = Ref::value.wrong;
#include <stg/dsl/check_traced.inc>
  return true;
}

}  // namespace detail

/// For a function that takes a lambda as a template argument: the advice for a lambda without an address, local and not
/// static, or written between the brackets. The pack makes it the second choice for any lambda with an address. A local
/// lambda with captures is no value for a template either: compilers say that no function matches and show the line of
/// this macro, so that a sentence belongs behind it.
#define STG_HAS_NO_ADDRESS \
  "stg: a program is a constant with a name; write static constexpr auto model = ..., or constexpr outside"
#if STG_SAYS_AT_CALLS
#define STG_TAKES_LAMBDAS_WITH_ADDRESS(function)                                                    \
  template <auto F, auto... Wrt, class... Argument>                                                 \
  __attribute__((diagnose_if(sizeof...(Argument) < 9, STG_HAS_NO_ADDRESS, "error"))) auto function( \
      const Argument&...) {                                                                         \
    return mistake();                                                                               \
  }
#elif !defined(__CUDACC__)
#define STG_TAKES_LAMBDAS_WITH_ADDRESS(function)                                        \
  template <auto F, auto... Wrt, class... Argument> auto function(const Argument&...) { \
    static_assert(sizeof...(Argument) > 8, STG_HAS_NO_ADDRESS);                         \
    return mistake();                                                                   \
  }
#else  // it might not be second here
#define STG_TAKES_LAMBDAS_WITH_ADDRESS(function)
#endif

}  // namespace stg
