// The form of a plan that kernels are instantiated with holds all of it, or nothing where there is no room; and what
// else a plan says of values that a loop and a vertex read.
#include "symbols.hpp"

#include <stg/pass/plan.hpp>
#include <stg/pipeline.hpp>

namespace stg {

constexpr auto number = vertex_feature<"number">;
constexpr auto heads = vertex_feature<"heads", 2, 4>;
constexpr auto turned = vertex_feature<"turned", 2, 2>;
constexpr auto thin = vertex_feature<"thin", 2, 1>;
constexpr auto W44 = parameter<"W44", 4, 4>;

// ---- frozen ----

/// Two loops, a chain with a product, memory that is taken over, and values that need no place of their own.
constexpr auto program = [](auto v) {
  auto e = v.in_edges();
  auto a = relu(matmul(sum(softmax(e(w) + v(number)) * e.src(x)), W44));
  return matmul(relu(v(y) + a * 2.0), W44) * v(x) + sum(v.out_edges().dst(y));
};
constexpr ir::program written() { return pipeline::inferred(pipeline::canonical(trace(program))); }

constexpr bool is_same(const pass::planned_unit& a, const pass::planned_unit& b) {
  return a.kind == b.kind && a.side == b.side && a.first_step == b.first_step && a.last_step == b.last_step &&
         a.chained == b.chained;
}
constexpr bool is_same(const pass::step& a, const pass::step& b) {
  return a.is_loop == b.is_loop && a.index == b.index;
}
constexpr bool is_same(const pass::planned_loop& a, const pass::planned_loop& b) {
  return a.side == b.side && a.first_statement == b.first_statement && a.last_statement == b.last_statement &&
         a.first_result == b.first_result && a.last_result == b.last_result && a.first_mode == b.first_mode &&
         a.last_mode == b.last_mode;
}
constexpr bool is_same(const pass::planned_value& a, const pass::planned_value& b) {
  return a.at == b.at && a.level == b.level && a.kept == b.kept && a.softmax == b.softmax;
}
constexpr bool is_same(const pass::planned_result& a, const pass::planned_result& b) {
  return a.at == b.at && a.level == b.level && a.summed_in == b.summed_in && a.over == b.over;
}
constexpr bool is_same(const pass::value_mode& a, const pass::value_mode& b) {
  return a.at == b.at && a.mode == b.mode;
}
constexpr bool is_same(const pass::lifetime& a, const pass::lifetime& b) {
  return a.first == b.first && a.last == b.last;
}
constexpr bool is_same(int a, int b) { return a == b; }

/// All of a list is in an array, and it is not only of what is there anyway.
constexpr bool is_copied(const auto& from, const auto* to) {
  for (int k = 0; k < from.size(); ++k)
    if (!is_same(from[k], to[k])) return false;
  return !from.empty();
}
constexpr bool has_marks(const auto& marks) {
  bool any = false;
  for (const auto m : marks) any = any || m > 0;
  return any;
}
constexpr bool is_frozen_whole() {
  const pass::plan made = pipeline::planned(written());
  const pass::roomy_plan<64> frozen(made);
  const auto& held = frozen.held;
  return frozen.fits() && is_copied(made.units, held.units) && is_copied(made.steps, held.steps) &&
         is_copied(made.loops, held.loops) && is_copied(made.loop_statements, held.loop_statements) &&
         is_copied(made.loop_results, held.loop_results) && is_copied(made.modes, held.modes) &&
         is_copied(made.stored, held.stored) && is_copied(made.in_block, held.in_block) &&
         is_copied(made.joined, held.joined) && is_copied(made.lifetimes, held.lifetimes) &&
         is_copied(made.overwrites, held.overwrites) && has_marks(made.stored) && has_marks(made.in_block) &&
         has_marks(made.joined) && has_marks(made.overwrites) && made.loops.size() > 2;
}
static_assert(is_frozen_whole());
constexpr bool modes_are_found() {
  const pass::plan made = pipeline::planned(written());
  const pass::roomy_plan<64> frozen(made);
  for (int l = 0; l < made.loops.size(); ++l)
    for (ir::value_id i = 0; i < made.stored.size(); ++i)
      if (frozen.held.mode(l, i) != made.mode(l, i)) return false;
  return true;
}
static_assert(modes_are_found());

// Of a plan that has no room nothing is held.
constexpr bool is_left_out() {
  const pass::roomy_plan<1> frozen(pipeline::planned(written()));
  return !frozen.fits() && frozen.held.units[0].last_step == 0;
}
static_assert(is_left_out());
/// A plan that fills one room, and has `more` than that.
constexpr bool fits(int pass::plan_sizes::*which, int more) {
  pass::roomy_plan<16> frozen{pass::plan()};
  frozen.sizes.*which = pass::roomy_plan<16>::room.*which + more;
  return frozen.fits();
}
constexpr bool is_bounded(int pass::plan_sizes::*which) { return fits(which, 0) && !fits(which, 1); }
using pass::plan_sizes;
static_assert(is_bounded(&plan_sizes::statements) && is_bounded(&plan_sizes::units) && is_bounded(&plan_sizes::steps));
static_assert(is_bounded(&plan_sizes::loops) && is_bounded(&plan_sizes::loop_statements));
static_assert(is_bounded(&plan_sizes::loop_results) && is_bounded(&plan_sizes::modes));

// ---- who reads a softmax ----

constexpr pass::plan plan_of(auto f) {
  const ir::program p = pass::dce(pass::fold(pass::cse(pass::order(trace(f)))));
  return pass::make_plan(p, pass::fuse(p));
}
constexpr int divided(auto f) {
  int n = 0;
  for (const pass::planned_result& r : plan_of(f).loop_results) n += (r.over >= 0) + (r.summed_in >= 0);
  return n;
}
static_assert(divided([](auto v) {
                auto e = v.in_edges();
                return sum(softmax(e(w) + v(number)) * e.src(x));
              }) == 2,
              "the sum, and the loop that takes its exponentials");
static_assert(divided([](auto v) {
                auto e = v.in_edges();
                auto a = softmax(e(w) + v(number));
                return sum(a * e.dst(sum(a * e.src(x))) * e.src(y));
              }) == 0,
              "two loops read it");
static_assert(divided([](auto v) {
                auto e = v.in_edges();
                auto score = e(w) + v(number);
                return outputs(sum(softmax(score) * e.src(x)), relu(log_sum_exp(score)));
              }) == 0,
              "the vertex reads the logarithm");
static_assert(divided([](auto v) {
                auto e = v.in_edges();
                return outputs(sum(softmax(e(w) + v(number)) * e.src(x)), sum(softmax(e(w) * v(number)) * e.src(y)));
              }) == 0,
              "two of them in one loop");

// A loop is of the side of its sweep.
constexpr bool is_along(pass::sweep_side side, const pass::plan& made) {
  return made.loops.size() == 1 && made.loops[0].side == side && made.units[0].side == side;
}
static_assert(is_along(pass::sweep_side::in, plan_of([](auto v) { return sum(v.in_edges().src(x)); })));
static_assert(is_along(pass::sweep_side::out, plan_of([](auto v) { return sum(v.out_edges().dst(x)); })));

// ---- per-vertex values within their readers ----

constexpr int joined(auto f) {
  int n = 0;
  for (const auto one : plan_of(f).joined) n += one;
  return n;
}
static_assert(joined([](auto v) { return max(stg::exp(v(x)), axis<0>); }) == 1, "a maximum of its row");
static_assert(joined([](auto v) { return matmul(stg::exp(v(x)), W44); }) == 0, "a product of its row, of one shape");
static_assert(joined([](auto v) { return (v(heads) / v(heads)) * v(thin); }) == 0,
              "four operations, a piece at a time");
static_assert(joined([](auto v) { return (v(heads) * v(heads) + v(heads)) * v(thin); }) == 2, "two of them");

static_assert(joined([](auto v) { return transpose<0, 1>(stg::exp(v(turned))); }) == 0, "read across");

}  // namespace stg
