// Which parts of a program read edges, in constant evaluation: what may be called with a graph for each step, and which
// scans are its steps.
#include <stg/op/list.hpp>           // scan
#include <stg/pass/reads_edges.hpp>  // reads_edges, readings_of_step_graphs
#include <stg/pipeline.hpp>          // canonical

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

}  // namespace
