// Decisions: what passes take along, how scopes lie in one another, and what verify refuses of the table.
#include <stg/dsl/outputs.hpp>
#include <stg/dsl/scope.hpp>
#include <stg/dsl/trace.hpp>
#include <stg/ir/attachments.hpp>
#include <stg/ir/decisions.hpp>
#include <stg/ir/frozen.hpp>
#include <stg/op/list.hpp>
#include <stg/analysis/choices.hpp>
#include <stg/analysis/verify.hpp>

namespace {

using namespace stg;
using ir::decided;

constexpr auto x = vertex_feature<"x", 4>;
constexpr ir::program traced() {
  return trace([](auto v) { return outputs(exp(v(x)), tanh(v(x)), sin(v(x))); });  // %0 is x
}
constexpr ir::program decided_all() {
  ir::program p = traced();
  p.decide(ir::kept(1, keeping::results));
  p.decide(ir::of_value(decided::stored, 2));
  p.decide(ir::of_pair(decided::apart, 3, 1));
  p.decide(ir::of_whole(decided::few_numbers, 1));
  p.decide(ir::of_whole(decided::few_numbers, 1));
  return p;
}
static_assert(decided_all().decisions.size() == 4 && pass::verify(decided_all()) == pass::finding());
static_assert(decided_all() == traced(), "decisions are no part of what a program computes");

// Values take theirs along, and lose them where they go.
constexpr ir::program carried(const sequence<ir::value_id>& at) {
  const ir::program p = decided_all();
  ir::program q = traced();
  ir::take_scopes(q, p);
  ir::carry_decisions(p, q, at);
  return q;
}
constexpr bool has(const ir::program& p, const ir::decision& d) {
  for (const ir::decision& one : p.decisions)
    if (one == d) return true;
  return false;
}
static_assert(carried({0, 1, 2, 3}).decisions.size() == 4 &&
              has(carried({0, 1, 2, 3}), ir::of_pair(decided::apart, 1, 3)));
static_assert(has(carried({0, 2, 3, 1}), ir::kept(2, keeping::results)) &&
              has(carried({0, 2, 3, 1}), ir::of_value(decided::stored, 3)) &&
              has(carried({0, 2, 3, 1}), ir::of_pair(decided::apart, 1, 2)));
static_assert(carried({0, -1, 2, 3}).decisions.size() == 2 && carried({0, 1, 2, -1}).decisions.size() == 3,
              "a pair goes with either of its values");
static_assert(has(carried({0, 1, 1, 1}), {decided::apart, ir::decided_of::pair, 1, 1, 0}),
              "one value that is to be apart from itself is refused by the plan");

// A program as a constant has its table.
struct as_it_is {
  static constexpr ir::program make() { return decided_all(); }
};
static_assert(ir::stored<as_it_is>::value.thaw().decisions == decided_all().decisions);

// ---- scopes ----

constexpr ir::program in_scopes() {
  ir::program p;
  for (const char* path : {"a", "a/b", "ab", "a/b/c"}) p.scopes.push_back(text(path));
  for (int scope = 0; scope < 4; ++scope) p.set_with(0, scope);
  return p;
}
constexpr keeping way_of(const ir::program& p, int set) {
  ir::statement s;
  s.scopes = set;
  return ir::scope_ways(p).of(s);
}
constexpr ir::program with_ways() {
  ir::program p = in_scopes();
  ir::keep_scope(p, 0, keeping::inputs);
  ir::keep_scope(p, 1, keeping::everything);
  return p;
}
static_assert(way_of(in_scopes(), 1) == keeping::chosen && way_of(in_scopes(), 0) == keeping::chosen);
static_assert(way_of(with_ways(), 1) == keeping::inputs && way_of(with_ways(), 2) == keeping::everything);
static_assert(way_of(with_ways(), 3) == keeping::chosen, "ab does not lie in a");
static_assert(way_of(with_ways(), 4) == keeping::everything, "the innermost scope around decides");
static_assert(way_of(with_ways(), 0) == keeping::chosen);
constexpr ir::program with_the_whole() {
  ir::program p = with_ways();
  p.decide(ir::of_whole(decided::keep, static_cast<int>(keeping::results)));
  return p;
}
static_assert(way_of(with_the_whole(), 0) == keeping::results && way_of(with_the_whole(), 3) == keeping::results &&
              way_of(with_the_whole(), 1) == keeping::inputs);
constexpr keeping of_both_scopes() {
  ir::program p = with_ways();
  return way_of(p, p.set_with(1, 1));
}
static_assert(of_both_scopes() == keeping::everything, "of several scopes the one that saves most");

// Regions are told by number: the innermost scope's, of several scopes the first; else the whole's.
constexpr std::int64_t region_of(const ir::program& p, int set) {
  ir::statement s;
  s.scopes = set;
  return ir::scope_regions(p).of(s);
}
constexpr ir::program with_regions() {
  ir::program p = in_scopes();
  p.decide(ir::of_scope(decided::merged_exchanges, 0, 2));
  p.decide(ir::of_scope(decided::merged_exchanges, 3, 1));
  return p;
}
static_assert(region_of(in_scopes(), 1) == 0 && region_of(with_regions(), 0) == 0);
static_assert(region_of(with_regions(), 1) == 2 && region_of(with_regions(), 2) == 2 &&
              region_of(with_regions(), 3) == 0 && region_of(with_regions(), 4) == 1);
constexpr std::int64_t region_of_both(int a, int b) {
  ir::program p = with_regions();
  return region_of(p, p.set_with(p.set_with(0, a), b));
}
static_assert(region_of_both(0, 3) == 1 && region_of_both(0, 2) == 2 && region_of_both(1, 2) == 2);
static_assert(ir::unused_region(in_scopes()) == 1 && ir::unused_region(with_regions()) == 3);
constexpr bool choices_leave_regions() {
  ir::program p = pass::with_choices(with_regions(), {.merged_exchanges = 5});
  return region_of(p, 0) == 5 && region_of(p, 1) == 2 && pass::choices_of(p).merged_exchanges == 5 &&
         pass::choices_of(with_regions()).merged_exchanges == 0;
}
static_assert(choices_leave_regions());

// ---- verify ----

constexpr bool is_refused(const ir::decision& d) {
  ir::program p = traced();
  p.scopes.push_back(text("a"));
  p.decisions.push_back(d);
  return pass::verify(p) != pass::finding();
}
static_assert(!is_refused(ir::of_scope(decided::keep, 0, 3)) && is_refused(ir::of_scope(decided::keep, 1, 3)) &&
              is_refused(ir::of_scope(decided::keep, 0, 5)) && is_refused(ir::of_scope(decided::keep, -1, 3)));
static_assert(!is_refused(ir::of_value(decided::inlined, 3)) && is_refused(ir::of_value(decided::inlined, 4)) &&
              is_refused(ir::of_value(decided::inlined, -1)) && is_refused(ir::of_whole(decided::inlined)) &&
              is_refused(ir::of_value(decided::inlined, 3, 1)));
static_assert(!is_refused(ir::of_pair(decided::together, 1, 2)) && is_refused(ir::of_pair(decided::together, 1, 4)) &&
              is_refused(ir::of_value(decided::together, 1)) && is_refused(ir::of_pair(decided::stored, 1, 2)));
static_assert(!is_refused(ir::of_whole(decided::moved_cost, 9)) &&
              is_refused(ir::of_value(decided::moved_cost, 1, 9)) &&
              is_refused(ir::of_whole(decided::moved_cost, std::int64_t(1) << 31)) &&
              is_refused(ir::of_whole(decided::relations, 2)) && is_refused(ir::of_whole(decided::relations, -1)));
static_assert(!is_refused(ir::of_scope(decided::merged_exchanges, 0, 2)) &&
              is_refused(ir::of_scope(decided::merged_exchanges, 1, 2)) &&
              is_refused(ir::of_scope(decided::merged_exchanges, 0, -1)) &&
              is_refused(ir::of_value(decided::merged_exchanges, 1, 2)) &&
              !is_refused(ir::of_scope(decided::overlaps, 0, 1)) && is_refused(ir::of_scope(decided::overlaps, 0)) &&
              is_refused(ir::of_whole(decided::overlaps, 1)) && is_refused(ir::of_value(decided::overlaps, 1, 1)) &&
              is_refused(ir::of_scope(decided::moved_cost, 0, 9)));
static_assert(!is_refused(ir::wide_as(3, bf16)) && !is_refused(ir::of_scope(decided::width, 0, 0)) &&
              !is_refused(ir::of_whole(decided::width, static_cast<int>(f16))) && is_refused(ir::wide_as(3, f64)) &&
              is_refused(ir::wide_as(4, bf16)) && is_refused(ir::of_pair(decided::width, 1, 2)) &&
              is_refused(ir::of_whole(decided::width, 6)) && is_refused(ir::of_whole(decided::width, -1)));
static_assert(is_refused(ir::of_whole(static_cast<decided>(-1))) && is_refused(ir::of_whole(static_cast<decided>(99))));
constexpr bool is_refused_mistake(int number) {
  ir::program p = traced();
  p.wrong = static_cast<ir::mistake>(number);
  return pass::verify(p) != pass::finding();
}
static_assert(!is_refused_mistake(static_cast<int>(ir::mistake::is_said)) && is_refused_mistake(-1) &&
              is_refused_mistake(static_cast<int>(ir::mistake::is_said) + 1));
constexpr bool is_refused_twice(const ir::decision& a, const ir::decision& b) {
  ir::program p = traced();
  p.scopes.push_back(text("a"));
  p.decisions.push_back(a);
  p.decisions.push_back(b);
  return pass::verify(p) != pass::finding();
}
static_assert(is_refused_twice(ir::of_whole(decided::moved_cost, 9), ir::of_whole(decided::moved_cost, 8)) &&
              is_refused_twice(ir::of_scope(decided::keep, 0, 1), ir::of_scope(decided::keep, 0, 2)) &&
              is_refused_twice(ir::of_scope(decided::width, 0, 0), ir::of_scope(decided::width, 0, 4)) &&
              is_refused_twice(ir::of_scope(decided::merged_exchanges, 0, 1),
                               ir::of_scope(decided::merged_exchanges, 0, 2)) &&
              !is_refused_twice(ir::of_scope(decided::keep, 0, 1), ir::of_scope(decided::width, 0, 4)) &&
              !is_refused_twice(ir::of_whole(decided::moved_cost, 9), ir::of_whole(decided::few_numbers, 9)));

}  // namespace
