// Random programs through what examines and rewrites programs: copies equal the original, and compute the same bits.
// STG_SEED chooses other programs, STG_EXAMINED how many.
#include "drafted_calls.hpp"        // run_drafted
#include "for_random_programs.hpp"  // for_random_programs, draw_program
#include "random_scans.hpp"         // scan_of
#include "scalar_evaluation.hpp"    // scalar_evaluation

#include "../run/support/near.hpp"      // is_near, are_finite
#include "../run/support/verified.hpp"  // canonical, joint, differentiated

#include <stg/codegen/interpreter.hpp>   // interpret
#include <stg/differentiate.hpp>         // real_outputs, differentiable_inputs
#include <stg/examine/counts.hpp>        // counts_of
#include <stg/examine/hash.hpp>          // hash_of, are_equal
#include <stg/examine/index_text.hpp>    // index_form, to_text
#include <stg/examine/materialize.hpp>   // stored_by_mpms
#include <stg/examine/needs.hpp>         // needs_of
#include <stg/examine/partition.hpp>     // partition
#include <stg/examine/similar.hpp>       // are_similar
#include <stg/examine/transform.hpp>     // transform
#include <stg/examine/users.hpp>         // users
#include <stg/examine/walk.hpp>          // topological_order
#include <stg/ir/print.hpp>              // to_text
#include <stg/ir/decisions.hpp>          // promises
#include <stg/analysis/users.hpp>        // reachable
#include <stg/pass/expand.hpp>           // expand
#include <stg/pass/inline_promised.hpp>  // inline_promised
#include <stg/pass/order.hpp>            // reorder_deepest_first
#include <stg/pass/promise.hpp>          // refused
#include <stg/pass/training.hpp>         // training
#include <stg/pipeline.hpp>              // planned

#include <gtest/gtest.h>  // TEST

#include <algorithm>   // max
#include <bit>         // bit_cast
#include <functional>  // function
#include <iostream>    // cout
#include <string>      // string

namespace stg::test::random_examined {
namespace {

template <class Check> long for_random_programs(const Check& check, long otherwise = 500) {
  return test::for_random_programs(
      "STG_EXAMINED", otherwise, [](choices& c) { return draw_program(c, 4 + c.below(20)); }, check);
}

std::vector<oracle::array> outputs_of(const ir::program& p, const random_program& r) {
  return oracle::interpret(p, all_families()[r.family].graph, r.env);
}
bool same_bits(const std::vector<oracle::array>& a, const std::vector<oracle::array>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].size() != b[k].size()) return false;
    for (std::size_t i = 0; i < a[k].size(); ++i)
      if (std::bit_cast<std::uint64_t>(a[k][i]) != std::bit_cast<std::uint64_t>(b[k][i])) return false;
  }
  return true;
}

TEST(random_examined, are_copied_as_they_are) {
  for_random_programs([](const random_program& r, choices&) {
    const ir::program& p = r.program;
    EXPECT_TRUE(examine::transform_with_steps(p, [](const examine::copied& c) { return c.same(); }) == p);
    const sequence<ir::value_id> order = examine::topological_order(p);
    ir::flags walked(p.size(), 0);
    for (const ir::value_id i : order) walked[i] = 1;
    EXPECT_TRUE(walked == pass::reachable(p));
  });
}

/// The same program with other names of inputs, by their numbers, and with statements in another order.
ir::program renamed_and_ordered(const ir::program& p) {
  ir::program q = pass::reorder_deepest_first(p);
  for (ir::input& in : q.inputs) in.name.append('_');
  return q;
}

TEST(random_examined, are_asked_what_they_are_made_of) {
  for_random_programs([](const random_program& r, choices& c) {
    const ir::program& p = r.program;
    const examine::users readers(p);
    int uses = 0, operands = 0;
    for (ir::value_id i = 0; i < p.size(); ++i) {
      uses += readers.uses(i);
      operands += examine::operands_of(p, i).size();
    }
    EXPECT_EQ(uses, operands);
    const ir::value_id from = c.below(p.size());
    for (const ir::value_id to : examine::all_users_of(p, from)) {
      bool found = false;
      for (const ir::value_id i : examine::dependencies_of(p, to)) found = found || i == from;
      EXPECT_TRUE(found) << to << " reads " << from;
    }
    // what an output needs is enough to compute it
    const int k = c.below(p.outputs.size());
    ir::program part = p;
    part.outputs = {p.outputs[k]};
    part.checks.clear();
    const examine::needs needed = examine::needs_of(p, p.outputs[k].at);
    random_program bound = r;
    bound.env.inputs.clear();
    for (const int e : needed.inputs) {
      const std::string name(p.inputs[e].name.view());
      bound.env.inputs[name] = r.env.inputs.at(name);
    }
    part = pass::dce(part);
    EXPECT_EQ(outputs_of(part, bound).size(), 1u);
    EXPECT_EQ(examine::counts_of(part)[ir::opcode::input], needed.inputs.size());
  });
}

TEST(random_examined, are_equal_similar_or_not) {
  long different = 0;
  for_random_programs([&](const random_program& r, choices& c) {
    const ir::program p = pass::dce(r.program), q = renamed_and_ordered(p);
    EXPECT_EQ(examine::hash_of(p), examine::hash_of(pass::dce(p)));
    EXPECT_TRUE(examine::are_similar(p, q)) << ir::to_text(q);
    EXPECT_TRUE(examine::are_similar(q, p)) << ir::to_text(q);
    const int k = c.below(p.outputs.size());
    const ir::program again = pass::reorder_deepest_first(p);
    EXPECT_TRUE(examine::are_equal(p, p.outputs[k].at, again, again.outputs[k].at));
    EXPECT_EQ(examine::hashes_of(p)[p.outputs[k].at], examine::hashes_of(again)[again.outputs[k].at]);
    // one number, space or operation changed somewhere
    ir::program other = p;
    ir::statement& s = other.statements[c.below(p.size())];
    if (s.code == ir::opcode::input) other.inputs[s.entry()].trainable = !other.inputs[s.entry()].trainable;
    else s.set_real(s.real() + 1);
    EXPECT_FALSE(examine::are_similar(p, other));
    EXPECT_NE(examine::hash_of(p), examine::hash_of(other));
    ++different;
  });
  EXPECT_GT(different, 0);
}

/// x + y as y + x, and -x as x · -1: the same bits by other statements.
TEST(random_examined, compute_the_same_bits_when_statements_are_written_differently) {
  long changed = 0;
  for_random_programs([&](const random_program& r, choices&) {
    const ir::program q = examine::transform(r.program, [&](const examine::copied& c) {
      const ir::opcode code = c.code();
      if (code == ir::opcode::add || code == ir::opcode::mul)
        return ++changed, pass::apply(code, c.operand(1), c.operand(0));
      if (code == ir::opcode::negate && is_real(c.statement().type)) return ++changed, c.operand(0) * c.number(-1);
      return c.same();
    });
    EXPECT_TRUE(pass::verify(q) == pass::finding());
    EXPECT_TRUE(same_bits(outputs_of(q, r), outputs_of(r.program, r)));
  });
  EXPECT_GT(changed, 100);
}

/// Whether the equations hold at a few elements of each value, whose terms are reads of what the oracle has computed.
void expect_holds(const random_program& r, const oracle::interpretation& known, const examine::index_equations& form,
                  choices& c) {
  scalar_evaluation numbers(r.program, all_families()[r.family].graph, r.env, known, form);
  for (const examine::equation& e : form.equations) {
    const std::int64_t rows = numbers.rows(e.value), width = numbers.width(e.value);
    for (int k = 0; k < 3 && rows * width > 0; ++k) {
      const std::int64_t row = c.below(static_cast<int>(rows)), element = c.below(static_cast<int>(width));
      const auto place = static_cast<std::size_t>(row * width + element), i = static_cast<std::size_t>(e.value);
      EXPECT_TRUE(is_near(numbers.right_side(e, row, element), known.values[i][place],
                          known.magnitudes[i][place] + std::abs(known.values[i][place]), 1e-10))
          << "row " << row << ", element " << element << "\n"
          << examine::to_text(r.program, form).view();
    }
  }
}

TEST(random_examined, are_their_equations_in_indices) {
  long equations = 0, without = 0;
  for_random_programs([&](const random_program& r, choices& c) {
    const ir::program& p = r.program;
    const oracle::interpretation known = oracle::interpret_all(p, all_families()[r.family].graph, r.env);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      try {
        expect_holds(r, known, examine::index_form(p, i), c);
        ++equations;
      } catch (const examine::operation_has_no_index_form& e) {
        EXPECT_TRUE(e.code == ir::opcode::keep_mask || e.code == ir::opcode::training) << e.what();
      }
    }
    for (const ir::output& o : p.outputs) {
      try {
        const examine::index_equations form = examine::index_form_to_inputs(p, o.at);
        expect_holds(r, known, form, c);
        EXPECT_LE(form.terms.size(), 200 * p.size());
        EXPECT_FALSE(examine::to_latex(p, form).view().empty());
      } catch (const examine::operation_has_no_index_form& e) {
        ++without;
      }
    }
  });
  EXPECT_GT(equations, 1000);
  EXPECT_GT(without, 10);
}

/// The outputs of the whole, of parts that run one after the other; run(program, environment).
template <class Run>
std::vector<oracle::array> run_parts(const examine::partitioned& cut, const oracle::environment& env, const Run& run) {
  oracle::environment known = env;
  std::vector<std::vector<oracle::array>> made;
  for (const examine::part& one : cut.parts) {
    made.push_back(run(one.program, known));
    for (int k = 0; k < one.program.outputs.size(); ++k)
      known.inputs[std::string(one.program.outputs[k].name.view())] = made.back()[static_cast<std::size_t>(k)];
  }
  std::vector<oracle::array> outputs;
  for (const examine::part_output& o : cut.outputs)
    outputs.push_back(made[static_cast<std::size_t>(o.part)][static_cast<std::size_t>(o.output)]);
  return outputs;
}

/// How a program is cut: by where values live, by how many sums they are behind, in so many pieces.
sequence<int> parts_by(int rule, const ir::program& p, choices& c) {
  sequence<int> part(p.size(), 0);
  const int length = 1 + c.below(p.size());
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const op::category kind = op::info_of(p[i].code).kind;
    for (int k = 0; k < p[i].arity() && rule != 2; ++k)
      part[i] = std::max(part[i], part[p[i].operands[k]] + (p.operand(p[i], k).where != p[i].where));
    if (rule == 1) part[i] += kind == op::category::aggregate || kind == op::category::pointwise;
    if (rule == 2) part[i] = 100 - i / length;
  }
  return part;
}

/// Cut by each rule, with interpreters.
long expect_the_bits_of_the_whole(const ir::program& p, const graph& g, const oracle::environment& env, choices& c) {
  const std::vector<oracle::array> expected = oracle::interpret(p, g, env);
  const auto interpreted = [&](const ir::program& one, const oracle::environment& bound) {
    verified::look("partition", one);
    return oracle::interpret(one, g, bound);
  };
  long parts = 0;
  for (const int rule : {0, 1, 2}) {
    const sequence<int> part = parts_by(rule, p, c);
    const examine::partitioned cut = examine::partition(p, [&](examine::node n) { return part[n.at]; });
    EXPECT_TRUE(same_bits(run_parts(cut, env, interpreted), expected)) << ir::to_text(p);
    parts += cut.parts.size();
  }
  return parts;
}

/// A canonical program with its gradient, as it is before it is cut in two, and the numbers that it reads; without
/// statements where there is nothing to differentiate.
struct in_training {
  ir::program program{};
  oracle::environment env{};
  std::vector<oracle::array> cotangents{};
  sequence<int> provided{};
  sequence<ir::value_id> required{};
};
in_training trained(const ir::program& p, const graph& g, const oracle::environment& env, choices& c) {
  in_training t;
  t.env = env;
  t.provided = real_outputs(p);
  if (t.provided.empty()) return t;
  t.required = differentiable_inputs(p, t.provided);
  if (t.required.empty()) return t;
  t.program = verified::joint(p, t.provided, t.required);
  const std::vector<oracle::array> outputs = oracle::interpret(p, g, env);
  for (const int k : t.provided) {
    oracle::array d;
    for (std::size_t i = 0; i < outputs[static_cast<std::size_t>(k)].size(); ++i) d.push_back(c.number());
    t.env.inputs["d(output " + std::to_string(k) + ")"] = d;
    t.cotangents.push_back(d);
  }
  return t;
}

/// A program by itself, and as the step of a scan; their gradients have more statements and know scans of scans.
TEST(random_examined, have_gradients_that_are_copied_and_cut) {
  long gradients = 0, of_scans = 0, parts = 0;
  const auto check = [&](const random_program& r, choices& c) {
    const graph& g = all_families()[r.family].graph;
    const scanned scan = scan_of(r, 1 + c.below(3), c.one_in(2), nullptr, c);
    for (const bool repeated : {false, true}) {
      const ir::program p = verified::canonical(repeated ? scan.program : r.program);
      const in_training t = trained(p, g, repeated ? scan.env : r.env, c);
      if (t.program.size() == 0) continue;
      EXPECT_TRUE(examine::transform_with_steps(t.program, [](const examine::copied& one) { return one.same(); }) ==
                  t.program);
      EXPECT_TRUE(examine::are_similar(t.program, pass::reorder_deepest_first(t.program)));
      parts += expect_the_bits_of_the_whole(t.program, g, t.env, c);
      ++(repeated ? of_scans : gradients);
    }
  };
  const long wanted = for_random_programs(check, 60);
  std::cout << gradients << " gradients, " << of_scans << " of scans, in " << parts << " parts\n";
  EXPECT_GT(2 * gradients, wanted);
  EXPECT_GT(2 * of_scans, wanted);
}

/// As pytato's rule has it: what it would store is promised to be, where stg can.
TEST(random_examined, keep_value_and_gradient_when_stored_by_mpms) {
  long stored = 0, gradients = 0;
  const auto check = [&](const random_program& r, choices& c) {
    const graph& g = all_families()[r.family].graph;
    const ir::program p = verified::canonical(r.program);
    ir::program said = p;
    const ir::flags theirs = examine::stored_by_mpms(p);
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (theirs[i] && p[i].where != ir::space::edge && op::info_of(p[i].code).kind != op::category::source)
        said.decide(ir::of_value(ir::decided::stored, i));
    const in_training t = trained(p, g, r.env, c);
    if (t.program.size() == 0) return;
    std::vector<oracle::array> magnitudes;
    const std::vector<oracle::array> expected = oracle::interpret(t.program, g, t.env, &magnitudes);
    if (!are_finite(expected) || !are_finite(magnitudes)) return;
    const pass::differentiated d = verified::differentiated(said, t.provided, t.required);
    for (const ir::program& half : {d.forward, d.gradient}) {
      const pass::plan plan = pipeline::planned(half);
      for (const ir::decision& promise : half.decisions) stored += plan.stored[root_of(half, promise.at)];
    }
    const drafts::batch_limits few{1 + c.below(4), 1 + c.below(4)};
    const std::vector<oracle::array> found = run_drafted(d, g, r.env, t.cotangents, few);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      ASSERT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-12)) << "output " << k << '\n'
                                                                        << ir::to_text(d.gradient);
    ++gradients;
  };
  const long wanted = for_random_programs(check, 200);
  std::cout << gradients << " gradients, " << stored << " values stored as promised\n";
  EXPECT_GT(2 * gradients, wanted);
  EXPECT_GT(stored, gradients);
}

TEST(random_examined, give_the_bits_of_the_whole_in_parts) {
  long parts = 0, drafted = 0;
  for_random_programs([&](const random_program& r, choices& c) {
    const ir::program& p = r.program;
    const graph& g = all_families()[r.family].graph;
    const std::vector<oracle::array> expected = outputs_of(p, r);
    parts += expect_the_bits_of_the_whole(p, g, r.env, c);
    const sequence<int> any = parts_by(1, p, c);
    const examine::partitioned cut = examine::partition(p, [&](examine::node n) { return any[n.at]; });
    const drafts::batch_limits few{1 + c.below(4), 1 + c.below(4)};
    const auto run = [&](const ir::program& one, const oracle::environment& env) {
      return run_drafted(pass::dce(pass::expand(pass::training(one))), g, env, few);
    };
    std::vector<oracle::array> magnitudes;
    oracle::interpret(p, g, r.env, &magnitudes);
    const std::vector<oracle::array> found = run_parts(cut, r.env, run);
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-12)) << "output " << k;
    ++drafted;
  });
  EXPECT_GT(parts, 3 * drafted);
}

/// The program with promises for some of its values.
ir::program promising(ir::program p, ir::decided promise, choices& c) {
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (c.below(3) == 0 && op::info_of(p[i].code).kind != op::category::source) p.decide(ir::of_value(promise, i));
  return p;
}

TEST(random_examined, keep_promises_about_memory_or_refuse_them) {
  long kept = 0, refused = 0, copied = 0;
  for_random_programs([&](const random_program& r, choices& c) {
    const graph& g = all_families()[r.family].graph;
    const ir::program plain = pass::dce(pass::expand(pass::training(r.program)));
    std::vector<oracle::array> magnitudes;
    const std::vector<oracle::array> expected = oracle::interpret(plain, g, r.env, &magnitudes);
    for (const ir::decided promise : {ir::decided::stored, ir::decided::inlined}) {
      const ir::program said = promising(plain, promise, c), p = pass::inline_promised(pass::dce(said));
      verified::look("inline_promised", p);
      copied += p.size() > pass::dce(said).size();
      const pass::plan made = pipeline::planned(p);
      const ir::promises says(p);
      for (ir::value_id i = 0; i < p.size(); ++i) {
        if (!says.is_stored(i) && !says.is_inlined(i)) continue;
        const pass::refused_promise why = pass::refused(p, made, says, i);
        ++(why == pass::refused_promise::none ? kept : refused);
        const ir::value_id root = root_of(p, i);
        const bool is_given = p[root].code == ir::opcode::input || p[root].code == ir::opcode::result;
        if (why == pass::refused_promise::none && !is_given) {
          EXPECT_EQ(made.stored[root] != 0, says.is_stored(i)) << i << '\n' << ir::to_text(p);
        }
      }
      const drafts::batch_limits few{1 + c.below(4), 1 + c.below(4)};
      const std::vector<oracle::array> found = run_drafted(p, g, r.env, few);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-12)) << "output " << k << '\n' << ir::to_text(p);
    }
  });
  EXPECT_GT(kept, 100);
  EXPECT_GT(refused, 100);
  EXPECT_GT(copied, 10);
}

TEST(random_examined, say_which_parts_need_one_another) {
  long circles = 0;
  for_random_programs([&](const random_program& r, choices& c) {
    const ir::program& p = r.program;
    sequence<int> part(p.size(), 0);
    for (int& of : part) of = c.below(3);
    try {
      const examine::partitioned cut = examine::partition(p, [&](examine::node n) { return part[n.at]; });
      for (int k = 0; k < cut.parts.size(); ++k)
        for (const int needed : cut.parts[k].needs) EXPECT_LT(needed, k);
    } catch (const examine::parts_form_a_cycle& e) {
      ++circles;
      const ir::flags used = pass::reachable(p);
      for (int k = 0; k < e.ids.size(); ++k) {  // some statement of the one reads a value of the next
        bool found = false;
        for (ir::value_id i = 0; i < p.size(); ++i)
          for (int n = 0; n < p[i].arity() && used[i]; ++n)
            found = found || (part[i] == e.ids[k] && part[p[i].operands[n]] == e.ids[(k + 1) % e.ids.size()]);
        EXPECT_TRUE(found) << e.what();
      }
    }
  });
  EXPECT_GT(circles, 100);
}

}  // namespace
}  // namespace stg::test::random_examined
