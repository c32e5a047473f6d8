// Random programs, called twice, the second time with what the first call gave where it fits: the same as written in
// the places of their calls, value and gradient, with the same random numbers; interpreted and as drafts. STG_SEED
// chooses other programs, STG_CALLS how many.
#include "domains.hpp"              // jumps
#include "drafted_calls.hpp"        // run_drafted, run_halves
#include "for_random_programs.hpp"  // for_random_programs, draw_program
#include "random_scans.hpp"         // twice

#include "../run/support/near.hpp"      // is_near, are_finite
#include "../run/support/verified.hpp"  // canonical, inferred, differentiated

#include <stg/codegen/interpreter.hpp>       // interpret
#include <stg/ir/print.hpp>                  // to_text
#include <stg/ir/sites.hpp>                  // site_count
#include <stg/analysis/scan_dependence.hpp>  // inputs_by_entry
#include <stg/pass/inline.hpp>               // inline_calls

#include <gtest/gtest.h>  // TEST

#include <cstring>   // memcmp
#include <iostream>  // cout
#include <string>    // string
#include <vector>    // vector

namespace stg::test::random_calls {
namespace {

using arrays = std::vector<oracle::array>;

struct counts {
  long programs = 0, gradients = 0, draw = 0, passed_on = 0;
};

bool same_bits(const arrays& a, const arrays& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k].size() != b[k].size() ||
        (!a[k].empty() && std::memcmp(a[k].data(), b[k].data(), a[k].size() * sizeof(double)) != 0))
      return false;
  return a.size() == b.size();
}
void expect_same(const arrays& found, const arrays& expected, const arrays& magnitudes, const std::string& form,
                 const ir::program& p) {
  ASSERT_EQ(found.size(), expected.size()) << form;
  for (std::size_t k = 0; k < expected.size(); ++k)
    ASSERT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-12)) << form << ", output " << k << '\n'
                                                                      << ir::to_text(p);
}

void check(const random_program& r, std::uint64_t seed, counts& n) {
  choices c(seed);
  const graph& g = all_families()[r.family].graph;
  const auto interpreted = [&](const ir::program& p, const oracle::environment& env) {
    verified::look("who wrote it", p);
    return oracle::interpret(p, g, env);
  };
  ir::program of = pass::order(pass::dce(r.program));
  of.names.clear();
  const bool passes_on = !jumps(of);
  long ignored = 0;
  const ir::program by_calls = twice(of, true, passes_on ? &n.passed_on : nullptr);
  const arrays as_written = interpreted(twice(of, false, passes_on ? &ignored : nullptr), r.env);
  if (!are_finite(as_written)) return;
  ASSERT_TRUE(same_bits(interpreted(by_calls, r.env), as_written)) << ir::to_text(by_calls);
  ASSERT_TRUE(same_bits(interpreted(pass::inline_calls(by_calls), r.env), as_written)) << ir::to_text(by_calls);
  ++n.programs;
  n.draw += ir::site_count(of) > 0;

  const ir::program p = verified::canonical(by_calls), flat = pass::inline_calls(p);
  ASSERT_LE(p.callees.size(), 1) << ir::to_text(p);
  arrays magnitudes;
  const arrays expected = oracle::interpret(flat, g, r.env, &magnitudes);
  if (!are_finite(expected) || !are_finite(magnitudes)) return;
  ASSERT_TRUE(same_bits(interpreted(p, r.env), expected)) << ir::to_text(p);
  arrays plain_magnitudes;
  const arrays plain = oracle::interpret(pass::inference(flat), g, r.env, &plain_magnitudes);
  const ir::program inferred = verified::inferred(p);
  const drafts::batch_limits few{1 + c.below(4), 1 + c.below(4)};
  expect_same(interpreted(inferred, r.env), plain, plain_magnitudes, "inferred", p);
  expect_same(run_drafted(inferred, g, r.env, few), plain, plain_magnitudes, "as a draft", p);

  const differentiable_part part = differentiable_part_of(flat);
  if (part.outputs.empty() || part.inputs.empty()) return;
  sequence<int> provided;
  for (const int k : part.outputs) provided.push_back(k);
  const sequence<ir::value_id> by_entry = pass::inputs_by_entry(p);
  sequence<ir::value_id> required;
  for (const ir::value_id i : part.inputs) required.push_back(by_entry[flat[i].entry()]);
  const pass::joint_program joint = verified::autodiff(flat, provided, part.inputs);
  oracle::environment bound = r.env;
  arrays cotangents, all_magnitudes;
  for (int k = 0; k < provided.size(); ++k) {
    oracle::array d;
    for (std::size_t i = 0; i < expected[static_cast<std::size_t>(provided[k])].size(); ++i) d.push_back(c.number());
    bound.entries[joint.program[joint.cotangents[k]].entry()] = d;
    cotangents.push_back(d);
  }
  const arrays all = oracle::interpret(joint.program, g, bound, &all_magnitudes);
  if (!are_finite(all) || !are_finite(all_magnitudes)) return;
  ++n.gradients;
  const pass::differentiated d = verified::differentiated(p, provided, required);
  expect_same(run_halves(d, r.env, cotangents, interpreted), all, all_magnitudes, "in training", p);
  expect_same(run_drafted(d, g, r.env, cotangents, few), all, all_magnitudes, "in training as a draft", p);
}

TEST(random_calls, are_what_is_written_out) {
  counts n;
  const long wanted = for_random_programs(
      "STG_CALLS", 1000, [](choices& c) { return draw_program(c, 1 + c.below(16)); },
      [&](const random_program& r, choices& c) { check(r, c.next(), n); });
  std::cout << n.programs << " programs called, " << n.gradients << " with gradients, " << n.draw << " that draw, "
            << n.passed_on << " values passed on\n";
  EXPECT_GE(2 * n.programs, wanted);
  EXPECT_GE(4 * n.gradients, wanted);
  EXPECT_GE(20 * n.draw, wanted);
  RecordProperty("programs", static_cast<int>(n.programs));
}

}  // namespace
}  // namespace stg::test::random_calls
