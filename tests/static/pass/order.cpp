// order: traces that differ only in what was evaluated first are one program.
#include <stg/op/list.hpp>          // mul, dropout, cross_entropy
#include <stg/dsl/scope.hpp>        // named, scope
#include <stg/dsl/trace.hpp>        // trace
#include <stg/op/call.hpp>          // call
#include <stg/gradient.hpp>         // gradient
#include <stg/analysis/verify.hpp>  // verify
#include <stg/pass/cse.hpp>         // cse
#include <stg/pass/autodiff.hpp>    // autodiff
#include <stg/pass/order.hpp>       // order, reorder, reorder_deepest_first

#include <string_view>  // string_view

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", stg::extent<"F">>;
constexpr auto y = vertex_feature<"y", stg::extent<"G">>;
constexpr auto z = vertex_feature<"z", stg::extent<"F">>;
constexpr auto left_first = [](auto v) {
  auto a = dropout(v(x), 0.5);
  auto b = dropout(v(y), 0.1);
  return sum(a, axis<0>) * sum(b, axis<0>);
};
constexpr auto right_first = [](auto v) {
  auto b = dropout(v(y), 0.1);
  auto a = dropout(v(x), 0.5);
  return sum(a, axis<0>) * sum(b, axis<0>);
};
static_assert(!(trace(left_first) == trace(right_first)), "inputs, extents and sites are numbered as they were met");
static_assert(pass::order(trace(left_first)) == pass::order(trace(right_first)));
static_assert(pass::order(pass::order(trace(left_first))) == pass::order(trace(left_first)));
static_assert(pass::reorder(pass::order(trace(left_first))) == pass::order(trace(left_first)));

constexpr auto unused = [](auto v) {
  v(y);
  return v(x) + 1.0;
};
static_assert(pass::order(trace(unused)).inputs.size() == 2, "an input that nothing needs is still bound");
static_assert(pass::order(trace(unused)).inputs[0].name.view() == "x");
static_assert(pass::reorder(pass::order(trace(unused))).size() == 3, "but reorder drops its statement");

static_assert(pass::order(trace(right_first)).inputs[0].name.view() == "x", "what is written first comes first");
constexpr auto unread = [](auto v) {
  sum(v.out_edges().src(v(y)));
  v(z);
  return v(x) + 1.0;
};
static_assert(pass::order(trace(unread)).size() == 5, "of what is unread, order keeps the inputs alone");
static_assert(trace(unread).size() > 5);
constexpr auto of_three = [](auto v) { return select(v(x) > 0.0, v(x), v(z)); };
static_assert(pass::order(trace(of_three))[4].code == ir::opcode::select);

// A value that is given back twice is computed once; so are random numbers.
constexpr ir::program masked_twice() {
  ir::program p = trace([](auto v) { return dropout(v(x), 0.5); });
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::keep_mask)
      for (int k = 0; k < 2; ++k) p.outputs.push_back({i, {}});
  return p;
}
static_assert(pass::order(masked_twice()).outputs.size() == 3);
static_assert(pass::order(masked_twice()).size() == masked_twice().size());

// Scopes are numbered as they are met, and a statement stays in its own.
constexpr auto scoped = [](auto v) {
  auto layer = [](auto v) { return stg::exp(stg::exp(v(x))); };
  auto b = scope<"b">(v, layer);
  auto a = scope<"a">(v, layer);
  scope<"unread">(v, layer);
  return a * b;
};
static_assert(pass::order(trace(scoped)).scopes.size() == 2);
static_assert(pass::order(trace(scoped)).scopes[0].view() == "a" && pass::order(trace(scoped)).scopes[1].view() == "b");
static_assert(pass::order(trace(scoped)).size() == 7 && pass::order(trace(scoped)).inputs.size() == 1, "read in each");
static_assert(pass::order(trace(scoped))[0].scopes == 1 && pass::order(trace(scoped))[5].scopes == 2);
static_assert(pass::order(trace(scoped))[6].scopes == 0);
constexpr int scopes_of_first(const ir::program& p) {
  int n = 0;
  ir::each_scope(p, p[0], [&](int) { ++n; });
  return n;
}
static_assert(scopes_of_first(pass::order(pass::cse(trace(scoped)))) == 3, "of all that merged");
static_assert(pass::reorder(trace(scoped)).size() == 7, "reorder merges nothing either");
constexpr ir::program in_the_last_scope() {
  ir::program p = trace([](auto v) { return v(x); });
  for (int scope = 0; scope < 200; ++scope) p.scopes.push_back(std::string_view("s"));
  p.statements[0].scopes = p.set_with(p.set_with(0, 199), 60);
  return p;
}
static_assert(pass::order(in_the_last_scope()).scope_sets.size() == 2 &&
                  scopes_of_first(pass::order(in_the_last_scope())) == 2,
              "there are as many as a program writes, and those that are left are numbered anew");

// Names and checks go with their values.
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto attached = [](auto v) {
  auto logits = named<"logits">(stg::exp(v(y)));
  auto all = cross_entropy(logits, v(label)), some = cross_entropy(logits, v(label), v(known));
  return sum(named<"x">(v(x)), axis<0>) * (all + some);
};
static_assert(pass::order(trace(attached)).names.size() == 2);
static_assert(pass::order(trace(attached)).names[0].name.view() == "x" &&
              pass::order(trace(attached)).names[0].at == 0);
constexpr std::string_view input_at(const ir::program& p, ir::value_id i) {
  return i == ir::no_value ? "" : p.inputs[p[i].entry()].name.view();
}
constexpr bool is_checked(const ir::program& p) {
  const std::string_view labels[] = {"label", "label", "known"}, masks[] = {"", "known", ""};
  for (int k = 0; k < 3; ++k)
    if (input_at(p, p.checks[k].labels) != labels[k] || input_at(p, p.checks[k].mask) != masks[k]) return false;
  return p.checks.size() == 3 && p.polynomial_of(p.checks[1].classes) == p.polynomial_of(p.checks[0].classes);
}
static_assert(is_checked(trace(attached)) && is_checked(pass::order(trace(attached))));
static_assert(pass::order(trace(attached)).extents.size() == 2 && trace(attached).checks[0].classes.code == -1);
static_assert(pass::order(trace(attached)).checks[0].classes.code == -2, "G, numbered anew");
constexpr ir::program checked_alone(int kept) {
  ir::program p = trace(attached);
  const ir::label_range one = p.checks[kept];
  p.outputs.clear();
  p.checks.clear();
  p.checks.push_back(one);
  return pass::reorder(p);
}
static_assert(checked_alone(0).size() == 1 && checked_alone(1).size() == 2, "what a check reads is needed");
static_assert(input_at(checked_alone(1), checked_alone(1).checks[0].mask) == "known");

// Deepest first: a way counts as long as the longest of a value's operands; of two alike, what is written first.
constexpr auto deep = [](auto v) {
  auto a = v(x), b = stg::exp(v(z));
  return b * (a * stg::exp(a)) * (stg::sqrt(v(z)) * stg::log(v(z)));
};
static_assert(pass::reorder(trace(deep))[0].entry() == 1, "as written: z");
static_assert(pass::reorder_deepest_first(trace(deep)).size() == trace(deep).size());
static_assert(pass::reorder_deepest_first(trace(deep))[0].entry() == 0, "x, of which the longer product is made");
static_assert(pass::reorder_deepest_first(trace(deep))[6].code == ir::opcode::sqrt, "written first");
constexpr auto later = [](auto v) {
  auto a = v(x), b = v(z);
  return stg::exp(a) * stg::log(stg::exp(b));
};
static_assert(pass::reorder_deepest_first(trace(later))[0].entry() == 1, "z, whose entry is known outside");
static_assert(pass::reorder_deepest_first(trace(later)).inputs == trace(later).inputs);

// Steps of scans have the extents of the program as it is numbered now, their own scopes, and inputs that they read.
constexpr auto series = over<"T">(vertex_feature<"series", stg::extent<"F">>);
constexpr auto step = [](auto v, auto h) {
  v(y);  // of another extent, and unread
  auto once = scope<"inner">(v, [](auto u) { return u(series) * 2.0; });
  return h + once + v(series) * 2.0;
};
constexpr auto stepped = [](auto v) {
  auto unread = scope<"before">(v, [](auto u) { return sum(u(y), axis<0>); });
  static_cast<void>(unread);
  auto made = scope<"around">(v, [](auto u) { return scan<"T">(u, step, u(x)); });
  return made * v(z);
};
constexpr ir::value_id first_of(const ir::program& p, ir::opcode code) {
  ir::value_id i = 0;
  while (i < p.size() && p[i].code != code) ++i;
  return i < p.size() ? i : ir::no_value;
}
static_assert(pass::verify(pass::order(trace(stepped))) == pass::finding());
static_assert(pass::order(trace(stepped)).callees[0].extents == pass::order(trace(stepped)).extents);
static_assert(!(trace(stepped).extents == pass::order(trace(stepped)).extents));
static_assert(pass::order(trace(stepped)).callees[0].scopes_apart == trace(stepped).callees[0].scopes_apart);
static_assert(trace(stepped).callees[0].scopes_apart);
static_assert(pass::order(trace(stepped)).callees[0].inputs.size() == 2);
static_assert(pass::order(trace(stepped)).scopes[0].view() == "around");
static_assert((pass::order(trace(stepped))[first_of(pass::order(trace(stepped)), ir::opcode::scan)].scopes & 1) == 1);
static_assert(pass::order(pass::order(trace(stepped))) == pass::order(trace(stepped)));

// A gradient of a scan waits for the scan, and its step gives what the forward one does beside the gradients.
constexpr auto doubled = [](auto v, auto h) { return stg::exp(sum(v.in_edges().src(h))); };
constexpr auto in_call = [](auto v) { return call(doubled, v, v(trainable(vertex_feature<"t", 4>))); };
constexpr auto in_scan = [](auto v) {
  return scan<"T">(
      v, [](auto v, auto h) { return stg::exp(h) * v(over<"T">(vertex_feature<"r", 4>)); },
      v(trainable(vertex_feature<"t", 4>)));
};
/// A program with its gradient, or the gradient alone.
constexpr ir::program joint_of(auto lambda, bool all) {
  const ir::program p = pass::order(trace(lambda));
  ir::program joint = pass::autodiff(p, {0}, pass::trainable_inputs(p)).program;
  if (all) return joint;
  joint.outputs[0] = joint.outputs[1];
  joint.outputs.resize(1);
  return joint;
}
constexpr bool is_behind_its_scan(const ir::program& q) {
  const ir::value_id forward = first_of(q, ir::opcode::scan), back = first_of(q, ir::opcode::scan_gradient);
  return back != ir::no_value && q[back].operands[1] == forward && q.callees[q[back].callee()].forward_outputs > 0;
}
static_assert(is_behind_its_scan(pass::order(joint_of(in_call, true))));
static_assert(is_behind_its_scan(pass::order(joint_of(in_call, false))));
static_assert(is_behind_its_scan(pass::order(joint_of(in_scan, true))));
static_assert(is_behind_its_scan(pass::reorder(joint_of(in_call, true))));
static_assert(is_behind_its_scan(pass::reorder(joint_of(in_call, false))));
static_assert(is_behind_its_scan(pass::reorder(joint_of(in_scan, false))));

// Whatever a gradient reads first, the inputs of its step are those of the scan's own behind what it carries, as verify
// knows.
constexpr auto slope = [](auto v) {
  auto gain = v(trainable(vertex_feature<"gain", 4>));
  auto shift = v(vertex_feature<"shift", 4>);
  auto h = scan<"T">(
      v, [=](auto v, auto h) { return stg::exp(v(over<"T">(vertex_feature<"r", 4>)) * gain + shift * h); },
      v(vertex_feature<"t", 4>));
  return gradient(sum(sum(h, axis<0>), all_vertices), gain);
};
constexpr auto of_call = [](auto v) {
  auto square = [](auto, auto h, auto by) { return by * h; };
  auto h = v(trainable(vertex_feature<"t", 4>));
  return gradient(sum(sum(call(square, v, h, v(vertex_feature<"s", 4>)), axis<0>), all_vertices), h);
};
template <const auto& Lambda> constexpr bool repeats_in_order() {
  const ir::program traced = trace(Lambda), p = pass::order(traced);
  return first_of(p, ir::opcode::scan_gradient) != ir::no_value && pass::verify(traced) == pass::finding() &&
         pass::verify(p) == pass::finding() && pass::verify(pass::reorder(p)) == pass::finding() && pass::order(p) == p;
}
static_assert(repeats_in_order<slope>() && repeats_in_order<of_call>());

// A layer with a gradient of its own: that program keeps its inputs, and numbers its sites behind those before it.
constexpr auto noisy = custom_gradient([](auto, auto h, auto by) { return h * by; },
                                       [](auto, auto d, auto h, auto by) {
                                         auto b = dropout(d, 0.25);
                                         auto a = dropout(d, 0.5);
                                         return std::tuple(a * by, b * h);
                                       });
constexpr auto of_its_own = [](auto v) {
  auto layer = [](auto v) { return noisy(v, v(x), v(z)); };
  auto unread = scope<"unread">(v, layer);
  static_cast<void>(unread);
  auto dropped = dropout(v(x), 0.5);
  return scope<"read">(v, layer) * dropped;
};
constexpr bool is_own_in_order() {
  const ir::program traced = trace(of_its_own), p = pass::order(traced);
  const ir::statement& s = p[first_of(p, ir::opcode::own_gradient)];
  const ir::program& gradient = p.callees[s.callee()];
  std::int64_t first_site = -1, sites = 0;
  for (const ir::statement& m : gradient.statements) {
    if (m.code != ir::opcode::keep_mask) continue;
    if (sites++ == 0) first_site = m.site();
    else if (m.site() != first_site + 1) return false;
  }
  const ir::program again = pass::reorder(traced);
  return pass::verify(p) == pass::finding() && p.callees.size() == 1 && p.scopes.size() == 1 && s.scopes == 1 &&
         sites == 2 && gradient.inputs.size() == traced.callees[0].inputs.size() && pass::reorder(p) == p &&
         again.callees.size() == 1 && again.scopes == traced.scopes &&
         again[first_of(again, ir::opcode::own_gradient)].scopes == 2 &&
         again.callees[0].inputs.size() == gradient.inputs.size();
}
static_assert(is_own_in_order());

constexpr ir::program kept_in_the_last_scope() {
  ir::program p = in_the_last_scope();
  ir::keep_scope(p, 199, keeping::inputs);
  return pass::order(p);
}
static_assert(kept_in_the_last_scope().scopes.size() == 2 &&
                  ir::scope_ways(kept_in_the_last_scope()).of(kept_in_the_last_scope()[0]) == keeping::inputs,
              "a decision is about the scope, whatever its number");

}  // namespace
}  // namespace stg
