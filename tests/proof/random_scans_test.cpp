// Random programs as the step of a scan: outputs that look like an input are carried, other inputs have a value for
// each step or are the same at all, by chance. Through every pass, as a training step, and as a draft, against the
// oracle, which repeats the step as it was written. Some on a graph for each step; those of several steps once more
// with checkpoints.
#include "domains.hpp"              // jumps
#include "for_random_programs.hpp"  // for_random_programs, draw_program
#include "program_forms.hpp"        // check_forms
#include "random_scans.hpp"         // scan_of, some_edges_of

#include <stg/codegen/interpreter.hpp>   // interpret
#include <stg/analysis/reads_edges.hpp>  // readings_of_step_graphs
#include <stg/pipeline.hpp>              // canonical
#include <stg/runtime/call_graph.hpp>    // call_graph, graph_sequence

#include <gtest/gtest.h>  // TEST

#include <optional>  // optional
#include <vector>    // vector

namespace stg::test::random_scans {
namespace {

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
  if (changes) s.env.step_graphs = &changing->graphs;
  const forms_tried tried = check_forms(s, on, steps, c);
  if (!tried.canonical) return;
  const ir::program p = pipeline::canonical(s.program);
  std::vector<oracle::array> magnitudes;
  const std::vector<oracle::array> expected = oracle::interpret(p, on.outside(), s.env, &magnitudes);
  constexpr int before_splitting = pipeline::count_of<pipeline::canonical_passes> - 1;
  constexpr int before_hoisting = before_splitting - 1;
  const ir::program in_steps = pipeline::run<pipeline::canonical_passes>(s.program, {}, 0, before_hoisting);
  expect_near(oracle::interpret(in_steps, on.outside(), s.env), expected, magnitudes, "with all in its steps",
              in_steps);
  const ir::program whole_steps = pipeline::run<pipeline::canonical_passes>(s.program, {}, 0, before_splitting);
  n.hoisted += !(whole_steps == in_steps);
  n.split += !(p == whole_steps);
  ++n.programs;
  n.gradients += tried.training;
  n.with_checkpoints += tried.checkpoints;
  n.changing += changes && pass::reads_edges(p);
  n.changing_with_checkpoints += tried.checkpoints && changes && pass::reads_edges(p);
  count_carried(p, n);
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
  const long wanted =
      for_random_programs("STG_SCANS", 2000, draw, [&](const random_program& r, choices& c) { check(r, c.next(), n); });
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
