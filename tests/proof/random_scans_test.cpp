// Random programs as the step of a scan: outputs that look like an input are carried, other inputs have a value for
// each step or are the same at all, by chance. Through every pass, as a training step, and as a draft, against the
// oracle, which repeats the step as it was written. Some on a graph for each step; those of several steps once more
// with checkpoints.
#include "domains.hpp"              // jumps
#include "drafted_calls.hpp"        // run_drafted
#include "for_random_programs.hpp"  // for_random_programs, draw_program
#include "random_scans.hpp"         // scan_of, some_edges_of

#include "../run/support/near.hpp"  // is_near, are_finite

#include <stg/codegen/interpreter.hpp>   // interpret
#include <stg/ir/print.hpp>              // to_text
#include <stg/analysis/reads_edges.hpp>  // readings_of_step_graphs
#include <stg/analysis/verify.hpp>       // verify
#include <stg/pipeline.hpp>              // canonical
#include <stg/runtime/call_graph.hpp>    // call_graph, graph_sequence

#include <gtest/gtest.h>  // TEST

#include <optional>  // optional
#include <string>    // string
#include <vector>    // vector

namespace stg::test::random_scans {
namespace {

void expect_same(const std::vector<oracle::array>& found, const std::vector<oracle::array>& expected,
                 const std::vector<oracle::array>& magnitudes, const std::string& form, const ir::program& p) {
  for (std::size_t k = 0; k < expected.size(); ++k)
    ASSERT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-9)) << form << ", output " << k << "\n"
                                                                     << ir::to_text(p);
}

/// What the values that are carried are, and how programs were run.
struct counts {
  long programs = 0, carried = 0, gradients = 0, hoisted = 0, split = 0;
  long of_edges = 0, of_graph = 0, integers = 0, changing = 0, with_checkpoints = 0, changing_with_checkpoints = 0;
};
void count_carried(const ir::program& p, counts& n) {
  bool edges = false, graphs = false, integers = false, any = false;
  for (const ir::output& o : p.outputs) {
    const ir::statement& s = p[o.at];
    if (s.code != ir::opcode::result || s.is_sequence()) continue;
    any = true;
    edges = edges || s.where == ir::space::edge;
    graphs = graphs || s.where == ir::space::graph;
    integers = integers || !is_real(s.type);
  }
  n.carried += any;
  n.of_edges += edges;
  n.of_graph += graphs;
  n.integers += integers;
}

/// What the gradient of a training step reads: of the forward program, of the user, and cotangents.
oracle::environment bound_to_gradient(const pass::differentiated& d, const ir::program& p,
                                      const oracle::environment& env, const oracle::environment& cotangents,
                                      const std::vector<oracle::array>& forward) {
  oracle::environment saved = env;
  for (int e = 0; e < d.connections.size(); ++e) {
    const pass::connection& from = d.connections[e];
    if (from.kind == pass::connection_kind::saved) saved.entries[e] = forward[static_cast<std::size_t>(from.index)];
    if (from.kind == pass::connection_kind::input)
      saved.entries[e] = env.inputs.at(std::string(p.inputs[from.index].name.view()));
    if (from.kind == pass::connection_kind::cotangent)
      saved.entries[e] = cotangents.inputs.at("d(output " + std::to_string(from.index) + ")");
  }
  return saved;
}

void check(const random_program& r, std::uint64_t seed, counts& n) {
  choices c(seed);
  const graph& whole = all_families()[r.family].graph;
  const std::int64_t steps = jumps(r.program) ? 1 : 1 + c.below(5);
  const bool backwards = c.one_in(3), changes = !jumps(r.program) && whole.edges() > 0 && c.one_in(2);
  std::optional<changing_graph> changing;
  if (changes) changing = some_edges_of(whole, steps, c);
  scanned s = scan_of(r, steps, backwards, changes ? &*changing : nullptr, c);
  if (changes && pass::readings_of_step_graphs(pipeline::canonical(s.program)).wrong != pass::graph_mistake::none)
    return;
  const call_graph on = changes ? call_graph(changing->sequence) : call_graph(whole);
  const graph& g = on.outside();
  if (changes) s.env.step_graphs = &changing->graphs;
  const auto right = [](const ir::program& p) { ASSERT_EQ(pass::verify(p), pass::finding()) << ir::to_text(p); };
  right(s.program);
  const ir::program p = pipeline::canonical(s.program);
  right(p);
  std::vector<oracle::array> magnitudes;
  const std::vector<oracle::array> expected = oracle::interpret(p, g, s.env, &magnitudes);
  if (!are_finite(expected) || !are_finite(magnitudes)) return;
  constexpr int before_splitting = pipeline::count_of<pipeline::canonical_passes> - 1;
  constexpr int before_hoisting = before_splitting - 1;
  const ir::program in_steps = pipeline::run<pipeline::canonical_passes>(s.program, {}, 0, before_hoisting);
  expect_same(expected, oracle::interpret(in_steps, g, s.env), magnitudes, "with all in its steps", in_steps);
  const ir::program whole_steps = pipeline::run<pipeline::canonical_passes>(s.program, {}, 0, before_splitting);
  n.hoisted += !(whole_steps == in_steps);
  n.split += !(p == whole_steps);
  ++n.programs;
  n.changing += changes && pass::reads_edges(p);
  count_carried(p, n);
  const ir::program masked = pipeline::with_steps(p, [](const ir::program& x) { return pass::inference(x); });
  std::vector<oracle::array> plain_magnitudes;
  const std::vector<oracle::array> plain = oracle::interpret(masked, g, s.env, &plain_magnitudes);
  if (!are_finite(plain)) return;
  const ir::program inferred = pipeline::inferred(p);
  right(inferred);
  expect_same(oracle::interpret(inferred, g, s.env), plain, plain_magnitudes, "inferred", p);
  drafts::batch_limits few;
  few.rows = 1 + c.below(4);
  few.edges = 1 + c.below(4);
  expect_same(run_drafted(inferred, g, s.env, few, on.steps()), plain, plain_magnitudes, "as a draft", p);

  const differentiable_part part = differentiable_part_of(p);
  if (part.outputs.empty() || part.inputs.empty()) return;
  sequence<int> provided;
  for (const int k : part.outputs) provided.push_back(k);
  ir::program asked = p;
  const pass::joint_program joint = pass::autodiff(p, provided, part.inputs);
  right(joint.program);
  oracle::environment bound = s.env;
  for (int nth = 0; nth < joint.cotangents.size(); ++nth) {
    const ir::statement& of = joint.program[joint.cotangents[nth]];
    oracle::array numbers;
    const std::size_t k = static_cast<std::size_t>(provided[nth]);
    for (std::size_t i = 0; i < expected[k].size(); ++i)
      numbers.push_back(0.1 * (1 + c.below(9)) * (c.one_in(2) ? 1 : -1));
    bound.inputs[std::string(joint.program.inputs[of.entry()].name.view())] = numbers;
  }
  std::vector<oracle::array> all_magnitudes;
  const std::vector<oracle::array> all = oracle::interpret(joint.program, g, bound, &all_magnitudes);
  if (!are_finite(all) || !are_finite(all_magnitudes)) return;
  ++n.gradients;
  const pass::differentiated d = pipeline::differentiated(p, provided, part.inputs);
  right(d.forward);
  right(d.gradient);
  const auto run = [&](const auto& interpret, const std::string& form) {
    const std::vector<oracle::array> forward = interpret(d.forward, s.env);
    const oracle::environment saved = bound_to_gradient(d, p, s.env, bound, forward);
    std::vector<oracle::array> found(forward.begin(), forward.begin() + p.outputs.size());
    for (const oracle::array& a : interpret(d.gradient, saved)) found.push_back(a);
    expect_same(found, all, all_magnitudes, form, p);
  };
  run([&](const ir::program& x, const oracle::environment& env) { return oracle::interpret(x, g, env); },
      "in training");
  run([&](const ir::program& x, const oracle::environment& env) { return run_drafted(x, g, env, few, on.steps()); },
      "in training as a draft");
  if (steps < 2) return;
  const std::int64_t every = 1 + c.below(static_cast<int>(steps) - 1);
  ++n.with_checkpoints;
  n.changing_with_checkpoints += changes && pass::reads_edges(p);
  expect_same(
      run_with_checkpoints(d, g, s.env, bound_to_gradient(d, p, s.env, bound, oracle::interpret(d.forward, g, s.env)),
                           every, few, on.steps()),
      all, all_magnitudes, "with checkpoints every " + std::to_string(every) + " steps", p);
}

TEST(random_scans, compute_what_their_steps_do_one_after_the_other) {
  counts n;
  const auto draw = [](choices& c) {
    program_limits limits;
    limits.statements = 24;
    limits.width = 24;
    const int genes =
        c.one_in(2) ? 4 + c.below(12) : 1 + c.below(4);  // short ones jump less, and so have several steps
    return draw_program(c, genes, limits);
  };
  const long wanted = for_random_programs("STG_SCANS", 2000, draw, [&](const random_program& r, choices& c) {
    try {
      check(r, c.next(), n);
    } catch (const op::rule_is_broken& e) {
      ADD_FAILURE() << "a pass breaks rule " << static_cast<int>(e.what);
    }
  });
  std::cout << n.programs << " scans, " << n.carried << " that carry a value, " << n.gradients << " with gradients, "
            << n.with_checkpoints << " with checkpoints; " << n.of_edges << " carry values of edges, " << n.of_graph
            << " of the graph, " << n.integers << " integers; " << n.changing << " on a graph that changes, "
            << n.changing_with_checkpoints << " with checkpoints; " << n.split << " in parts\n";
  EXPECT_GE(n.programs, wanted / 3);
  EXPECT_GE(n.carried, wanted / 10);
  EXPECT_GE(n.hoisted, wanted / 20);  // something is the same at every step
  EXPECT_GE(n.split, wanted / 20);
  EXPECT_GE(n.gradients, wanted / 10);
  EXPECT_GE(n.with_checkpoints, wanted / 40);
  EXPECT_GE(n.changing, wanted / 40);
  EXPECT_GE(n.changing_with_checkpoints, wanted / 100);
  EXPECT_GE(n.of_edges, wanted / 200);
  EXPECT_GE(n.of_graph, wanted / 200);
  EXPECT_GE(n.integers, wanted / 400);
}

}  // namespace
}  // namespace stg::test::random_scans
