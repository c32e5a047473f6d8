// differentiate: connections in constant evaluation, and the calls of a program and its gradient in another.
#include "pass/symbols.hpp"

#include <stg/analysis/verify.hpp>  // verify
#include <stg/differentiate.hpp>    // differentiate
#include <stg/gradient.hpp>         // gradient
#include <stg/op/call.hpp>          // call
#include <stg/op/scan.hpp>          // scan
#include <stg/pass/cse.hpp>         // cse
#include <stg/pipeline.hpp>         // canonical

#include <tuple>  // tuple

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

// It is told of: y goes into output 0 alone, x into both.
constexpr bool tells_of_unused_cotangents() {
  const ir::program p = pass::cse(trace(product));
  const auto unused_for = [&](const char* of) {
    return unused_cotangents(differentiate(p, {1, 0}, {input_named(p, of)}));
  };
  return unused_for("y") == sequence<int>{1} && unused_for("x").empty();
}
static_assert(tells_of_unused_cotangents());
// Inputs go by one name each: values of the forward program by their numbers, cotangents of a gradient's own gradient
// apart from those that it takes.
constexpr bool are_named() {
  const program_with_gradient d = of_product({0}, keeping::everything), second = differentiate(d.gradient);
  for (const program_with_gradient* one : {&d, &second}) {
    if (pass::verify(one->forward) != pass::finding() || pass::verify(one->gradient) != pass::finding()) return false;
    for (int e = 0; e < one->inputs.size(); ++e) {
      text number("value ");
      number.append_number(static_cast<std::uint64_t>(one->inputs[e].value));
      const text& name = one->gradient.inputs[e].name;
      if (name.length == 0 || (one->inputs[e].output >= 0 && !one->inputs[e].is_cotangent && name != number))
        return false;
    }
  }
  return d.gradient.inputs[0].name == text("d(output 0)") && second.gradient.inputs[0].name == text("d(output 0)_");
}
static_assert(are_named());

// Scans whose gradient is a value of the program keep what they read, and their numbers.
constexpr auto slopes = [](auto v) {
  auto by_scan = [](auto v) {
    return scan<2>(
        v, [](auto, auto h) { return tanh(h); }, v(x));
  };
  auto by_call = call([](auto, auto h) { return h * h; }, v, v(y));
  auto energy = sum(sum(by_scan(v) * by_call, axis<0>), all_vertices);
  return gradient(energy, v(x)) * gradient(energy, v(y));
};
constexpr bool is_program_itself(keeping keep) {
  const ir::program p = pipeline::canonical(trace(slopes));
  const program_with_gradient d = differentiate(p, {0}, keep);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    ir::statement s = d.forward[i];
    if (ir::is_scan(s.code)) s.set_callee(p[i].callee());  // which collects more
    if (!s.computes_same(p[i])) return false;
  }
  return count_of(p, ir::opcode::scan_gradient) == 2 && pass::verify(d.forward) == pass::finding() &&
         pass::verify(d.gradient) == pass::finding();
}
static_assert(is_program_itself(keeping::chosen) && is_program_itself(keeping::everything) &&
              is_program_itself(keeping::inputs));

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

// Of each call, which output of the called gradient is the gradient of which input of what is called. The second layer
// is given what the first makes; the mask has no gradient, and nobody asks for that of the second weight.
constexpr auto masked = [](auto, auto m, auto h, auto w) { return std::tuple(tanh(h * w), select(m, h, 0.0)); };
constexpr auto two_calls = [](auto v) {
  auto [a, b] = call(masked, v, 0.0 < v(y), v(x), v(y));
  return std::get<0>(call(masked, v, 1.0 < v(y), a + b, v(y) * 2.0));
};
constexpr bool gradients_of_called_inputs_are_known(keeping keep) {
  const ir::program p = pass::cse(trace(two_calls));
  const program_with_gradient d = differentiate(p, {0}, {input_named(p, "x")}, keep);
  if (d.calls.size() != 2 || d.calls[0].call <= d.calls[1].call) return false;
  for (const call_with_gradient& c : d.calls) {
    const ir::program& called = d.forward.callees[d.forward[c.call].callee()];
    const ir::program& back = d.gradient.callees[d.gradient[c.gradient].callee()];
    if (!ir::is_call(d.forward[c.call]) || !ir::is_call(d.gradient[c.gradient]) ||
        c.outputs.size() != called.inputs.size())
      return false;
    int known = 0;
    for (const ir::statement& in : called.statements) {
      if (in.code != ir::opcode::input || c.outputs[in.entry()] < 0) continue;
      const ir::statement& g = back[back.outputs[c.outputs[in.entry()]].at];
      known += g.where == in.where && g.dims == in.dims && g.type == in.type && in.type == f32;
    }
    if (known != 1) return false;
  }
  return true;
}
static_assert(gradients_of_called_inputs_are_known(keeping::chosen));
static_assert(gradients_of_called_inputs_are_known(keeping::inputs));

}  // namespace stg
