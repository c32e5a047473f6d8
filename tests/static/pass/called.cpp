// Layers that are called: one program for all calls of an equal one, as it is traced and in both halves of training.
#include "symbols.hpp"

#include <stg/op/call.hpp>          // call
#include <stg/analysis/verify.hpp>  // verify
#include <stg/pipeline.hpp>         // canonical, differentiated

namespace stg {

constexpr auto given = vertex_feature<"given", 4>;  // not trained
constexpr auto S = parameter<"S", 4, 4>;
constexpr auto layer = [](auto v, auto h, auto weight) { return tanh(matmul(sum(v.in_edges().src(h)), weight)); };
constexpr auto two_layers = [](auto v) {
  auto h = v(given) * 2.0;
  return mean(sum(call(layer, v, call(layer, v, h + 1.0, S), S), axis<0>), all_vertices);
};

// What is passed has other numbers at each call, and the bodies are equal all the same.
static_assert(trace(two_layers).callees.size() == 1);

// Neither half of training holds programs of the other. The first layer has a gradient of its own: nobody asks for that
// of its features.
constexpr bool each_half_has_its_own() {
  const ir::program p = pipeline::canonical(trace(two_layers));
  const pass::differentiated d = pipeline::differentiated(p, {0}, pass::trainable_inputs(p));
  return pass::verify(d.forward) == pass::finding() && pass::verify(d.gradient) == pass::finding() &&
         d.forward.callees.size() == 1 && d.gradient.callees.size() == 2 && d.gradient.callees[0].outputs.size() == 2 &&
         d.gradient.callees[1].outputs.size() == 1;
}
static_assert(each_half_has_its_own());

// What a sweep of the forward program can sum for the gradient is summed there, in called layers, too: a softmax's
// gradient has no sweep along in-edges left. What a call gives back anyway is not saved once more.
constexpr auto A = parameter<"A", 4>;
constexpr auto attention = [](auto v, auto h, auto weight, auto a) {
  auto e = v.in_edges();
  auto z = matmul(h, weight);
  auto score = leaky_relu(e.src(sum(z * a, axis<0>)) + e.dst(sum(z, axis<0>)), 0.2);
  return elu(sum(softmax(score) * e.src(z)));
};
constexpr auto two_attentions = [](auto v) { return call(attention, v, call(attention, v, v(given), S, A), S, A); };
constexpr int sums_along(const ir::program& p, ir::direction side) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == ir::opcode::sum_edges && s.side() == side;
  return n;
}
constexpr bool gives_twice(const ir::program& p) {
  for (int k = 0; k < p.outputs.size(); ++k)
    for (int other = 0; other < k; ++other)
      if (p.outputs[k].at == p.outputs[other].at) return true;
  return false;
}
constexpr bool are_summed_early() {
  const ir::program p = pipeline::canonical(trace(two_attentions));
  const pass::differentiated d = pipeline::differentiated(p, {0}, pass::trainable_inputs(p));
  if (pass::verify(d.forward) != pass::finding() || pass::verify(d.gradient) != pass::finding()) return false;
  for (const ir::program& g : d.gradient.callees)
    if (sums_along(g, ir::direction::in) != 0 || sums_along(g, ir::direction::out) == 0) return false;
  return d.forward.callees.size() == 1 && sums_along(d.forward.callees[0], ir::direction::in) > 1 &&
         !gives_twice(d.forward.callees[0]);
}
static_assert(are_summed_early());

// A result that the gradient reads is saved by being given back; a layer that gives one twice does so in training, too.
constexpr auto squash = [](auto, auto h) { return tanh(h); };
constexpr auto squash_twice = [](auto, auto h) {
  auto y = tanh(h);
  return std::tuple(y, y);
};
constexpr auto squashed = [](auto v) { return mean(sum(call(squash, v, v(x)), axis<0>), all_vertices); };
constexpr auto squashed_twice = [](auto v) {
  auto [first, second] = call(squash_twice, v, v(x));
  return mean(sum(first * second, axis<0>), all_vertices);
};
constexpr ir::program forward_layer(auto lambda) {
  const ir::program p = pipeline::canonical(trace(lambda));
  return pipeline::differentiated(p, {0}, pass::trainable_inputs(p)).forward.callees[0];
}
static_assert(forward_layer(squashed).outputs.size() == 1);
static_assert(forward_layer(squashed_twice).outputs.size() == 2 && gives_twice(forward_layer(squashed_twice)));

}  // namespace stg
