// dce: keeps what an output or a check needs and nothing else; names of dropped values go.
#include "symbols.hpp"

#include <stg/op/call.hpp>
#include <stg/pass/dce.hpp>

namespace stg {

constexpr auto wasteful = [](auto v) {
  named<"unused">(stg::exp(v(x)));
  [[maybe_unused]] auto too = v(y) * 2.0;
  return named<"kept">(v(x) + v(x));
};
constexpr auto frugal = [](auto v) { return v(x) + v(x); };
static_assert(pass::dce(trace(wasteful)).size() == trace(frugal).size());
static_assert(pass::dce(trace(wasteful)).names.size() == 1 && pass::dce(trace(wasteful)).names[0].name == text("kept"));
static_assert(pass::dce(trace(frugal)) == trace(frugal));
static_assert(count_of(pass::dce(trace(wasteful)), ir::opcode::input) == 1);
static_assert(pass::dce(trace(wasteful)).inputs.size() == 2, "entries stay, so that bindings keep their places");

// What is checked before the program runs is needed, though no output depends on it any more.
constexpr bool checks_are_kept() {
  ir::program p = trace([](auto v) { return outputs(cross_entropy(v(x), v(label), v(mask)), v(x)); });
  p.outputs = {p.outputs[1]};
  const ir::program q = pass::dce(p);
  return q.size() == 3 && q[q.checks[0].labels].type == i32 && q[q.checks[0].mask].type == boolean;
}
static_assert(checks_are_kept());
constexpr bool masks_of_checks_are_kept() {
  ir::program p = trace([](auto v) { return outputs(cross_entropy(v(x), v(label), v(mask)), v(x)); });
  p.outputs = {p.outputs[1]};
  p.checks = {p.checks[0]};  // the other one is of the mask itself
  const ir::program q = pass::dce(p);
  return q.size() == 3 && q[q.checks[0].mask].type == boolean;
}
static_assert(masks_of_checks_are_kept());

// What only an unread call names is no part of the program any more.
constexpr bool unread_callees_go() {
  constexpr auto layer = [](auto, auto h) { return h * 2.0; };
  ir::program p = trace([=](auto v) { return outputs(v(x) + 1.0, call(layer, v, v(x))); });
  const bool one = p.callees.size() == 1 && pass::dce(p).callees.size() == 1;
  p.outputs = {p.outputs[0]};
  return one && pass::dce(p).callees.empty();
}
static_assert(unread_callees_go());

}  // namespace stg
