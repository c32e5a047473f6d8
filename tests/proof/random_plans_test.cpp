// What passes make of random programs, a line for each: what they change in one that no sample is like is a failing
// test, though every number is right. tests/golden/plans.txt shows of samples what a line holds of one of these.
#include "../run/golden.hpp"             // equals_golden, hash_of
#include "../run/support/plan_text.hpp"  // plans_of
#include "random_programs.hpp"           // write_program, differentiable_part_of

#include <stg/pipeline.hpp>  // canonical
#include <stg/ir/print.hpp>  // to_text

#include <gtest/gtest.h>  // TEST

#include <cstdint>  // uint32_t
#include <cstdio>   // snprintf
#include <random>   // mt19937
#include <string>   // string
#include <vector>   // vector

namespace stg::test::random_plans {
namespace {

ir::program random_program_of(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<gene> genes(5 + random() % 25);
  for (gene& g : genes) g = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
  return write_program(genes, seed, program_limits()).program;
}

/// "12: 31 statements, 5 plans of 14 units and 6 loops, 0123456789abcdef": a hash of the plans and of what they are of.
std::string line_of(std::uint32_t seed) {
  const ir::program p = pipeline::canonical(random_program_of(seed));
  const differentiable_part part = differentiable_part_of(p);
  sequence<int> provided;
  for (const int k : part.outputs) provided.push_back(k);
  const std::string text = plans_of(p, provided, part.inputs, [](const std::string& form, const ir::program& one) {
    return plan_text(form, one) + to_text(one);
  });
  const auto lines_with = [&](const char* what) {
    int n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  char line[128];
  std::snprintf(line, sizeof line, "%u: %d statements, %d plans of %d units and %d loops, %s\n", seed, p.size(),
                lines_with(" statements\n"), lines_with("\n  "), lines_with(" ->"), stg_test::hash_of(text).c_str());
  return line;
}

TEST(random_plans, are_as_kept) {
  std::string text;
  for (std::uint32_t seed = 1; seed <= 500; ++seed) text += line_of(seed);
  EXPECT_TRUE(stg_test::equals_golden("plans_of_random_programs.txt", text));
}

}  // namespace
}  // namespace stg::test::random_plans
