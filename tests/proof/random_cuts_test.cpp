// Random programs on random cuts of their graphs, one to four ranks: scans, calls and gradients among them, scans whose
// steps have a graph each, and programs over several vertex sets. Any number of ranks gives the same bits, rows of
// other ranks are those of their owners, and all of it is what the whole graph gives. STG_SEED chooses others, STG_CUTS
// how many.
#include "domains.hpp"              // jumps
#include "drafted_calls.hpp"        // drafted_call
#include "for_random_programs.hpp"  // for_random_programs, draw_program
#include "random_kinds.hpp"         // kinds_writer, random_graphs, random_inputs
#include "random_scans.hpp"         // draw_nested, scan_of, with_gradient

#include "../run/support/near.hpp"      // is_near, are_finite
#include "../run/support/verified.hpp"  // canonical, inferred

#include <stg/analysis/reads_edges.hpp>              // readings_of_step_graphs
#include <stg/codegen/column_choice.hpp>             // chosen_column_sweeps
#include <stg/codegen/exchanges.hpp>                 // exchanges_of
#include <stg/codegen/interpreter.hpp>               // interpret
#include <stg/distributed/cut.hpp>                   // cut
#include <stg/distributed/distributed_graph.hpp>     // distributed_graph
#include <stg/distributed/distributed_graphs.hpp>    // distributed_graphs
#include <stg/distributed/distributed_sequence.hpp>  // distributed_sequence
#include <stg/distributed/thread_ranks.hpp>          // run_ranks
#include <stg/ir/print.hpp>                          // to_text
#include <stg/runtime/call_graph.hpp>                // call_graph
#include <stg/runtime/kinds.hpp>                     // find_kinds

#include <gtest/gtest.h>  // TEST

#include <cstring>   // memcmp
#include <iostream>  // cout
#include <memory>    // unique_ptr
#include <optional>  // optional
#include <string>    // string, to_string
#include <vector>    // vector

namespace stg::test::random_cuts {
namespace {

using arrays = std::vector<oracle::array>;

struct counts {
  long programs = 0, gradients = 0, scans = 0, changing = 0, ranks = 0, exchanges = 0, shared = 0, chosen = 0;
};

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// The sizes that a call on the whole graph has.
class whole_call : oracle::bound_program {
 public:
  using bound_program::bound_program;

  std::map<std::string, std::int64_t> known_extents() const { return extents; }
  const oracle::array& input(const ir::statement& s) const { return bound(s); }
  /// Of edges that differ from step to step, rows of all steps are as if there were one.
  std::int64_t steps(const ir::statement& s) const {
    return s.is_sequence() && (env.step_graphs == nullptr || s.where != ir::space::edge) ? length(s.over) : 1;
  }
};

/// A graph, or one for each step: the whole, or what a rank has.
struct called_graphs {
  call_graph on{};
  std::vector<graph> steps{};
  std::vector<kind_rows> kinds{};  // by number, where the program knows any

  void find_kinds_of(const ir::program& p) {
    if (p.kinds.empty()) return;
    kinds.resize(size(p.kinds.size()) + 1);
    find_kinds({p.kinds.begin(), p.kinds.size()}, on.outside(), kinds.data());
  }
  std::int64_t rows_of(const ir::domain& where) const {
    if (where.set != 0) return kinds[size(where.set)].rows;
    if (where != ir::space::edge) return where == ir::space::vertex ? on.outside().vertices() : 1;
    std::int64_t edges = on.outside().edges();
    for (const graph& step : steps) edges += step.edges();
    return edges;
  }
};
struct called_part : called_graphs {
  std::vector<std::int64_t> edges{};  // the number in the whole of each

  explicit called_part(const distributed_graph& part) : called_graphs{part, {}, {}} { add_edges(part, 0); }
  called_part(const distributed_graphs& part, const ir::program& p) : called_graphs{part, {}, {}} { find_kinds_of(p); }
  called_part(distributed_sequence& part, const changing_graph& whole) : called_graphs{part, {}, {}} {
    std::int64_t before = 0;
    for (std::size_t t = 0; t < whole.graphs.size(); before += whole.graphs[t++].edges()) {
      steps.push_back(part.at(static_cast<std::int64_t>(t)));
      add_edges(steps.back(), before);
    }
  }
  std::int64_t number_of(const ir::domain& where, std::int64_t row) const {
    if (where == ir::space::graph) return 0;
    if (where.set != 0) {
      const adjacency& in = kinds[size(where.set)].in;
      return where == ir::space::edge ? in.global_edge(row) : in.global_row(row);
    }
    return where == ir::space::edge ? edges[size(row)] : on.outside().in_edges().global_row(row);
  }

 private:
  void add_edges(const graph& of, std::int64_t before) {
    for (std::int64_t e = 0; e < of.edges(); ++e) edges.push_back(before + of.in_edges().global_edge(e));
  }
};

/// What a rank binds.
oracle::environment bound_to(const called_part& part, const ir::program& p, const called_graphs& g,
                             const oracle::environment& env) {
  const whole_call whole(p, g.on.outside(), env);
  oracle::environment mine = env;
  if (!part.steps.empty()) mine.step_graphs = &part.steps;
  mine.inputs.clear();
  mine.extents = whole.known_extents();
  for (const ir::statement& s : p.statements) {
    if (s.code != ir::opcode::input) continue;
    const oracle::array& all = whole.input(s);
    oracle::array& to = mine.entries[s.entry()] = oracle::array();
    if (s.where == ir::space::graph) {
      to = all;
      continue;
    }
    const std::int64_t steps = whole.steps(s), rows = g.rows_of(s.where), local = part.rows_of(s.where);
    const std::size_t width = rows * steps == 0 ? 0 : all.size() / size(rows * steps);
    for (std::int64_t t = 0; t < steps; ++t)
      for (std::int64_t r = 0; r < local; ++r)
        for (std::size_t f = 0; f < width; ++f)
          to.push_back(all[size(t * rows + part.number_of(s.where, r)) * width + f]);
  }
  return mine;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Puts what a rank gave into what others gave of the whole graph; false: rows that both have differ.
bool put_together(const called_part& part, const ir::program& p, const called_graphs& g, const whole_call& whole,
                  const arrays& of_part, arrays& all, std::vector<std::vector<char>>& is_there) {
  for (int k = 0; k < p.outputs.size(); ++k) {
    const ir::statement& s = p[p.outputs[k].at];
    const oracle::array& mine = of_part[size(k)];
    const std::int64_t steps = whole.steps(s), rows = g.rows_of(s.where), local = part.rows_of(s.where);
    if (mine.empty()) continue;
    const std::size_t width = mine.size() / size(local * steps);
    all[size(k)].resize(size(steps * rows) * width);
    is_there[size(k)].resize(all[size(k)].size());
    for (std::int64_t t = 0; t < steps; ++t)
      for (std::int64_t r = 0; r < local; ++r)
        for (std::size_t f = 0; f < width; ++f) {
          const std::size_t at = size(t * rows + part.number_of(s.where, r)) * width + f;
          const double x = mine[size(t * local + r) * width + f];
          if (is_there[size(k)][at] && !same_bits(all[size(k)][at], x)) return false;
          all[size(k)][at] = x;
          is_there[size(k)][at] = 1;
        }
  }
  return true;
}

/// How many sweeps of a program, without those of its scans, ranks share by columns.
long shared_in(const drafts::made_program& made, const graph& part,
               const std::map<std::string, std::int64_t>& extents) {
  std::vector<std::int64_t> sizes;
  for (const ir::polynomial& e : made.program.extents)
    sizes.push_back(ir::evaluate(e, [&](const text& name) { return extents.at(std::string(name.view())); }));
  sizes.push_back(0);
  return static_cast<long>(codegen::chosen_column_sweeps(made.data, nullptr, -1, made.step_programs.data(),
                                                         {part.ranks(), sizes.data(), &codegen::columns_of_drafts})
                               .size());
}

/// Runs a program on a cut graph, or on a graph that changes.
struct on_ranks {
  const cut& parts;
  const changing_graph* changing;
  int ranks;
  cut_by by;  // of a plain graph
  drafts::batch_limits few;
  std::uint64_t reorder;
  counts& n;

  arrays operator()(const ir::program& of, const oracle::environment& env) const {
    const ir::program p = in_double(of);
    called_graphs g{changing == nullptr ? call_graph(parts.whole()) : call_graph(changing->sequence), {}, {}};
    g.find_kinds_of(p);
    if (changing != nullptr) g.steps = changing->graphs;
    const whole_call whole(p, g.on.outside(), env);
    std::vector<arrays> given(size(ranks));
    std::vector<std::unique_ptr<called_part>> kept(size(ranks));
    const drafts::made_program made(p);
    n.exchanges += static_cast<long>(codegen::exchanges_of(made.data, nullptr, -1, made.step_programs.data()).size());
    std::vector<long> shared(size(ranks));
    run_ranks(ranks,
              [&](communicator& here) {
                const std::size_t me = size(here.rank());
                if (parts.whole().has_kinds()) {
                  kept[me] = std::make_unique<called_part>(distributed_graphs(parts, here), p);
                } else if (changing == nullptr) {
                  kept[me] = std::make_unique<called_part>(distributed_graph(parts, here, by));
                } else {
                  distributed_sequence part(changing->sequence, parts, here);
                  kept[me] = std::make_unique<called_part>(part, *changing);
                }
                const call_graph& on = kept[me]->on;
                shared[me] = shared_in(made, on.outside(), whole.known_extents());
                given[me] = drafted_call(p, on.outside(), bound_to(*kept[me], p, g, env), few, on.steps()).run();
              },
              {.patience = std::chrono::milliseconds(60'000), .reorder = reorder});
    for (const long mine : shared)
      if (mine != shared[0]) throw error("ranks cut other sweeps by columns\n" + ir::to_text(p));
    (by == cut_by::features ? n.shared : n.chosen) += shared[0];
    arrays all(size(p.outputs.size()));
    std::vector<std::vector<char>> is_there(all.size());
    for (std::size_t r = 0; r < kept.size(); ++r)
      if (!put_together(*kept[r], p, g, whole, given[r], all, is_there))
        throw error("a row of rank " + std::to_string(r) + " differs from what another rank has there\n" +
                    ir::to_text(p));
    return all;
  }
};

testing::AssertionResult have_same_bits(const arrays& a, const arrays& b) {
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (a[k].size() != b[k].size())
      return testing::AssertionFailure() << "output " << k << " has " << a[k].size() << " numbers for " << b[k].size();
    for (std::size_t i = 0; i < b[k].size(); ++i)
      if (!same_bits(a[k][i], b[k][i]))
        return testing::AssertionFailure() << "output " << k << ", number " << i << " of " << b[k].size() << " is "
                                           << a[k][i] << " for " << b[k][i];
  }
  return testing::AssertionSuccess();
}

/// Parts at random; of some no vertex may be.
tensor<std::int32_t> drawn_parts(std::int64_t vertices, int parts, choices& c) {
  tensor<std::int32_t> of({vertices});
  const bool in_ranges = c.one_in(3);
  for (std::int64_t v = 0; v < of.size(); ++v)
    of(v) = in_ranges ? static_cast<std::int32_t>(v * parts / of.size()) : static_cast<std::int32_t>(c.below(parts));
  if (of.size() > 0) of(c.below(static_cast<int>(of.size()))) = parts - 1;
  return of;
}
cut drawn_cut(const graph& g, choices& c) {
  const int parts = 1 + c.below(5);
  return cut::of(g, drawn_parts(g.vertices(), parts, c));
}
cut drawn_cut(const graphs& g, choices& c) {
  const int parts = 1 + c.below(5);
  const tensor<std::int32_t> authors = drawn_parts(g.vertices("author"), parts, c),
                             papers = drawn_parts(g.vertices("paper"), parts, c);
  return cut::of(g, {{"author", authors}, {"paper", papers}});
}

void expect_near(const arrays& found, const arrays& expected, const arrays& magnitudes, const ir::program& p) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    ASSERT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-12)) << "output " << k << '\n' << ir::to_text(p);
}

/// Puts values into scopes whose exchanges are sent together, each for itself, or those of the whole.
void merge_some(ir::program& p, choices& c) {
  pass::choices by_others = pass::choices_of(p);
  by_others.merged_exchanges = c.below(2);
  p = pass::with_choices(std::move(p), by_others);
  for (int region = c.below(4); region > 0; --region) {
    const int scope = p.scope_number(text("merged " + std::to_string(region)));
    p.decide(ir::of_scope(ir::decided::merged_exchanges, scope, region));
    for (ir::statement& s : p.statements)
      if (c.one_in(2)) s.scopes = p.set_with(s.scopes, scope);
  }
  for (ir::program& step : p.callees) merge_some(step, c);
}

/// Compares a program on a cut by one rank and by several with what it gives on the whole graph.
void compare(const ir::program& written, const oracle::environment& env, const call_graph& on, const cut& parts,
             const changing_graph* changing, bool is_smooth, choices& c, counts& n) {
  ir::program p = verified::inferred(verified::canonical(written));
  merge_some(p, c);
  ASSERT_EQ(pass::verify(p), pass::finding());
  arrays magnitudes;
  const arrays expected = oracle::interpret(p, on.outside(), env, &magnitudes);
  if (!are_finite(expected) || !are_finite(magnitudes)) return;
  const drafts::batch_limits few{1 + c.below(4), 1 + c.below(4)};
  const bool has_choice = !parts.whole().has_kinds() && changing == nullptr && c.one_in(2);
  const cut_by by = !has_choice ? cut_by::rows : c.one_in(2) ? cut_by::cheapest : cut_by::features;
  const arrays one = on_ranks{parts, changing, 1, by, few, 0, n}(p, env);
  if (is_smooth) expect_near(one, expected, magnitudes, p);  // sums over rows have another order
  if (parts.parts() > 1) {
    const int ranks = 2 + c.below(parts.parts() < 4 ? parts.parts() - 1 : 3);
    const arrays several = on_ranks{parts, changing, ranks, by, few, c.one_in(4) ? 1 + c.next() % 1000 : 0, n}(p, env);
    ASSERT_TRUE(have_same_bits(several, one)) << ranks << " ranks\n" << ir::to_text(p);
    n.ranks += ranks;
  }
  ++n.programs;
}

void check(const random_program& r, choices& c, counts& n) {
  const graph& g = all_families()[r.family].graph;
  scanned of{r.program, r.env};
  const int form = g.edges() > 0 && c.one_in(3) ? 4 : c.below(4);
  std::optional<changing_graph> changing;
  if (form == 4) {
    const std::int64_t steps = 1 + c.below(4);
    changing = some_edges_of(g, steps, c);
    of = scan_of(r, steps, c.one_in(2), &*changing, c);
    of.env.step_graphs = &changing->graphs;
    if (pass::readings_of_step_graphs(verified::canonical(of.program)).wrong != pass::graph_mistake::none) return;
  }
  const call_graph on = changing ? call_graph(changing->sequence) : call_graph(g);
  if (form == 4 && c.one_in(2)) of = with_gradient(of, on.outside(), c);
  if (form == 1) of = scan_of(r, 1 + c.below(3), c.one_in(2), nullptr, c);
  if (form == 2) of = draw_nested(r, c);
  if (form == 3) of = with_gradient(of, g, c);
  const cut parts = drawn_cut(g, c);
  const long before = n.programs;
  compare(of.program, of.env, on, parts, changing ? &*changing : nullptr, !jumps(r.program), c, n);
  n.scans += n.programs > before && (form == 1 || form == 2);
  n.gradients += n.programs > before && form == 3;
  n.changing += n.programs > before && form == 4;
}

void check_kinds(std::uint64_t seed, counts& n) {
  choices c(seed);
  const graphs on = random_kinds::random_graphs(c);
  scanned of{random_kinds::kinds_writer(c).run(), {}};
  of.env = random_kinds::random_inputs(of.program, on, c);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + ir::to_text(of.program));
  const bool differentiates = c.one_in(2);
  if (differentiates) of = with_gradient(of, on, c);
  const cut parts = drawn_cut(on, c);
  const long before = n.programs;
  compare(of.program, of.env, on, parts, nullptr, true, c, n);
  n.gradients += n.programs > before && differentiates;
}

TEST(random_cuts, give_the_bits_of_one_rank) {
  counts n;
  const long wanted = for_random_programs(
      "STG_CUTS", 300, [](choices& c) { return draw_program(c, 1 + c.below(16)); },
      [&](const random_program& r, choices& c) { check(r, c, n); });
  std::cout << n.programs << " programs on cut graphs, " << n.gradients << " with gradients, " << n.scans
            << " with scans or calls, " << n.changing << " on graphs that change, on " << n.ranks
            << " ranks beside one, " << n.exchanges << " exchanges, " << n.shared << " sweeps by columns, " << n.chosen
            << " chosen to be so\n";
  EXPECT_GE(2 * n.programs, wanted);
  EXPECT_GE(n.ranks, n.programs);
  EXPECT_GE(16 * n.shared, n.programs);
  EXPECT_GE(4096 * n.chosen, n.programs);
  EXPECT_GE(6 * n.changing, n.programs);
  EXPECT_GE(n.exchanges, n.programs);
  RecordProperty("programs", static_cast<int>(n.programs));
}

TEST(random_cuts, of_several_sets_give_the_bits_of_one_rank) {
  counts n;
  const long wanted = for_random_seeds("STG_CUTS", 300, [&](std::uint64_t seed) { check_kinds(seed, n); });
  std::cout << n.programs << " programs on cut graphs, " << n.gradients << " with gradients, on " << n.ranks
            << " ranks beside one, " << n.exchanges << " exchanges\n";
  EXPECT_GE(2 * n.programs, wanted);
  EXPECT_GE(n.ranks, n.programs);
  EXPECT_GE(n.exchanges, n.programs);
}

}  // namespace
}  // namespace stg::test::random_cuts
