// Random schedules of random programs: a word that does not fit leaves the program as it was; what fits keeps the rules
// of programs, is refused by the plan in words, or computes the same, as a draft and in training. STG_SEED chooses
// other programs, STG_SCHEDULED how many.
#include "drafted_calls.hpp"        // run_drafted
#include "for_random_programs.hpp"  // for_random_programs, draw_program

#include "../run/support/connected.hpp"  // arrays, real_outputs, differentiable_inputs
#include "../run/support/near.hpp"       // is_near, are_finite
#include "../run/support/verified.hpp"   // canonical, inferred

#include <stg/ir/print.hpp>  // to_text
#include <stg/ir/text.hpp>   // from_text
#include <stg/pipeline.hpp>  // refused_promise
#include <stg/schedule.hpp>  // scheduled_program

#include <gtest/gtest.h>  // TEST

#include <iostream>  // cout

namespace stg::test::random_scheduled {
namespace {

constexpr const char* scope_names[] = {"conv1", "conv1/norm", "conv2", "conv10"};
constexpr const char* value_names[] = {"conv1/score", "score", "conv2/h", "conv1/norm/x"};
constexpr const char* paths[] = {"conv1", "conv1/norm", "conv2", "conv10",   "conv1/score",
                                 "score", "conv2/h",    "conv3", "conv1/nor"};
constexpr const char* expressions[] = {".*",   ".*add",         "mul",           "conv\\d/.*",
                                       "s.*e", "conv1/norm/.*", "exp|tanh|relu", "nobody"};

/// Scopes and names on statements at random.
ir::program with_paths(ir::program p, choices& c) {
  for (const char* name : scope_names) {
    const int scope = p.scope_number(text(name));
    for (ir::statement& s : p.statements)
      if (c.one_in(4)) s.scopes = p.set_with(s.scopes, scope);
  }
  for (const char* name : value_names)
    if (c.one_in(2)) p.names.push_back({text(name), c.below(p.size())});
  return p;
}

constexpr auto swapped =
    rewrite_rule([](auto, auto a, auto b) { return a + b; }, [](auto, auto a, auto b) { return b + a; });

scheduled_place drawn_place(const scheduled_program& s, choices& c) {
  if (c.one_in(3)) return s.find(expressions[c.below(std::size(expressions))]);
  const scheduled_place scope = s[paths[c.below(std::size(paths))]];
  return c.one_in(2) ? scope : scope.find(expressions[c.below(std::size(expressions))]);
}
void say(const scheduled_program& s, bool narrow, choices& c) {
  constexpr keeping ways[] = {keeping::everything, keeping::all_but_edges, keeping::results, keeping::inputs};
  const scheduled_place at = drawn_place(s, c);
  switch (c.below(narrow ? 11 : 10)) {
    case 0:
      return void(at.keep(ways[c.below(4)]));
    case 1:
      return void(at.stored());
    case 2:
      return void(at.inlined());
    case 3:
      return void(at.apart(drawn_place(s, c)));
    case 4:
      return void(at.one_sweep(drawn_place(s, c)));
    case 5:
      return void(at.annotate("seen"));
    case 6:
      return void(at.replace(swapped));
    case 7:
      return s.choose({.recomputed_cost = c.below(40), .few_numbers = c.below(12)});
    case 8:
      return void(at.merge_exchanges());
    case 9:
      return void(at.must_overlap());
    default:
      return void(at.stored_as(c.one_in(2) ? bf16 : f16));
  }
}

struct counts {
  long fit = 0, unfit = 0, refused = 0, computed = 0, trained = 0, read = 0;
};

bool is_refused(const ir::program& p) { return pipeline::refused_promise(p).at != ir::no_value; }

sequence<int> entries_of(const ir::program& p, const sequence<ir::value_id>& inputs) {
  sequence<int> entries;
  for (const ir::value_id i : inputs) entries.push_back(p[i].entry());
  return entries;
}

/// A training step of the scheduled program as a draft, against the program with its gradient.
void check_training(const random_program& r, const ir::program& p, const ir::program& q, choices& c, counts& n) {
  const sequence<int> provided = real_outputs(p);
  if (provided.empty()) return;
  const sequence<ir::value_id> required = differentiable_inputs(p, provided), of_q = differentiable_inputs(q, provided);
  if (required.empty() || !(entries_of(p, required) == entries_of(q, of_q))) return;
  const graph& g = all_families()[r.family].graph;
  const pass::joint_program joint = verified::autodiff(p, provided, required);
  oracle::environment bound = r.env;
  arrays cotangents, magnitudes;
  const arrays outputs = oracle::interpret(p, g, r.env);
  for (int k = 0; k < provided.size(); ++k) {
    oracle::array d;
    for (std::size_t i = 0; i < outputs[static_cast<std::size_t>(provided[k])].size(); ++i) d.push_back(c.number());
    bound.entries[joint.program[joint.cotangents[k]].entry()] = d;
    cotangents.push_back(d);
  }
  const arrays expected = oracle::interpret(joint.program, g, bound, &magnitudes);
  if (!are_finite(expected) || !are_finite(magnitudes)) return;
  const pass::differentiated d = verified::differentiated(q, provided, of_q, pass::choices_of(q));
  if (is_refused(d.forward) || is_refused(d.gradient)) return;
  const arrays found = run_drafted(d, g, r.env, cotangents, {1 + c.below(4), 1 + c.below(4)});
  for (std::size_t k = 0; k < expected.size(); ++k)
    ASSERT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-10)) << "in training, output " << k << '\n'
                                                                      << ir::to_text(q);
  ++n.trained;
}

/// The words as a text give the same program, and those of a rule are refused.
void check_text(const ir::program& p, const detail::schedule_state& all, counts& n) {
  std::string lines;
  bool has_rule = false;
  for (const applied_primitive& one : all.log) {
    lines += detail::line_of(one) + '\n';
    has_rule = has_rule || one.word.view() == "replace";
  }
  detail::schedule_state again{p};
  detail::written_words{lines}(scheduled_program(again));
  if (has_rule) {
    ASSERT_EQ(again.wrong.what, schedule_mistake::is_of_cplusplus) << lines;
    return;
  }
  ASSERT_TRUE(again.fits()) << detail::sentence_of(again.wrong) << '\n' << lines;
  ASSERT_EQ(ir::to_text(again.p), ir::to_text(all.p)) << lines;
  ASSERT_TRUE(again.log == all.log) << lines;
  ++n.read;
}

void check(const random_program& r, choices& c, counts& n) {
  const graph& g = all_families()[r.family].graph;
  const ir::program p = with_paths(verified::canonical(r.program), c);
  detail::schedule_state all{p};
  const scheduled_program s(all);
  const bool narrow = c.one_in(4);
  for (int words = 2 + c.below(8); words > 0; --words) {
    const detail::schedule_state before = all;
    say(s, narrow, c);
    ++(all.fits() ? n.fit : n.unfit);
    if (all.fits()) continue;
    ASSERT_EQ(ir::to_text(all.p), ir::to_text(before.p));  // as it was
    all = before;
  }
  check_text(p, all, n);
  const ir::program q = pass::dce(pass::cse(all.p));
  verified::look("scheduled", q);
  ASSERT_EQ(ir::to_text(ir::from_text(ir::to_text(q))), ir::to_text(q));
  const ir::program inferred = verified::inferred(q);
  if (is_refused(inferred) || pass::find_refused_width(q).at != ir::no_value) {
    ++n.refused;
    return;
  }
  if (ir::decides_width(q)) return;
  arrays magnitudes;
  const arrays expected = oracle::interpret(pass::inference(p), g, r.env, &magnitudes);
  if (!are_finite(expected) || !are_finite(magnitudes)) return;
  const arrays found = run_drafted(inferred, g, r.env, {1 + c.below(4), 1 + c.below(4)});
  for (std::size_t k = 0; k < expected.size(); ++k)
    ASSERT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-10)) << "output " << k << '\n' << ir::to_text(q);
  ++n.computed;
  check_training(r, p, q, c, n);
}

TEST(random_scheduled, fit_and_compute_the_same_or_are_refused) {
  counts n;
  const long wanted = for_random_programs(
      "STG_SCHEDULED", 500, [](choices& c) { return draw_program(c, 2 + c.below(20)); },
      [&](const random_program& r, choices& c) { check(r, c, n); });
  std::cout << n.fit << " words fit, " << n.unfit << " did not; " << n.refused << " were refused by the plan, "
            << n.computed << " computed, " << n.trained << " trained, " << n.read << " read back from their texts\n";
  EXPECT_GE(n.fit, wanted);
  EXPECT_GE(n.unfit, wanted);
  EXPECT_GE(16 * n.refused, wanted);
  EXPECT_GE(8 * n.computed, wanted);
  EXPECT_GE(8 * n.trained, wanted);
  EXPECT_GE(4 * n.read, wanted);
}

}  // namespace
}  // namespace stg::test::random_scheduled
