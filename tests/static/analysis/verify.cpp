// verify: one program per rule, broken by hand, and programs that keep all of them.
#include "../pass/broken.hpp"

#include <stg/op/call.hpp>
#include <stg/op/scan.hpp>
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

// The step of a gradient has the inputs of its scan's step behind what it carries, in their order, and what that gives
// behind its own results.
constexpr auto each = trainable(over<3>(vertex_feature<"each", 4>));
constexpr auto stepped = [](auto v) {
  auto gain = v(y);
  return scan<3>(
      v, [=](auto v, auto h) { return tanh(h * gain * v(each)); }, v(x));
};
constexpr ir::program with_gradient(auto lambda) {
  const ir::program p = pass::cse(trace(lambda));
  return pass::autodiff(p, {0}, pass::trainable_inputs(p)).program;
}
constexpr ir::value_id gradient_in(const ir::program& p) {
  ir::value_id at = 0;
  while (p[at].code != ir::opcode::scan_gradient) ++at;
  return at;
}
/// Whether a scan's gradient breaks the rule once it is changed by change(program, gradient, its arguments).
constexpr bool is_found(auto change) {
  ir::program p = with_gradient(stepped);
  const ir::value_id at = gradient_in(p);
  if (verify(p) != finding()) return false;
  sequence<ir::value_id> reads = ir::arguments_of(p, p[at]);
  change(p, p.callees[p[at].callee()], reads);
  for (ir::value_id list = p[at].operands[0]; p[list].code == ir::opcode::bind; list = p[list].operands[0]) {
    p.statements[list].operands[1] = reads.back();
    reads.resize(reads.size() - 1);
  }
  const finding found = verify(p);
  return found.what == op::rule::gradient_repeats_its_scan && found.at == at;
}
// It carries the cotangent of h and a sum for gain, and reads h, gain and the step's own of `each`: of which h and gain
// are alike, and the sum and h.
static_assert(is_found([](ir::program&, ir::program&, sequence<ir::value_id>& reads) {
  const ir::value_id h = reads[2];
  reads[2] = reads[3];
  reads[3] = h;
}));
static_assert(is_found([](ir::program&, ir::program&, sequence<ir::value_id>& reads) { reads[3] = reads[1]; }));
static_assert(is_found([](ir::program&, ir::program& step, sequence<ir::value_id>&) { step.forward_outputs = 9; }));
static_assert(is_found([](ir::program&, ir::program& step, sequence<ir::value_id>&) { step.forward_outputs = -1; }));
static_assert(is_found([](ir::program&, ir::program& step, sequence<ir::value_id>&) { step.outputs.resize(2); }));

// A call gives what the called program does: of a scan in it a gradient for each step.
constexpr auto called = [](auto v) { return call([](auto v, auto) { return stepped(v); }, v, v(y)); };
static_assert(verify(with_gradient(called)) == finding());
constexpr bool gives_each_step() {
  const ir::program p = with_gradient(called);
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::result && p.operand(s, 0).code == ir::opcode::scan_gradient && s.is_sequence())
      return true;
  return false;
}
static_assert(gives_each_step());

}  // namespace stg
