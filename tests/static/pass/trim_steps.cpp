// trim_steps: what a step makes and nobody reads leaves it, with what it carries and reads for that alone.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/pass/order.hpp>
#include <stg/pass/trim_steps.hpp>

namespace stg {

constexpr auto a = vertex_feature<"a", 4>;
constexpr auto b = vertex_feature<"b", 4>;
constexpr ir::program written(auto lambda) { return pass::order(trace(lambda)); }
constexpr auto total = [](auto h) { return sum(sum(h, axis<0>), all_vertices); };

// Of two states and two results one of the results is read; y and a state lead to nothing.
constexpr auto four = [](auto v) {
  auto step = [](auto v, auto g, auto h) {
    auto n = tanh(h * v(x));
    return next(g * v(y), n).gives(total(n * v(y)), total(n));
  };
  auto [other, last, unseen, seen] = scan<3>(v, step, v(a), v(b));
  return outputs(stacked(seen), stacked(unseen), last, other);
};
constexpr auto one = [](auto v) {
  auto step = [](auto v, auto h) {
    auto n = tanh(h * v(x));
    return next(n).gives(total(n));
  };
  auto [last, seen] = scan<3>(v, step, v(b));
  return stacked(seen);
};
constexpr bool is_trimmed() {
  ir::program all = written(four);
  all.outputs.resize(1);
  const ir::program p = pass::trim_steps(all), q = written(one);
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::scan && s.carried() != 1) return false;
  return p.callees.size() == 1 && p.callees[0].size() == q.callees[0].size() && p.callees[0].inputs.size() == 2 &&
         p.size() == q.size() && pass::verify(p) == pass::finding();
}
static_assert(is_trimmed());
// A state that the result is made of stays, by way of another state, too.
constexpr auto by_way = [](auto v) {
  auto step = [](auto v, auto g, auto h) { return next(g * v(y), h + g).gives(total(h)); };
  auto [other, last, seen] = scan<3>(v, step, v(a), v(b));
  return stacked(seen);
};
static_assert(pass::trim_steps(written(by_way)) == written(by_way));

// Steps are numbered as they are met, be they trimmed or as they were.
constexpr auto trimmed_and_whole = [](auto v) {
  auto step = [](auto v, auto h) { return next(h * v(x)).gives(total(h), total(h * v(y))); };
  auto [last, seen, unseen] = scan<3>(v, step, v(a));
  static_cast<void>(unseen);
  return outputs(stacked(seen), scan<3>(
                                    v, [](auto v, auto h) { return h * v(y); }, v(b)));
};
constexpr bool are_numbered_anew() {
  const ir::program p = pass::trim_steps(written(trimmed_and_whole));
  int next = 0;
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::scan && s.callee() != next++) return false;
  return next == 2 && p.callees.size() == 2;
}
static_assert(are_numbered_anew());

// A scan that nobody reads is left out, and what only it reads.
constexpr auto beside = [](auto v) {
  return outputs(v(x) + 1.0, scan<3>(
                                 v, [](auto v, auto h) { return h * v(y); }, v(a)));
};
constexpr bool is_left_out() {
  ir::program p = written(beside);
  p.outputs.resize(1);
  const ir::program q = pass::trim_steps(p);
  return q.callees.empty() && count_of(q, ir::opcode::scan) == 0 && count_of(q, ir::opcode::input) == 1 &&
         pass::verify(q) == pass::finding();
}
static_assert(is_left_out());

// What is looked at before the program runs is read, too; masks where there are any.
constexpr bool keeps_checks() {
  ir::program p = written([](auto v) {
    return outputs(scan<3>(
                       v, [](auto v, auto h) { return h * v(y); }, v(a)),
                   v(x), v(label), v(mask), v(vertex_feature<"second", i32>));
  });
  p.outputs.resize(1);
  p.checks.push_back(ir::label_range{input_named(p, "label"), input_named(p, "mask"), ir::extent(7)});
  p.checks.push_back(ir::label_range{input_named(p, "second"), ir::no_value, ir::extent(7)});
  const ir::program q = pass::trim_steps(p);
  return input_named(q, "x") == ir::no_value && q.checks.size() == 2 &&
         q.checks[0] == ir::label_range{input_named(q, "label"), input_named(q, "mask"), ir::extent(7)} &&
         q.checks[1] == ir::label_range{input_named(q, "second"), ir::no_value, ir::extent(7)} &&
         q.checks[0].labels != ir::no_value && q.checks[0].mask != ir::no_value && q.checks[1].labels != ir::no_value;
}
static_assert(keeps_checks());

// Without scans a program stays as it is, with what nobody reads.
constexpr bool stays() {
  ir::program p = written([](auto v) { return outputs(v(x) + 1.0, tanh(v(y))); });
  p.outputs.resize(1);
  return pass::trim_steps(p) == p;
}
static_assert(stays());

}  // namespace stg
