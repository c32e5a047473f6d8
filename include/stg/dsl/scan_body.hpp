// The body of a scan as a program: traced, closed, and called by the program around it.
#pragma once

#include <cstdint>      // uint64_t
#include <tuple>        // tuple, apply
#include <type_traits>  // type_identity
#include <utility>      // integer_sequence

#include <stg/dsl/build.hpp>      // statement_of, value_in
#include <stg/dsl/next_step.hpp>  // as_next_step, carried_t, settled_value
#include <stg/dsl/vertex.hpp>     // vertex_view
#include <stg/ir/callees.hpp>     // recode, take_extents, emit_arguments, callee_number

namespace stg::detail {

/// The values that a body's program reads, by entry of its inputs: first its arguments, then values of the program
/// around it. So the body's program can be a callee.
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
      in.set_entry(t.entry_of(step.inputs[k]));
      if (body.each_step[k]) in.over = steps;
      given[k] = t.emit(in);
    }
  }
  for (ir::label_range c : step.checks) {  // looked at once for all steps, if they read an input
    const ir::statement& labels = step[c.labels];
    const bool computed = c.mask != ir::no_value && step[c.mask].code != ir::opcode::input;
    if (labels.code != ir::opcode::input || labels.entry() < carried || computed) continue;
    c.labels = given[labels.entry()];
    if (c.mask != ir::no_value) c.mask = given[step[c.mask].entry()];
    t.check(c);
  }
  step.checks.clear();
  for (int k = 0; k < step.inputs.size(); ++k) {  // named by the values they stand for: equal bodies are to be equal
    if (body.stands_for[k] == ir::no_value) continue;
    step.inputs[k].name.shorten(1);
    step.inputs[k].name.append_number(static_cast<std::uint64_t>(k));
  }
  ir::take_extents(step, t.program);
  return given;
}

/// Takes over a body's notes. Returns whether it is whole: none of its statements is beyond the limit.
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
  s.set_callee(ir::callee_number(t.program, step, true));
  s.set_carried(initial.size());
  s.over = t.program.intern(body.steps);
  return t.emit(s);
}

template <class X> constexpr X result_of_step(tracer& t, ir::value_id scan, int k) {
  using from = signature<X>;
  ir::statement s = statement_of<typename from::where, typename from::dims, from::type>(t, ir::opcode::result, scan);
  s.set_output(k);
  return X{&t, t.emit(s)};
}
template <class X, class Over> constexpr auto steps_of_result(tracer& t, ir::value_id scan, int k) {
  using from = signature<X>;
  ir::statement s = statement_of<typename from::where, typename from::dims, from::type>(t, ir::opcode::result, scan);
  s.set_output(k);
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
  if (is_split_body<F>) body.program.decide(ir::of_whole(ir::decided::splits));
  const sequence<ir::value_id> initial{first.id...};
  [[maybe_unused]] const auto carry = [&]<class X>(std::type_identity<X>, int k) {
    using from = signature<X>;
    ir::input in;
    in.name.append("carried ");
    in.name.append_number(static_cast<std::uint64_t>(k));
    ir::statement s = statement_of<typename from::where, typename from::dims, from::type>(body, ir::opcode::input);
    s.set_entry(body.entry_of(in));
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

/// Steps from these values on, in the types that they are carried in.
template <class Over, class F, class... A, class... B>
constexpr auto steps_from(vertex_view v, const F& f, std::type_identity<std::tuple<A...>>, B... first) {
  return run_step<Over>(v, f, std::make_integer_sequence<int, sizeof...(A)>(), typed<signature<A>::type>(first)...);
}
/// A scan of a body of the library's own.
template <class Over, class F, class... A> constexpr auto scan_over_values(vertex_view v, const F& f, A... first) {
  return steps_from<Over>(v, f, std::type_identity<carried_t<F, A...>>(), first...);
}

}  // namespace stg::detail
