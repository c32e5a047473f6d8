// verify: one program per rule, broken by hand, and programs that keep all of them.
#include "../pass/broken.hpp"

#include <stg/op/call.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>

namespace stg {

using pass::finding;
using pass::verify;

/// The first example that is not found as it should be, or -1.
constexpr int first_wrong() {
  int k = 0;
  for (const broken::example& e : broken::examples) {
    const finding found = verify(e.program());
    if (found.what != e.what || found.at != e.at) return k;
    ++k;
  }
  return -1;
}
template <int Wrong> struct example_is_not_found_as_it_should_be { static_assert(Wrong == -1); };
template struct example_is_not_found_as_it_should_be<first_wrong()>;

constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  auto alpha = softmax(leaky_relu(e.src(v(x)) + v(y), 0.2));
  return sum(alpha * e.src(v(x)) * e(w));
};
static_assert(verify(trace(attention)) == finding());
constexpr bool gradients_keep_the_rules() {
  const ir::program p = pass::cse(trace(attention));
  return verify(pass::autodiff(p, {0}, pass::trainable_inputs(p)).program) == finding();
}
static_assert(gradients_keep_the_rules());

// Run-time extents, as far as they can be compared.
constexpr auto z = vertex_feature<"z", extent<"F">, extent<"G">>;
constexpr auto extents = [](auto v) {
  auto flat = reshape<extent<"G"> * extent<"F">>(v(z));
  return concat<axis<0>>(flat, concat<axis<0>>(v(x), flat));
};
static_assert(verify(trace(extents)) == finding());

// Four hundred statements in one constant expression.
constexpr auto deep = [](auto v) {
  auto h = v(x);
  for (int layer = 0; layer < 100; ++layer) h = relu(sum(v.in_edges().src(h) * 0.5));
  return h;
};
static_assert(verify(trace(deep)) == finding());

// A call gives what the called program does: of a scan in it a gradient for each step.
constexpr auto called = [](auto v) { return call([](auto v, auto) { return broken::stepped(v); }, v, v(y)); };
static_assert(verify(broken::with_gradient(called)) == finding());
constexpr bool gives_each_step() {
  const ir::program p = broken::with_gradient(called);
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::result && p.operand(s, 0).code == ir::opcode::scan_gradient && s.is_sequence())
      return true;
  return false;
}
static_assert(gives_each_step());

}  // namespace stg
