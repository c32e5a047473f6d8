// What called layers draw: equal ones with dropout are one program, and each call draws what it would written out.
#include "../pass/symbols.hpp"

#include <stg/examine.hpp>
#include <stg/gradient.hpp>
#include <stg/ir/sites.hpp>
#include <stg/analysis/verify.hpp>
#include <stg/pass/call.hpp>
#include <stg/pass/inline.hpp>
#include <stg/pipeline.hpp>

namespace stg {

constexpr auto drops = [](auto, auto h) { return dropout(tanh(dropout(h, 0.5)), 0.25); };
constexpr auto written = [](auto v) { return dropout(drops(v, dropout(drops(v, v(x)), 0.1)), 0.2); };
constexpr auto called = [](auto v) { return dropout(call(drops, v, dropout(call(drops, v, v(x)), 0.1)), 0.2); };

/// The first sites of calls, in program order.
constexpr sequence<int> sites_of_calls(const ir::program& p, ir::opcode code = ir::opcode::scan) {
  sequence<int> found;
  for (const ir::statement& s : p.statements)
    if (s.code == code && ir::is_call(s)) found.push_back(ir::first_site(s));
  return found;
}
constexpr ir::program ordered(const ir::program& p) { return pass::order(pipeline::canonical(p)); }

constexpr bool draw_as_written_out() {
  const ir::program p = pipeline::canonical(trace(called));
  return p.callees.size() == 1 && trace(called).callees.size() == 1 && pass::verify(p) == pass::finding() &&
         sites_of_calls(p) == sequence<int>{0, 3} && ir::site_count(p) == 6 && ir::site_count(p.callees[0]) == 2 &&
         pass::order(pass::inline_calls(p)) == ordered(trace(written)) && ir::site_count(pass::inline_calls(p)) == 6;
}
static_assert(draw_as_written_out());

// A program that draws nothing begins at 0 wherever it is told to, so that equal calls are one; one that draws begins
// where it is told, and at 0 where it is told nothing.
constexpr auto doubles = [](auto, auto h) { return h * 2.0; };
constexpr auto twice_called = [](auto v) {
  auto first = call(drops, v, v(x));  // and not within one expression: which is called first would be left open
  return first + call(doubles, v, v(x));
};
template <class... Site> constexpr int first_site_of(int callee, Site... site) {
  ir::program p = trace(twice_called);
  const ir::program to_call = p.callees[callee];
  sequence<ir::value_id> passed;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input) passed.push_back(i);
  return ir::first_site(p[pass::emit_call(p, to_call, passed, site...)]);
}
static_assert(first_site_of(0, 7) == 7 && first_site_of(0) == 0 && first_site_of(1, 7) == 0);

// Behind what was drawn before it a call begins, and at 0 where it draws nothing.
constexpr auto drops_once = [](auto, auto h) { return dropout(h, 0.5); };
constexpr bool begins_behind(auto layer, int site) {
  const ir::program p = pass::order(trace([layer](auto v) {
    auto before = dropout(v(x), 0.5);
    return call(layer, v, before);
  }));
  return sites_of_calls(p) == sequence<int>{site};
}
static_assert(begins_behind(drops_once, 1) && begins_behind(drops, 1) && begins_behind(doubles, 0));

// A gradient draws what the layer drew: in both halves of training, and where it is a value of the program.
constexpr bool gradients_draw_the_same() {
  const ir::program p = pipeline::canonical(trace(called));
  const ir::program both =
      pipeline::run<pipeline::joint_passes>(p, pipeline::asked_of(p, {0}, pass::trainable_inputs(p)));
  const pass::differentiated d = pipeline::differentiated(p, {0}, pass::trainable_inputs(p));
  return both.callees.size() == 2 && sites_of_calls(both) == sequence<int>{0, 3, 3, 0} &&
         d.gradient.callees.size() == 1 && sites_of_calls(d.gradient) == sequence<int>{3, 0} &&
         pass::verify(d.gradient) == pass::finding();
}
static_assert(gradients_draw_the_same());

constexpr auto penalized = [](auto v) {
  auto h = v(x);
  auto y = call(drops, v, dropout(call(drops, v, h), 0.1));
  auto slope = gradient(sum(sum(y * y, axis<0>), all_vertices), h);
  return dropout(slope, 0.3) + call(drops, v, slope);
};
constexpr bool gradients_in_a_program_draw_the_same() {
  const ir::program p = pipeline::canonical(trace(penalized));
  const sequence<int> back = sites_of_calls(p, ir::opcode::scan_gradient);
  return pass::verify(p) == pass::finding() && sites_of_calls(p) == sequence<int>{0, 3, 6} &&
         back == sequence<int>{3, 0} && ir::site_count(p) == 8 && p.callees.size() == 2;
}
static_assert(gradients_in_a_program_draw_the_same());

/// The masks of the step of a scan, and of that of its gradient.
constexpr auto slope_of_steps = [](auto v) {
  auto h = v(x);
  auto y = scan<3>(
      v, [](auto, auto s) { return dropout(s, 0.5) * dropout(s, 0.25); }, dropout(h, 0.1));
  return gradient(sum(sum(y, axis<0>), all_vertices), h);
};
constexpr bool steps_of_gradients_draw_the_same() {
  const ir::program p = pipeline::canonical(trace(slope_of_steps));
  sequence<std::int64_t> drawn[2];
  for (int k = 0; k < 2; ++k)
    for (const ir::statement& s : p.callees[k].statements)
      if (s.code == ir::opcode::keep_mask) drawn[k].push_back(s.site() + (s.drop_probability() == 0.5 ? 100 : 0));
  return p.callees.size() == 2 && drawn[0].size() == 2 && ir::site_count(p) == 3 &&
         (drawn[0] == drawn[1] || drawn[0] == sequence<std::int64_t>{drawn[1][1], drawn[1][0]});
}
static_assert(steps_of_gradients_draw_the_same());

// Called programs that call others, or repeat steps that draw.
constexpr auto twice = [](auto v, auto h) { return call(drops, v, dropout(call(drops, v, h), 0.1)); };
constexpr auto repeats = [](auto v, auto h) {
  return scan<2>(
      v, [](auto v, auto s) { return call(drops, v, dropout(s, 0.5)); }, dropout(h, 0.1));
};
constexpr auto nested = [](auto v) { return call(repeats, v, call(twice, v, call(repeats, v, call(twice, v, v(x))))); };
constexpr auto repeats_written = [](auto v, auto h) {
  return scan<2>(
      v, [](auto v, auto s) { return drops(v, dropout(s, 0.5)); }, dropout(h, 0.1));
};
constexpr auto twice_written = [](auto v, auto h) { return drops(v, dropout(drops(v, h), 0.1)); };
constexpr auto nested_written = [](auto v) {
  return repeats_written(v, twice_written(v, repeats_written(v, twice_written(v, v(x)))));
};
constexpr bool within_others() {
  const ir::program p = pipeline::canonical(trace(nested));
  const ir::program flat = pass::inline_calls(p);
  return p.callees.size() == 2 && sites_of_calls(p) == sequence<int>{0, 5, 9, 14} && ir::site_count(p) == 18 &&
         pass::verify(flat) == pass::finding() && ir::site_count(flat) == 18 &&
         examine::are_similar(pass::order(flat), ordered(trace(nested_written)));
}
static_assert(within_others());

// Called plainly nothing is drawn, so equal calls are one.
constexpr auto apart = [](auto v) { return call(drops, v, v(x)) - call(drops, v, v(x)); };
constexpr bool are_one_in_inference() {
  const ir::program p = pipeline::canonical(trace(apart));
  return count_of(p, ir::opcode::scan) == 2 && p.callees.size() == 1 &&
         count_of(pipeline::inferred(p), ir::opcode::scan) <= 1;
}
static_assert(are_one_in_inference());

// What a program that is called by a pass draws is told by where its sites begin.
constexpr bool is_told_by_a_pass() {
  const ir::program of = pass::order(trace([](auto v) { return drops(v, v(x)); }));
  ir::program p = pass::order(trace([](auto v) { return dropout(v(x), 0.5); }));
  const ir::value_id first = pass::emit_call(p, of, {0}, ir::site_count(p));
  p.outputs.push_back(ir::output{pass::emit_result(p, first, 0), {}});
  const ir::value_id second = pass::emit_call(p, of, {0}, ir::site_count(p));
  return ir::first_site(p[first]) == 1 && ir::first_site(p[second]) == 3 && ir::site_count(p) == 5;
}
static_assert(is_told_by_a_pass());

// Programs are similar where what they draw stands for each other, whichever numbers it has.
constexpr ir::program first_and_third(int first, int third) {
  ir::program p = pipeline::canonical(trace(called));
  int nth = 0;
  for (ir::statement& s : p.statements)
    if (ir::is_call(s)) s.set_first_site(nth++ == 0 ? first : third);
  return p;
}
static_assert(examine::are_similar(first_and_third(0, 3), first_and_third(20, 10)));
static_assert(!examine::are_similar(first_and_third(0, 3), first_and_third(10, 10)));
static_assert(!examine::are_similar(first_and_third(0, 3), first_and_third(0, 4)));  // which the last mask draws

}  // namespace stg
