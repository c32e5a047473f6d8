// Questions about programs: functions that are true, in constant evaluation and at run time.
#pragma once

#include "models.hpp"

#include <stg/examine/counts.hpp>
#include <stg/examine/hash.hpp>
#include <stg/examine/materialize.hpp>
#include <stg/examine/needs.hpp>
#include <stg/examine/similar.hpp>
#include <stg/examine/users.hpp>

namespace stg::examined {

using values = sequence<ir::value_id>;

// ---- users and operands ----

/// %0 x · %1 y = %2; %3 = %2 · %2; %4 = %3 + %0
constexpr ir::program squares() {
  return canonical([](auto v) {
    auto product = v(x) * v(y);
    return product * product + v(x);
  });
}
constexpr bool operands_are_read_in_order_and_as_often_as_they_stand() {
  const ir::program p = squares();
  const ir::value_id in = 0, other = 1, product = 2, square = 3, sum = 4;
  return examine::operands_of(p, product) == values{in, other} &&
         examine::operands_of(p, square) == values{product, product} &&
         examine::distinct_operands_of(p, square) == values{product} && p.outputs[0].at == sum;
}
constexpr bool users_are_found_with_and_without_multiplicity() {
  const ir::program p = squares();
  const examine::users readers(p);
  return readers.of(0) == values{2, 4} && readers.of(2) == values{3} && readers.with_multiplicity(2) == values{3, 3} &&
         readers.uses(2) == 2 && readers.uses(4) == 0 && readers.of(4).empty();
}
constexpr bool all_users_are_found_through_any_number_of_steps() {
  const ir::program p = squares();
  return examine::all_users_of(p, 0) == values{2, 3, 4} && examine::all_users_of(p, 1) == values{2, 3, 4} &&
         examine::all_users_of(p, 1, true) == values{2, 3, 3, 4} &&
         examine::all_users_of(p, 0, true) == values{2, 3, 3, 4, 4} && examine::all_users_of(p, 4).empty();
}

// ---- dependencies ----

constexpr bool dependencies_are_what_a_value_is_made_of() {
  const ir::program p = squares();
  ir::flags inputs(p.size(), 0);
  inputs[0] = inputs[1] = inputs[4] = 1;
  return examine::dependencies_of(p, 3) == values{0, 1, 2} && examine::dependencies_of(p, 0).empty() &&
         examine::dependencies_within(p, 3, inputs) == values{0, 1} &&
         examine::dependencies_of(p, values{3, 2}) == values{0, 1, 2};
}

constexpr ir::value_id input_of(const ir::program& p, std::string_view name) {
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && p.inputs[p[i].entry()].name.view() == name) return i;
  return ir::no_value;
}
constexpr bool names(const ir::program& p, const sequence<int>& entries, std::initializer_list<const char*> expected) {
  if (entries.size() != static_cast<int>(expected.size())) return false;
  int k = 0;
  for (const char* name : expected)
    if (p.inputs[entries[k++]].name.view() != name) return false;
  return true;
}
constexpr bool an_output_needs_inputs_and_extents() {
  const ir::program p = canonical(two_losses);
  const examine::needs loss = examine::needs_of(p, p.outputs[0].at), sum = examine::needs_of(p, p.outputs[1].at);
  return names(p, loss.inputs, {"label", "z", "U"}) && loss.extents == sequence<text>{text("F")} &&
         names(p, sum.inputs, {"x", "ew"}) && sum.extents.empty();
}

/// Carries a and b; a reads b, so the last a needs both first values; b needs itself alone; y, which is collected,
/// reads nothing but c.
inline constexpr auto c = over<"T">(vertex_feature<"c", 4>);
inline constexpr auto steps = [](auto v) {
  auto [first, second, all] = scan<"T">(
      v, [](auto at, auto a, auto b) { return next(a * b + at(x), b * 2.0).gives(sum(at(c), all_vertices)); }, v(y),
      v(x) + v(y));
  return outputs(first, second, sum(stacked(all), axis<0>));
};
inline constexpr auto bias = parameter<"bias", 4>;
inline constexpr auto steps_of_two = [](auto v) {
  auto [first, second] = scan<"T">(
      v, [](auto at, auto a, auto b) { return next(a * 0.5 + at(c), b * 2.0 + at(bias)); }, v(x), v(y));
  return outputs(first, second);
};
constexpr bool steps_of_scans_need_what_their_results_need() {
  const ir::program p = canonical(steps);
  const examine::needs first = examine::needs_of(p, p.outputs[0].at), last = examine::needs_of(p, p.outputs[2].at);
  const ir::program q = canonical(steps_of_two);
  const examine::needs one = examine::needs_of(q, q.outputs[0].at), other = examine::needs_of(q, q.outputs[1].at);
  return names(p, first.inputs, {"y", "x"}) && names(p, last.inputs, {"c"}) && first.extents == last.extents &&
         first.extents == sequence<text>{text("T")} && names(q, one.inputs, {"x", "c"}) &&
         names(q, other.inputs, {"y", "bias"});
}

/// Of a value with a gradient of its own what the value needs, whatever its gradient reads.
constexpr bool a_gradient_of_its_own_is_not_needed() {
  constexpr auto beside = custom_gradient([](auto, auto h, auto) { return round(h); },
                                          [](auto, auto d, auto, auto k) { return std::tuple(d * k, 0); });
  const ir::program p = canonical([=](auto v) { return beside(v, v(x), v(y)); }), q = canonical(rounds_both);
  return names(p, examine::needs_of(p, p.outputs[0].at).inputs, {"x"}) &&
         names(q, examine::needs_of(q, q.outputs[0].at).inputs, {"y"}) &&
         examine::needs_of(q, q.outputs[1].at).inputs.size() == 2;
}

constexpr bool values_in_memory_are_inputs_outputs_and_what_other_rows_read() {
  const ir::program p = canonical([](auto v) { return sum(v.in_edges().src(exp(v(x))) * 2.0); });
  const ir::flags in = examine::values_in_memory(p);
  return in[first_of(p, ir::opcode::input)] && in[first_of(p, ir::opcode::exp)] && in[p.outputs[0].at] &&
         !in[first_of(p, ir::opcode::gather_src)] && !in[first_of(p, ir::opcode::mul)];
}

/// x · y is read twice and made of two inputs; exp(x) is read twice and made of one; what is read once is not stored.
constexpr bool mpms_stores_what_joins_and_is_shared() {
  const ir::program p = canonical([](auto v) {
    auto joined = v(x) * v(y), alone = exp(v(x));
    auto twice = joined + 1.0;
    return outputs(sin(twice) * cos(twice), alone * joined + alone);
  });
  const ir::flags stored = examine::stored_by_mpms(p);
  const ir::value_id product = first_of(p, ir::opcode::mul), e = first_of(p, ir::opcode::exp);
  return stored[product] && !stored[e] && !stored[first_of(p, ir::opcode::sin)] && stored[p.outputs[0].at] &&
         stored[p.outputs[1].at] && stored[input_of(p, "x")] && !stored[first_of(p, ir::opcode::constant)] &&
         !stored[examine::users(p).of(product)[0]];  // joined + 1 is made of one stored value
}

// ---- counts ----

constexpr bool operations_are_counted_with_and_without_duplicates() {
  const ir::program p = trace(twice);
  const examine::operation_counts all = examine::counts_of(p), once = examine::distinct_counts_of(p);
  return all[ir::opcode::exp] == 2 && once[ir::opcode::exp] == 1 && all[ir::opcode::mul] == 2 &&
         once[ir::opcode::add] == 1 && all.total() == p.size() && once.total() == canonical(twice).size() &&
         examine::distinct_counts_of(canonical(twice)) == examine::counts_of(canonical(twice));
}
constexpr bool calls_are_counted() {
  const ir::program p = canonical([](auto v) {
    auto once = [](auto at, auto h) { return 0.5 * h + at(x); };
    auto inner = [=](auto at, auto h) { return scan<3>(at, once, h) + scan<3>(at, once, 2.0 * h); };
    return scan<2>(v, inner, zeros<4>(v)) + scan<2>(v, once, zeros<4>(v));
  });
  return examine::calls_of(p) == sequence<int>{1, 1} && examine::call_count(p) == 4 &&
         examine::counts_of(p)[ir::opcode::scan] == 2 && examine::counts_with_steps(p)[ir::opcode::scan] == 4;
}

// ---- equality and hashes ----

constexpr bool hashes_go_with_equality() {
  const ir::program p = canonical(attention), q = canonical(attention), r = canonical(two_losses);
  ir::program other = p;
  other.statements[first_of(p, ir::opcode::leaky_relu)].set_slope(0.25);
  ir::program renamed = p;
  renamed.outputs[0].name = text("y");
  ir::program scoped = p;
  scoped.names.clear();
  const std::uint64_t h = examine::hash_of(p);
  return h == examine::hash_of(q) && h != examine::hash_of(r) && h != examine::hash_of(other) &&
         h != examine::hash_of(renamed) && h == examine::hash_of(scoped) &&
         examine::hash_of(canonical(repeated)) != examine::hash_of(canonical(steps));
}
constexpr bool values_are_equal_wherever_they_stand() {
  const ir::program p = canonical(attention), q = canonical([](auto v) { return outputs(v(y), exp(matmul(v(x), W))); });
  const ir::value_id h = first_of(p, ir::opcode::matmul), other = first_of(q, ir::opcode::matmul);
  return h != other && examine::are_equal(p, h, q, other) && !examine::are_equal(p, h, q, q.outputs[1].at) &&
         examine::hashes_of(p)[h] == examine::hashes_of(q)[other] &&
         examine::hashes_of(p)[h] != examine::hashes_of(q)[q.outputs[1].at];
}
/// Though they compute the same: another gradient is another program. Programs of gradients and kinds of vertices have
/// other numbers in other programs.
constexpr bool gradients_of_their_own_are_compared() {
  const ir::program p = canonical(rounds_straight), q = canonical(rounds_doubled), both = canonical(rounds_both);
  const ir::value_id of_p = p.outputs[0].at, of_q = q.outputs[0].at, of_both = both.outputs[1].at;
  return !(p == q) && examine::hash_of(p) != examine::hash_of(q) && !examine::are_similar(p, q) &&
         examine::are_similar(p, p) && !examine::are_equal(p, of_p, q, of_q) &&
         examine::hashes_of(p)[of_p] != examine::hashes_of(q)[of_q] && examine::are_equal(p, of_p, both, of_both) &&
         examine::hashes_of(p)[of_p] == examine::hashes_of(both)[of_both];
}
inline constexpr auto age_of_papers = paper.feature<"age", 4>;
constexpr bool kinds_are_compared_by_their_names() {
  const ir::program p = canonical(written_by), q = canonical(cited_then_written);
  const ir::value_id of_p = p.outputs[0].at, of_q = q.outputs[1].at;
  const ir::program paper_age = canonical([](auto g) { return exp(g(paper)(age_of_papers)); }),
                    author_age = canonical([](auto g) { return exp(g(author)(age)); });
  ir::program renamed = paper_age;
  renamed.kinds[0].name = text("book");
  ir::program alone = q;  // whose kinds have other numbers
  alone.outputs = {q.outputs[1]};
  return p.kinds.size() == 3 && q.kinds.size() == 4 && p[of_p].where.set != q[of_q].where.set &&
         examine::are_equal(p, of_p, q, of_q) && examine::hashes_of(p)[of_p] == examine::hashes_of(q)[of_q] &&
         !examine::are_equal(paper_age, paper_age.outputs[0].at, author_age, author_age.outputs[0].at) &&
         examine::hashes_of(paper_age)[1] != examine::hashes_of(author_age)[1] &&
         examine::hash_of(paper_age) != examine::hash_of(renamed) && examine::are_similar(paper_age, author_age) &&
         examine::are_similar(p, alone) &&
         !examine::are_similar(p, canonical([](auto g) { return mean(g(paper).in_edges(cites).src(year)); }));
}
constexpr bool steps_have_one_hash_whatever_is_around() {
  constexpr auto steps_of = [](auto v) {
    return scan<"T">(
        v, [](auto at, auto h) { return 0.5 * h + at(series); }, zeros<4>(v));
  };
  const ir::program p = canonical(steps_of),
                    q = canonical([=](auto v) { return outputs(matmul(v(z), U), steps_of(v)); });
  const ir::value_id of_p = p.outputs[0].at, of_q = q.outputs[1].at;
  return examine::are_equal(p, of_p, q, of_q) && examine::hashes_of(p)[of_p] == examine::hashes_of(q)[of_q];
}
constexpr bool a_chain_with_many_ways_is_compared_and_hashed_once() {
  const ir::program p = chain(100), q = chain(100), r = chain(101);
  const ir::value_id last = p.outputs[0].at, longer = r.outputs[0].at;
  return p == q && examine::hash_of(p) == examine::hash_of(q) && examine::are_equal(p, last, q, last) &&
         !examine::are_equal(p, last, r, longer) && examine::are_equal(p, last, r, last) &&
         examine::hashes_of(p)[last] == examine::hashes_of(r)[last] && examine::are_similar(p, q) &&
         !examine::are_similar(p, r);
}

// ---- similar ----

inline constexpr auto W2 = parameter<"W2", 4, 4>;
inline constexpr auto p2 = vertex_feature<"p", extent<"P">>;
inline constexpr auto U2 = parameter<"U2", extent<"P">, 4>;
constexpr bool names_and_scopes_do_not_matter() {
  const auto one = [](auto v) { return scope<"a">(v, [](auto at) { return tanh(matmul(at(x), W)) + at(x); }); };
  const auto other = [](auto v) { return named<"b">(tanh(matmul(v(y), W2)) + v(y)); };
  const auto mixed = [](auto v) { return tanh(matmul(v(y), W2)) + v(x); };
  const auto wide = [](auto v) { return matmul(v(z), U); };
  const auto as_wide = [](auto v) { return matmul(v(p2), U2); };
  return examine::are_similar(trace(one), trace(other)) && !(trace(one) == trace(other)) &&
         !examine::are_similar(trace(one), trace(mixed)) && !examine::are_similar(trace(mixed), trace(one)) &&
         examine::are_similar(trace(wide), trace(as_wide)) && !examine::are_similar(trace(wide), trace(other)) &&
         examine::are_similar(canonical(repeated), canonical(repeated));
}
constexpr bool steps_are_compared_too() {
  const auto model = [](double factor) {
    return [=](auto v) {
      return scan<"T">(
          v, [=](auto at, auto h) { return factor * h + at(x); }, zeros<4>(v));
    };
  };
  return examine::are_similar(trace(model(0.5)), trace(model(0.5))) &&
         !examine::are_similar(trace(model(0.5)), trace(model(0.25)));
}

}  // namespace stg::examined
