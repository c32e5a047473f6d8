// Random well-typed programs, forward and gradient: the naive interpreter of what was written against the interpreter
// of the plans that all passes make of it. STG_SEED chooses other programs, STG_PROGRAMS how many.
#include "program_check.hpp"    // check_program
#include "random_programs.hpp"  // write_program, number_from

#include <stg/ir/print.hpp>  // to_text

#include <gtest/gtest.h>  // TEST
#include <rapidcheck.h>   // checkTestable, Arbitrary

#include <iostream>  // cout
#include <sstream>   // ostringstream

namespace stg::test {

struct random_case {
  std::vector<gene> genes{};
  std::uint32_t seed = 0;
};

random_program program_of(const random_case& r) { return write_program(r.genes, r.seed, program_limits()); }

/// How a failing program is shown, once it is as small as it gets.
void showValue(const random_case& r, std::ostream& to) {
  const random_program written = program_of(r);
  to << "seed " << r.seed << ", on '" << all_families()[written.family].name << "'\n" << to_text(written.program);
}
void showValue(const gene& g, std::ostream& to) { to << g.what << ":" << g.seed; }

}  // namespace stg::test

namespace rc {

template <> struct Arbitrary<stg::test::gene> {
  static Gen<stg::test::gene> arbitrary() {
    return [](const Random& random, int) {
      Random r = random;
      const std::uint64_t bits = r.next();
      return shrinkable::just(
          stg::test::gene{static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)});
    };
  }
};
/// Smaller programs have fewer genes: those are what is left out when a failing one is shrunk.
template <> struct Arbitrary<stg::test::random_case> {
  static Gen<stg::test::random_case> arbitrary() {
    return gen::build<stg::test::random_case>(
        gen::set(&stg::test::random_case::genes,
                 gen::resize(30, gen::container<std::vector<stg::test::gene>>(gen::arbitrary<stg::test::gene>()))),
        gen::set(&stg::test::random_case::seed, gen::noShrink(gen::resize(100, gen::arbitrary<std::uint32_t>()))));
  }
};

}  // namespace rc

namespace stg::test {
namespace {

void expect_enough(const tally& t) {
  for (int k = 0; k < ir::opcode_count; ++k) {
    if (op::has_own_programs(static_cast<ir::opcode>(k))) continue;
    const std::string_view name = ir::name_of(static_cast<ir::opcode>(k));
    EXPECT_GE(t.seen[k], 30) << name << " is in too few programs";
    if (ir::applies_own(static_cast<ir::opcode>(k))) continue;  // which has no gradient
    EXPECT_GE(t.differentiated[k], 6) << name << " is under too few gradients";
  }
  for (std::size_t f = 0; f < t.families.size(); ++f) EXPECT_GE(t.families[f], 60) << all_families()[f].name;
  EXPECT_GT(t.prologues, 60);
  EXPECT_GT(t.chains, 60);
  EXPECT_GT(t.narrow_values, 600) << "rows of two bytes a number";
  EXPECT_LT(static_cast<double>(t.loose_numbers), 0.01 * static_cast<double>(t.numbers))
      << "bounds on the error that say nothing";
}

TEST(random_programs, compute_by_their_plans_what_was_written) {
  constexpr long full = 3'000;
  const std::string chosen = "seed=" + std::to_string(number_from("STG_SEED", 1)) +
                             " max_success=" + std::to_string(number_from("STG_PROGRAMS", full));
  setenv("RC_PARAMS", chosen.c_str(), 0);  // unless one is there, as the library gives it for a program that failed
  const rc::detail::TestParams params = rc::detail::configuration().testParams;
  rc::detail::TestMetadata about;
  about.id = about.description = "random programs";
  tally counts;
  const rc::detail::TestResult result = rc::detail::checkTestable(
      [&](const random_case& r) { check_program(program_of(r), r.seed, counts); }, about, params);
  std::cout << "STG_SEED=" << params.seed << ": " << counts.programs << " programs, " << counts.statements
            << " statements, " << counts.gradients << " gradients, " << counts.prologues << " prologues, "
            << counts.units << " units, " << counts.loops << " loops, " << counts.chains << " chains, "
            << counts.narrow_values << " narrow values, " << counts.numbers << " numbers, " << counts.loose_numbers
            << " of them with a wide bound\n";
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  ASSERT_TRUE(result.is<rc::detail::SuccessResult>()) << "STG_SEED=" << params.seed << "\n" << text.str();
  if (params.maxSuccess >= full) expect_enough(counts);
}

}  // namespace
}  // namespace stg::test
