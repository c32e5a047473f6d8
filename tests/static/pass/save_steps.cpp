// save_steps: what the steps of a scan save, and what is left of those of its gradient; or these, run again as a whole.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/gradient.hpp>    // gradient
#include <stg/ir/callees.hpp>  // arguments_of
#include <stg/op/call.hpp>
#include <stg/pass/save_steps.hpp>
#include <stg/pipeline.hpp>  // canonical, inferred

namespace stg {

constexpr auto steps = over<"T">(vertex_feature<"steps", 4>);
constexpr auto rows = over<"H">(vertex_feature<"rows", 4>);
constexpr auto first = vertex_feature<"first", 4>;
constexpr auto Q = parameter<"Q", 4, 4>;

constexpr ir::program joint_of(auto lambda) {
  const ir::program p = pipeline::canonical(trace(lambda));
  return pass::autodiff(p, {0}, pass::trainable_inputs(p)).program;
}
constexpr ir::program with_saved_steps(auto lambda) { return pass::save_steps(joint_of(lambda)); }
constexpr auto total = [](auto h) { return sum(sum(h, axis<0>), all_vertices); };

/// The steps of a scan and of its gradient.
struct both_steps {
  ir::program forward{}, gradient{};
};
constexpr both_steps steps_of(const ir::program& p) {
  both_steps found;
  bool is_second = false;
  for (const ir::statement& s : p.statements) {
    if (!ir::is_scan(s.code)) continue;
    (is_second ? found.gradient : found.forward) = p.callees[s.callee()];
    is_second = true;
  }
  return found;
}

// The forward step gives its state, the one it began with, and the hyperbolic tangent; its inputs stay. The gradient's
// gives the cotangent of the state and the sum for Q.
constexpr auto recurrent = [](auto v) {
  auto step = [](auto v, auto h) { return tanh(matmul(h, Q) + v(steps)) * 0.5; };
  return total(scan<"T">(v, step, v(first)));
};
constexpr bool is_cut() {
  const ir::program p = with_saved_steps(recurrent);
  const both_steps made = steps_of(p);
  return pass::verify(p) == pass::finding() && count_of(p, ir::opcode::scan_gradient) == 0 &&
         count_of(p, ir::opcode::scan) == 2 && made.forward.outputs.size() == 3 && made.forward.inputs.size() == 3 &&
         made.forward.forward_outputs == 0 && made.gradient.outputs.size() == 2 && made.gradient.forward_outputs == 0 &&
         count_of(made.gradient, ir::opcode::tanh) == 0;
}
static_assert(is_cut());

// What a call saves that it gives back anyway is that result; the rest of what its gradient reads are the call's own.
constexpr auto reads_its_result = [](auto v) {
  auto layer = [](auto, auto h, auto by) { return exp(h * by); };
  return total(call(layer, v, v(x), v(y)));
};
constexpr bool is_given_what_it_reads() {
  const ir::program p = with_saved_steps(reads_its_result);
  ir::value_id gradient = p.size() - 1;
  while (!ir::is_scan(p[gradient].code)) --gradient;
  int of_x = 0, of_y = 0, results = 0;
  const sequence<ir::value_id> passed = ir::arguments_of(p, p[gradient]);
  for (const ir::value_id i : passed) {
    of_x += i == input_named(p, "x");
    of_y += i == input_named(p, "y");
    results += p[i].code == ir::opcode::result && p[i].output() == 0;
  }
  return passed.size() == 4 && of_x == 1 && of_y == 1 && results == 1 && pass::verify(p) == pass::finding();
}
static_assert(is_given_what_it_reads());

// Where steps of steps would have to save, the step is made again, and nothing but the gradient comes out of it.
constexpr auto nested = [](auto v) {
  auto layer = [](auto, auto g) { return tanh(matmul(g, Q)); };
  return total(scan<"T">(
      v, [=](auto v, auto h) { return scan<3>(v, layer, h); }, v(first)));
};
constexpr bool is_run_again() {
  const ir::program p = with_saved_steps(nested);
  const both_steps made = steps_of(p);
  return pass::verify(p) == pass::finding() && count_of(p, ir::opcode::scan_gradient) == 0 &&
         made.gradient.outputs.size() == 2 && made.gradient.forward_outputs == 0 &&
         pass::dce(made.gradient) == made.gradient;
}
static_assert(is_run_again());

// A value for each step of steps that nobody saves does not keep a step from being cut.
constexpr auto reads_rows = [](auto v) {
  auto layer = [](auto v, auto g) { return g * 0.5 + v(rows); };
  return total(scan<"T">(
      v, [=](auto v, auto h) { return tanh(matmul(h, Q)) + detach(scan<"H">(v, layer, h)); }, v(first)));
};
static_assert(count_of(steps_of(with_saved_steps(reads_rows)).forward, ir::opcode::scan) == 1 &&
              count_of(steps_of(with_saved_steps(reads_rows)).gradient, ir::opcode::tanh) == 0);

// A state of which the gradient's step has lost the reading is not collected by name: the step is made again.
constexpr bool is_left_whole() {
  ir::program p = joint_of(recurrent);
  int state = -1;
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::scan_gradient) {
      ir::program step = p.callees[s.callee()];
      state = s.carried();
      for (ir::statement& in : step.statements)
        if (in.code == ir::opcode::input && in.entry() == state) in.set_entry(0);  // the cotangent, of the same kind
      p.callees[s.callee()] = step;
    }
  const ir::program q = pass::save_steps(p);
  return steps_of(q).forward == steps_of(p).forward && count_of(steps_of(q).gradient, ir::opcode::tanh) == 1;
}
static_assert(is_left_whole());

// Of several gradients of a scan one is cut with it; a gradient before `first` is a value of the program, and stays.
constexpr auto slope = [](auto v) {
  auto step = [](auto v, auto h) { return tanh(matmul(h, Q) + v(steps)); };
  auto energy = total(scan<"T">(v, step, v(first)));
  return energy + sum(sum(square(gradient(energy, Q)), axis<0>), axis<0>);
};
constexpr bool cuts_one() {
  const ir::program joint = joint_of(slope), p = pass::save_steps(joint);
  return count_of(joint, ir::opcode::scan) == 1 && count_of(joint, ir::opcode::scan_gradient) == 3 &&
         count_of(p, ir::opcode::scan) == 4 && count_of(p, ir::opcode::scan_gradient) == 0 &&
         pass::verify(joint) == pass::finding() && pass::verify(p) == pass::finding();
}
static_assert(cuts_one());
constexpr bool leaves_the_first() {
  ir::program joint = joint_of(slope);
  const ir::program of = pipeline::canonical(trace(slope));
  for (ir::value_id i = 0; i < of.size(); ++i)  // else dce drops some
    if (!ir::is_part_of_scan(of[i].code)) joint.outputs.push_back(ir::output{i, {}});
  const ir::program p = pass::save_steps(joint, {}, of.size());
  return count_of(p, ir::opcode::scan_gradient) == 1 && count_of(p, ir::opcode::scan) == 3 &&
         pass::verify(p) == pass::finding();
}
static_assert(leaves_the_first());
// Called plainly the same is cut: the steps of its gradient make nothing anew.
constexpr bool is_cut_in_inference() {
  const ir::program p = pipeline::inferred(pipeline::canonical(trace(slope)));
  return pass::verify(p) == pass::finding() && count_of(p, ir::opcode::scan) == 2 &&
         count_of(p, ir::opcode::scan_gradient) == 0 && count_of(steps_of(p).gradient, ir::opcode::tanh) == 0;
}
static_assert(is_cut_in_inference());

// A program without a gradient stays as it is, with what nobody reads.
constexpr bool stays() {
  ir::program p = pass::order(trace([](auto v) { return outputs(v(x) + 1.0, tanh(v(y))); }));
  p.outputs.resize(1);
  return pass::save_steps(p) == p;
}
static_assert(stays());

}  // namespace stg
