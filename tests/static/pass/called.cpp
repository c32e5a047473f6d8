// Layers that are called: one program for all calls of an equal one, as it is traced and in both halves of training.
#include "symbols.hpp"

#include <stg/op/call.hpp>      // call
#include <stg/pass/verify.hpp>  // verify
#include <stg/pipeline.hpp>     // canonical, differentiated

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

}  // namespace stg
