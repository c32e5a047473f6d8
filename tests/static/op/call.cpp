// Calls in constant evaluation: equal layers are one program, whatever they are passed; its gradient is one, too.
#include "../pass/symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/ir/callees.hpp>  // arguments_of
#include <stg/pass/call.hpp>
#include <stg/pass/inline.hpp>
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

// A program is called with the extents of its caller, and with those checks of labels and masks that are passed.
constexpr auto wide = vertex_feature<"wide", extent<"F">>;
constexpr auto other = vertex_feature<"other", extent<"G">>;
constexpr bool passes_values_and_checks() {
  ir::program of = pass::order(trace([](auto v) { return outputs(v(wide) * 2.0, v(label), v(mask)); }));
  const ir::value_id labels = input_named(of, "label"), set = input_named(of, "mask"), made = of.outputs[0].at;
  const ir::extent classes = of[made].dims.axes[0];
  of.checks.push_back(ir::label_range{labels, ir::no_value, classes});
  of.checks.push_back(ir::label_range{labels, set, classes});
  of.checks.push_back(ir::label_range{labels, made, classes});  // not known before it runs
  of.checks.push_back(ir::label_range{made, set, classes});
  ir::program caller = pass::order(trace([](auto v) { return outputs(v(other), v(mask), v(label), v(wide)); }));
  const auto passed = [&](ir::value_id at) { return input_named(caller, of.inputs[of[at].entry()].name.view()); };
  sequence<ir::value_id> all(of.inputs.size(), ir::no_value);
  for (ir::value_id i = 0; i < of.size(); ++i)
    if (of[i].code == ir::opcode::input) all[of[i].entry()] = passed(i);
  const ir::value_id call = pass::emit_call(caller, of, all);
  const ir::extent known = caller[passed(input_named(of, "wide"))].dims.axes[0];
  const ir::statement& s = caller[call];
  return ir::is_call(s) && s.over == ir::extent(1) && ir::arguments_of(caller, s) == all && known != classes &&
         caller.checks.size() == 2 && caller.checks[0] == ir::label_range{passed(labels), ir::no_value, known} &&
         caller.checks[1] == ir::label_range{passed(labels), passed(set), known} && caller.callees[0].checks.empty() &&
         caller.callees[0].extents == caller.extents && pass::verify(caller) == pass::finding();
}
static_assert(passes_values_and_checks());

}  // namespace stg
