// Which parts of a program read edges, in constant evaluation: what may be called with a graph for each step, and which
// scans are its steps.
#include <stg/ir/frozen.hpp>             // stored
#include <stg/op/list.hpp>               // scan
#include <stg/analysis/reads_edges.hpp>  // reads_edges, readings_of_step_graphs
#include <stg/pipeline.hpp>              // canonical

#include <stg/dsl/trace.hpp>  // trace

namespace {

using namespace stg;
using pass::graph_mistake;

constexpr auto x = vertex_feature<"x">;
constexpr auto w = over<"T">(edge_feature<"w">);
constexpr auto k = over<"H">(parameter<"k">);
constexpr auto one = edge_feature<"one">;

constexpr auto heard = [](auto v, auto h) {
  auto e = v.in_edges();
  return tanh(h + sum(e(w) * e.src(h)));
};
template <const auto& F> constexpr pass::step_graph_readings readings() {
  return pass::readings_of_step_graphs(pipeline::canonical(trace(F)));
}
template <const auto& F> constexpr graph_mistake wrong() { return readings<F>().wrong; }

// The scan over T is one of graphs, that over H reads no edges, and one within it sees what it does.
constexpr auto right = [](auto v) {
  auto layers = [](auto v, auto h) {
    return scan<3>(
        v, [](auto v, auto h) { return h + mean(v.out_edges().dst(h)); }, heard(v, h));
  };
  return scan<"H">(
      v, [](auto, auto h) { return h * k; }, scan<"T">(v, layers, v(x)));
};
static_assert(wrong<right>() == graph_mistake::none);
static_assert(readings<right>().steps.size() == 1 && readings<right>().steps[0] != ir::extent(3));
static_assert(pass::reads_edges(trace(right)));

// Degrees are read of edges, too, and in a scan within a step as well.
constexpr auto counted = [](auto v) {
  auto within = [](auto v, auto h) {
    return scan<3>(
        v, [](auto v, auto h) { return h + cast<f32>(v.in_degree()); }, h);
  };
  return scan<5>(v, within, v(x));
};
static_assert(wrong<counted>() == graph_mistake::none);
static_assert(readings<counted>().steps.size() == 1 && readings<counted>().steps[0] == ir::extent(5));

// Where there is no step, there is no graph; a feature of all steps' edges is said to be one.
constexpr auto outside = [](auto v) { return scan<"T">(v, heard, sum(v.in_edges().src(x))); };
constexpr auto degree = [](auto v) { return scan<"T">(v, heard, v(x) / cast<f32>(v.in_degree() + 1)); };
constexpr auto same = [](auto v) {
  return scan<5>(
      v, [](auto v, auto h) { return h + sum(v.in_edges()(one)); }, v(x));
};
static_assert(wrong<outside>() == graph_mistake::outside_of_scans &&
              wrong<degree>() == graph_mistake::outside_of_scans);
static_assert(wrong<same>() == graph_mistake::same_at_every_step);

// Values of all steps' edges are read by the steps that have these edges.
constexpr auto within = [](auto v) {
  return scan<"T">(
      v, [](auto v, auto h) { return scan<"T">(v, heard, h); }, v(x));
};
static_assert(wrong<within>() == graph_mistake::within_a_step);

// A program that reads no edges has none of these steps.
constexpr auto alone = [](auto v) {
  return scan<"H">(
      v, [](auto, auto h) { return h * k; }, v(x));
};
static_assert(wrong<alone>() == graph_mistake::none && readings<alone>().steps.empty());
static_assert(!pass::reads_edges(trace(alone)));

// Of a frozen program it is said as of the program, of what it calls, too.
template <const auto& F> struct made {
  static constexpr ir::program make() { return pipeline::canonical(trace(F)); }
};
template <const auto& F> constexpr bool frozen_reads_edges() { return pass::reads_edges(ir::stored<made<F>>::value); }
constexpr auto degrees = [](auto v) { return v.in_degree(); };
constexpr auto degrees_in_steps = [](auto v) {
  return scan<5>(
      v, [](auto v, auto h) { return cast<f32>(v.in_degree()) * h; }, v(x));
};
constexpr auto arithmetic = [](auto v) { return tanh(v(x)); };
static_assert(frozen_reads_edges<degrees>() && frozen_reads_edges<degrees_in_steps>());
static_assert(!frozen_reads_edges<arithmetic>() && !frozen_reads_edges<alone>());

// Equal numbers of steps are asked for once, wherever they stand.
constexpr auto by_degree = [](auto v, auto h) { return h * cast<f32>(v.in_degree()); };
constexpr auto three = [](auto v) { return scan<"T">(v, heard, scan<5>(v, by_degree, scan<"T">(v, heard, v(x)))); };
static_assert(wrong<three>() == graph_mistake::none && readings<three>().steps.size() == 2);

// A feature of all steps' edges is named whatever else is wrong, and wherever it stands.
constexpr auto and_outside = [](auto v) {
  auto step = [](auto v, auto h) { return h + sum(v.in_edges()(one)); };
  return scan<5>(v, step, sum(v.in_edges()(one) * v.in_edges().src(x)));
};
constexpr auto after_outside = [](auto v) {
  auto step = [](auto v, auto h) { return h + sum(v.in_edges()(one)); };
  return scan<5>(v, step, sum(v.in_edges().src(x)));
};
constexpr auto and_within = [](auto v) {
  auto step = [](auto v, auto h) { return scan<"T">(v, heard, h); };
  return scan<"T">(v, step, sum(v.in_edges()(one)));
};
static_assert(wrong<and_outside>() == graph_mistake::same_at_every_step &&
              wrong<after_outside>() == graph_mistake::same_at_every_step &&
              wrong<and_within>() == graph_mistake::same_at_every_step);

// Steps may read all of what has no edges, and make a value of edges for each step of theirs.
constexpr auto all_of_k = [](auto v) {
  auto step = [](auto v, auto h) {
    return scan<"H">(
        v, [](auto, auto h) { return h * k; }, heard(v, h));
  };
  return scan<"T">(v, step, v(x));
};
static_assert(wrong<all_of_k>() == graph_mistake::none);
constexpr bool may_make_sequences() {
  ir::program p = pipeline::canonical(trace(right));
  for (ir::program& step : p.callees)
    for (ir::statement& s : step.statements)
      if (s.where == ir::space::edge && s.code != ir::opcode::input) s.over = ir::extent(3);
  return pass::readings_of_step_graphs(p).wrong == graph_mistake::none;
}
static_assert(may_make_sequences());

}  // namespace
