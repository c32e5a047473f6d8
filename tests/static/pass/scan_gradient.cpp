// The gradient of a scan: what its step reads, carries and gives, and what is left alone.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>     // verify
#include <stg/gradient.hpp>            // gradient
#include <stg/pass/order.hpp>          // order
#include <stg/pass/scan_gradient.hpp>  // differentiate_scan
#include <stg/pass/autodiff.hpp>       // autodiff

#include <initializer_list>

namespace stg {

constexpr auto r = over<"T">(vertex_feature<"r", 4>);
constexpr auto number_of_step = graph_feature<"n", 4>;
constexpr auto begun = vertex_feature<"begun", 4>;
constexpr auto kind = vertex_feature<"kind", i32, 4>;
constexpr auto Q = parameter<"Q", 4, 4>;
constexpr auto R = parameter<"R", 4, 4>;

constexpr ir::value_id first_of(const ir::program& p, ir::opcode code) {
  ir::value_id i = 0;
  while (i < p.size() && p[i].code != code) ++i;
  return i < p.size() ? i : ir::no_value;
}

/// A program whose scan is differentiated: with cotangents of some of its results, for some inputs.
struct differentiated_scan {
  ir::program p{};
  int size = 0;  // of the program before
  sequence<ir::value_id> gradients{};
  constexpr ir::value_id back() const { return first_of(p, ir::opcode::scan_gradient); }
  constexpr const ir::program& step() const { return p.callees[p[back()].callee()]; }
  /// Of the gradient's step: what it gives beside what the forward step does.
  constexpr int made() const { return step().outputs.size() - step().forward_outputs; }
  /// Values that are carried: cotangents, and sums so far.
  constexpr int carried() const { return p[back()].carried(); }
  constexpr int results() const {
    int n = 0;
    for (const ir::statement& s : p.statements) n += s.code == ir::opcode::result && s.operands[0] == back();
    return n;
  }
  constexpr bool has(std::string_view input) const { return gradients[input_named(p, input)] != ir::no_value; }
};
constexpr differentiated_scan gradient_of(auto lambda, std::initializer_list<int> with,
                                          std::initializer_list<std::string_view> for_inputs) {
  differentiated_scan d;
  d.p = pass::order(trace(lambda));
  d.size = d.p.size();
  d.gradients.assign(d.size, ir::no_value);
  ir::flags wanted(d.size, 0);
  for (const std::string_view name : for_inputs) wanted[input_named(d.p, name)] = 1;
  const ir::value_id scan = first_of(d.p, ir::opcode::scan);
  for (ir::value_id i = 0; i < d.size; ++i)
    for (const int k : with)
      if (d.p[i].code == ir::opcode::result && d.p[i].operands[0] == scan && d.p[i].output() == k)
        d.gradients[i] = pass::emit_input(d.p, d.p[i], d.p[i].over);
  sequence<pass::detail::called_gradient> calls;
  pass::differentiate_scan(d.p, scan, wanted, d.gradients, calls);
  return d;
}
/// Every rule is kept, and a gradient has the shape of what it is of.
constexpr bool is_right(const differentiated_scan& d) {
  for (ir::value_id i = 0; i < d.size; ++i) {
    const ir::value_id g = d.gradients[i];
    if (g != ir::no_value &&
        (!(d.p[g].dims == d.p[i].dims) || d.p[g].where != d.p[i].where || d.p[g].type != d.p[i].type))
      return false;
  }
  return pass::verify(d.p) == pass::finding();
}

// Two states, one of which a step does not read, and a result of each step.
constexpr auto two_states = [](auto v) {
  auto step = [](auto v, auto h, auto) {
    auto n = tanh(matmul(h, Q) + v(r));
    return next(n, exp(n)).gives(matmul(v(y), R));
  };
  auto [h, last, each] = scan<"T">(v, step, v(begun), v(x));
  return outputs(h, last, each);
};
// Of all three results: cotangents of both states and a sum for Q and y, R; of r a gradient at each step.
constexpr auto all() { return gradient_of(two_states, {0, 1, 2}, {"begun", "r", "Q", "R", "y"}); }
static_assert(is_right(all()) && all().carried() == 5 && all().made() == 6);
static_assert(all().has("begun") && all().has("r") && all().has("Q") && all().has("R") && all().has("y") &&
              !all().has("x"));
static_assert(all().results() == 5);
// Where the initial value is not asked for, its cotangent is carried for Q, and no result.
constexpr auto inner() { return gradient_of(two_states, {0}, {"Q"}); }
static_assert(is_right(inner()) && inner().results() == 1 && inner().has("Q") && !inner().has("begun") &&
              !inner().has("r"));
// What no cotangent reaches has no gradient, be it what the step reads first or last.
constexpr auto one() { return gradient_of(two_states, {2}, {"R", "y", "r"}); }
static_assert(is_right(one()) && one().has("R") && one().has("y"));
constexpr auto other() { return gradient_of(two_states, {0}, {"R", "y", "Q"}); }
static_assert(is_right(other()) && other().has("Q") && !other().has("R") && !other().has("y"));
constexpr auto others_first = [](auto v) {
  auto step = [](auto v, auto h) { return next(v(r) + h).gives(matmul(v(y), R), matmul(v(x), Q)); };
  auto [h, first, second] = scan<"T">(v, step, v(begun));
  return outputs(first, second, h);
};
constexpr auto second_alone() { return gradient_of(others_first, {2}, {"y", "R", "x", "Q"}); }
constexpr auto first_alone() { return gradient_of(others_first, {1}, {"y", "R", "x", "Q"}); }
constexpr auto state_alone() { return gradient_of(others_first, {0}, {"y", "R", "x", "Q", "r"}); }
static_assert(is_right(second_alone()) && second_alone().has("x") && !second_alone().has("y") &&
              second_alone().made() == 2);
static_assert(is_right(first_alone()) && first_alone().has("y") && !first_alone().has("x") &&
              first_alone().made() == 2);
static_assert(is_right(state_alone()) && !state_alone().has("y") && !state_alone().has("x") && state_alone().has("r"));

// The first value beside the state, too.
constexpr auto beside_state = [](auto v) {
  auto step = [](auto v, auto h) { return next(0.5 * h).gives(matmul(v(y), R), matmul(v(x), Q)); };
  auto [h, first, second] = scan<"T">(v, step, v(begun));
  return outputs(first, second, h);
};
constexpr auto beside_alone() { return gradient_of(beside_state, {2}, {"y", "R", "x", "Q"}); }
static_assert(is_right(beside_alone()) && beside_alone().has("x") && !beside_alone().has("y") &&
              beside_alone().made() == 2);

// Nothing is written where nothing is asked for, or nothing has a cotangent.
constexpr auto nothing() { return gradient_of(two_states, {0, 2}, {}); }
static_assert(nothing().back() == ir::no_value && nothing().p.size() == nothing().size + 2);
static_assert(gradient_of(two_states, {}, {"Q"}).p == pass::order(trace(two_states)));

// A state that depends on nothing that is asked for carries no cotangent; integers have none.
constexpr auto steps_apart = [](auto v) {
  auto step = [](auto v, auto h, auto count) {
    return next(matmul(h, Q) + count, count * 0.5).gives(select(v(kind) > 0, h, v(r)));
  };
  auto [h, count, each] = scan<"T">(v, step, v(begun), v(x));
  return outputs(h, count, each);
};
constexpr auto of_Q() { return gradient_of(steps_apart, {0, 1, 2}, {"Q", "kind"}); }
static_assert(is_right(of_Q()) && of_Q().has("Q") && !of_Q().has("kind") && of_Q().carried() == 2 &&
              of_Q().made() == 2);

// A gradient that is the same for a whole row has the row's shape all the same.
constexpr auto narrow = [](auto v) {
  auto step = [](auto v, auto h) {
    return next(v(r) * 0.5).gives(sum(h, axis<0>) + sum(v(r), axis<0>) + sum(v(y), axis<0>));
  };
  auto [h, each] = scan<"T">(v, step, v(begun));
  return outputs(h, each);
};
constexpr auto rows() { return gradient_of(narrow, {0, 1}, {"begun", "r", "y"}); }
constexpr bool has_shapes_of_rows() {
  for (int k = 0; k < rows().made(); ++k)
    if (rows().step()[rows().step().outputs[k].at].dims.rank != 1 ||
        rows().step()[rows().step().outputs[k].at].dims.size() != 4)
      return false;
  return true;
}
static_assert(is_right(rows()) && has_shapes_of_rows());

// Sums of gradients for each step know the program's extents, and its sets of vertices.
constexpr auto named_rows = trainable(over<"T">(vertex_feature<"named", extent<"F">>));
constexpr auto twice = [](auto v) {
  auto step = [](auto v, auto h) { return h * v(named_rows); };
  auto a = scan<"T">(v, step, v(vertex_feature<"a", extent<"F">>));
  return a * scan<"T">(v, step, v(vertex_feature<"b", extent<"F">>));
};
constexpr auto paper = vertex_set<"paper">;
constexpr auto of_papers = trainable(over<"T">(paper.feature<"papers", 4>));
constexpr auto on_papers = [](auto g) {
  auto step = [](auto g, auto h) { return h * g(paper)(of_papers); };
  auto a = scan<"T">(g, step, zeros<4>(g(paper)) + 1.0);
  return a * scan<"T">(g, step, zeros<4>(g(paper)) + 2.0);
};
constexpr ir::program joint_of(auto lambda) {
  const ir::program p = pass::order(trace(lambda));
  return pass::autodiff(p, {0}, pass::trainable_inputs(p)).program;
}
static_assert(pass::verify(joint_of(twice)) == pass::finding());
static_assert(pass::verify(joint_of(on_papers)) == pass::finding() && !joint_of(on_papers).kinds.empty());

// A gradient that is the same number for all has the shape of what it is of.
constexpr auto summed_rows = [](auto v) {
  auto step = [](auto v, auto h) {
    return next(h).gives(sum(sum(v(r), axis<0>), all_vertices) + sum(v(number_of_step), axis<0>));
  };
  auto [h, each] = scan<"T">(v, step, v(begun));
  return outputs(stacked(each), h);
};
constexpr auto of_summed_rows() { return gradient_of(summed_rows, {1}, {"r", "n"}); }
constexpr bool has_rows_of(std::string_view name) {
  const differentiated_scan d = of_summed_rows();
  const ir::value_id input = input_named(d.p, name);
  const ir::statement &gradient = d.p[d.gradients[input]], &of = d.p[input];
  return gradient.where == of.where && gradient.dims == of.dims && gradient.over == of.over;
}
static_assert(is_right(of_summed_rows()) && has_rows_of("r") && has_rows_of("n"));

// The gradient of a gradient: its step gives again what the first step did, once.
constexpr auto cubes = [](auto v) {
  auto h = scan<"T">(
      v, [](auto v, auto h) { return h * v(r) * h; }, v(trainable(begun)));
  auto d = gradient(sum(sum(h, axis<0>), all_vertices), v(trainable(begun)));
  return sum(sum(d * d, axis<0>), all_vertices);
};
constexpr bool gives_once() {
  const ir::program p = joint_of(cubes);
  int scans = 0;
  for (const ir::statement& s : p.statements) {
    if (s.code != ir::opcode::scan_gradient) continue;
    const ir::program& step = p.callees[s.callee()];
    ++scans;
    for (int k = 0; k < step.outputs.size(); ++k)
      for (int l = step.outputs.size() - step.forward_outputs; l < step.outputs.size(); ++l)
        if (k != l && step.outputs[k].at == step.outputs[l].at) return false;
  }
  return scans >= 2 && pass::verify(p) == pass::finding();
}
static_assert(gives_once());

}  // namespace stg
