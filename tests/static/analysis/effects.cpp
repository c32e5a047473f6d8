// effects: an operation of each effect through each pass. Messages stay, once each and in their order; random numbers
// and plain values go, merge and are kept as the table of analysis/effects.hpp says.
#include <stg/analysis/effects.hpp>
#include <stg/analysis/fixed.hpp>   // fixed_values
#include <stg/analysis/kept.hpp>    // kept_throughout
#include <stg/analysis/verify.hpp>  // verify
#include <stg/compile.hpp>          // pipeline
#include <stg/dsl/messages.hpp>     // send, receive
#include <stg/dsl/symbol.hpp>       // vertex_feature
#include <stg/dsl/trace.hpp>        // trace
#include <stg/op/list.hpp>          // effects
#include <stg/pipeline.hpp>         // canonical, differentiated, hoisted

#include <string_view>

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", 8>;
constexpr auto y = vertex_feature<"y", 4>;
constexpr auto W = parameter<"W", 8, 4>;

/// The effect of each operation, which passes ask.
constexpr op::effect effect_of(ir::opcode code) { return op::info_of(code).effects; }
static_assert(effect_of(ir::opcode::exp) == op::effect::none &&
              effect_of(ir::opcode::keep_mask) == op::effect::random &&
              effect_of(ir::opcode::scan) == op::effect::random && effect_of(ir::opcode::send) == op::effect::ordered);
constexpr bool has_rules(ir::opcode code, bool ordered, bool repeat, bool keep) {
  return pass::is_ordered(code) == ordered && pass::may_repeat(code) == repeat && pass::may_keep(code) == keep;
}
static_assert(has_rules(ir::opcode::exp, false, true, true));
static_assert(has_rules(ir::opcode::keep_mask, false, true, false));
static_assert(has_rules(ir::opcode::receive, true, false, false));
static_assert(
    [] {
      bool ok = true;
      for (int k = 0; k < ir::opcode_count; ++k) {
        const auto code = static_cast<ir::opcode>(k);
        ok = ok && pass::is_ordered(code) == ir::is_message(code);
      }
      return ok;
    }(),
    "an ordered operation is a message, which ir::each_output takes for an output");

/// Two equal messages, some that nothing reads, and beside them random numbers and values that go.
constexpr auto model = [](auto v) {
  auto a = mean(tanh(matmul(dropout(v(x), 0.5), W)), all_vertices);
  send<"one">(v, a, at_rank(1));
  auto b = receive<"two", 4>(v, at_rank(1));
  static_cast<void>(receive<"two", 4>(v, at_rank(1)));
  static_cast<void>(exp(v(y)));  // nothing needs it
  send<"three">(v, b * 2.0, at_rank(2));
  auto c = sum_over_ranks<"four">(v, b);
  send<"five">(v, mean(v(y), all_vertices), at_rank(1));
  return outputs(sum(v(y) * c + v(y) * c, axis<0>));
};

struct told {
  std::int64_t names[16]{};
  int gradients[16]{};
  int count = 0;
};
constexpr told messages_of(const ir::program& p) {
  told t;
  for (const ir::statement& s : p.statements) {
    if (!ir::is_message(s.code)) continue;
    t.names[t.count] = s.message();
    t.gradients[t.count++] = s.gradients();
  }
  return t;
}
constexpr std::string_view in_order[] = {"one", "two", "two", "three", "four", "four", "five"};
constexpr int in_all = 7;

/// Whether a program has these messages, and those of a gradient behind them backwards.
constexpr bool has(const ir::program& p, bool own, bool gradient) {
  const told t = messages_of(p);
  int at = 0;
  for (int k = 0; k < in_all && own; ++k, ++at)
    if (t.names[at] != ir::operation_number(in_order[k]) || t.gradients[at] != 0) return false;
  for (int k = in_all - 1; k >= 0 && gradient; --k, ++at)
    if (t.names[at] != ir::operation_number(in_order[k]) || t.gradients[at] != 1) return false;
  return t.count == at && pass::verify(p).what == op::rule::none;
}

/// Looks at the program behind each pass.
struct watching {
  bool* ok;
  bool own = true, gradient = false;
  constexpr void operator()(const char*, const ir::program& p) const { *ok = *ok && has(p, own, gradient); }
};
constexpr bool keeps_messages_in_calls() {
  bool ok = true;
  const watching watch{&ok};
  const ir::program p = pipeline::canonical(trace(model), pass::choices(), watch);
  const ir::program q = pipeline::inferred(p, pass::choices(), watch);
  return ok && has(q, true, false);
}
static_assert(keeps_messages_in_calls());

constexpr bool keeps_messages_in_training(keeping way) {
  bool ok = true;
  const ir::program p = pass::kept_throughout(pipeline::canonical(trace(model)), way);
  const pipeline::request asked = pipeline::asked_of(p, {0}, pass::trainable_inputs(p));
  ir::program joint = pipeline::run<pipeline::joint_passes>(p, asked, watching{&ok, true, true});
  const pass::differentiated d = pipeline::differentiated(p, asked);
  joint = pass::reorder_deepest_first(joint);
  return ok && has(joint, true, true) && has(d.forward, true, false) && has(d.gradient, false, true);
}
static_assert(keeps_messages_in_training(keeping::chosen) && keeps_messages_in_training(keeping::everything));
static_assert(keeps_messages_in_training(keeping::inputs), "what other ranks sent is not asked for again");

/// What other ranks sent is no fixed value, and nothing of it is kept for the next call.
constexpr bool keeps_none_for_later_calls() {
  const ir::program p = pipeline::canonical(trace(model));
  sequence<int> all;
  for (int e = 0; e < p.inputs.size(); ++e) all.push_back(e);
  const ir::flags fixed = pass::fixed_values(p, all);
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (ir::is_message(p[i].code) && fixed[i]) return false;
  const pass::hoisted h = pipeline::hoisted(p, false, all);
  return messages_of(h.prologue).count == 0 && has(h.rest, true, false);
}
static_assert(keeps_none_for_later_calls());

/// Units run them in the order of the program, each once.
constexpr bool runs_in_order() {
  const ir::program p = pipeline::inferred(pipeline::canonical(trace(model)));
  const pass::fusion f = pass::fuse(p);
  int at = 0;
  for (const pass::unit& u : f.units) {
    if (u.kind != pass::unit_kind::message) continue;
    if (u.statements.size() != 1 || p[u.statements[0]].message() != ir::operation_number(in_order[at++])) return false;
  }
  return at == in_all;
}
static_assert(runs_in_order());

/// Plain values that nothing needs go, and equal ones are one, beside messages too.
static_assert([] {
  int exps = 0, sums = 0;
  for (const ir::statement& s : pass::dce(pass::cse(pass::order(trace(model)))).statements) {
    exps += s.code == ir::opcode::exp;
    sums += s.code == ir::opcode::add;
  }
  return exps == 0 && sums == 1;
}());

/// Without ranks a program has none, and passes ask nothing of it.
static_assert(messages_of(pipeline::canonical(trace([](auto v) { return matmul(v(x), W); }))).count == 0);
/// A program whose messages are not in a row breaks a rule; so does one in a step.
constexpr op::rule rule_broken_by(auto change) {
  ir::program p = pass::cse(pass::order(trace(model)));
  change(p);
  return pass::verify(p).what;
}
static_assert(rule_broken_by([](ir::program&) {}) == op::rule::none);
static_assert(rule_broken_by([](ir::program& p) {
                ir::value_id first = ir::no_value;
                for (ir::value_id i = 0; i < p.size(); ++i) {
                  if (!ir::is_message(p[i].code)) continue;
                  if (first == ir::no_value) first = i;
                  else p.statements[i].operands[p[i].arity() - 1] = first;
                }
              }) == op::rule::messages_keep_their_order);

}  // namespace
}  // namespace stg
