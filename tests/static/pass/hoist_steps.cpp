// hoist_steps: what is the same at every step is computed before the scan, once; all else stays in the step.
#include <stg/dsl/trace.hpp>         // trace
#include <stg/gradient.hpp>          // gradient
#include <stg/nn/conv.hpp>           // gcn_conv
#include <stg/op/list.hpp>           // scan
#include <stg/pass/hoist_steps.hpp>  // hoist_steps
#include <stg/pass/verify.hpp>       // verify
#include <stg/pipeline.hpp>          // canonical, joint_passes

namespace {

using namespace stg;

constexpr auto x = over<"T">(vertex_feature<"x", 4>);
constexpr auto s = vertex_feature<"s", 4>;
constexpr auto w = edge_feature<"w">;
constexpr auto W = parameter<"W", 4, 4>;

constexpr int count_of(const ir::program& p, ir::opcode code) {
  int n = 0;
  for (const ir::statement& each : p.statements) n += each.code == code;
  return n;
}
/// How often an operation stands around the only scan of a program, and in its step.
struct places {
  int around = 0, inside = 0;
  constexpr bool operator==(const places&) const = default;
};
constexpr places places_of(const ir::program& p, ir::opcode code) {
  return {count_of(p, code), count_of(p.callees[0], code)};
}
constexpr ir::program canonical(auto lambda) { return pipeline::canonical(trace(lambda)); }
constexpr ir::program joint(auto lambda) {
  const ir::program p = canonical(lambda);
  return pipeline::run<pipeline::joint_passes>(p, pipeline::asked_of(p, {0}, pass::trainable_inputs(p)));
}

// The normalisation of a convolution is a sum over the weights of edges, which a call may have others of at each step.
constexpr auto convolved = [](auto v) {
  auto last = scan<"T">(
      v, [](auto v, auto h) { return tanh(h + nn::gcn_conv(nn::weighted(v, w), v(x), W)); }, zeros<4>(v));
  return sum(sum(square(last), axis<0>), all_vertices);
};
static_assert(pass::verify(canonical(convolved)) == pass::finding());
static_assert(places_of(canonical(convolved), ir::opcode::sum_edges) == places{0, 2});
static_assert(places_of(canonical(convolved), ir::opcode::rsqrt) == places{0, 1});

// A product of what stays the same is made once, and so is its gradient: one product of a sum of cotangents.
constexpr auto shifted = [](auto v) {
  auto last = scan<"T">(
      v, [](auto v, auto h) { return tanh(h * v(x) + matmul(v(s), W)); }, zeros<4>(v));
  return sum(sum(square(last), axis<0>), all_vertices);
};
static_assert(places_of(canonical(shifted), ir::opcode::matmul) == places{1, 0});
static_assert(pass::verify(joint(shifted)) == pass::finding());
static_assert(count_of(joint(shifted), ir::opcode::reduced_matmul) == 1);
static_assert(count_of(joint(shifted).callees[0], ir::opcode::reduced_matmul) == 0 &&
              count_of(joint(shifted).callees[1], ir::opcode::reduced_matmul) == 0);

// What stays: cheap arithmetic, values of edges, random values, and what a carried value or a step's own went into.
constexpr auto left_alone = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        auto e = v.in_edges();
        return h + (v(s) + 1.0) * sum(exp(e(w)) * e.src(x)) + matmul(dropout(v(s), 0.5), W) + matmul(h, W);
      },
      zeros<4>(v));
};
static_assert(places_of(canonical(left_alone), ir::opcode::add).around == 0);
static_assert(places_of(canonical(left_alone), ir::opcode::exp) == places{0, 1});
static_assert(places_of(canonical(left_alone), ir::opcode::keep_mask) == places{0, 1});
static_assert(places_of(canonical(left_alone), ir::opcode::matmul) == places{0, 2});
static_assert(places_of(canonical(left_alone), ir::opcode::sum_edges) == places{0, 1});
// Called plainly there is no mask, but that is known only later: each step keeps its product.
static_assert(pass::verify(pipeline::inferred(canonical(left_alone))) == pass::finding());

// Out of a scan in a scan it goes as far as it is the same, but what reads edges stays within a step of time.
constexpr auto layered = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        return scan<3>(
            v,
            [=](auto v, auto g) {
              return tanh(g + sum(v.in_edges().src(v(x))) + max(v.in_edges().src(s)) + mean(v.in_edges().src(g)));
            },
            h);
      },
      zeros<4>(v));
};
static_assert(pass::verify(canonical(layered)) == pass::finding());
static_assert(count_of(canonical(layered), ir::opcode::max_edges) == 0);
static_assert(count_of(canonical(layered).callees[0], ir::opcode::max_edges) == 1 &&
              count_of(canonical(layered).callees[0], ir::opcode::sum_edges) == 1);
static_assert(count_of(canonical(layered).callees[0].callees[0], ir::opcode::sum_edges) == 1,
              "the mean of what the layers carry");

// Layers within a step have one graph: the normalisation leaves them, and stays in the step.
constexpr auto convolved_layers = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        return scan<3>(
            v, [](auto v, auto g) { return tanh(nn::gcn_conv(nn::weighted(v, w), g, W)); }, h + v(x));
      },
      zeros<4>(v));
};
static_assert(pass::verify(canonical(convolved_layers)) == pass::finding());
static_assert(count_of(canonical(convolved_layers), ir::opcode::sum_edges) == 0);
static_assert(places_of(canonical(convolved_layers).callees[0], ir::opcode::sum_edges) == places{1, 1});
static_assert(places_of(canonical(convolved_layers).callees[0], ir::opcode::rsqrt) == places{1, 0});
static_assert(pass::hoist_steps(canonical(convolved_layers)) == canonical(convolved_layers), "there is no more");

// A derivative that is a value has a step that repeats that of its scan, which stays whole.
constexpr auto penalised = [](auto v) {
  auto last = scan<"T">(
      v, [](auto v, auto h) { return tanh(h * v(x) + matmul(v(s), W)); }, zeros<4>(v));
  auto energy = sum(sum(square(last), axis<0>), all_vertices);
  return energy + sum(sum(square(gradient(energy, W)), axis<0>), axis<0>);
};
static_assert(pass::verify(canonical(penalised)) == pass::finding());
static_assert(count_of(canonical(penalised), ir::opcode::matmul) == 0);

}  // namespace
