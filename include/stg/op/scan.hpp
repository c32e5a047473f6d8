// scan: a step that is repeated, with the values that it carries: over time, over layers, over hops.
//
// In a program it is one statement, whose step is a program of its own, a callee. The step's inputs are, in their
// order, what the scan is given by a list of binds:
//
//   the first `carried` are values of the step before it, the first outputs of the step; before the first step they are
//       the initial values of the list
//   of a value that has one for each step, where the step's input is a plain one, the step reads its own
//   all else is the same at every step
//
// result k is output k of the step: of a carried value that of the last step, of any other one for each step. A call is
// a scan of one step whose results are those of the step (call.hpp).
#pragma once

#include <tuple>        // tuple
#include <type_traits>  // is_same_v, remove_cvref_t
#include <utility>      // integer_sequence

#include <stg/dsl/build.hpp>     // value_in, constant
#include <stg/dsl/outputs.hpp>   // Tuple
#include <stg/dsl/takes.hpp>     // takes_arguments
#include <stg/dsl/vertex.hpp>    // vertex_view
#include <stg/op/feature.hpp>    // sum along an axis
#include <stg/op/operation.hpp>  // operation

namespace stg::op {

/// The list of what a scan reads, while it is empty.
struct arguments : source<ir::opcode::arguments> {
  static constexpr std::string_view in_words = "a list of what a scan reads, empty";
};

/// A list with one value more.
struct bind : operation<ir::opcode::bind, category::call, 2> {
  static constexpr std::string_view in_words = "list a with one value more, b";
  static constexpr int cost = 0;
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::opcode list = p.operand(s, 0).code;
    if (list != ir::opcode::arguments && list != ir::opcode::bind) throw rule_is_broken{rule::operand_count_is_right};
    s.where = ir::space::graph;
    s.type = scalar_type::f32;
    s.dims = ir::shape();
  }
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}  // pass/scan_gradient.hpp, here and below
};

#define STG_REFUSES_STEPS STG_REFUSES_GRADIENT("sign, floor, round or their like in the body of a scan", "detach(x)")

/// The steps: attribute: the callee; number: how many values are carried; over: how many steps there are.
struct scan : operation<ir::opcode::scan, category::call, 1> {
  static constexpr std::string_view in_words = "the steps of a program that is given the list a";
  STG_REFUSES_STEPS;
  static constexpr op::effect effect = op::effect::random;
  static constexpr std::string_view source = "jax.lax.scan";
  static constexpr int cost = 1000;
  static constexpr void infer(const ir::program&, ir::statement&) {}
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}
};

/// The scan of a gradient, which knows the scan that it was made for: what that saves for it is decided later.
struct scan_gradient : operation<ir::opcode::scan_gradient, category::call, 2> {
  static constexpr std::string_view in_words = "the same, of the gradient of scan b";
  STG_REFUSES_STEPS;
  static constexpr op::effect effect = op::effect::random;
  static constexpr int passive_operands = 2;
  static constexpr int cost = 1000;
  static constexpr void infer(const ir::program&, ir::statement&) {}
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}
};

#undef STG_REFUSES_STEPS

/// What a scan gives: attribute: which output of the step.
struct result : operation<ir::opcode::result, category::call, 1> {
  static constexpr std::string_view in_words = "output k of scan a: after the last step, or T x (…), one for each";
  static constexpr int cost = 0;
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& from = p.operand(s, 0);
    if (from.code == ir::opcode::own_gradient) return take(p[ir::arguments_of(p, from)[s.output()]], s);
    if (!ir::is_scan(from.code)) throw rule_is_broken{rule::operand_count_is_right};
    const ir::program& step = p.callees[from.callee()];
    const ir::statement& x = step[step.outputs[s.output()].at];
    s.where = x.where;
    s.type = x.type;
    s.dims = x.dims;
    s.over = ir::is_call(from) || s.output() < from.number ? x.over : from.over;
  }
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}

 private:
  static constexpr void take(const ir::statement& x, ir::statement& s) {
    s.where = x.where;
    s.type = x.type;
    s.dims = x.dims;
    s.over = x.over;
  }
};

}  // namespace stg::op

namespace stg {

/// What the body of a scan gives: the values of the next step, and after `gives` those that are collected.
template <class Carried, class Given> struct next_step {
  Carried carried;
  Given given;

  /// Beside what is carried, a value for each step: next(h).gives(y).
  template <class... Y> constexpr auto gives(const Y&... y) const {
    constexpr bool gives_once = std::is_same_v<Given, std::tuple<>>;
    static_assert(gives_once, "stg: a step gives all its values at once: next(h).gives(a, b)");
    auto all = std::tuple_cat(given, std::tuple<Y...>(y...));
    return next_step<Carried, decltype(all)>{carried, all};
  }
};
/// The values that the next step of a scan begins with, in the order of their initial values.
template <class... X> constexpr auto next(const X&... x) {
  return next_step<std::tuple<X...>, std::tuple<>>{std::tuple<X...>(x...), {}};
}

namespace detail {

/// A body whose scan is cut into parts.
template <class F> struct split_body {
  F body;

  template <class... A>
    requires requires(const F& f, A... a) { f(a...); }
  constexpr auto operator()(A... a) const { return body(a...); }
};
template <class F> inline constexpr bool is_split_body = false;
template <class F> inline constexpr bool is_split_body<split_body<F>> = true;

template <class F> struct unsplit { using type = F; };
template <class F> struct unsplit<split_body<F>> { using type = F; };
template <class F> using unsplit_t = typename unsplit<F>::type;

template <class X> inline constexpr bool is_next_step = false;
template <class C, class G> inline constexpr bool is_next_step<next_step<C, G>> = true;

/// A value that a step may carry or give: settled, in the program of the step.
template <class X>
inline constexpr bool is_step_value = is_expr<X> || is_graph_symbol<X> || is_loose<X> || std::is_arithmetic_v<X>;

template <class X> constexpr auto settled_value(tracer* t, const X& x) {
  if constexpr (std::is_arithmetic_v<X>) {
    return constant<scalar_type::f32>(t, static_cast<double>(x));
  } else {
    auto y = value_in(t, x);
    using from = signature<decltype(y)>;
    return expr<typename from::where, typename from::dims, settled(from::type)>{y.trace, y.id};
  }
}
template <class X> using settled_t = decltype(settled_value(static_cast<tracer*>(nullptr), std::declval<X>()));

/// What a scan begins with: as settled_value, but a number or a value of no type of its own, such as zeros<16>(v),
/// takes that of what the step makes of it.
template <class X> constexpr auto initial_value(tracer* t, const X& x) {
  if constexpr (std::is_arithmetic_v<X>) return constant<scalar_type::real>(t, static_cast<double>(x));
  else return value_in(t, x);
}
template <class X> using initial_t = decltype(initial_value(static_cast<tracer*>(nullptr), std::declval<X>()));

/// What the body returned, as what is carried and what is given: one value alone is carried where one is, else given.
template <int Carried, class R> constexpr auto as_next_step(const R& r) {
  if constexpr (is_next_step<R>) return r;
  else if constexpr (Carried == 1) return next(r);
  else if constexpr (Carried == 0) return next().gives(r);
  else return mistake();
}
template <class Carried> inline constexpr int carried_count = 0;
template <class... X, class G> inline constexpr int carried_count<next_step<std::tuple<X...>, G>> = sizeof...(X);
template <class R> inline constexpr bool has_mistake = is_mistake<R>;
template <class... X, class... Y>
inline constexpr bool has_mistake<next_step<std::tuple<X...>, std::tuple<Y...>>> = (is_mistake<X> || ...) ||
                                                                                   (is_mistake<Y> || ...);
template <class R> inline constexpr bool are_step_values = false;
template <class... X, class... Y>
inline constexpr bool are_step_values<next_step<std::tuple<X...>, std::tuple<Y...>>> = (is_step_value<X> && ...) &&
                                                                                       (is_step_value<Y> && ...);

/// What must hold between what a step gets and what it gives on; the first rule that is broken is the only false one.
template <class Carried, class R> struct step_rules {
  static constexpr bool one_space = true, one_shape = true, one_type = true, ok = false;
};
template <class... A, class... X, class G> struct step_rules<std::tuple<A...>, next_step<std::tuple<X...>, G>> {
  template <class B, class Y>
  static constexpr bool same_space =
      std::is_same_v<typename signature<B>::where, typename signature<settled_t<Y>>::where>;
  template <class B, class Y>
  static constexpr bool same_shape =
      std::is_same_v<typename signature<B>::dims, typename signature<settled_t<Y>>::dims>;
  template <class B, class Y>
  static constexpr bool same_type = settled(signature<B>::type) == signature<settled_t<Y>>::type;
  static constexpr bool one_space = (same_space<A, X> && ...);
  static constexpr bool one_shape = !one_space || (same_shape<A, X> && ...);
  static constexpr bool one_type = !one_space || !one_shape || (same_type<A, X> && ...);
  static constexpr bool ok = one_space && one_shape && one_type;
};

/// What a body returns for carried values of these types, and what that is as a next step.
template <class F, class... A>
using returned_t =
    std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<vertex_view>(), std::declval<A>()...))>;
template <class F, class... A> constexpr auto find_given_by() {
  if constexpr (std::is_void_v<returned_t<F, A...>>) return std::type_identity<void>();
  else return std::type_identity<decltype(as_next_step<sizeof...(A)>(std::declval<returned_t<F, A...>>()))>();
}
template <class F, class... A> using given_t = typename decltype(find_given_by<F, A...>())::type;

/// The values that a scan carries, in the types that they have there. One that begins without a type has the type that
/// the step gives it, or, where that has none either, the one of the others. Of type f32 it stays `real` in the step,
/// which in a program is the same, so that a body is looked at once.
template <class Given, class... A> struct carried_types { using type = std::tuple<A...>; };
template <class... X, class G, class... A>
  requires(sizeof...(X) == sizeof...(A) && (is_step_value<X> && ...) &&
           ((signature<A>::type == scalar_type::real) || ...))
struct carried_types<next_step<std::tuple<X...>, G>, A...> {
  template <class B, class Y>
  static constexpr scalar_type after =
      signature<B>::type == scalar_type::real ? signature<initial_t<Y>>::type : signature<B>::type;
  static constexpr bool any_f64 = ((after<A, X> == scalar_type::f64) || ...);
  template <class B, class Y>
  static constexpr bool is_f64 = signature<B>::type == scalar_type::real &&
                                 (after<B, Y> == scalar_type::f64 || (after<B, Y> == scalar_type::real && any_f64));
  template <class B, class Y>
  using one = std::conditional_t<is_f64<B, Y>,
                                 expr<typename signature<B>::where, typename signature<B>::dims, scalar_type::f64>, B>;
  using type = std::tuple<one<A, X>...>;
};
template <class F, class... A> using carried_t = typename carried_types<given_t<F, A...>, A...>::type;

/// What the program of a body reads, by entry of its inputs: first what it is given, then values of the program around
/// it. The body's program can then be a callee of that.
constexpr sequence<ir::value_id> close_body(tracer& body, const sequence<ir::value_id>& initial) {
  tracer& t = *body.outer;
  ir::program& step = body.program;
  const int carried = initial.size();
  ir::recode(step, t.program);
  const ir::extent steps = t.program.intern(body.steps);
  sequence<ir::value_id> reads(step.inputs.size(), ir::no_value), given(step.inputs.size(), ir::no_value);
  for (ir::value_id i = 0; i < step.size(); ++i)
    if (step[i].code == ir::opcode::input) reads[step[i].entry()] = i;
  for (int k = 0; k < step.inputs.size(); ++k) {
    if (k < carried) given[k] = initial[k];
    else if (body.stands_for[k] != ir::no_value) given[k] = body.stands_for[k];
    else {
      ir::statement in = step[reads[k]];
      in.attribute = t.entry_of(step.inputs[k]);
      if (body.each_step[k]) in.over = steps;
      given[k] = t.emit(in);
    }
  }
  for (ir::label_range c : step.checks) {  // looked at once for all steps, where what they read is an input
    const ir::statement& labels = step[c.labels];
    const bool computed = c.mask != ir::no_value && step[c.mask].code != ir::opcode::input;
    if (labels.code != ir::opcode::input || labels.entry() < carried || computed) continue;
    c.labels = given[labels.entry()];
    if (c.mask != ir::no_value) c.mask = given[step[c.mask].entry()];
    t.check(c);
  }
  step.checks.clear();
  for (int k = 0; k < step.inputs.size(); ++k) {  // named by what they stand for: equal bodies are to be equal
    if (body.stands_for[k] == ir::no_value) continue;
    step.inputs[k].name.shorten(1);
    step.inputs[k].name.append_number(static_cast<std::uint64_t>(k));
  }
  ir::take_extents(step, t.program);
  return given;
}

/// Takes over what a body has noted. Returns whether it is whole: none of its statements is beyond what is wanted.
constexpr bool is_whole(const tracer& body) {
  tracer& t = *body.outer;
  if (body.program.wrong != ir::mistake::none) t.note(body.program.wrong);
  return t.program.size() < t.most && body.program.size() < t.most;
}

/// Closes the step of a scan: its program becomes a callee of the one around it. Returns the scan.
constexpr ir::value_id close_step(tracer& body, const sequence<ir::value_id>& initial) {
  tracer& t = *body.outer;
  t.sites = body.sites;
  if (!is_whole(body)) return 0;
  const sequence<ir::value_id> given = close_body(body, initial);
  const ir::program& step = body.program;
  ir::statement s;
  s.code = ir::opcode::scan;
  s.operands[0] = ir::emit_arguments(t.program, given);
  s.attribute = ir::callee_number(t.program, step, true);
  s.number = initial.size();
  s.over = t.program.intern(body.steps);
  return t.emit(s);
}

template <class X> constexpr X result_of_step(tracer& t, ir::value_id scan, int k) {
  using from = signature<X>;
  ir::statement s = statement_of<typename from::where, typename from::dims, from::type>(t, ir::opcode::result, scan);
  s.attribute = k;
  return X{&t, t.emit(s)};
}
template <class X, class Over> constexpr auto steps_of_result(tracer& t, ir::value_id scan, int k) {
  using from = signature<X>;
  ir::statement s = statement_of<typename from::where, typename from::dims, from::type>(t, ir::opcode::result, scan);
  s.attribute = k;
  s.over = t.program.intern(elements(Over()));
  return steps_expr<typename from::where, typename from::dims, from::type, Over>{&t, t.emit(s)};
}

template <class Over, class F, int... K, class... A>
constexpr auto run_step(vertex_view v, const F& f, std::integer_sequence<int, K...>, A... first) {
  tracer body;
  body.outer = v.trace;
  body.depth = v.trace->depth + 1;
  body.steps = elements(Over());
  body.sites = v.trace->sites;
  body.scope = v.trace->scope;
  body.most = v.trace->most;
  body.program.scopes_apart = true;
  body.program.splits = is_split_body<F>;
  const sequence<ir::value_id> initial{first.id...};
  [[maybe_unused]] const auto carry = [&]<class X>(std::type_identity<X>, int k) {
    using from = signature<X>;
    ir::input in;
    in.name.append("carried ");
    in.name.append_number(static_cast<std::uint64_t>(k));
    ir::statement s = statement_of<typename from::where, typename from::dims, from::type>(body, ir::opcode::input);
    s.attribute = body.entry_of(in);
    return X{&body, body.emit(s)};
  };
  const std::tuple<A...> carried{carry(std::type_identity<A>(), K)...};  // in their order
  const auto given = as_next_step<sizeof...(A)>(f(vertex_view{&body}, std::get<K>(carried)...));
  const auto put = [&](const auto&... x) {
    (body.program.outputs.push_back(ir::output{settled_value(&body, x).id, {}}), ...);
  };
  std::apply(put, given.carried);
  std::apply(put, given.given);
  const ir::value_id scan = close_step(body, initial);
  const auto results_of = [&]<class... Y, int... J>(const std::tuple<Y...>&, std::integer_sequence<int, J...>) {
    constexpr int given_from = sizeof...(A);
    const std::tuple results{result_of_step<settled_t<A>>(*v.trace, scan, K)...,
                             steps_of_result<settled_t<Y>, Over>(*v.trace, scan, given_from + J)...};
    if constexpr (sizeof...(A) + sizeof...(Y) == 1) return std::get<0>(results);
    else return results;
  };
  return results_of(given.given, std::make_integer_sequence<int, std::tuple_size_v<decltype(given.given)>>());
}

template <class Over, class Shape> struct steps_in_front;
template <auto N, auto... E> struct steps_in_front<shape<N>, shape<E...>> { using type = shape<N, E...>; };

template <class Given> inline constexpr int collected_count = 0;
template <class C, class... Y> inline constexpr int collected_count<next_step<C, std::tuple<Y...>>> = sizeof...(Y);

/// What a body returns for what a scan begins with, looked for from as near to the user's line as can be. Takes:
/// whether it takes as many values, asked before its body is looked into: clang forgets a function whose body is wrong.
template <class F, class... Initial>
inline constexpr bool takes_initial = takes_arguments<unsplit_t<F>, vertex_view, Initial...>;
template <class F, bool Takes, class... Initial>
auto look_into(int)
    -> decltype(std::declval<const F&>()(std::declval<vertex_view>(), std::declval<initial_t<Initial>>()...), 0);
template <class F, bool Takes, class... Initial> long look_into(long);

/// What must hold of a scan; the first rule that is broken is the only one that is false. E: the number of steps.
template <auto E, class F, class... Initial> struct scan_rules {
  static constexpr bool is_size = is_extent<E> && is_positive<E>();
  static constexpr bool begins = !is_size || (is_step_value<Initial> && ...);
  static constexpr int carried = sizeof...(Initial);

  template <class... A> static constexpr bool is_called_with(std::type_identity<std::tuple<A...>>) {
    return requires(const F& f, vertex_view v, A... a) { f(v, a...); };
  }
  template <class... A> static constexpr auto returned_with(std::type_identity<std::tuple<A...>>) {
    return std::type_identity<returned_t<F, A...>>();
  }
  template <class... A> static constexpr auto given_with(std::type_identity<std::tuple<A...>>) {
    return std::type_identity<given_t<F, A...>>();
  }
  template <class... A> static constexpr auto carried_with(std::type_identity<std::tuple<A...>> begun) {
    if constexpr (is_called_with(begun)) return std::type_identity<carried_t<F, A...>>();
    else return begun;
  }
  static constexpr auto find_first() {
    if constexpr (is_size && begins) return carried_with(std::type_identity<std::tuple<initial_t<Initial>...>>());
    else return std::type_identity<std::tuple<>>();
  }
  using first = typename decltype(find_first())::type;
  static constexpr bool find_called() {
    if constexpr (is_size && begins) return is_called_with(std::type_identity<first>());
    else return true;
  }
  static constexpr bool is_called = find_called();
  /// Where the body cannot be called, but takes as many values, its mistake was said.
  static constexpr bool may_take = is_called || takes_initial<F, Initial...>;
  /// Another value: the body takes a state that the scan does not begin with.
  static constexpr bool has_first = may_take || !takes_arguments<unsplit_t<F>, vertex_view, Initial..., mistake>;
  static constexpr bool takes_state = may_take || !has_first;
  static constexpr bool was_right = is_size && begins && is_called;
  static constexpr auto find_returned() {
    if constexpr (was_right) return returned_with(std::type_identity<first>());
    else return std::type_identity<mistake>();
  }
  using returned = typename decltype(find_returned())::type;
  static constexpr bool returns = !std::is_void_v<returned>;
  static constexpr bool is_no_tuple = !Tuple<returned>;
  static constexpr auto find_given() {
    if constexpr (was_right && returns && is_no_tuple) return given_with(std::type_identity<first>());
    else return std::type_identity<mistake>();
  }
  using given = typename decltype(find_given())::type;
  static constexpr bool is_whole = was_right && returns && is_no_tuple && !is_mistake<returned> && !has_mistake<given>;
  static constexpr bool as_many = !is_whole || (carried_count<given> == carried && is_next_step<given>);
  static constexpr bool are_values = !is_whole || !as_many || are_step_values<given>;
  static constexpr bool may_compare = is_whole && as_many && are_values;
  static constexpr auto find_kinds() {
    if constexpr (may_compare) return std::type_identity<step_rules<first, given>>();
    else return std::type_identity<step_rules<void, mistake>>();
  }
  using kinds = typename decltype(find_kinds())::type;
  static constexpr bool ok = may_compare && kinds::ok;

  /// As many values as whoever takes a scan with a mistake in it apart may want.
  static constexpr int find_count() {
    const int begun = has_first ? carried : carried + 1;
    int most = begun > carried_count<given> ? begun : carried_count<given>;
    most += collected_count<given>;
    if constexpr (!is_no_tuple) {
      constexpr int returned_count = static_cast<int>(std::tuple_size_v<returned>);
      most = most > returned_count ? most : returned_count;
    }
    return most;
  }
  static constexpr int count = find_count();
};

/// Steps from these values on, in the types that they are carried in.
template <class Over, class F, class... A, class... B>
constexpr auto steps_from(vertex_view v, const F& f, std::type_identity<std::tuple<A...>>, B... first) {
  return run_step<Over>(v, f, std::make_integer_sequence<int, sizeof...(A)>(), typed<signature<A>::type>(first)...);
}
/// A scan of a body that is the library's own.
template <class Over, class F, class... A> constexpr auto scan_over_values(vertex_view v, const F& f, A... first) {
  return steps_from<Over>(v, f, std::type_identity<carried_t<F, A...>>(), first...);
}

/// In place of what a scan with a mistake in it would give: as many things, as far as that is known.
template <int> struct one_mistake { using type = mistake; };  // nvcc loses the pack of an alias that drops it
template <int... K> constexpr auto mistakes(std::integer_sequence<int, K...>) {
  if constexpr (sizeof...(K) < 2) return mistake();
  else return std::tuple<typename one_mistake<K>::type...>();
}

/// The sentences stand in the body of what the user calls.
#define STG_HAS_NO_STEPS "stg: scan takes the number of steps: scan<12>(v, body, h), or an extent's name: scan<\"T\">"
#define STG_BEGINS_UNREAD \
  "stg: a scan begins with computed values or numbers, behind its body; read the feature first: v(x)"
#define STG_BEGINS_WITH_TOO_FEW \
  "stg: a scan begins with a value for each that its body takes: scan<\"T\">(v, body, zeros<16>(v))"
#define STG_TAKES_NO_STATE \
  "stg: the body of a scan takes the vertex and a value for each initial one: [](auto v, auto h)"
#define STG_STEPS_WITHOUT_RETURN "stg: the body of a scan returns nothing; it returns what goes on: return next(h)"
#define STG_STEPS_TO_A_TUPLE \
  "stg: the body of a scan returns no tuple; carried values are next(h, c), collected ones next(h).gives(y)"
#define STG_GIVES_TOO_FEW "stg: the body of a scan gives back as many values as it carries: return next(h, c)"
#define STG_GIVES_UNREAD "stg: the body of a scan gives back computed values: return next(h).gives(y)"
#define STG_MOVES_ELSEWHERE \
  "stg: a carried value lives elsewhere after a step; begin with one that lives there: zeros<16>(v)"
#define STG_CHANGES_SHAPE \
  "stg: a carried value has another shape after a step; begin with one of that shape: zeros<16>(v)"
#define STG_CHANGES_TYPE "stg: a carried value has another scalar type after a step; cast one of them"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_SCAN(...)                                                                    \
  __attribute__((diagnose_if(!(__VA_ARGS__::is_size), STG_HAS_NO_STEPS, "error"),             \
                 diagnose_if(!(__VA_ARGS__::begins), STG_BEGINS_UNREAD, "error"),             \
                 diagnose_if(!(__VA_ARGS__::has_first), STG_BEGINS_WITH_TOO_FEW, "error"),    \
                 diagnose_if(!(__VA_ARGS__::takes_state), STG_TAKES_NO_STATE, "error"),       \
                 diagnose_if(!(__VA_ARGS__::returns), STG_STEPS_WITHOUT_RETURN, "error"),     \
                 diagnose_if(!(__VA_ARGS__::is_no_tuple), STG_STEPS_TO_A_TUPLE, "error"),     \
                 diagnose_if(!(__VA_ARGS__::as_many), STG_GIVES_TOO_FEW, "error"),            \
                 diagnose_if(!(__VA_ARGS__::are_values), STG_GIVES_UNREAD, "error"),          \
                 diagnose_if(!(__VA_ARGS__::kinds::one_space), STG_MOVES_ELSEWHERE, "error"), \
                 diagnose_if(!(__VA_ARGS__::kinds::one_shape), STG_CHANGES_SHAPE, "error"),   \
                 diagnose_if(!(__VA_ARGS__::kinds::one_type), STG_CHANGES_TYPE, "error")))
#define STG_CHECK_SCAN(rules)
#else
#define STG_SAYS_SCAN(...)
#define STG_CHECK_SCAN(rules)                                  \
  static_assert(rules::is_size, STG_HAS_NO_STEPS);             \
  static_assert(rules::begins, STG_BEGINS_UNREAD);             \
  static_assert(rules::has_first, STG_BEGINS_WITH_TOO_FEW);    \
  static_assert(rules::takes_state, STG_TAKES_NO_STATE);       \
  static_assert(rules::returns, STG_STEPS_WITHOUT_RETURN);     \
  static_assert(rules::is_no_tuple, STG_STEPS_TO_A_TUPLE);     \
  static_assert(rules::as_many, STG_GIVES_TOO_FEW);            \
  static_assert(rules::are_values, STG_GIVES_UNREAD);          \
  static_assert(rules::kinds::one_space, STG_MOVES_ELSEWHERE); \
  static_assert(rules::kinds::one_shape, STG_CHANGES_SHAPE);   \
  static_assert(rules::kinds::one_type, STG_CHANGES_TYPE)
#endif

template <class Rules, auto E, class F, class... Initial>
constexpr auto scan(vertex_view v, const F& f, const Initial&... initial) {
  if constexpr (Rules::ok)
    return steps_from<shape<canonical_extent<extent_of<E>>()>>(v, f, std::type_identity<typename Rules::first>(),
                                                               initial_value(v.trace, initial)...);
  else return mistakes(std::make_integer_sequence<int, Rules::count>());
}

}  // namespace detail

/// Repeats a step: scan<"T">(v, body, h0, …). body is called once, while the program is traced, with a vertex and the
/// carried values, and gives back their next ones, and what is collected: `return next(h).gives(y)`; one value alone is
/// the next one, or, where nothing is carried, collected. Returns the carried values after the last step and the
/// collected ones, a steps_expr each, in this order; one by itself, several as a tuple: auto [h, y] = scan<"T">(…).
/// Space, shape and type of a carried value stay: a state of zeros begins as zeros<16>(v).
///
/// In the body, symbols that are declared over<"T"> are those of the step, through v(x), e.src(x) and e(w). All else,
/// what the lambda captures by [=] or [&] too, is the same at every step. "T" is a run-time extent, the number of
/// steps, or an integer. No step at all leaves the initial values. jax.lax.scan.
///
///   auto last = scan<"T">(v, [](auto v, auto h) { return tanh(matmul(v(x), W) + mean(v.in_edges().src(h))); },
///                        zeros<16>(v));
template <fixed_string T, class F, class... Initial,
          class = decltype(detail::look_into<F, detail::takes_initial<F, Initial...>, Initial...>(0))>
STG_SAYS_SCAN(detail::scan_rules<extent<T>, F, Initial...>)
constexpr auto scan(vertex_view v, const F& body, const Initial&... initial) {
  using rules = detail::scan_rules<extent<T>, F, Initial...>;
  STG_CHECK_SCAN(rules);
  return detail::scan<rules, extent<T>>(v, body, initial...);
}
template <auto T, class F, class... Initial,
          class = decltype(detail::look_into<F, detail::takes_initial<F, Initial...>, Initial...>(0))>
  requires(!detail::is_spelled<std::remove_cvref_t<decltype(T)>>)
STG_SAYS_SCAN(detail::scan_rules<T, F, Initial...>)
constexpr auto scan(vertex_view v, const F& body, const Initial&... initial) {
  using rules = detail::scan_rules<T, F, Initial...>;
  STG_CHECK_SCAN(rules);
  return detail::scan<rules, T>(v, body, initial...);
}

#ifndef __CUDACC__  // where overloads of templates that take references are not told apart
/// Of a number of steps that is a variable: what to write.
template <auto& T, class F, class... Initial>
  requires(std::is_integral_v<std::remove_reference_t<decltype(T)>> &&
           !std::is_const_v<std::remove_reference_t<decltype(T)>>)
constexpr auto scan(vertex_view, const F&, const Initial&...) {
  constexpr bool is_constant = sizeof(F) == 0;
  static_assert(is_constant,
                "stg: scan<T> takes a constant, or a name whose number each call gives: scan<\"T\">(v, body, h)");
  return detail::mistakes(std::make_integer_sequence<int, sizeof...(Initial)>());
}

/// Of a scan without its vertex, or without the number of its steps: what to write.
#define STG_SCANS_WITHOUT_VERTEX "stg: scan takes the vertex first, then the body: scan<\"T\">(v, body, zeros<16>(v))"
#define STG_SCANS_WITHOUT_STEPS \
  "stg: scan takes the number of steps in its brackets: scan<12>(v, body, h), scan<\"T\">(v, body, h)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_OTHER_SCAN(sentence, ...) __attribute__((diagnose_if(sizeof(__VA_ARGS__) != 0, sentence, "error")))
#define STG_CHECK_OTHER_SCAN(A, sentence)
#else
#define STG_SAYS_OTHER_SCAN(sentence, ...)
#define STG_CHECK_OTHER_SCAN(A, sentence) static_assert(sizeof(A) == 0, sentence)
#endif
namespace detail {
/// Of so many arguments behind the body as many results, as far as that is known.
template <int Arguments>
using no_scan = decltype(mistakes(std::make_integer_sequence<int, (Arguments > 0 ? Arguments : 0)>()));
}  // namespace detail
template <fixed_string T, class A, class... More>
  requires(!std::is_convertible_v<A, vertex_view>)
STG_SAYS_OTHER_SCAN(STG_SCANS_WITHOUT_VERTEX, A)
constexpr auto scan(const A&, const More&...) {
  STG_CHECK_OTHER_SCAN(A, STG_SCANS_WITHOUT_VERTEX);
  return detail::no_scan<sizeof...(More)>();
}
template <auto T, class A, class... More>
  requires(!detail::is_spelled<std::remove_cvref_t<decltype(T)>> && !std::is_convertible_v<A, vertex_view>)
STG_SAYS_OTHER_SCAN(STG_SCANS_WITHOUT_VERTEX, A)
constexpr auto scan(const A&, const More&...) {
  STG_CHECK_OTHER_SCAN(A, STG_SCANS_WITHOUT_VERTEX);
  return detail::no_scan<sizeof...(More)>();
}
template <class A, class... More>
STG_SAYS_OTHER_SCAN(STG_SCANS_WITHOUT_STEPS, A)
constexpr auto scan(const A&, const More&...) {
  STG_CHECK_OTHER_SCAN(A, STG_SCANS_WITHOUT_STEPS);
  constexpr int arguments = sizeof...(More);
  return detail::no_scan < std::is_convertible_v<A, vertex_view> ? arguments - 1 : arguments - 2 > ();
}
#endif

/// A body for `scan` of which no more than what is carried needs goes from step to step. What a step computes of its
/// inputs alone is done before, for all steps, and what nothing carried needs, heads and losses, behind; so are the
/// gradients of what all steps share. Steps of the parts before and behind run together, the rows of many small graphs
/// as those of one product, and threads share them. In return what passes from part to part is kept for every step.
///
///   auto last = scan<"T">(v, split_steps([](auto v, auto h) { return tanh(matmul(v(x), W) + matmul(h, U)); }),
///                         zeros<16>(v));
template <class F> constexpr auto split_steps(const F& body) { return detail::split_body<F>{body}; }

struct all_steps_t {};
/// Asks for a sum or mean over the steps of a scan: mean(y, all_steps).
inline constexpr all_steps_t all_steps = all_steps_t();

/// A value of the graph for each step as one value with an axis for them in front: (T, extents…).
template <class Sh, scalar_type T, class Over> constexpr auto stacked(steps_expr<space::graph, Sh, T, Over> y) {
  static_assert(Sh::rank < ir::shape::max_rank, "stg: stacked puts the steps in front of at most three axes");
  if constexpr (Sh::rank < ir::shape::max_rank) {
    using dims = typename detail::steps_in_front<Over, Sh>::type;
    return detail::emit<space::graph, dims, T>(y.trace, ir::opcode::reshape, y.id);
  } else {
    return mistake();
  }
}
/// Sum over all steps: of the space, shape and type of a step's value.
template <class S, class Sh, scalar_type T, class Over> constexpr auto sum(steps_expr<S, Sh, T, Over> y, all_steps_t) {
  const auto add = [y](auto v, auto total) {
    if constexpr (detail::is_edge<S>) return total + expr<S, Sh, T>(detail::value_in(v.trace, y));
    else return total + v(y);
  };
  const ir::value_id zero = detail::constant<T>(y.trace, 0).id;
  return detail::scan_over_values<Over>(vertex_view{y.trace}, add,
                                        detail::emit<S, Sh, T>(y.trace, ir::opcode::broadcast_to, zero));
}
/// Mean over all steps; 0 over none.
template <class S, class Sh, scalar_type T, class Over>
constexpr auto mean(steps_expr<S, Sh, T, Over> y, all_steps_t all) {
  static_assert(is_real(T), "stg: mean takes real values; write cast<f32>(x)");
  ir::statement s = detail::statement_of<space::graph, shape<>, T>(*y.trace, ir::opcode::extent_value);
  s.attribute = y.trace->program.intern(detail::elements(Over())).code;
  return sum(y, all) / max(detail::emit_with<space::graph, shape<>, T>(y.trace, s), 1.0);
}

}  // namespace stg
