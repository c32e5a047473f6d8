// The rules that come with the library: functions that are true, in constant evaluation and at run time.
#pragma once

#include "../examine/rewrites.hpp"

#include <stg/pass/algebra.hpp>
#include <stg/pass/training.hpp>
#include <stg/rules.hpp>

namespace stg::examined {

inline constexpr auto two_heads = vertex_feature<"two_heads", 2, 4>;
inline constexpr auto one_per_head = vertex_feature<"one_per_head", 2, 1>;
inline constexpr auto other_edge = edge_feature<"other_edge", 4>;
inline constexpr auto third_edge = edge_feature<"third_edge", 4>;
inline constexpr auto wide_edge = edge_feature<"wide_edge", 4>;
inline constexpr auto overall = scalar<"overall">;

constexpr bool products_go_over_sums_both_ways() {
  constexpr auto apart = [](auto v) { return v(x) * v(y) + v(x) * W; };
  constexpr auto together = [](auto v) { return v(x) * (v(y) + W); };
  constexpr auto differences = [](auto v) { return v(x) * v(y) - v(x) * W; };
  constexpr auto difference = [](auto v) { return v(x) * (v(y) - W); };
  return becomes(together, apart, rules::distribute) && becomes(apart, together, rules::factor_out) &&
         becomes(difference, differences, rules::distribute_difference) &&
         becomes(differences, difference, rules::factor_out_difference) && stays(together, rules::factor_out) &&
         stays(difference, rules::distribute);
}
/// One of two sites is wide: there the product stays together.
constexpr bool each_way_is_chosen_per_site() {
  const auto narrow = rules::distribute.where([](const match& m) { return m.root().statement().dims.is_scalar(); });
  return becomes([](auto v) { return v(xv) * (v(xv) + 1.0) + v(x) * (v(y) + 1.0); },
                 [](auto v) { return (v(xv) * v(xv) + v(xv) * 1.0) + v(x) * (v(y) + 1.0); }, narrow);
}
constexpr bool a_factor_leaves_a_sum_along_an_axis_that_it_lacks() {
  return becomes([](auto v) { return sum(v(xv) * v(x), axis<0>, keepdim); },
                 [](auto v) { return v(xv) * sum(v(x), axis<0>, keepdim); }, rules::factors_out_of_sums) &&
         becomes([](auto v) { return sum(v(one_per_head) * v(two_heads), axis<1>); },
                 [](auto v) { return reshape<2>(v(one_per_head) * sum(v(two_heads), axis<1>, keepdim)); },
                 rules::factors_out_of_sums) &&
         becomes([](auto v) { return sum(v(two_heads) * v(x), axis<0>); },
                 [](auto v) { return reshape<4>(sum(v(two_heads), axis<0>, keepdim) * v(x)); },
                 rules::factors_out_of_sums) &&
         stays([](auto v) { return sum(v(one_per_head) * v(two_heads), axis<0>); }, rules::factors_out_of_sums) &&
         stays([](auto v) { return sum(v(x) * v(y), axis<0>); }, rules::factors_out_of_sums);
}
constexpr bool a_factor_leaves_a_sum_over_edges_and_vertices() {
  return becomes([](auto v) { return sum(v.in_edges().dst(x) * v.in_edges().src(y)); },
                 [](auto v) {
                   auto e = v.in_edges();
                   return select(0.0 < v.in_degree(), v(x), 0.0) * sum(e.src(y));
                 },
                 rules::factors_out_of_sums) &&
         becomes([](auto v) { return sum(v.out_edges().dst(x) * overall); },
                 [](auto v) { return sum(v.out_edges().dst(x)) * overall; }, rules::factors_out_of_sums) &&
         becomes([](auto v) { return sum(v(x) * overall, all_vertices); },
                 [](auto v) { return sum(v(x), all_vertices) * overall; }, rules::factors_out_of_sums) &&
         stays([](auto v) { return sum(v.in_edges().src(x) * v.in_edges()(ew)); }, rules::factors_out_of_sums);
}
inline constexpr auto one_row = vertex_feature<"one_row", 1, 4>;
/// A model in which a - b stands for a, repeated to the shape of b.
constexpr ir::program with_repeats(auto model) {
  return pass::dce(examine::transform(canonical(model), [](const examine::copied& c) {
    if (c.code() != ir::opcode::sub) return c.same();
    return pass::broadcast(c.operand(0), c.operand(1).where(), c.operand(1).dims());
  }));
}
template <class Model, class Expected> constexpr bool loses_broadcasts(Model model, Expected expected) {
  const ir::program q = rules::without_broadcasts(with_repeats(model));
  return compute_the_same(q, with_repeats(expected)) && pass::verify(q) == pass::finding();
}
constexpr bool factors_are_summed_along_their_own_axes() {
  constexpr auto others_read_it = [](auto v) {
    auto h = v(one_per_head) * v(two_heads);
    return outputs(h, sum(h, axis<1>));
  };
  constexpr auto both_have_it = [](auto v) { return sum(v(x) * v(y), axis<0>); };
  return loses_broadcasts(
             [](auto v) { return sum(sum(v(one_per_head) * v(one_row), axis<0>, keepdim), axis<1>, keepdim); },
             [](auto v) { return sum(v(one_per_head), axis<0>, keepdim) * sum(v(one_row), axis<1>, keepdim); }) &&
         loses_broadcasts(
             [](auto v) { return sum(v(one_per_head) * v(two_heads) * v(x), axis<1>); },
             [](auto v) { return reshape<2>(v(one_per_head) * sum(v(two_heads) * v(x), axis<1>, keepdim)); }) &&
         loses_broadcasts(
             [](auto v) { return sum(v(one_per_head) * (v(two_heads) * v(x)), axis<1>); },
             [](auto v) { return reshape<2>(v(one_per_head) * sum(v(two_heads) * v(x), axis<1>, keepdim)); }) &&
         loses_broadcasts(others_read_it, others_read_it) && loses_broadcasts(both_have_it, both_have_it);
}
constexpr bool what_is_repeated_is_read_as_it_was() {
  return loses_broadcasts([](auto v) { return (v(one_per_head) - v(two_heads)) * v(two_heads); },
                          [](auto v) { return v(one_per_head) * v(two_heads); }) &&
         loses_broadcasts(
             [](auto v) { return exp((v(one_per_head) - v(two_heads))) + (v(one_per_head) - v(two_heads)); },
             [](auto v) { return (exp(v(one_per_head)) + v(one_per_head)) - v(two_heads); }) &&
         loses_broadcasts([](auto v) { return (v(one_per_head) - v(two_heads)) * (v(one_row) - v(two_heads)); },
                          [](auto v) { return v(one_per_head) * v(one_row); }) &&
         loses_broadcasts([](auto v) { return sum((v(one_per_head) - v(two_heads)) * v(two_heads), axis<1>); },
                          [](auto v) { return reshape<2>(v(one_per_head) * sum(v(two_heads), axis<1>, keepdim)); });
}
constexpr bool a_sum_of_what_is_repeated_is_a_multiple() {
  return loses_broadcasts([](auto v) { return sum((v(one_per_head) - v(two_heads)), axis<1>); },
                          [](auto v) { return reshape<2>(v(one_per_head) * 4.0); }) &&
         loses_broadcasts(
             [](auto v) { return sum(sum((v(one_row) - v(two_heads)), axis<0>, keepdim), axis<1>, keepdim); },
             [](auto v) { return sum(v(one_row), axis<1>, keepdim) * 2.0; });
}
constexpr bool repeated_rows_are_multiplied_once() {
  return loses_broadcasts([](auto v) { return matmul((v(one_row) - v(two_heads)), W); },
                          [](auto v) { return matmul(v(one_row), W) - v(two_heads); }) &&
         loses_broadcasts([](auto v) { return matmul((v(one_per_head) - v(two_heads)), W); },
                          [](auto v) { return v(one_per_head) * sum(W, axis<0>); });
}
constexpr bool what_a_zero_makes_dead_is_left_out() {
  constexpr auto masked = [](auto v) {
    auto e = v.in_edges();
    auto off = sum(e.src(exp(matmul(v(x), W))) * 0.0);
    return v(y) + reshape<4>(off) - 2.0 * off;
  };
  constexpr auto twice_off = [](auto v) { return outputs(v(x) * 0.0 + v(y), 0.0 * v(y) - v(x)); };
  const ir::program p = examine::rewrite(canonical(masked), rules::without_zeros);
  return p.size() == 1 && p[0].code == ir::opcode::input && p.inputs[p[0].entry()].name == text("y") &&
         becomes(
             twice_off, [](auto v) { return outputs(v(y), -v(x)); }, rules::without_zeros) &&
         stays([](auto v) { return v(x) * 1.0 + v(y); }, rules::without_zeros);
}
constexpr bool zeros_that_are_given_back_are_written() {
  const ir::program p =
      examine::rewrite(canonical([](auto v) { return matmul(v(x) * 0.0, W) * v(y); }), rules::without_zeros);
  return p.size() == 2 && p[1].code == ir::opcode::broadcast_to && p[0].value() == 0 &&
         pass::verify(p) == pass::finding();
}
/// In the step of a scan, too, whose zeros are its own.
constexpr bool zeros_are_known_in_steps() {
  constexpr auto model = [](auto v) {
    return scan<3>(
        v, [](auto at, auto h) { return tanh(h + at(x) * 0.0); }, zeros<4>(v));
  };
  const ir::program p = canonical(model), q = examine::rewrite(p, rules::without_zeros);
  return count_of(p.callees[0], ir::opcode::mul) == 1 && count_of(q.callees[0], ir::opcode::mul) == 0 &&
         count_of(q.callees[0], ir::opcode::add) == 0 && pass::verify(q) == pass::finding();
}
constexpr bool two_passes_are_rules() {
  constexpr auto differs = [](auto v) { return exp(training(v(x) * 2.0, W)) + training(1.0, v(y)); };
  constexpr auto weighted = [](auto v) {
    auto e = v.in_edges();
    return sum(-e(wide_edge)) + sum(e.dst(y) * e(third_edge)) + sum(-v.out_edges()(other_edge));
  };
  const ir::program p = canonical(differs), q = canonical(weighted);
  return compute_the_same(examine::rewrite(p, rules::chosen_in_training), pass::dce(pass::training(p))) &&
         compute_the_same(examine::rewrite(q, rules::out_of_sums), pass::dce(pass::algebra(q)));
}

}  // namespace stg::examined
