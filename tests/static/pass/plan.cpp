// plan: how per-edge values are computed, how long stored ones live, and the number of sweeps over edges of whole
// models.
#include "../../golden/models.hpp"
#include "symbols.hpp"
#include "symbols_of_kinds.hpp"

#include <stg/compile.hpp>
#include <stg/pass/plan.hpp>

namespace stg {

using pass::edge_mode;

constexpr auto scale = vertex_feature<"scale">;

// ---- one loop ----

constexpr edge_mode mode_of(auto program, ir::opcode code) {
  const ir::program p = pass::dce(pass::cse(trace(program)));
  const pass::plan plan = pass::make_plan(p, pass::fuse(p));
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == code) return plan.mode(plan.loops.size() - 1, i);
  return edge_mode::absent;
}
constexpr auto weighted = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(x) * e(w));
};
constexpr auto scores = [](auto v) {
  auto e = v.in_edges();
  return sum(stg::exp(e.src(scale)) * e.src(x));
};
constexpr auto twice = [](auto v) {
  auto e = v.in_edges();
  auto m = e.src(x) * e(w);
  return sum(m) + max(m);
};

static_assert(mode_of(weighted, ir::opcode::gather_src) == edge_mode::leaf, "read from where it lies");
static_assert(mode_of(weighted, ir::opcode::mul) == edge_mode::joined, "computed a register at a time");
static_assert(mode_of(scores, ir::opcode::exp) == edge_mode::across, "narrow and costly: for many edges at once");
static_assert(mode_of(twice, ir::opcode::mul) == edge_mode::rows, "used twice");
static_assert(mode_of(weighted, ir::opcode::sum_edges) == edge_mode::absent, "is not a per-edge value");

// Sums of products with a softmax are divided in the end, where nothing else reads it.
constexpr int divided_sums(auto program) {
  const ir::program p = pass::dce(pass::fold(pass::cse(trace(program))));
  const pass::plan plan = pass::make_plan(p, pass::fuse(p));
  int n = 0, loops = 0;
  for (const pass::planned_result& r : plan.loop_results) {
    if (r.summed_in >= 0) ++loops;
    if (r.over >= 0) ++n;
  }
  return (n > 0) == (loops == 1) ? n : -1;
}
static_assert(divided_sums([](auto v) {
                auto e = v.in_edges();
                return sum(softmax(e(w) + v(scale)) * e.src(x));
              }) == 1);
static_assert(divided_sums([](auto v) {
                auto e = v.in_edges();
                auto a = softmax(e(w) + v(scale));
                return outputs(sum(dropout(a, 0.5) * e.src(x)), sum(e.src(x) * (e(w) * a)), sum(e.src(x)));
              }) == 2,
              "products with whatever else, beside other sums");
static_assert(divided_sums([](auto v) {
                auto e = v.in_edges();
                auto a = softmax(e(w) + v(scale));
                return outputs(sum(a * e.src(x)), sum(a * e(w)));
              }) == 2,
              "a narrow one, beside a wide one");
static_assert(divided_sums([](auto v) {
                auto e = v.in_edges();
                return max(softmax(e(w) + v(scale)) * e.src(x));
              }) == 0,
              "a maximum");
static_assert(divided_sums([](auto v) {
                auto e = v.in_edges();
                auto a = softmax(e(w) + v(scale));
                return outputs(a, sum(a * e.src(x)));
              }) == 0,
              "an edge output");
static_assert(divided_sums([](auto v) {
                auto e = v.in_edges();
                auto a = softmax(e(w) + v(scale));
                return sum(a * a * e.src(x));
              }) == 0,
              "a square");
static_assert(divided_sums([](auto v) {
                auto e = v.in_edges();
                return sum((softmax(e(w) + v(scale)) + 1.0) * e.src(x));
              }) == 0,
              "a sum with something else");
static_assert(divided_sums([](auto v) {
                auto e = v.in_edges();
                auto a = softmax(e(w) + v(scale));
                return sum(a * e.src(sum(a * e.src(x))));
              }) == 1,
              "another sweep takes its own");

// ---- per-vertex work ----

/// How many statements of an operation need no place of their own.
constexpr int in_place(auto program, ir::opcode code) {
  const ir::program p = pass::dce(pass::cse(trace(program)));
  const pass::plan plan = pass::make_plan(p, pass::fuse(p));
  int n = 0;
  for (ir::value_id i = 0; i < p.size(); ++i) n += p[i].code == code && plan.joined[i];
  return n;
}
static_assert(in_place([](auto v) { return relu(stg::exp(v(x)) * v(y)); }, ir::opcode::exp) == 1);
static_assert(in_place([](auto v) { return relu(stg::exp(v(x)) * v(y)); }, ir::opcode::mul) == 1);
static_assert(in_place([](auto v) { return relu(stg::exp(v(x)) * v(y)); }, ir::opcode::relu) == 0, "an output");
static_assert(in_place([](auto v) { return sum(stg::exp(v(x)), axis<0>); }, ir::opcode::exp) == 1, "added up");
static_assert(in_place([](auto v) { return log_sum_exp(v(x) * v(y), axis<0>, keepdim); }, ir::opcode::mul) == 0,
              "read twice");
static_assert(in_place([](auto v) { return stg::exp(v(x)) + stg::exp(v(x)) * v(y); }, ir::opcode::exp) == 0,
              "read by two");
static_assert(in_place([](auto v) { return stg::exp(v(scale)) * v(x); }, ir::opcode::exp) == 0,
              "one number for all features");
static_assert(in_place([](auto v) { return sum(v.in_edges().src(stg::exp(v(x)))); }, ir::opcode::exp) == 0,
              "read by neighbours");
static_assert(in_place([](auto v) { return matmul(stg::exp(v(x)), W); }, ir::opcode::exp) == 0, "read by a product");

// ---- lifetimes ----

constexpr bool stored_values_live_until_their_last_reader() {
  const ir::program p = pass::dce(pass::cse(trace([](auto v) {
    auto first = sum(v.in_edges().src(x));
    return sum(v.in_edges().src(sum(v.in_edges().src(first)))) + first;
  })));
  const pass::plan plan = pass::make_plan(p, pass::fuse(p));
  int n = 0;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    if (p[i].code != ir::opcode::sum_edges || !plan.stored[i]) continue;
    const pass::lifetime& l = plan.lifetimes[i];
    if (l.first != n || l.last != (n == 0 ? 2 : n + 1)) return false;
    ++n;
  }
  return n == 2 && plan.units.size() == 3;
}
static_assert(stored_values_live_until_their_last_reader());

// ---- whole models: a change here is a change of speed and memory ----

template <class P> constexpr int sweeps(pass::sweep_side side) {
  int n = 0;
  for (int u = 0; u < P::plan.unit_count; ++u) n += P::plan.units[u].side == side;
  return n;
}
template <class P> constexpr int loops() { return P::plan.loop_count; }
template <class P> constexpr int stored_per_edge() {
  int n = 0;
  for (int i = 0; i < P::program.size; ++i) n += P::plan.stored[i] && P::program.statements[i].where == ir::space::edge;
  return n;
}

template <const auto& F, int... Entry> struct plans {
  using pair = differentiated<ref<F>, provided<0>, required<Entry...>>;
  using inference = executable<inferred<ref<F>>>;
  using forward = executable<typename pair::forward>;
  using gradient = executable<typename pair::gradient>;
  static constexpr bool nothing_per_edge =
      stored_per_edge<inference>() == 0 && stored_per_edge<forward>() == 0 && stored_per_edge<gradient>() == 0;
};
template <class P> inline constexpr int in_sweeps = sweeps<P>(pass::sweep_side::in);
template <class P> inline constexpr int out_sweeps = sweeps<P>(pass::sweep_side::out);

// Graph convolution: one sweep per layer forward, one per layer backward.
using gcn_layer = plans<golden::gcn_layer>;
static_assert(in_sweeps<gcn_layer::inference> == 1 && out_sweeps<gcn_layer::inference> == 0);
static_assert(in_sweeps<gcn_layer::forward> == 1 && out_sweeps<gcn_layer::forward> == 0);
static_assert(in_sweeps<gcn_layer::gradient> == 0 && out_sweeps<gcn_layer::gradient> == 1);
static_assert(gcn_layer::nothing_per_edge);

using gcn = plans<golden::gcn>;
static_assert(in_sweeps<gcn::inference> == 2 && out_sweeps<gcn::inference> == 0);
static_assert(in_sweeps<gcn::forward> == 2 && out_sweeps<gcn::forward> == 0);
static_assert(in_sweeps<gcn::gradient> == 0 && out_sweeps<gcn::gradient> == 2);
static_assert(gcn::nothing_per_edge);

// No sweep backward where what is aggregated needs no gradient: the features here, and all but the bias below.
constexpr auto aggregate_first = [](auto v) {
  auto n = nn::inverse_sqrt_degree(v);
  return matmul(n * sum(v.in_edges().src(n * v(golden::x))), golden::W1);
};
using aggregated = plans<aggregate_first>;
static_assert(in_sweeps<aggregated::forward> == 1 && out_sweeps<aggregated::forward> == 0);
static_assert(in_sweeps<aggregated::gradient> == 0 && out_sweeps<aggregated::gradient> == 0);

using bias_only = plans<golden::gcn_layer, 2>;
static_assert(canonical<ref<golden::gcn_layer>>::value.inputs[2].name == text("b1"));
static_assert(in_sweeps<bias_only::gradient> == 0 && out_sweeps<bias_only::gradient> == 0);

// Attention: one sweep of two loops per layer forward; backward one along out-edges with one loop, since what belongs
// to the in-edges was summed forward.
using gat_layer = plans<golden::gat_layer>;
static_assert(in_sweeps<gat_layer::inference> == 1 && out_sweeps<gat_layer::inference> == 0);
static_assert(in_sweeps<gat_layer::forward> == 1 && out_sweeps<gat_layer::forward> == 0 &&
              loops<gat_layer::forward>() == 2);
static_assert(in_sweeps<gat_layer::gradient> == 0 && out_sweeps<gat_layer::gradient> == 1 &&
              loops<gat_layer::gradient>() == 1);
static_assert(gat_layer::nothing_per_edge);

using gat = plans<golden::gat>;
static_assert(in_sweeps<gat::inference> == 2 && out_sweeps<gat::inference> == 0);
static_assert(in_sweeps<gat::forward> == 2 && out_sweeps<gat::forward> == 0 && loops<gat::forward>() == 4);
static_assert(in_sweeps<gat::gradient> == 0 && out_sweeps<gat::gradient> == 2 && loops<gat::gradient>() == 2);
static_assert(gat::nothing_per_edge);

// An array with a row per edge where the user asks for one: an edge output, a gradient per edge.
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(e(w)) * e.src(x));
};
static_assert(stored_per_edge<plans<attention>::forward>() == 0);
static_assert(stored_per_edge<plans<attention>::gradient>() == 1);

// Edges of a unit's loops have a number for each relation and side, 0 where they are those of the unit.
constexpr int number_of_edges(pass::sweep_side side, int relation) {
  pass::planned_loop loop;
  loop.side = side;
  loop.relation = relation;
  return loop.edges();
}
constexpr bool edges_have_numbers() {
  using pass::sweep_side;
  const int all[] = {number_of_edges(sweep_side::in, 1), number_of_edges(sweep_side::out, 1),
                     number_of_edges(sweep_side::in, 2), number_of_edges(sweep_side::out, 2)};
  for (const int& one : all)
    for (const int& other : all)
      if (one <= 0 || (&one != &other && one == other)) return false;
  return number_of_edges(sweep_side::in, 0) == 0 && number_of_edges(sweep_side::out, 0) == 0;
}
static_assert(edges_have_numbers());

// A loop says whose edges it goes over, and a unit those of its first loop.
constexpr bool loops_know_their_edges() {
  const ir::program p = pass::dce(pass::cse(trace([](auto g) {
    auto to = g(paper);
    return sum(to.in_edges(writes).src(g(author)(known))) + max(to.out_edges(cites).dst(to(words)));
  })));
  const pass::plan plan = pass::make_plan(p, pass::fuse(p));
  const pass::planned_loop &first = plan.loops[0], &second = plan.loops[1];
  return plan.units.size() == 1 && plan.loops.size() == 2 && plan.units[0].relation == first.relation &&
         plan.units[0].side == first.side && first.relation != 0 && second.relation != 0 &&
         first.relation != second.relation && first.side != second.side;
}
static_assert(loops_know_their_edges());

}  // namespace stg
