// Calls in constant evaluation: equal layers are one program, whatever they are passed; its gradient is one, too.
#include "../pass/symbols.hpp"

#include <stg/pass/inline.hpp>
#include <stg/pass/verify.hpp>
#include <stg/pipeline.hpp>

namespace stg {

constexpr auto V = parameter<"V", 4, 4>;
constexpr auto U = parameter<"U", 4, 4>;
constexpr auto layer = [](auto v, auto h, auto M) { return tanh(matmul(mean(v.in_edges().src(h)), M)) + h; };

constexpr auto called = [](auto v) { return call(layer, v, call(layer, v, call(layer, v, v(x), V), U), V); };
constexpr auto written = [](auto v) { return layer(v, layer(v, layer(v, v(x), V), U), V); };

constexpr ir::program joint_of(const ir::program& from) {
  return pipeline::run<pipeline::joint_passes>(from, pipeline::asked_of(from, {0}, pass::trainable_inputs(from)));
}
constexpr bool are_one() {
  const ir::program q = pipeline::canonical(trace(called));
  const ir::program both = joint_of(q);
  return pass::verify(trace(called)) == pass::finding() && pass::verify(q) == pass::finding() &&
         q.callees.size() == 1 && count_of(q, ir::opcode::scan) == 3 && pass::verify(both) == pass::finding() &&
         count_of(both, ir::opcode::scan) == 6 && both.callees.size() == 2;
}
static_assert(are_one());

// Written in their places they are what is written out.
constexpr bool are_inlined() {
  const ir::program q = pass::order(pass::inline_calls(pipeline::canonical(trace(called))));
  return q == pass::order(pipeline::canonical(trace(written)));
}
static_assert(are_inlined());

// Masks of two calls differ, so their programs do.
constexpr auto drops = [](auto, auto h) { return dropout(h, 0.5); };
constexpr auto dropped = [](auto v) { return call(drops, v, call(drops, v, v(x))); };
static_assert(pipeline::canonical(trace(dropped)).callees.size() == 2);

}  // namespace stg
