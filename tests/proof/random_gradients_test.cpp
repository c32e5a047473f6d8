// Random programs cut by stg::differentiate, in every way of keeping: forward program and gradient, interpreted one
// after the other, against both in one program; and the contract of their connections. STG_SEED chooses other programs,
// STG_GRADIENTS how many.
#include "choices.hpp"              // choices
#include "for_random_programs.hpp"  // for_random_seeds
#include "kept_otherwise.hpp"       // kept_otherwise
#include "random_programs.hpp"      // write_program

#include "../run/support/connected.hpp"  // run_connected, expect_connected
#include "../run/support/near.hpp"       // is_near, are_finite
#include "../run/support/verified.hpp"   // autodiff, canonical, inferred

#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/differentiate.hpp>        // differentiate
#include <stg/ir/print.hpp>             // to_text

#include <gtest/gtest.h>  // TEST

#include <random>  // mt19937_64
#include <string>  // string

namespace stg::test::random_gradients {
namespace {

/// Values of which a lambda would have said something by saved, recomputed and keep.
constexpr auto by_words = static_cast<keeping>(-1);

struct counts {
  long programs = 0, values_read = 0, results_read = 0;
};

void check(const random_program& r, std::uint64_t seed, counts& n) {
  const ir::program& p = r.program;
  const graph& g = all_families()[r.family].graph;
  const sequence<int> provided = real_outputs(p);
  if (provided.empty()) return;
  const sequence<ir::value_id> required = differentiable_inputs(p, provided);
  if (required.empty()) return;
  choices c(seed);
  const pass::joint_program joint = verified::autodiff(p, provided, required);
  oracle::environment bound = r.env;
  const arrays outputs = oracle::interpret(p, g, r.env);
  arrays cotangents, magnitudes;
  for (int k = 0; k < provided.size(); ++k) {
    oracle::array d;
    for (std::size_t i = 0; i < outputs[static_cast<std::size_t>(provided[k])].size(); ++i) d.push_back(c.number());
    bound.entries[joint.program[joint.cotangents[k]].entry()] = d;
    cotangents.push_back(d);
  }
  const arrays expected = oracle::interpret(joint.program, g, bound, &magnitudes);
  if (!are_finite(expected) || !are_finite(magnitudes)) return;
  ++n.programs;
  const ir::program said = kept_otherwise(p, c);
  for (const keeping keep :
       {keeping::chosen, keeping::everything, keeping::all_but_edges, keeping::results, keeping::inputs, by_words}) {
    const program_with_gradient d =
        keep == by_words ? differentiate(said, provided, required) : differentiate(p, provided, required, keep);
    for (const ir::program& half : {d.forward, d.gradient}) {
      verified::look("differentiate", half);
      verified::inferred(verified::canonical(half));
    }
    expect_connected(d, p, provided);
    for (const gradient_input& in : d.inputs) n.values_read += !in.is_cotangent, n.results_read += in.output >= 0;
    const bool adds_none = keep == keeping::results || keep == keeping::inputs;
    ASSERT_TRUE(!adds_none || d.forward.outputs.size() == p.outputs.size());
    const arrays found = run_connected(d, g, r.env, cotangents);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-12))
          << "kept " << static_cast<int>(keep) << ", output " << k << '\n'
          << ir::to_text(d.gradient);
  }
}

TEST(random_gradients, are_those_of_both_in_one_program) {
  counts n;
  const long programs = for_random_seeds("STG_GRADIENTS", 1500, [&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<gene> genes(5 + random() % 25);
    for (gene& one : genes) one = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
    check(write_program(genes, seed, program_limits()), seed, n);
  });
  EXPECT_GT(3 * n.programs, programs);
  EXPECT_GT(n.results_read, n.programs);
  RecordProperty("programs", static_cast<int>(n.programs));
}

}  // namespace
}  // namespace stg::test::random_gradients
