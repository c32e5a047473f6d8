// Patterns, matches and rules: functions that are true, in constant evaluation and at run time.
#pragma once

#include "models.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/examine/counts.hpp>
#include <stg/examine/similar.hpp>
#include <stg/rewrite.hpp>

namespace stg::examined {

using examine::match;
using examine::verdict;

/// A program whose commutative operations read the operand with the smaller hash first, of a hash that does not know
/// which came first: programs that compute the same in other orders of operands and statements are similar then.
constexpr ir::program with_sorted_operands(const ir::program& p) {
  const auto mixed = [](std::uint64_t h, std::uint64_t with) { return (h ^ (with + (h >> 29))) * 0x9E3779B97F4A7C15u; };
  const auto hashes = examine::fold<std::uint64_t>(p, [&](examine::node n, const auto& below) {
    const ir::statement& s = n.statement();
    std::uint64_t h = mixed(mixed(static_cast<std::uint64_t>(s.code) + 1, s.bits()),
                            static_cast<std::uint64_t>(ir::held(s, ir::member::axis)));
    if (s.code != ir::opcode::input) h = mixed(h, static_cast<std::uint64_t>(ir::held(s, ir::member::attribute)));
    else
      for (const char c : p.inputs[s.entry()].name.view()) h = mixed(h, static_cast<std::uint64_t>(c));
    if (op::info_of(s.code).commutative) return mixed(h, below[0] + below[1]);
    for (int k = 0; k < below.size(); ++k) h = mixed(h, below[k]);
    return h;
  });
  return examine::transform(p, [&](const examine::copied& c) {
    const ir::statement& s = p[c.from()];
    const bool swaps = op::info_of(s.code).commutative && hashes[s.operands[1]] < hashes[s.operands[0]];
    return swaps ? pass::apply(s.code, c.operand(1), c.operand(0)) : c.same();
  });
}
constexpr bool compute_the_same(const ir::program& p, const ir::program& q) {
  return examine::are_similar(with_sorted_operands(p), with_sorted_operands(q));
}
/// Whether a model's program becomes that of another by rules.
template <class Model, class Expected, class... Rule>
constexpr bool becomes(Model model, Expected expected, const Rule&... rules) {
  const ir::program q = examine::rewrite(canonical(model), rules...);
  return compute_the_same(q, canonical(expected)) && pass::verify(q) == pass::finding();
}
template <class Model, class... Rule> constexpr bool stays(Model model, const Rule&... rules) {
  return examine::rewrite(canonical(model), rules...) == canonical(model);
}

inline constexpr auto xv = vertex_feature<"xv">;

// ---- what a match is ----

inline constexpr auto distribute = rewrite_rule([](auto, auto a, auto b, auto c) { return a * (b + c); },
                                                [](auto, auto a, auto b, auto c) { return a * b + a * c; });
/// The other way, where both products have a factor in common.
inline constexpr auto factored = rewrite_rule([](auto, auto a, auto b, auto c) { return a * b + a * c; },
                                              [](auto, auto a, auto b, auto c) { return a * (b + c); });
constexpr bool a_product_over_a_sum_is_distributed() {
  return becomes([](auto v) { return v(x) * (v(y) + W); }, [](auto v) { return v(x) * v(y) + v(x) * W; }, distribute) &&
         becomes([](auto v) { return sum((v.in_edges().src(x) + 2.0) * v.in_edges()(ew)); },
                 [](auto v) {
                   auto e = v.in_edges();
                   return sum(e.src(x) * e(ew) + e(ew) * 2.0);
                 },
                 distribute) &&
         stays([](auto v) { return v(x) * v(y) + W; }, distribute) &&
         examine::rewrite(chain(7), factored).size() == 3 + 1 + 7;
}

/// (a + b) · a is found whichever way its operands stand, also where the first choice of a turns out to be wrong.
constexpr bool operands_are_tried_in_both_orders() {
  constexpr auto by =
      rewrite_rule([](auto, auto a, auto b) { return (a + b) * a; }, [](auto, auto a, auto b) { return exp(a) - b; });
  constexpr auto expected = [](auto v) { return exp(v(x)) - v(y); };
  return becomes([](auto v) { return (v(x) + v(y)) * v(x); }, expected, by) &&
         becomes([](auto v) { return (v(y) + v(x)) * v(x); }, expected, by) &&
         becomes([](auto v) { return v(x) * (v(x) + v(y)); }, expected, by) &&
         becomes([](auto v) { return v(x) * (v(y) + v(x)); }, expected, by) &&
         stays([](auto v) { return (v(x) + v(y)) * exp(v(x)); }, by) &&
         stays([](auto v) { return (v(x) - v(y)) * v(x); }, by);
}
constexpr bool other_operands_keep_their_order() {
  constexpr auto by =
      rewrite_rule([](auto, auto a, auto b) { return (a - b) * b; }, [](auto, auto a, auto) { return exp(a); });
  return becomes([](auto v) { return v(y) * (v(x) - v(y)); }, [](auto v) { return exp(v(x)); }, by) &&
         stays([](auto v) { return v(x) * (v(x) - v(y)); }, by);
}
constexpr bool a_wildcard_is_one_value() {
  constexpr auto by = rewrite_rule([](auto, auto a) { return a + a; }, [](auto, auto a) { return a * 2.0; });
  return becomes([](auto v) { return v(x) + v(x); }, [](auto v) { return v(x) * 2.0; }, by) &&
         stays([](auto v) { return v(x) + v(y); }, by);
}
constexpr bool constants_are_told_by_their_number() {
  constexpr auto by = rewrite_rule([](auto, auto a) { return a * 2.0; }, [](auto, auto a) { return a + a; });
  return becomes([](auto v) { return 2.0 * v(x); }, [](auto v) { return v(x) + v(x); }, by) &&
         stays([](auto v) { return v(x) * 3.0; }, by);
}
constexpr bool attributes_agree() {
  constexpr auto by =
      rewrite_rule([](auto, auto a) { return sum(-a); }, [](auto, auto a) { return -sum(a); }, any_value.on_in_edges());
  constexpr auto slope =
      rewrite_rule([](auto, auto a) { return leaky_relu(a, 0.2); }, [](auto, auto a) { return max(a, a * 0.2); });
  return becomes([](auto v) { return sum(-v.in_edges().src(x)); }, [](auto v) { return -sum(v.in_edges().src(x)); },
                 by) &&
         stays([](auto v) { return sum(-v.out_edges().dst(x)); }, by) &&
         becomes([](auto v) { return leaky_relu(v(x), 0.2); }, [](auto v) { return max(v(x), v(x) * 0.2); }, slope) &&
         stays([](auto v) { return leaky_relu(v(x), 0.1); }, slope);
}
/// A layer function of the language is a pattern, too.
constexpr bool patterns_are_lambdas_of_the_language() {
  constexpr auto by = rewrite_rule([](auto, auto s) { return softmax(s); },
                                   [](auto v, auto s) {
                                     auto shifted = exp(s - v.in_edges().dst(max(s)));
                                     return shifted / v.in_edges().dst(sum(shifted));
                                   },
                                   any_value.on_in_edges());
  const ir::program q = examine::rewrite(canonical(attention), by);
  return examine::counts_of(q)[ir::opcode::top_share_edges] == 0 && examine::counts_of(q)[ir::opcode::max_edges] == 1 &&
         pass::verify(q) == pass::finding();
}

// ---- wildcards with limits ----

constexpr bool a_wildcard_is_limited_by_space() {
  constexpr auto on_vertices =
      rewrite_rule([](auto, auto a) { return exp(a); }, [](auto, auto a) { return a + 1.0; }, any_value.on_vertices());
  constexpr auto on_edges =
      rewrite_rule([](auto, auto a) { return exp(a); }, [](auto, auto a) { return a + 1.0; }, any_value.on_in_edges());
  constexpr auto on_graph =
      rewrite_rule([](auto, auto a) { return exp(a); }, [](auto, auto a) { return a + 1.0; }, any_value.on_graph());
  constexpr auto model = [](auto v) { return sum(exp(v.in_edges()(ew))) + exp(v(x)) + exp(v(A)); };
  return becomes(
             model, [](auto v) { return sum(exp(v.in_edges()(ew))) + (v(x) + 1.0) + exp(v(A)); }, on_vertices) &&
         becomes(
             model, [](auto v) { return sum(v.in_edges()(ew) + 1.0) + exp(v(x)) + exp(v(A)); }, on_edges) &&
         becomes(
             model, [](auto v) { return sum(exp(v.in_edges()(ew))) + exp(v(x)) + (v(A) + 1.0); }, on_graph);
}
constexpr bool a_wildcard_is_limited_by_shape() {
  constexpr auto four =
      rewrite_rule([](auto, auto a) { return exp(a); }, [](auto, auto a) { return a + 1.0; }, any_value.shaped<4>());
  constexpr auto square = rewrite_rule([](auto, auto a) { return exp(a); }, [](auto, auto a) { return a + 1.0; },
                                       any_value.shaped<extent<"N">, extent<"N">>());
  return becomes([](auto v) { return exp(v(x)); }, [](auto v) { return v(x) + 1.0; }, four) &&
         stays([](auto v) { return exp(v(z)); }, four) && stays([](auto v) { return v(x) + exp(v(W)); }, four) &&
         becomes([](auto v) { return v(x) + exp(v(W)); }, [](auto v) { return v(x) + (v(W) + 1.0); }, square) &&
         stays([](auto v) { return v(x) + exp(v(A)); }, square);
}
constexpr bool a_wildcard_is_limited_by_type_and_operation() {
  constexpr auto whole =
      rewrite_rule([](auto, auto a) { return a + a; }, [](auto, auto a) { return a * 2; }, any_value.of<i32>());
  constexpr auto of_product = rewrite_rule([](auto, auto a) { return relu(a); }, [](auto, auto a) { return tanh(a); },
                                           any_value.made_by<ir::opcode::matmul>());
  constexpr auto of_number =
      rewrite_rule([](auto, auto a, auto c) { return a / c; }, [](auto, auto a, auto c) { return a * (1.0 / c); },
                   any_value, any_value.constant());
  const ir::program divided = canonical([](auto v) { return v(x) / 4.0 + v(x) / v(y); });
  return becomes([](auto v) { return v(label) + v(label); }, [](auto v) { return v(label) * 2; }, whole) &&
         stays([](auto v) { return v(x) + v(x); }, whole) &&
         becomes([](auto v) { return relu(matmul(v(x), W)) + relu(v(y)); },
                 [](auto v) { return tanh(matmul(v(x), W)) + relu(v(y)); }, of_product) &&
         count_of(examine::rewrite(divided, of_number), ir::opcode::mul) == 1;
}
/// (x U) V is x (U V), whatever the extents are; and what is reshaped there and back was never reshaped.
constexpr bool names_of_extents_are_wildcards() {
  constexpr auto associate = rewrite_rule([](auto, auto a, auto b, auto c) { return matmul(matmul(a, b), c); },
                                          [](auto, auto a, auto b, auto c) { return matmul(matmul(a, b), c) * 1.0; },
                                          any_value.on_vertices().shaped<extent<"K">>(),
                                          any_value.on_graph().shaped<extent<"K">, extent<"M">>(),
                                          any_value.on_graph().shaped<extent<"M">, extent<"N">>());
  constexpr auto back = rewrite_rule(
      [](auto, auto a) { return reshape<extent<"N">, extent<"M">>(reshape<extent<"M"> * extent<"N">>(a)); },
      [](auto, auto a) { return reshape<extent<"N">, extent<"M">>(a); }, any_value.shaped<extent<"M">, extent<"N">>());
  return becomes([](auto v) { return matmul(matmul(v(z), U), A); },
                 [](auto v) { return matmul(matmul(v(z), U), A) * 1.0; }, associate) &&
         becomes([](auto v) { return reshape<1, 4>(reshape<4>(v(A))); }, [](auto v) { return reshape<1, 4>(v(A)); },
                 back) &&
         stays([](auto v) { return reshape<2, 2>(reshape<4>(v(A))); }, back);
}

inline constexpr auto in_double = edge_feature<"in_double", f64>;

// ---- what is replaced ----

constexpr bool a_value_read_outside_is_refused() {
  constexpr auto shared = [](auto v) {
    auto s = v(x) + v(y);
    return outputs(v(x) * s, exp(s));
  };
  constexpr auto given_back = [](auto v) {
    auto s = v(x) + v(y);
    return outputs(v(x) * s, s);
  };
  constexpr auto unread = [](auto v) {
    auto s = v(x) + v(y);
    static_cast<void>(exp(s));
    return v(x) * s;
  };
  const auto found = examine::matches_of(canonical(shared), distribute);
  return stays(shared, distribute) && stays(given_back, distribute) && found.size() == 1 &&
         found[0].what == verdict::used_outside &&
         becomes(
             unread, [](auto v) { return v(x) * v(x) + v(x) * v(y); }, distribute);
}
constexpr bool a_kept_value_is_computed_as_before() {
  constexpr auto by = rewrite_rule([](auto, auto a, auto b, auto c) { return a * kept(b + c); },
                                   [](auto, auto a, auto b, auto c) { return a * b + a * c; });
  return becomes(
      [](auto v) {
        auto s = v(x) + v(y);
        return outputs(v(x) * s, exp(s));
      },
      [](auto v) { return outputs(v(x) * v(x) + v(x) * v(y), exp(v(x) + v(y))); }, by);
}
/// What a wildcard stands for as well as a value inside is read by the replacement.
constexpr bool a_wildcard_inside_of_the_match_is_a_use_outside() {
  return stays(
      [](auto v) {
        auto s = v(x) + v(y);
        return s * s;
      },
      distribute);
}
/// Of three behind one another two are a match, the first two; and there are two matches in four.
constexpr bool matches_are_disjoint_and_in_order() {
  constexpr auto by =
      rewrite_rule([](auto, auto a) { return tanh(exp(tanh(exp(a)))); }, [](auto, auto a) { return relu(a); });
  constexpr auto step = [](auto a) { return tanh(exp(a)); };
  const auto found = examine::matches_of(canonical([=](auto v) { return step(step(step(v(x)))); }), by);
  return found.size() == 2 && found[0].what == verdict::taken && found[1].what == verdict::overlaps &&
         found[0].root().at < found[1].root().at &&
         becomes([=](auto v) { return step(step(step(v(x)))); }, [=](auto v) { return step(relu(v(x))); }, by) &&
         becomes([=](auto v) { return step(step(step(step(v(x))))); }, [](auto v) { return relu(relu(v(x))); }, by);
}
/// Another way of taking operands is tried where the first is refused: x + y is given back, x - y is not.
constexpr bool another_order_is_taken_where_the_first_is_refused() {
  constexpr auto by =
      rewrite_rule([](auto, auto a, auto b) { return a * exp(b); }, [](auto, auto a, auto b) { return a - b; });
  constexpr auto model = [](auto v) {
    auto first = exp(v(x)), second = exp(v(y));
    return outputs(first * second, first);
  };
  return becomes(
      model, [](auto v) { return outputs(exp(v(x)) - v(y), exp(v(x))); }, by);
}
constexpr bool sites_are_chosen() {
  const auto scalars = distribute.where([](const match& m) { return m[0].statement().dims.is_scalar(); });
  const auto found = examine::matches_of(canonical([](auto v) { return v(x) * (v(y) + 1.0); }), scalars);
  return becomes([](auto v) { return v(x) * (v(y) + 1.0) + v.in_degree() * (v(y) - v(x) + 2.0); },
                 [](auto v) { return v(x) * (v(y) + 1.0) + (v.in_degree() * (v(y) - v(x)) + v.in_degree() * 2.0); },
                 scalars) &&
         found.size() == 1 && found[0].what == verdict::not_chosen;
}
constexpr bool values_of_a_pattern_have_names() {
  const auto by = rewrite_rule([](auto, auto a, auto b, auto c) { return a * named<"inner">(b + c); },
                               [](auto, auto a, auto b, auto c) { return a * b + a * c; })
                      .where([](const match& m) {
                        return m["inner"].statement().where == ir::space::graph && m["outer"].in == nullptr;
                      });
  return becomes([](auto v) { return v(x) * (v(A) + 1.0) + v(x) * (v(y) + 1.0); },
                 [](auto v) { return (v(x) * v(A) + v(x) * 1.0) + v(x) * (v(y) + 1.0); }, by);
}
constexpr bool a_narrower_replacement_is_repeated() {
  constexpr auto by = rewrite_rule([](auto, auto a) { return a * 0.0; }, [](auto, auto) { return 0.0; });
  const ir::program q = examine::rewrite(canonical([](auto v) { return v(x) * 0.0; }), by);
  const ir::statement &zero = q[q.outputs[0].at], &number = q.operand(zero, 0);
  return q.size() == 2 && zero.code == ir::opcode::broadcast_to && zero.where == ir::space::vertex &&
         zero.dims.rank == 1 && number.code == ir::opcode::constant && pass::verify(q) == pass::finding();
}
constexpr bool numbers_take_the_type_of_what_they_meet() {
  constexpr auto by = rewrite_rule([](auto, auto a) { return exp(a); },
                                   [](auto v, auto a) { return select(a < 0.5, a / max(v.in_degree(), 1.0), 2.0); },
                                   any_value.on_in_edges());
  constexpr auto model = [](auto v) { return sum(exp(v.in_edges()(in_double))); };
  const ir::program q = examine::rewrite(canonical(model), by);
  for (const ir::statement& s : q.statements)
    if (s.type != f64 && s.type != boolean) return false;
  return examine::counts_of(q)[ir::opcode::select] == 1 && pass::verify(q) == pass::finding();
}
constexpr bool names_and_scopes_of_the_result_stay() {
  constexpr auto model = [](auto v) {
    return scope<"part">(v, [](auto at) { return named<"result">(at(x) * (at(y) + 1.0)); });
  };
  const ir::program q = examine::rewrite(canonical(model), distribute);
  int scoped = 0;
  for (const ir::statement& s : q.statements) scoped += s.scopes != 0 && s.code != ir::opcode::input;
  return q.names.size() == 1 && q.names[0].name == text("part/result") && q.names[0].at == q.outputs[0].at &&
         q[q.names[0].at].code == ir::opcode::add && scoped >= 3;
}
constexpr bool a_program_without_a_match_stays() {
  return stays(attention, distribute) && stays(two_losses, distribute) && stays(repeated, distribute);
}
constexpr bool steps_are_rewritten_too() {
  constexpr auto by =
      rewrite_rule([](auto, auto a, auto b) { return tanh(a + b); }, [](auto, auto a, auto b) { return relu(b + a); });
  const ir::program p = canonical(repeated), q = examine::rewrite(p, by);
  return count_of(p, ir::opcode::relu) == 0 && count_of(q.callees[0], ir::opcode::relu) == 1 &&
         count_of(q.callees[0], ir::opcode::tanh) == 0 && q.extents == q.callees[0].extents &&
         pass::verify(q) == pass::finding();
}

// ---- several kinds of vertices ----

inline constexpr auto literature = [](auto g) {
  auto by = g(paper).in_edges(writes);
  auto from = g(paper).in_edges(cites);
  return sum(-by.src(age)) + sum(-from.src(year));
};
constexpr bool a_plain_relation_is_any() {
  constexpr auto by =
      rewrite_rule([](auto, auto a) { return sum(-a); }, [](auto, auto a) { return -sum(a); }, any_value.on_in_edges());
  constexpr auto weighted = rewrite_rule(
      [](auto v, auto a) { return sum(-v.in_edges().src(a)); },
      [](auto v, auto a) { return -(sum(v.in_edges().src(a)) / max(v.in_degree(), 1.0)); }, any_value.on_vertices());
  const ir::program q = examine::rewrite(canonical(literature), weighted);
  return becomes(
             literature,
             [](auto g) {
               auto from_authors = g(paper).in_edges(writes);
               auto from = g(paper).in_edges(cites);
               return -sum(from_authors.src(age)) + -sum(from.src(year));
             },
             by) &&
         examine::counts_of(q)[ir::opcode::degree] == 2 && pass::verify(q) == pass::finding();
}
constexpr bool a_relation_with_a_name_is_that() {
  constexpr auto by = rewrite_rule([](auto, auto a) { return sum(-a); }, [](auto, auto a) { return -sum(a); },
                                   any_value.on_in_edges(cites));
  constexpr auto of_authors = rewrite_rule([](auto, auto a) { return exp(a); }, [](auto, auto a) { return a * 2.0; },
                                           any_value.on_vertices(author));
  return becomes(
             literature,
             [](auto g) {
               auto from_authors = g(paper).in_edges(writes);
               auto from = g(paper).in_edges(cites);
               return sum(-from_authors.src(age)) + -sum(from.src(year));
             },
             by) &&
         stays([](auto g) { return exp(g(paper)(year)); }, of_authors) && stays(attention, by);
}

}  // namespace stg::examined
