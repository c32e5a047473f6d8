// Random scans and calls in one another, some with gradients as values, which training differentiates once more: every
// pass, every form, stg::differentiate in every way of keeping, and the slope along a line by a difference. STG_SEED
// chooses other programs, STG_NESTED how many.
#include "domains.hpp"              // jumps
#include "for_random_programs.hpp"  // for_random_programs, draw_program
#include "program_forms.hpp"        // check_forms
#include "random_scans.hpp"         // draw_nested

#include "../run/support/connected.hpp"  // run_connected, expect_connected

#include <stg/differentiate.hpp>  // differentiate

#include <gtest/gtest.h>  // TEST

#include <iostream>  // cout

namespace stg::test::random_nested {
namespace {

struct counts {
  long programs = 0, trained = 0, of_scans = 0, of_calls = 0, with_checkpoints = 0, kept = 0, slopes = 0;
};

/// Both programs by the oracle, one after the other, against both in one; and the sum of ⟨cotangent, output⟩ at two
/// places on a line against ⟨gradient, direction⟩.
void check_gradients(const scanned& s, const graph& g, bool is_smooth, choices& c, counts& n) {
  const ir::program p = c.one_in(2) ? s.program : verified::canonical(s.program);
  const sequence<int> provided = real_outputs(p);
  if (provided.empty()) return;
  const sequence<ir::value_id> required = differentiable_inputs(p, provided);
  if (required.empty()) return;
  const pass::joint_program joint = verified::autodiff(p, provided, required);
  oracle::environment bound = s.env;
  const arrays outputs = oracle::interpret(p, g, s.env);
  arrays cotangents, magnitudes;
  for (int k = 0; k < provided.size(); ++k) {
    oracle::array d;
    for (std::size_t i = 0; i < outputs[static_cast<std::size_t>(provided[k])].size(); ++i) d.push_back(c.number());
    bound.entries[joint.program[joint.cotangents[k]].entry()] = d;
    cotangents.push_back(d);
  }
  const arrays expected = oracle::interpret(joint.program, g, bound, &magnitudes);
  if (!are_finite(expected) || !are_finite(magnitudes)) return;
  ++n.kept;
  constexpr keeping ways[] = {keeping::chosen, keeping::everything, keeping::all_but_edges, keeping::results,
                              keeping::inputs};
  const keeping way = ways[c.below(5)];
  const program_with_gradient d = differentiate(p, provided, required, way);
  verified::look("differentiate", d.forward);
  verified::look("differentiate", d.gradient);
  expect_connected(d, p, provided);
  const std::string form = "kept " + std::to_string(static_cast<int>(way));
  expect_near(run_connected(d, g, s.env, cotangents), expected, magnitudes, form, p);
  verified::inferred(verified::canonical(d.forward));
  verified::inferred(verified::canonical(d.gradient));
  if (!is_smooth) return;

  const double step = 1e-6;
  oracle::held_values detached;  // what is detached stays
  oracle::environment above = s.env, below = s.env;
  double slope = 0, size = 1;
  for (int k = 0; k < required.size(); ++k) {
    const std::string name(p.inputs[p[required[k]].entry()].name.view());
    const std::size_t at = static_cast<std::size_t>(p.outputs.size() + k);
    for (std::size_t i = 0; i < expected[at].size(); ++i) {
      const double along = c.number();
      above.inputs[name][i] += step * along;
      below.inputs[name][i] -= step * along;
      slope += expected[at][i] * along;
      size += magnitudes[at][i];
    }
  }
  const auto with_held = [&](oracle::environment env) {
    env.held = &detached;
    detached.hold();
    return oracle::interpret(p, g, env);
  };
  oracle::environment at_first = s.env;
  at_first.held = &detached;
  oracle::interpret(p, g, at_first);
  const arrays high = with_held(above), low = with_held(below);
  double difference = 0;
  for (int k = 0; k < provided.size(); ++k) {
    const std::size_t at = static_cast<std::size_t>(provided[k]);
    for (std::size_t i = 0; i < high[at].size(); ++i)
      difference += cotangents[static_cast<std::size_t>(k)][i] * (high[at][i] - low[at][i]);
    for (const double m : magnitudes[at]) size += m;
  }
  ++n.slopes;
  ASSERT_NEAR(slope, difference / (2 * step), 1e-5 * size) << ir::to_text(p);
}

void check(const random_program& r, choices& c, counts& n) {
  const scanned s = draw_nested(r, c);
  const graph& g = all_families()[r.family].graph;
  const ir::program traced = s.program;
  bool of_scan = false, of_call = false;
  for (const ir::statement& one : traced.statements) {
    if (one.code != ir::opcode::scan_gradient) continue;
    (ir::is_call(one) ? of_call : of_scan) = true;
  }
  n.of_scans += of_scan;
  n.of_calls += of_call;
  const auto steps = s.env.extents.find("steps");
  const forms_tried tried = check_forms(s, call_graph(g), steps == s.env.extents.end() ? 0 : steps->second, c);
  n.with_checkpoints += tried.checkpoints;
  n.programs += tried.canonical;
  n.trained += tried.training;
  if (tried.canonical && !testing::Test::HasFailure())
    check_gradients(s, g, !jumps(r.program) && !holds_largest_scores(r.program), c, n);
}

TEST(random_nested, have_gradients_of_gradients) {
  counts n;
  const auto draw = [](choices& c) {
    program_limits limits;
    limits.statements = 14;
    limits.width = 12;
    return draw_program(c, 1 + c.below(8), limits);
  };
  const long wanted =
      for_random_programs("STG_NESTED", 1000, draw, [&](const random_program& r, choices& c) { check(r, c, n); });
  std::cout << n.programs << " programs, " << n.trained << " trained, " << n.of_scans << " with gradients of scans, "
            << n.of_calls << " of calls, " << n.with_checkpoints << " with checkpoints, " << n.kept
            << " cut by differentiate, " << n.slopes << " slopes\n";
  EXPECT_GE(2 * n.programs, wanted);
  EXPECT_GE(4 * n.trained, wanted);
  EXPECT_GE(10 * n.of_scans, wanted);
  EXPECT_GE(10 * n.of_calls, wanted);
  EXPECT_GE(40 * n.with_checkpoints, wanted);
  EXPECT_GE(4 * n.kept, wanted);
  EXPECT_GE(20 * n.slopes, wanted);
}

}  // namespace
}  // namespace stg::test::random_nested
