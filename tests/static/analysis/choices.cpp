// choices: each of the numbers that passes decide by changes what they make, through the pipeline and the constants
// that are compiled; that none changes results is what random programs show (tests/proof).
#include "../pass/symbols.hpp"
#include "../pass/symbols_of_kinds.hpp"

#include <stg/call/with.hpp>  // with

namespace stg {

using pass::choices;

constexpr auto narrow = vertex_feature<"narrow">;
constexpr auto sixteen = trainable(vertex_feature<"sixteen", 16>);

constexpr ir::program canonical_of(auto program) { return pipeline::canonical(trace(program)); }
constexpr ir::program inferred_by(auto program, const choices& by) {
  return pipeline::inferred(canonical_of(program), by);
}

// ---- save ----

/// Numbers per vertex that the forward program saves.
constexpr std::int64_t saved_numbers(auto program, const choices& by) {
  const ir::program p = canonical_of(program);
  const ir::program forward = pipeline::differentiated(p, {0}, pass::trainable_inputs(p), by).forward;
  std::int64_t n = 0;
  for (int k = 1; k < forward.outputs.size(); ++k) n += forward[forward.outputs[k].at].dims.size();
  return n;
}
constexpr auto costly = [](auto v) { return stg::tanh(v(x)) * v(y); };
static_assert(saved_numbers(costly, {}) == 4 && saved_numbers(costly, {.recomputed_cost = 60}) == 0);
constexpr auto lacks_one = [](auto v) {
  auto scaled = v(sixteen) * stg::tanh(v(narrow));
  return scaled * scaled * scaled;
};
static_assert(saved_numbers(lacks_one, {}) == 1 && saved_numbers(lacks_one, {.few_numbers = 0}) >= 16);

// ---- hoist ----

/// Values that are kept where the first input is fixed.
constexpr int kept(auto program, const choices& by) {
  return pipeline::hoisted(canonical_of(program), false, {0}, by).prologue.outputs.size();
}
constexpr auto shifted = [](auto v) { return (v(x) + 1.0) * v(y); };
static_assert(kept(shifted, {}) == 0 && kept(shifted, {.kept_row_cost = 0}) == 1);
constexpr auto shifted_number = [](auto v) { return (v(narrow) + 1.0) * v(y); };
static_assert(kept(shifted_number, {}) == 0 && kept(shifted_number, {.kept_number_cost = 1}) == 1);
static_assert(kept(shifted_number, {.kept_number_cost = 2, .kept_row_cost = 1}) == 0);

// ---- factor, sink, pack ----

/// Axes of the sum over edges.
constexpr int summed_axes(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::sum_edges) return s.dims.rank;
  return -1;
}
constexpr auto inner_products = [](auto v) { return sum(sum(v.in_edges().dst(x) * v.in_edges().src(y), axis<0>)); };
static_assert(summed_axes(inferred_by(inner_products, {})) == 1, "⟨x, Σ y⟩");
static_assert(summed_axes(inferred_by(inner_products, {.most_terms = 0})) == 0, "Σ ⟨x, y⟩");

constexpr auto scaled = [](auto v) { return sum(v.in_edges().src(v(narrow) * v(x))); };
static_assert(count_of(inferred_by(scaled, {}), ir::opcode::gather_src) == 2);
static_assert(count_of(inferred_by(scaled, {.moved_cost = 0}), ir::opcode::gather_src) == 1);

constexpr int packed(const choices& by) {
  constexpr auto read_together = [](auto v) { return sum(v.in_edges().src(stg::exp(v(x))) * v.in_edges().src(y)); };
  return count_of(pass::pack_rest(canonical_of(read_together), by), ir::opcode::concat);
}
static_assert(packed({}) == 1 && packed({.most_packed_bytes = 15}) == 0 && packed({.most_record_bytes = 31}) == 0);

// ---- fuse, plan ----

constexpr auto two_relations = [](auto g) {
  auto p = g(paper);
  return relu(sum(p.in_edges(writes).src(g(author)(known))) + mean(p.in_edges(cites).src(p(words))) + p(words));
};
constexpr int units(const choices& by) { return pipeline::planned(inferred_by(two_relations, by), by).units.size(); }
static_assert(units({}) == 1 && units({.relations = pass::relations_of_sweep::one}) == 2);
struct along_one {
  static constexpr pass::relations_of_sweep relations = pass::relations_of_sweep::one;
  static constexpr pipeline::plan_step list[] = {{"chain", pass::chain_units}};
};
static_assert(pipeline::planned<along_one>(inferred_by(two_relations, {})).units.size() == 2,
              "a backend whose kernels have rows of one relation");

constexpr auto scores = [](auto v) {
  auto e = v.in_edges();
  return sum(stg::exp(e(w)) * e.src(x));
};
constexpr auto four_scores = [](auto v) { return sum(stg::exp(v.in_edges().src(x)) * v.in_edges()(w)); };
constexpr pass::edge_mode mode_of_exp(auto program, const choices& by) {
  const ir::program p = pass::dce(pass::cse(trace(program)));
  const pass::plan made = pipeline::planned(p, by);
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::exp) return made.mode(0, i);
  return pass::edge_mode::absent;
}
static_assert(mode_of_exp(scores, {}) == pass::edge_mode::across);
static_assert(mode_of_exp(scores, {.narrow_elements = 0}) != pass::edge_mode::across);
static_assert(mode_of_exp(four_scores, {}) == pass::edge_mode::across);
static_assert(mode_of_exp(four_scores, {.narrow_elements = 3}) == pass::edge_mode::joined);
static_assert(mode_of_exp(four_scores, {.computed_once_cost = 100}) == pass::edge_mode::joined);
constexpr auto wide_scores = [](auto v) {
  return sum(stg::exp(v.in_edges().src(sixteen)) * v.in_edges().src(sixteen));
};
constexpr bool is_across(auto program, const choices& by) {
  for (const pass::value_mode& m : pipeline::planned(pass::dce(pass::cse(trace(program))), by).modes)
    if (m.mode == pass::edge_mode::across) return true;
  return false;
}
static_assert(!is_across(wide_scores, {.narrow_elements = 1000}), "no more than kernels have registers for");

// ---- in the table of a program ----

constexpr choices few_changes{.few_numbers = 1, .most_record_bytes = 64, .relations = pass::relations_of_sweep::one};
constexpr ir::program by_few(const choices& by) { return pass::with_choices(canonical_of(two_relations), by); }
static_assert(by_few({}).decisions.empty() && by_few(few_changes).decisions.size() == 3);
static_assert(pass::choices_of(by_few(few_changes)) == few_changes);
static_assert(pass::choices_of(pass::with_choices(by_few(few_changes), {.moved_cost = 7})) == choices{.moved_cost = 7},
              "in place of those that were there");
static_assert(pass::choices_of(pipeline::inferred(by_few(few_changes))) == few_changes, "passes take them along");
static_assert(pipeline::planned(pipeline::inferred(by_few(few_changes))).units.size() == 2, "and the plan asks them");

// ---- as constants ----

constexpr choices other{.recomputed_cost = 60, .kept_row_cost = 0, .moved_cost = 0, .narrow_elements = 0};
template <const auto& F> using by_other = ref<with<F, other>>;

static_assert(inferred<by_other<scaled>>::value.size < inferred<ref<scaled>>::value.size);
static_assert(stage::hoisted<by_other<shifted>, false, 0>::kept == 1 &&
              stage::hoisted<ref<shifted>, false, 0>::kept == 0);
using every_output = provided<0>;
template <class Ref> using in_training = differentiated<Ref, every_output, required<>>;
static_assert(in_training<ref<costly>>::forward::value.room.outputs == 2);
static_assert(in_training<by_other<costly>>::forward::value.room.outputs == 1);
template <class Program> constexpr bool plans_across() {
  for (const pass::value_mode& m : planned<Program>::value.modes)
    if (m.mode == pass::edge_mode::across) return true;
  return false;
}
static_assert(plans_across<inferred<ref<scores>>>() && !plans_across<inferred<by_other<scores>>>());

}  // namespace stg
