// Random programs through rewrite rules: value and gradient stay, to the bit where a rule only moves operands, else to
// 1e-12. A rule is applied to the program, which is differentiated then, and to the program with its gradient.
// STG_SEED chooses other programs, STG_REWRITTEN how many.
#include "for_random_programs.hpp"  // for_random_programs, draw_program

#include "../run/support/connected.hpp"  // arrays, real_outputs, differentiable_inputs
#include "../run/support/near.hpp"       // is_near, are_finite
#include "../run/support/verified.hpp"   // autodiff, canonical, inferred

#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/examine/similar.hpp>      // are_similar
#include <stg/examine/transform.hpp>    // transform
#include <stg/ir/print.hpp>             // to_text
#include <stg/pass/cse.hpp>             // cse
#include <stg/pass/dce.hpp>             // dce
#include <stg/pass/order.hpp>           // order
#include <stg/pass/training.hpp>        // training
#include <stg/rules.hpp>                // distribute, factors_out_of_sums, without_zeros

#include <gtest/gtest.h>  // TEST

#include <bit>         // bit_cast
#include <cmath>       // isfinite
#include <functional>  // function
#include <iostream>    // cout
#include <string>      // string

namespace stg::test::random_rewritten {
namespace {

/// A number that is none is one in every sign: a · -b and -(a · b) give them another.
bool same_bits(const arrays& a, const arrays& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].size() != b[k].size()) return false;
    for (std::size_t i = 0; i < a[k].size(); ++i)
      if (std::bit_cast<std::uint64_t>(a[k][i]) != std::bit_cast<std::uint64_t>(b[k][i]) &&
          !(std::isnan(a[k][i]) && std::isnan(b[k][i])))
        return false;
  }
  return true;
}

/// Whether numbers that are rounded differently cannot jump: nothing is compared, cut or chosen by size.
bool is_smooth(const ir::program& p) {
  using enum ir::opcode;
  for (const ir::statement& s : p.statements)
    for (const ir::opcode code : {less, less_equal, equal, not_equal, floor, ceil, round, fmod, sign, first_max_edge,
                                  max, min, relu, leaky_relu, elu, abs, max_edges, reduce_max, max_vertices})
      if (s.code == code) return false;
  return true;
}

using planting = pass::value (*)(const examine::copied&, pass::value x, pass::value y);

/// A program with more of what a rule is about: some real values x become plant(x, y), of a value y that lives as x
/// does.
ir::program planted(const ir::program& p, planting plant, choices& c) {
  return examine::transform(p, [&](const examine::copied& at) {
    const ir::statement s = p[at.from()];
    const bool is_real_value = op::info_of(s.code).kind == op::category::pointwise && is_real(s.type);
    if (!is_real_value || c.below(3) != 0) return at.same();
    const ir::value_id other = c.below(at.from());
    if (p[other].where != s.where || !(p[other].dims == s.dims) || p[other].type != s.type || p[other].is_sequence() ||
        (p[other].code == ir::opcode::input && p.inputs[p[other].entry()].sparse))
      return at.same();
    return plant(at, at.same(), at.copy_of(other));
  });
}

struct rule_case {
  const char* name;
  std::function<ir::program(const ir::program&)> by;
  bool keeps_bits;
  planting plant = nullptr;
};

constexpr auto swapped_sum =
    rewrite_rule([](auto, auto a, auto b) { return a + b; }, [](auto, auto a, auto b) { return b + a; });
constexpr auto added_difference =
    rewrite_rule([](auto, auto a, auto b) { return a - b; }, [](auto, auto a, auto b) { return a + -b; });
constexpr auto negated_product =
    rewrite_rule([](auto, auto a, auto b) { return a * -b; }, [](auto, auto a, auto b) { return -(a * b); });
constexpr auto kept_square = rewrite_rule([](auto, auto a, auto b) { return exp(kept(a * b)); },
                                          [](auto, auto a, auto b) { return exp(b * a); });

const std::vector<rule_case>& rule_cases() {
  using at = const examine::copied&;
  using pass::value;
  static const std::vector<rule_case> all = {
      {"swapped operands", [](const ir::program& p) { return examine::rewrite(p, swapped_sum); }, true},
      {"a - b as a + -b", [](const ir::program& p) { return examine::rewrite(p, added_difference); }, true},
      {"a * -b as -(a * b)", [](const ir::program& p) { return examine::rewrite(p, negated_product); }, true,
       [](at, value x, value y) { return x * -y; }},
      {"kept values", [](const ir::program& p) { return examine::rewrite(p, kept_square); }, true,
       [](at c, value x, value y) { return c.exp(x * y) - x * y; }},
      {"distribute",
       [](const ir::program& p) { return examine::rewrite(p, rules::distribute, rules::distribute_difference); }, false,
       [](at c, value x, value y) { return (x - c.number(0.25)) * (x + y); }},
      {"factor out",
       [](const ir::program& p) { return examine::rewrite(p, rules::factor_out, rules::factor_out_difference); }, false,
       [](at c, value x, value y) { return x * y - x * (c.number(0.5) * y); }},
      {"factors out of sums", rules::factors_out_of_sums, false},
      {"out of sums", rules::out_of_sums, false},
      {"without broadcasts", rules::without_broadcasts, false,
       [](at c, value x, value y) {  // x + y times a number that is repeated, or a sum of it
         const value repeated = pass::broadcast(c.number(0.5), x.where(), x.dims());
         return x + y * (repeated * pass::broadcast(c.reduce_sum(repeated * repeated, (1 << x.dims().rank) - 1),
                                                    x.where(), x.dims()));
       }},
      {"without zeros", rules::without_zeros, false,
       [](at c, value x, value y) { return (x + y * c.number(0)) - c.number(0) * x; }}};
  return all;
}

/// The input of an entry in the program after a rule, or no_value where nothing of it is left.
ir::value_id input_of(const ir::program& q, std::int64_t entry) {
  for (ir::value_id i = 0; i < q.size(); ++i)
    if (q[i].code == ir::opcode::input && q[i].entry() == entry) return i;
  return ir::no_value;
}

struct counts {
  std::vector<long> changed = std::vector<long>(rule_cases().size(), 0), gradients = changed;
};

/// Outputs of a program with its gradient; cotangents are drawn from the same seed each time.
arrays interpreted(const pass::joint_program& joint, const random_program& r, const arrays& cotangents,
                   arrays* magnitudes = nullptr) {
  oracle::environment bound = r.env;
  for (std::size_t k = 0; k < cotangents.size(); ++k)
    bound.entries[joint.program[joint.cotangents[static_cast<int>(k)]].entry()] = cotangents[k];
  return oracle::interpret(joint.program, all_families()[r.family].graph, bound, magnitudes);
}

void check_gradient(const random_program& r, const ir::program& p, const ir::program& q, const rule_case& rule,
                    choices& c, long& checked) {
  const sequence<int> provided = real_outputs(p);
  if (provided.empty()) return;
  const sequence<ir::value_id> required = differentiable_inputs(p, provided);
  if (required.empty()) return;
  const pass::joint_program joint = verified::autodiff(p, provided, required);
  const arrays outputs = oracle::interpret(p, all_families()[r.family].graph, r.env);
  arrays cotangents, magnitudes;
  for (int k = 0; k < provided.size(); ++k) {
    oracle::array d;
    for (std::size_t i = 0; i < outputs[static_cast<std::size_t>(provided[k])].size(); ++i) d.push_back(c.number());
    cotangents.push_back(d);
  }
  const arrays expected = interpreted(joint, r, cotangents, &magnitudes);
  if (!are_finite(expected) || !are_finite(magnitudes)) return;
  ++checked;
  // the rule in the program with its gradient
  pass::joint_program changed = joint;
  changed.program = rule.by(joint.program);
  verified::look(rule.name, changed.program);
  oracle::environment bound = r.env;
  for (std::size_t k = 0; k < cotangents.size(); ++k)
    bound.entries[joint.program[joint.cotangents[static_cast<int>(k)]].entry()] = cotangents[k];
  const arrays both = oracle::interpret(changed.program, all_families()[r.family].graph, bound);
  if (rule.keeps_bits) {
    ASSERT_TRUE(same_bits(both, expected)) << rule.name << '\n' << ir::to_text(changed.program);
  }
  const bool near_is_enough = rule.keeps_bits || is_smooth(joint.program);
  for (std::size_t k = 0; near_is_enough && k < expected.size(); ++k)
    ASSERT_TRUE(is_near(both[k], expected[k], magnitudes[k], 1e-12)) << rule.name << ", with gradient, output " << k;
  // the gradient of what the rule made
  if (!near_is_enough) return;
  const sequence<ir::value_id> known = differentiable_inputs(q, provided);
  sequence<ir::value_id> left;
  std::vector<std::size_t> place;
  for (int k = 0; k < required.size(); ++k) {
    const ir::value_id at = input_of(q, p[required[k]].entry());
    bool found = false;
    for (const ir::value_id i : known) found = found || i == at;
    const std::size_t output = static_cast<std::size_t>(p.outputs.size() + k);
    if (found) {
      left.push_back(at);
      place.push_back(output);
    } else {
      for (const double x : expected[output]) ASSERT_EQ(x, 0) << rule.name << ": an input without a gradient";
    }
  }
  if (left.empty()) return;
  const arrays again = interpreted(pass::autodiff(q, provided, left), r, cotangents);
  for (std::size_t k = 0; k < place.size(); ++k)
    ASSERT_TRUE(
        is_near(again[static_cast<std::size_t>(p.outputs.size()) + k], expected[place[k]], magnitudes[place[k]], 1e-12))
        << rule.name << ", gradient of input " << k << '\n'
        << ir::to_text(q);
}

void check(const random_program& r, choices& c, counts& n) {
  const graph& g = all_families()[r.family].graph;
  for (std::size_t k = 0; k < rule_cases().size(); ++k) {
    const rule_case& rule = rule_cases()[k];
    const ir::program p = pass::dce(rule.plant != nullptr ? planted(r.program, rule.plant, c) : r.program),
                      q = rule.by(p);
    verified::look(rule.name, q);
    verified::inferred(verified::canonical(q));
    const oracle::interpretation known = oracle::interpret_all(p, g, r.env);
    if (!rule.keeps_bits && !are_finite(known.values)) continue;
    arrays magnitudes;
    const arrays expected = oracle::interpret(p, g, r.env, &magnitudes), found = oracle::interpret(q, g, r.env);
    if (rule.keeps_bits) {
      ASSERT_TRUE(same_bits(found, expected)) << rule.name << '\n' << ir::to_text(q);
    }
    for (std::size_t o = 0; !rule.keeps_bits && is_smooth(p) && o < expected.size(); ++o)
      ASSERT_TRUE(is_near(found[o], expected[o], magnitudes[o], 1e-12)) << rule.name << ", output " << o << '\n'
                                                                        << ir::to_text(q);
    if (q == p) continue;
    ++n.changed[k];
    check_gradient(r, p, q, rule, c, n.gradients[k]);
    if (testing::Test::HasFatalFailure()) return;
  }
  const auto ordered = [](const ir::program& p) { return pass::dce(pass::cse(pass::order(p))); };
  EXPECT_TRUE(examine::are_similar(ordered(examine::rewrite(r.program, rules::chosen_in_training)),
                                   ordered(pass::training(r.program))));
}

TEST(random_rewritten, keep_value_and_gradient_when_they_are_rewritten) {
  counts n;
  const long wanted = for_random_programs(
      "STG_REWRITTEN", 500, [](choices& c) { return draw_program(c, 4 + c.below(24)); },
      [&](const random_program& r, choices& c) { check(r, c, n); });
  for (std::size_t k = 0; k < rule_cases().size(); ++k) {
    std::cout << rule_cases()[k].name << ": " << n.changed[k] << " programs, " << n.gradients[k] << " gradients\n";
    EXPECT_GT(n.changed[k], wanted / 100) << rule_cases()[k].name;
  }
}

}  // namespace
}  // namespace stg::test::random_rewritten
