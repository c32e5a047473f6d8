// online_softmax: which loops over edges are left, and how softmax is read in them.
#include "symbols.hpp"

#include <stg/compile.hpp>
#include <stg/pass/online_softmax.hpp>

namespace stg {

constexpr auto bias = vertex_feature<"bias">;

constexpr pass::plan merged(auto program) {
  const ir::program p = pass::dce(pass::fold(pass::cse(trace(program))));
  return pass::online_softmax(p, pass::make_plan(p, pass::fuse(p)));
}
constexpr int loops_left(auto program) {
  int n = 0;
  for (const pass::step& s : merged(program).steps) n += s.is_loop;
  return n;
}
/// Sums that are divided after the last edge; -1 where another loop than theirs makes what divides them.
constexpr int divided(auto program) {
  const pass::plan plan = merged(program);
  int n = 0;
  for (int k = 0; k < plan.loop_results.size(); ++k) {
    const pass::planned_result& r = plan.loop_results[k];
    n += r.over >= 0;
    if (r.summed_in < 0) continue;
    const pass::planned_loop& loop = plan.loops[r.summed_in];
    if (k < loop.first_result || k >= loop.last_result) return -1;
  }
  return n;
}

constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(e(w) + v(bias)) * e.src(x));
};
static_assert(loops_left(attention) == 1 && divided(attention) == 1);

constexpr auto two_layers = [](auto v) {
  auto e = v.in_edges();
  auto a = softmax(e(w) + v(bias));
  auto o = v.out_edges();
  return sum(a * e.src(x)) + sum(softmax(o(w) - v(bias)) * o.dst(x));
};
static_assert(loops_left(two_layers) == 2 && divided(two_layers) == 2, "a sweep each");

constexpr auto kept = [](auto v) {
  auto e = v.in_edges();
  auto a = softmax(e(w) + v(bias));
  return outputs(a, sum(a * e.src(x)));
};
static_assert(loops_left(kept) == 2 && divided(kept) == 0, "an edge reads softmax itself");

constexpr auto beside_others = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(e(w) + v(bias)) * e.src(x)) + max(e.src(x));
};
static_assert(loops_left(beside_others) == 2 && divided(beside_others) == 0,
              "the first loop makes something else, too");

constexpr auto beside_the_largest = [](auto v) {
  auto e = v.in_edges();
  auto score = e(w) + v(bias);
  return outputs(sum(softmax(score) * e.src(x)), max(score));
};
static_assert(loops_left(beside_the_largest) == 1 && divided(beside_the_largest) == 1, "which the loop keeps anyway");

constexpr auto less_the_largest = [](auto v) {
  auto e = v.in_edges();
  auto score = e(w) + v(bias);
  return sum(softmax(score) * e.src(x)) - max(score);
};
static_assert(loops_left(less_the_largest) == 2 && divided(less_the_largest) == 0, "read by the vertex");

constexpr auto by_the_largest = [](auto v) {
  auto e = v.in_edges();
  auto score = e(w) + v(bias);
  return sum(softmax(score) * e.src(x) * e.dst(max(score)));
};
static_assert(loops_left(by_the_largest) == 2 && divided(by_the_largest) == 0, "read by edges");

}  // namespace stg
