// users: what outputs and checks need, and how often a value is read.
#include "../pass/symbols.hpp"

#include <stg/analysis/users.hpp>

namespace stg {

constexpr auto wasteful = [](auto v) {
  named<"unused">(stg::exp(v(x)));
  [[maybe_unused]] auto too = v(y) * 2.0;
  return named<"kept">(v(x) + v(x));
};
constexpr int needed(const ir::program& p) {
  int n = 0;
  for (const unsigned char used : pass::reachable(p)) n += used;
  return n;
}
static_assert(needed(trace(wasteful)) == 2, "x and its sum");

// What is checked before the program runs, and the mask of it.
constexpr bool checks_are_needed() {
  ir::program p = trace([](auto v) { return outputs(cross_entropy(v(x), v(label), v(mask)), v(x)); });
  p.outputs = {p.outputs[1]};
  const ir::flags used = pass::reachable(p);
  return used[p.checks[0].labels] && used[p.checks[0].mask] && needed(p) == 3;
}
static_assert(checks_are_needed());

// Uses are operands of what is used, and outputs: x is added to itself, and read by an exponential that nobody needs.
static_assert(pass::uses_of(trace(wasteful))[input_named(trace(wasteful), "x")] == 2);
static_assert(pass::uses_of(trace(wasteful))[trace(wasteful).outputs[0].at] == 1);
static_assert(pass::uses_of(trace([](auto v) { return outputs(v(x), v(x)); }))[0] == 2);

}  // namespace stg
