// Tags: what keeps them, counts them and spreads them, true in constant evaluation and at run time.
#pragma once

#include "models.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/differentiate.hpp>
#include <stg/examine/hash.hpp>
#include <stg/examine/partition.hpp>
#include <stg/examine/tags.hpp>
#include <stg/examine/transform.hpp>
#include <stg/pass/inline.hpp>
#include <stg/pipeline.hpp>

namespace stg::examined {

using values = sequence<ir::value_id>;

constexpr int tags_named(const ir::program& p, std::string_view name, bool on_axes) {
  for (const examine::tag_count& c : examine::counts_of_tags(p))
    if (c.name.view() == name) return on_axes ? c.axes : c.values;
  return 0;
}
constexpr bool has_tag(const ir::program& p, ir::value_id at, std::string_view name, int axis = ir::tag::whole) {
  for (const ir::tag& t : examine::tags_of(p, at))
    if (t.name.view() == name && t.axis == axis) return true;
  return false;
}
constexpr bool is_right(const ir::program& p) { return pass::verify(p) == pass::finding(); }

// ---- they go along ----

inline constexpr auto V = parameter<"V", 8, 8>;
inline constexpr auto wide = vertex_feature<"wide", 8>;
inline constexpr auto tagged_heads = [](auto v) {
  auto h = tag<"head">(reshape<2, 4>(matmul(v(wide), tag<"weights">(V))), axis<0>);
  auto e = v.in_edges();
  auto score = tag<"score">(leaky_relu(sum(e.src(h), axis<1>, keepdim) + sum(e.dst(h), axis<1>, keepdim), 0.2));
  return tag<"out">(sum(softmax(score) * e.src(h)), all_rows);
};
constexpr bool tags_are_those_of_the_lambda() {
  const ir::program p = trace(tagged_heads);
  return p.tags.size() == 4 && tags_named(p, "head", true) == 1 && tags_named(p, "weights", false) == 1 &&
         tags_named(p, "score", false) == 1 && tags_named(p, "out", true) == 1 &&
         has_tag(p, p.outputs[0].at, "out", ir::tag::rows) && tags_named(p, "other", false) == 0;
}
constexpr bool passes_carry_them() {
  const ir::program p = pipeline::canonical(trace(tagged_heads)), q = pipeline::inferred(p);
  if (p.tags.size() != 4 || q.tags.size() != 4 || !is_right(p) || !is_right(q)) return false;
  const values score = examine::values_tagged(q, text("score"));
  return score.size() == 1 && q[score[0]].code == ir::opcode::leaky_relu &&
         q[examine::values_tagged(q, text("weights"))[0]].code == ir::opcode::input;
}
inline constexpr auto tagged_heads_loss = [](auto v) {
  return sum(sum(sum(square(tagged_heads(v)), axis<1>), axis<0>), all_vertices);
};
/// The forward program has them, and the gradient those of what it reads or computes again.
constexpr bool gradients_carry_those_of_the_values_they_know() {
  const ir::program p = pipeline::canonical(trace(tagged_heads_loss));
  const pass::differentiated d = pipeline::differentiated(p, {0}, pass::trainable_inputs(p));
  const program_with_gradient whole = differentiate(p, {0}, keeping::inputs);
  return is_right(d.forward) && is_right(d.gradient) && tags_named(d.forward, "score", false) == 1 &&
         tags_named(d.forward, "head", true) == 1 && tags_named(d.gradient, "score", false) == 1 &&
         tags_named(d.gradient, "head", true) == 1 && tags_named(whole.forward, "score", false) == 1 &&
         tags_named(whole.gradient, "score", false) == 1 && is_right(whole.gradient);
}
constexpr bool one_value_of_two_has_the_tags_of_both() {
  const ir::program p = canonical([](auto v) {
    auto a = scope<"first">(
        v, [](auto, auto x) { return tag<"a">(exp(x)); }, v(x));
    auto b = scope<"second">(
        v, [](auto, auto x) { return tag<"b">(tag<"a">(exp(x))); }, v(x));
    return a * b;
  });
  const ir::value_id e = first_of(p, ir::opcode::exp);
  return count_of(p, ir::opcode::exp) == 1 && p.tags.size() == 2 && has_tag(p, e, "a") && has_tag(p, e, "b");
}
constexpr bool equality_does_not_look_at_them() {
  const ir::program p = canonical([](auto v) { return tag<"t">(exp(v(x))); }),
                    q = canonical([](auto v) { return exp(v(x)); });
  return p == q && p.tags.size() == 1 && q.tags.empty() && examine::hash_of(p) == examine::hash_of(q);
}
/// Of parameters alone, and of a value that takes the type of what it meets.
constexpr bool they_go_into_the_program_that_is_traced() {
  const ir::program loose = trace([](auto v) { return v(x) * sum(tag<"w">(tag<"in">(exp(A), axis<0>)), axis<1>)[0]; });
  const ir::program real = trace([](auto v) { return cast<f64>(v(x)) * tag<"scale">(1.0 / max(v.in_degree(), 1.0)); });
  const values scaled = examine::values_tagged(real, text("scale"));
  return tags_named(loose, "w", false) == 1 && tags_named(loose, "in", true) == 1 && is_right(loose) &&
         real[scaled.back()].type == f64;
}
/// A step that two scans share has the tags of both; what is the same at every step takes its own along.
constexpr bool steps_carry_them() {
  const ir::program p = pipeline::canonical(trace([](auto v) {
    auto run = [&](auto step) { return scan<"T">(v, step, zeros<4>(v)); };
    return run([](auto v, auto h) { return tanh(h + tag<"a">(v(series))); }) +
           run([](auto v, auto h) { return tag<"b">(tanh(h + v(series))); });
  }));
  const ir::program q = pipeline::canonical(trace([](auto v) {
    return scan<"T">(
        v, [](auto v, auto h) { return tanh(h + tag<"same">(matmul(v(x), W))); }, zeros<4>(v));
  }));
  return p.callees.size() == 1 && p.callees[0].tags.size() == 2 && tags_named(q, "same", false) >= 1 &&
         q[examine::values_tagged(q, text("same"))[0]].code == ir::opcode::matmul;
}
constexpr bool called_programs_take_them_along_when_inlined() {
  const ir::program p = pass::inline_calls(
      trace([](auto v) { return call([](auto, auto x) { return tag<"inside">(exp(x)) * 2.0; }, v, v(x)); }));
  return p.tags.size() == 1 && p[p.tags[0].at].code == ir::opcode::exp;
}
constexpr bool parts_and_copies_take_them_along() {
  const ir::program p = canonical(tagged_heads),
                    copy = examine::transform(p, [](const examine::copied&c) { return c.same(); });
  int tags = 0;
  for (const examine::part& one :
       examine::partition(p, [&](examine::node n) { return 2 * n.at < p.size() ? 0 : 1; }).parts)
    tags += one.program.tags.size();
  return tags == 4 && copy.tags == p.tags;
}
constexpr bool an_axis_is_one_that_the_value_has() {
  ir::program p = canonical(tagged_heads);
  p.tags[0].axis = 3;
  const bool beyond = pass::verify(p).what == op::rule::tag_is_on_an_axis;
  p.tags[0].axis = ir::tag::steps;
  return beyond && pass::verify(p).what == op::rule::tag_is_on_an_axis;
}

// ---- they spread ----

/// Axes that have a tag when it is spread from where the lambda gave it, as a text: "2:0 5:rows".
constexpr sequence<ir::tag> spread(const ir::program& p, std::string_view name) {
  sequence<ir::tag> found;
  for (const ir::tag& t : examine::spread_tags(p, {.names = {text(name)}}).tags)
    if (t.name.view() == name) found.push_back(t);
  return found;
}
constexpr bool spreads_to(const ir::program& p, std::string_view name, ir::value_id at, int axis) {
  for (const ir::tag& t : spread(p, name))
    if (t.at == at && t.axis == axis) return true;
  return false;
}
/// x (4) × W (4, 4): the axis that is summed over, that which is left, and rows.
constexpr bool products_lead_on() {
  const ir::program p = canonical(
      [](auto v) { return tag<"out">(matmul(tag<"people">(tag<"in">(v(x), axis<0>), all_rows), W), axis<-1>); });
  const ir::value_id in = first_of(p, ir::opcode::input), w = in + 1, product = first_of(p, ir::opcode::matmul);
  return spread(p, "in").size() == 2 && spreads_to(p, "in", w, 0) && spread(p, "out").size() == 2 &&
         spreads_to(p, "out", w, 1) && spreads_to(p, "people", product, ir::tag::rows) &&
         spread(p, "people").size() == 2;
}
/// Heads through a broadcast factor, gathers, a softmax over edges and a sum over them; not to the axis that is
/// repeated or summed up, and features not to rows.
constexpr bool heads_spread_through_attention() {
  const ir::program p = canonical(tagged_heads);
  bool all = true;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const ir::statement& s = p[i];
    if (s.dims.rank != 2 || s.where == ir::space::graph) continue;
    all = all && spreads_to(p, "head", i, 0) && !spreads_to(p, "head", i, 1);
  }
  return all && spread(p, "out").size() == 1 && !spreads_to(p, "head", p.outputs[0].at, ir::tag::rows);
}
constexpr bool rows_of_edges_are_not_those_of_vertices() {
  const ir::program p = canonical([](auto v) {
    auto e = v.in_edges();
    return exp(sum(tag<"road">(e.src(tag<"town">(v(x), all_rows)) * e(ew), all_rows)));
  });
  const ir::value_id product = first_of(p, ir::opcode::mul), sum = first_of(p, ir::opcode::sum_edges);
  return spread(p, "town").size() == 1 && spreads_to(p, "road", p[product].operands[0], ir::tag::rows) &&
         spreads_to(p, "road", p[product].operands[1], ir::tag::rows) && !spreads_to(p, "road", sum, ir::tag::rows);
}
constexpr bool moves_along_axes_are_followed() {
  const ir::program p = canonical([](auto v) {
    auto h = tag<"second">(tag<"first">(reshape<2, 4>(v(wide)), axis<0>), axis<1>);
    return outputs(transpose<0, 1>(h), slice<0, 2>(h, axis<1>), concat<axis<0>>(h, h), reshape<2, 2, 2>(h),
                   sum(h, axis<1>), h[0]);
  });
  const auto out = [&](int k) { return p.outputs[k].at; };
  return spreads_to(p, "first", out(0), 1) && spreads_to(p, "second", out(0), 0) && spreads_to(p, "first", out(1), 0) &&
         !spreads_to(p, "second", out(1), 1) && spreads_to(p, "second", out(2), 1) &&
         !spreads_to(p, "first", out(2), 0) && spreads_to(p, "first", out(3), 0) &&
         !spreads_to(p, "second", out(3), 1) && !spreads_to(p, "second", out(3), 2) &&
         spreads_to(p, "first", out(4), 0) && spreads_to(p, "second", out(5), 0);
}
/// Into the step by what it reads and carries, out of it by what it gives, and the days along what is collected.
constexpr bool steps_are_led_through() {
  const ir::program p = canonical([](auto v) {
    auto [last, all] = scan<"T">(
        v,
        [](auto v, auto h) {
          auto n = tanh(h + v(series));
          return next(n).gives(n * 2.0);
        },
        zeros<4>(v));
    return outputs(tag<"feature">(last, axis<0>), mean(tag<"day">(all, all_steps), all_steps));
  });
  const ir::program q = examine::spread_tags(p);
  bool inside = true;
  for (ir::value_id i = 0; i < q.callees[0].size(); ++i)
    if (q.callees[0][i].dims.rank == 1) inside = inside && has_tag(q.callees[0], i, "feature", 0);
  return inside && is_right(q) && spreads_to(p, "day", first_of(p, ir::opcode::input), ir::tag::steps) &&
         spread(p, "day").size() == 2 && has_tag(q, p.outputs[0].at, "feature", 0);
}
constexpr bool ignored_axes_lead_nowhere() {
  const ir::program p =
      canonical([](auto v) { return exp(tag<"mixed">(tanh(exp(tag<"f">(v(x), axis<0>))), axis<0>)); });
  const ir::program all = examine::spread_tags(p), some = examine::spread_tags(p, {.ignored = {text("mixed")}});
  return tags_named(all, "f", true) == 4 && tags_named(all, "mixed", true) == 4 && tags_named(some, "f", true) == 2 &&
         tags_named(some, "mixed", true) == 1 && all == p;
}

}  // namespace stg::examined
