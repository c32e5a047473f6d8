// width: values that are stored get narrow rows, and stay f32 in registers.
#include "symbols.hpp"

#include <stg/call/with.hpp>        // all_stored_as
#include <stg/dsl/keep.hpp>         // stored_as
#include <stg/dsl/scope.hpp>        // scope, named
#include <stg/op/tag.hpp>           // stored, inlined
#include <stg/analysis/verify.hpp>  // verify
#include <stg/analysis/widths.hpp>  // widths
#include <stg/pass/promise.hpp>     // find_refused_width
#include <stg/pass/width.hpp>       // width
#include <stg/pipeline.hpp>         // canonical, differentiated, inferred, planned

namespace stg {
namespace {

constexpr auto wide = vertex_feature<"wide", 12>;
constexpr auto U = parameter<"U", 12, 24>;
constexpr auto V = parameter<"V", 24, 12>;
constexpr auto a = parameter<"a", 24, 1>;

constexpr ir::program inferred(auto lambda) { return pipeline::inferred(pipeline::canonical(trace(lambda))); }
constexpr pass::differentiated trained(auto lambda) {
  const ir::program p = pipeline::canonical(trace(lambda));
  return pipeline::differentiated(p, {0}, pass::trainable_inputs(p));
}
/// How many values lie in memory in this type, inputs left out.
constexpr int stored_values(const ir::program& p, scalar_type type, bool of_graph = false) {
  if (pass::verify(p) != pass::finding()) return -1;
  const pass::plan made = pipeline::planned(p);
  int n = 0;
  for (ir::value_id i = 0; i < p.size(); ++i)
    n += made.stored[i] && p[i].type == type && (p[i].where == ir::space::graph) == of_graph;
  return n;
}
constexpr int casts_to(const ir::program& p, scalar_type type) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == ir::opcode::cast && s.type == type;
  return n;
}

// A product that neighbours read lies in memory once, in two bytes a number; a chain passes its f32 form on.
constexpr auto gathered = [](auto v) { return sum(v.in_edges().src(stored_as<bf16>(matmul(v(wide), U)))); };
constexpr auto gathered_whole = [](auto v) {
  stored_as<f16>(v);
  return sum(v.in_edges().src(relu(matmul(v(wide), U)) * 2.0));
};
static_assert(stored_values(inferred(gathered), bf16) == 0, "(A x) W has no such value: the sum is narrower");
static_assert(stored_values(inferred(gathered_whole), f16) == 1 && stored_values(inferred(gathered_whole), f32) == 1,
              "the output is as wide as it was");

// A value in registers is not rounded: the plan stores none here.
constexpr auto in_registers = [](auto v) { return exp(stored_as<bf16>(tanh(sum(v.in_edges().src(v(wide)))))); };
static_assert(casts_to(inferred(in_registers), bf16) == 0);
constexpr auto promised = [](auto v) { return exp(stored(stored_as<bf16>(tanh(sum(v.in_edges().src(v(wide))))))); };
static_assert(stored_values(inferred(promised), bf16) == 1 && casts_to(inferred(promised), f32) == 0,
              "a promise stores the narrow rows, and the unit that makes them reads its registers");

// A training step: saved values and cotangents are narrow, numbers of the graph and the sum of the loss are not.
constexpr auto loss_of(auto body) {
  return [body](auto v) { return mean(sum(square(body(v)), axis<0>), all_vertices); };
}
constexpr auto two_layers = loss_of([](auto v) {
  stored_as<bf16>(v);
  auto h = relu(sum(v.in_edges().src(matmul(v(wide), U))) * 0.5);
  return sum(v.in_edges().src(matmul(h, V)));
});
constexpr bool are_narrow(const pass::differentiated& d) {
  bool are = stored_values(d.forward, f32) <= 1 && stored_values(d.gradient, f32) == 0;
  for (const ir::statement& s : d.gradient.statements)
    if (s.code == ir::opcode::input && d.connections[s.entry()].kind == pass::connection_kind::saved)
      are = are && (s.where == ir::space::graph ? s.type == f32 : s.type == bf16);
  for (int k = 0; k < d.connections.size(); ++k) {
    const pass::connection& from = d.connections[k];
    if (from.kind != pass::connection_kind::saved) continue;
    for (const ir::statement& s : d.gradient.statements)
      if (s.code == ir::opcode::input && s.entry() == k)
        are = are && s.type == d.forward[d.forward.outputs[from.index].at].type;
  }
  return are;
}
static_assert(are_narrow(trained(two_layers)));

// What a gradient compares with a maximum is unrounded, and so is all that it may be made again of.
constexpr auto with_maximum = loss_of([](auto v) {
  stored_as<bf16>(v);
  auto h = exp(sum(v.in_edges().src(matmul(v(wide), U) * 2.0)) + 1.0);
  return h / (max(h * 3.0, axis<0>) + h);
});
constexpr int rounded_below_equal(const ir::program& p) {
  ir::flags below(p.size(), 0);
  int n = 0;
  for (ir::value_id i = p.size() - 1; i >= 0; --i) {
    const ir::statement& s = p[i];
    n += below[i] && s.type == bf16;
    const bool goes_on = s.code == ir::opcode::equal || (below[i] && !pass::reads_whole_rows(s));
    for (int k = 0; k < s.arity() && goes_on; ++k) below[s.operands[k]] = 1;
  }
  return n;
}
static_assert(count_of(trained(with_maximum).gradient, ir::opcode::equal) == 1 &&
              rounded_below_equal(trained(with_maximum).gradient) == 0 &&
              stored_values(trained(with_maximum).gradient, bf16) > 0);

// Scopes: the innermost decides; a word about a value before all; a few numbers a row stay as they are.
constexpr auto layer = [](auto v, auto h) { return sum(v.in_edges().src(tanh(matmul(h, U)) * 2.0)); };
constexpr auto back = [](auto v, auto h) { return sum(v.in_edges().src(tanh(matmul(h, V)) * 2.0)); };
constexpr auto by_scope = [](auto v) {
  stored_as<bf16, "first">(v);
  return scope<"last">(v, back, scope<"first">(v, layer, v(wide)));
};
constexpr auto but_last = [](auto v) {
  stored_as<bf16>(v);
  stored_as<f32, "last">(v);
  return scope<"last">(v, back, scope<"first">(v, layer, v(wide)));
};
static_assert(stored_values(inferred(by_scope), bf16) == 2 && stored_values(inferred(but_last), bf16) == 2);
constexpr auto scores = [](auto v) {
  stored_as<bf16>(v);
  return sum(v.in_edges().src(tanh(matmul(tanh(matmul(v(wide), U)), a))));
};
static_assert(stored_values(inferred(scores), bf16) == 0);

// The pass of a program as a whole is the word about the whole.
static_assert(pipeline::inferred(all_stored_as<f16>(pipeline::canonical(trace([](auto v) {
                return sum(v.in_edges().src(relu(matmul(v(wide), U)) * 2.0));
              })))) == inferred(gathered_whole));
// Without a decision nothing changes.
static_assert(pass::width(inferred(in_registers), 1, false) == inferred(in_registers));

// What cannot be narrow is said by name.
constexpr pass::refused_promise refused(auto lambda) { return pass::find_refused_width(trace(lambda)).what; }
using pass::refused_promise;
static_assert(refused(gathered) == refused_promise::none);
static_assert(refused([](auto v) { return tanh(stored_as<bf16>(v(wide))); }) == refused_promise::width_caller);
static_assert(refused([](auto v) { return stored_as<bf16>(tanh(v(wide))); }) == refused_promise::width_caller);
static_assert(refused([](auto v) { return tanh(stored_as<bf16>(inlined(exp(v(wide))))); }) ==
              refused_promise::width_inlined);
static_assert(refused([](auto v) { return tanh(stored_as<bf16>(v.in_degree())); }) == refused_promise::width_source);
static_assert(refused([](auto v) { return v(wide) * stored_as<bf16>(sum(exp(v(wide)), all_vertices)); }) ==
              refused_promise::width_graph);
static_assert(refused([](auto v) { return v(wide) - max(stored_as<bf16>(exp(v(wide))), all_vertices); }) ==
              refused_promise::width_compared);
static_assert(refused([](auto v) { return tanh(max(stored_as<bf16>(exp(v(wide))), axis<0>)); }) ==
              refused_promise::width_compared);
static_assert(refused([](auto v) { return tanh(cast<f32>(stored_as<bf16>(cast<f64>(v(wide))))); }) ==
              refused_promise::width_type);
static_assert(refused([](auto v) { return tanh(stored_as<f32>(v(wide))); }) == refused_promise::none);
constexpr ir::mistake wrong(auto lambda) { return detail::recorded(lambda).wrong; }
static_assert(wrong([](auto v) { return tanh(stored_as<f16>(stored_as<bf16>(exp(v(wide))))); }) ==
              ir::mistake::kept_in_two_ways);
static_assert(wrong([](auto v) { return stored_as<bf16, "nowhere">(v), tanh(v(wide)); }) == ir::mistake::keeps_nothing);

// Machines whose products read floats get them.
static_assert([] {
  const ir::program p = trained(two_layers).gradient, q = pass::read_wide_rows(p);
  return pass::verify(q) == pass::finding() && stored_values(q, f32) > 0 && stored_values(q, bf16) > 0;
}());

}  // namespace
}  // namespace stg
