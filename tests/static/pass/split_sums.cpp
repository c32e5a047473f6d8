// split_sums: of the gradient of a scan in parts, sums over steps leave the recurrence.
#include "split_parts.hpp"
#include "symbols.hpp"

#include <stg/op/scan.hpp>  // scan, split_steps
#include <stg/pass/split_sums.hpp>
#include <stg/pipeline.hpp>  // canonical, joint_passes

namespace stg {

constexpr auto in = over<"T">(vertex_feature<"in", 4>);
constexpr auto wanted = over<"T">(vertex_feature<"wanted">);
constexpr auto start = vertex_feature<"start", 4>;
constexpr auto A = parameter<"A", 4, 4>;
constexpr auto B = parameter<"B", 4, 4>;
constexpr auto head = parameter<"head", 4, 1>;

constexpr ir::program joint(auto lambda) {
  const ir::program p = pipeline::canonical(trace(lambda));
  return pipeline::run<pipeline::joint_passes>(p, pipeline::asked_of(p, {0}, pass::trainable_inputs(p)));
}

constexpr auto body = [](auto v, auto h) {
  auto n = tanh(matmul(mean(v.in_edges().src(v(in))), A) + matmul(h, B));
  auto out = sum(matmul(relu(n), head), axis<0>);
  return next(n).gives(mean(square(out - v(wanted)), all_vertices));
};
constexpr auto whole = [](auto v) { return mean(stacked(std::get<1>(scan<"T">(v, body, v(start)))), axis<0>); };
constexpr auto parts = [](auto v) {
  return mean(stacked(std::get<1>(scan<"T">(v, split_steps(body), v(start)))), axis<0>);
};
static_assert(is_right(joint(parts)));
static_assert(pass::split_sums(joint(whole)) == joint(whole), "nobody asks");

// Its gradient: five scans forwards, and of the recurrence's the gradient of B goes behind.
constexpr bool leaves_no_sum_in_the_recurrence() {
  const ir::program p = joint(parts);
  for (const ir::statement& s : p.statements) {
    if (!ir::is_scan(s.code)) continue;
    const ir::program& step = p.callees[s.callee()];
    bool carries_rows = false, adds_up = false;
    for (int k = 0; k < s.carried(); ++k) {
      carries_rows = carries_rows || step[step.outputs[k].at].where == ir::space::vertex;
      adds_up = adds_up || step[step.outputs[k].at].where == ir::space::graph;
    }
    if (carries_rows && adds_up) return false;
  }
  return true;
}
static_assert(leaves_no_sum_in_the_recurrence());
static_assert(counts(joint(parts), ir::opcode::reduced_matmul) == by_scan{{0, 0, 0, 0, 0, 0, 1, 0, 1, 1}});
static_assert(pass::split_sums(joint(parts)) == joint(parts), "there is no more");

// Nothing else goes behind: what is collected stays.
constexpr auto collects = [](auto v) {
  auto [last, all] = scan<"T">(
      v, split_steps([](auto v, auto h) { return next(tanh(matmul(h, B) + v(in))).gives(matmul(h, A)); }), v(start));
  return outputs(last, sum(all, all_steps));
};
static_assert(pass::split_sums(trace(collects)) == trace(collects));

}  // namespace stg
