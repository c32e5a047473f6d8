// differentiate: connections in constant evaluation, and the calls of a program and its gradient in another.
#include "pass/symbols.hpp"

#include <stg/analysis/verify.hpp>  // verify
#include <stg/differentiate.hpp>    // differentiate
#include <stg/pass/cse.hpp>         // cse
#include <stg/pipeline.hpp>         // canonical

namespace stg {

constexpr auto product = [](auto v) {
  auto in = v(x);
  auto h = tanh(in * v(y));
  return outputs(h * h, in + 1.0);
};
constexpr program_with_gradient of_product(const sequence<int>& provided, keeping keep) {
  const ir::program p = pass::cse(trace(product));
  return differentiate(p, provided, {input_named(p, "y"), input_named(p, "x")}, keep);
}

// Cotangents come first, in the order given; outputs are the required list; every rule is kept.
constexpr bool is_connected(const program_with_gradient& d, int results_read) {
  int read = 0;
  for (const gradient_input& in : d.inputs) read += !in.is_cotangent && in.output >= 0;
  return d.inputs[0].is_cotangent && d.inputs[0].output == 1 && d.inputs[1].is_cotangent && d.inputs[1].output == 0 &&
         !d.inputs[2].is_cotangent && d.results == 2 && d.gradient.outputs.size() == 2 && read == results_read &&
         pass::verify(d.forward) == pass::finding() && pass::verify(d.gradient) == pass::finding();
}
static_assert(is_connected(of_product({1, 0}, keeping::everything), 2));  // tanh(x y) and its square, which is output 0
static_assert(is_connected(of_product({1, 0}, keeping::results), 1));
static_assert(is_connected(of_product({1, 0}, keeping::inputs), 0));
static_assert(is_connected(of_product({1, 0}, keeping::chosen), 2));
static_assert(count_of(of_product({0}, keeping::everything).gradient, ir::opcode::tanh) == 0);
static_assert(count_of(of_product({0}, keeping::inputs).gradient, ir::opcode::tanh) == 1);

// The forward program is the program, with what is saved behind its outputs.
constexpr bool forward_is_longer() {
  const ir::program p = pass::cse(trace(product));
  program_with_gradient d = of_product({0}, keeping::everything);
  if (d.forward.outputs.size() != 3 || d.forward[d.forward.outputs[2].at].code != ir::opcode::tanh) return false;
  d.forward.outputs.resize(2);
  return d.forward == p && of_product({0}, keeping::inputs).forward == p;
}
static_assert(forward_is_longer());

// A cotangent that is not needed is an input all the same.
constexpr bool keeps_unused_cotangents() {
  const ir::program p = pass::cse(trace(product));
  const program_with_gradient d = differentiate(p, {1, 0}, {input_named(p, "y")});
  return d.gradient.inputs.size() == d.inputs.size() && d.inputs[0].is_cotangent && d.inputs[1].is_cotangent &&
         d.gradient.inputs[0].name == text("d(output 1)");
}
static_assert(keeps_unused_cotangents());

// What is not required: as many as possible.
constexpr auto some = [](auto v) { return outputs(floor(v(y)) + v(x), v(label)); };
constexpr bool finds_inputs() {
  const ir::program p = pass::cse(trace(some));
  const program_with_gradient d = differentiate(p);
  return d.required.size() == 1 && d.required[0] == input_named(p, "x") && real_outputs(p).size() == 1;
}
static_assert(finds_inputs());

// A caller passes one value for both parameters: its gradient is the sum of two.
constexpr bool calls() {
  const ir::program p = pass::cse(trace(product));
  const program_with_gradient d =
      differentiate(p, {0}, {input_named(p, "x"), input_named(p, "y")}, keeping::everything);
  ir::program caller = pass::cse(trace([](auto v) { return outputs(v(x) * 2.0, v(y)); }));
  const ir::value_id once = caller.outputs[0].at, other = caller.outputs[1].at;
  sequence<ir::value_id> same{once, once}, two{once, other};
  const ir::value_id first = pass::emit_call(caller, d.forward, same), second = pass::emit_call(caller, d.forward, two);
  if (caller.callees.size() != 1) return false;
  const auto back = [&](ir::value_id call) {
    const ir::value_id h = pass::emit_result(caller, call, 0);
    return pass::emit_call(caller, d.gradient, gradient_arguments(caller, call, d, {h}));
  };
  const ir::value_id of_first = back(first), of_second = back(second);
  const auto one = gradients_of_passed(caller, first, of_first, d);
  const auto both = gradients_of_passed(caller, second, of_second, d);
  if (caller.callees.size() != 2 || pass::verify(caller) != pass::finding()) return false;
  return one.size() == 1 && one[0].of == once && caller[one[0].gradient].code == ir::opcode::add && both.size() == 2 &&
         both[0].of == once && both[1].of == other && caller[both[1].gradient].code == ir::opcode::result;
}
static_assert(calls());

}  // namespace stg
