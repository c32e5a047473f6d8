// Random programs that are broken at random places: verify refuses them, or whatever takes a program takes them, or
// refuses them in turn. What goes wrong otherwise a sanitizer finds. STG_SEED chooses others, STG_BROKEN how many
// programs, each of which is broken in twenty ways.
#include "breakages.hpp"            // broken
#include "drafted_calls.hpp"        // run_drafted
#include "for_random_programs.hpp"  // for_random_seeds
#include "random_scans.hpp"         // scan_of

#include "../run/support/through_text.hpp"  // goes_through_text

#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/differentiate.hpp>        // differentiate
#include <stg/dsl/keep.hpp>             // keep, saved
#include <stg/dsl/kinds.hpp>            // vertex_set, relation
#include <stg/dsl/scope.hpp>            // named, scope
#include <stg/dsl/trace.hpp>            // trace
#include <stg/examine/counts.hpp>       // counts_with_steps
#include <stg/examine/hash.hpp>         // hash_of, are_equal
#include <stg/examine/index_text.hpp>   // index_form, to_text
#include <stg/examine/materialize.hpp>  // stored_by_mpms
#include <stg/examine/needs.hpp>        // needs_of
#include <stg/examine/partition.hpp>    // partition
#include <stg/examine/picture.hpp>      // to_dot, to_svg
#include <stg/examine/similar.hpp>      // are_similar
#include <stg/examine/tags.hpp>         // spread_tags
#include <stg/examine/transform.hpp>    // transform_with_steps
#include <stg/examine/users.hpp>        // all_users_of
#include <stg/examine/walk.hpp>         // topological_order
#include <stg/ir/print.hpp>             // to_text
#include <stg/ir/sites.hpp>             // site_count
#include <stg/op/list.hpp>              // the language
#include <stg/pass/inline.hpp>          // inline_calls
#include <stg/pass/write_steps.hpp>     // write_steps
#include <stg/analysis/verify.hpp>      // verify
#include <stg/pipeline.hpp>             // canonical, inferred, differentiated, planned

#include <gtest/gtest.h>  // TEST

#include <cstdlib>    // getenv
#include <exception>  // exception
#include <iostream>   // cout
#include <iterator>   // size
#include <string>     // string
#include <vector>     // vector

namespace stg::test::random_broken {
namespace {

// ---- programs with what random ones do not have ----

constexpr auto x = trainable(vertex_feature<"x", f64, 3>);
constexpr auto sparse = sparse_feature<"sparse", f64, 3>;
constexpr auto wide = trainable(vertex_feature<"wide", f64, extent<"F">>);
constexpr auto W = parameter<"W", f64, 3, 3>;
constexpr auto M = parameter<"M", f64, extent<"F">, 3>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto each = over<"T">(vertex_feature<"each", f64, 3>);

constexpr auto labelled = [](auto v) {
  keep<"first">(v, keeping::inputs);
  auto h = scope<"first">(v, [](auto v) { return tag<"head">(named<"h">(matmul(v(x), W)), axis<0>); });
  return outputs(cross_entropy(h, v(label), v(known)), slice<0, 2>(concat<axis<0>>(h, v(x))));
};
constexpr auto sized = [](auto v) {
  auto h = matmul(v(wide), M);
  auto d = concat<axis<0>>(v(wide), h);
  return outputs(sum(d, axis<0>), saved(mean(d, axis<0>, keepdim)), slice<0, 1>(d), softmax(v(wide), axis<0>));
};
constexpr auto sparsely = [](auto v) { return relu(matmul(dropout(v(sparse), 0.5), W)); };
constexpr auto layer = [](auto v, auto h, auto m) {
  auto e = v.in_edges();
  return dropout(mean(exp(e.src(matmul(h, m)))), 0.25);
};
constexpr auto calling = [](auto v) { return call(layer, v, call(layer, v, v(x), W), W); };
constexpr auto own =
    custom_gradient([](auto, auto h) { return floor(h) + h * h; }, [](auto, auto d, auto h) { return h * d; });
constexpr auto with_own = [](auto v) { return own(v, v(x)) * 2.0; };
constexpr auto repeated = [](auto v) {
  const auto [last, given] = scan<"T">(
      v,
      [](auto v, auto h) { return next(tanh(matmul(h, W) + dropout(v(each), 0.5))).gives(sum(v.out_edges().dst(h))); },
      v(x));
  return outputs(last, given);
};
constexpr auto inner_gradient = [](auto v) {
  auto h = v(x);
  auto last = scan<3>(
      v, [](auto v, auto h) { return tanh(mean(v.in_edges().src(matmul(h, W)))); }, h);
  return h - 0.1 * gradient(sum(sum(call(layer, v, last, W), axis<0>), all_vertices), h);
};

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto cites = relation<"cites", paper, paper>;
constexpr auto a = trainable(author.feature<"a", f64, 3>);
constexpr auto b = trainable(paper.feature<"b", f64, 3>);
constexpr auto of_kinds = [](auto g) {
  auto by = g(paper).in_edges(writes);
  auto cited = mean(g(paper).in_edges(cites).src(matmul(g(paper)(b), W)));
  return outputs(cited + sum(softmax(sum(by.src(g(author)(a)), axis<0>)) * by.src(g(author)(a))),
                 mean(cited, all_vertices));
};

/// Traced once: each with what it is asked with.
const std::vector<ir::program>& written() {
  static const std::vector<ir::program> all = {trace(labelled), trace(sized),    trace(sparsely), trace(calling),
                                               trace(with_own), trace(repeated), trace(of_kinds)};
  return all;
}

// ---- what takes a program ----

/// Numbers for whatever a program reads; every extent is 3.
oracle::environment bound_to(const ir::program& p, const graph& g, choices& c) {
  oracle::environment env;
  for (const ir::polynomial& e : p.extents)
    for (int t = 0; t < e.count; ++t)
      for (int f = 0; f < e.terms[t].degree; ++f) env.extents[std::string(e.terms[t].factors[f].view())] = 3;
  const auto length = [&](ir::extent e) {
    return static_cast<double>(ir::evaluate(p.polynomial_of(e), [](const text&) { return 3; }));
  };
  for (const ir::statement& s : p.statements) {
    if (s.code != ir::opcode::input) continue;
    double n = s.where == ir::space::graph ? 1 : s.where == ir::space::vertex ? g.vertices() : g.edges();
    if (s.where.set != 0) n = g.vertices();
    for (int k = 0; k < s.dims.rank; ++k) n *= length(s.dims.axes[k]);
    if (s.is_sequence()) n *= length(s.over);
    if (!(n < 1e5)) continue;
    oracle::array& to = env.entries[s.entry()];
    while (to.size() < n) to.push_back(s.type == i32 ? c.below(4) - 1 : s.type == boolean ? c.below(2) : c.number());
  }
  return env;
}
/// Whether no value has more numbers than are worth computing here.
bool is_small(const ir::program& p, double steps = 1) {
  const auto length = [&](ir::extent e) {
    return static_cast<double>(ir::evaluate(p.polynomial_of(e), [](const text&) { return 3; }));
  };
  for (const ir::statement& s : p.statements) {
    double n = steps;
    for (int k = 0; k < s.dims.rank; ++k) n *= length(s.dims.axes[k]);
    if (s.is_sequence()) n *= length(s.over);
    if (!(n < 3000)) return false;
    if (ir::has_callee(s) && !is_small(p.callees[s.callee()], ir::is_scan(s.code) ? steps * length(s.over) : steps))
      return false;
  }
  return true;
}

/// Whether parts of run-time extents lie within them, as a call looks at before it runs.
bool has_parts_within(const ir::program& p) {
  const auto length = [&](ir::extent e) { return ir::evaluate(p.polynomial_of(e), [](const text&) { return 3; }); };
  for (const ir::statement& s : p.statements) {
    if (s.code != ir::opcode::slice && s.code != ir::opcode::pad) continue;
    const ir::extent other = p.operand(s, 0).dims.axes[s.part_axis()], own = s.dims.axes[s.part_axis()];
    const bool is_slice = s.code == ir::opcode::slice;
    if (length(s.beginning()) + length(is_slice ? own : other) > length(is_slice ? other : own)) return false;
  }
  for (const ir::program& step : p.callees)
    if (!has_parts_within(step)) return false;
  return true;
}

/// How many took a program, and how many refused it.
struct counts {
  long taken = 0, refused = 0;
};
/// Calls f, which may refuse what it gets.
template <class F> void attempt(counts& n, const F& f) {
  ++n.refused;
  try {
    f();
  } catch (const std::exception&) {
    return;
  } catch (const op::rule_is_broken&) {
    return;
  } catch (const ir::polynomial::too_large&) {
    return;
  } catch (const text::is_too_long&) {
    return;
  } catch (const ir::shape::rank_is_too_high&) {
    return;
  }
  --n.refused;
  ++n.taken;
}

/// A program with a graph to run it on, in the hands of those who take programs.
struct given {
  const ir::program& p;
  const graph& g;
  choices& c;
  counts& n;
};

/// What is being looked at, where STG_SHOW asks for it: the last one is what a sanitizer stopped at.
void show(const ir::program& p) {
  if (std::getenv("STG_SHOW") != nullptr) std::cerr << ir::to_text(p) << std::endl;
}

void interpret(const given& a, const ir::program& p) {
  if (!is_small(p)) return;
  const oracle::environment env = bound_to(p, a.g, a.c);
  attempt(a.n, [&] { oracle::interpret(p, a.g, env); });
}
/// One that is ready to be planned.
void run(const given& a, const ir::program& p) {
  attempt(a.n, [&] { pipeline::planned(p); });
  if (!is_small(p) || !has_parts_within(p)) return;
  const oracle::environment env = bound_to(p, a.g, a.c);
  show(p);
  attempt(a.n, [&] { run_drafted(p, a.g, env, {1 + a.c.below(4), 1 + a.c.below(4)}); });
}
void train(const given& a) {
  const ir::program p = pipeline::canonical(a.p);
  const sequence<int> outputs = real_outputs(p);
  const sequence<ir::value_id> inputs = differentiable_inputs(p, outputs);
  const pass::differentiated d = pipeline::differentiated(p, outputs, inputs);
  run(a, a.c.one_in(2) ? d.forward : d.gradient);
}
void differentiate(const given& a) {
  const sequence<int> outputs = real_outputs(a.p);
  const auto d =
      stg::differentiate(a.p, outputs, differentiable_inputs(a.p, outputs), static_cast<keeping>(a.c.below(5)));
  interpret(a, a.c.one_in(2) ? d.forward : d.gradient);
}
void write_equations(const given& a, bool of_one_statement) {
  const ir::value_id at = a.c.below(a.p.size());
  const auto form = of_one_statement ? examine::index_form(a.p, at) : examine::index_form_to_inputs(a.p, at);
  examine::to_text(a.p, form);
  examine::to_latex(a.p, form);
}

/// Whether every operation of a user has its struct here: a text with another one is refused.
bool knows_operations(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if (ir::applies_own(s.code) && !why_no_operation(s.operation()).empty()) return false;
  return std::all_of(p.callees.begin(), p.callees.end(), knows_operations);
}

/// All of them, but for passes that are the same for all: each program meets some.
using taker = void (*)(const given&);
constexpr taker takers[] = {
    [](const given& a) { interpret(a, a.p); },
    [](const given& a) { run(a, pipeline::inferred(pipeline::canonical(a.p))); },
    train,
    differentiate,
    [](const given& a) { pipeline::hoisted(pipeline::canonical(a.p), a.c.one_in(2), {0}); },
    [](const given& a) { pass::write_steps(pass::inline_calls(a.p), 3); },
};
constexpr taker lookers[] = {
    [](const given& a) { EXPECT_EQ(static_cast<bool>(goes_through_text(a.p)), knows_operations(a.p)); },
    [](const given& a) { ir::to_dot(a.p); },
    [](const given& a) { examine::to_dot(a.p, examine::groups_by_unit(a.p)); },
    [](const given& a) { examine::to_svg(a.p, examine::groups_by(a.p, [&](examine::node) { return a.c.below(3); })); },
    [](const given& a) { examine::hash_of(a.p); },
    [](const given& a) { examine::are_similar(a.p, pass::reorder_deepest_first(a.p)); },
    [](const given& a) { examine::counts_with_steps(a.p), examine::distinct_counts_of(a.p), examine::call_count(a.p); },
    [](const given& a) { examine::topological_order(a.p); },
    [](const given& a) { examine::values_in_memory(a.p); },
    [](const given& a) { examine::stored_by_mpms(a.p); },
    [](const given& a) { examine::counts_of_tags(a.p), examine::spread_tags(a.p); },
    [](const given& a) { examine::transform_with_steps(a.p, [](const examine::copied& one) { return one.same(); }); },
    [](const given& a) { examine::partition(a.p, [](examine::node n) { return n.at / 3; }); },
    [](const given& a) { ir::site_count(a.p), ir::with_sites_from(1, a.p); },
    [](const given& a) { examine::needs_of(a.p, a.c.below(a.p.size())); },
    [](const given& a) { examine::dependencies_of(a.p, a.c.below(a.p.size())); },
    [](const given& a) { examine::all_users_of(a.p, a.c.below(a.p.size())); },
    [](const given& a) { examine::are_equal(a.p, a.c.below(a.p.size()), a.p, a.c.below(a.p.size())); },
    [](const given& a) { write_equations(a, true); },
    [](const given& a) { write_equations(a, false); },
};

void consume(const given& a) {
  attempt(a.n, [&] { takers[a.c.below(std::size(takers))](a); });
  for (int k = 0; k < 3 && a.p.size() > 0; ++k) attempt(a.n, [&] { lookers[a.c.below(std::size(lookers))](a); });
}

// ---- what is broken ----

ir::program attached(ir::program p, choices& c) {
  if (p.size() == 0) return p;
  p.scopes.push_back(text("inner"));
  p.scope_sets.push_back({0, 0});
  p.statements[c.below(p.size())].scopes = 1;
  p.tags.push_back({text("tag"), c.below(p.size()), ir::tag::whole});
  p.names.push_back({text("name"), c.below(p.size())});
  p.decide(ir::kept(c.below(p.size()), static_cast<keeping>(1 + c.below(4))));
  p.decide(ir::of_value(c.one_in(2) ? ir::decided::stored : ir::decided::inlined, c.below(p.size())));
  p.decide(ir::of_pair(c.one_in(2) ? ir::decided::together : ir::decided::apart, c.below(p.size()), c.below(p.size())));
  ir::keep_scope(p, 0, static_cast<keeping>(c.below(5)));
  p.decide(ir::of_scope(ir::decided::merged_exchanges, 0, c.below(4)));
  p.decide(ir::of_scope(ir::decided::overlaps, 0, 1));
  p.decide(ir::of_whole(ir::decided::moved_cost, c.below(30)));
  p.decide(ir::of_whole(ir::decided::width, static_cast<int>(c.one_in(2) ? f32 : bf16)));
  p.decide(ir::wide_as(c.below(p.size()), c.one_in(2) ? f16 : bf16));
  return p;
}
/// A program at one of the places where programs are values: as written, canonical, or with its gradient.
ir::program whole(choices& c, const graph*& g) {
  random_program r = draw_program(c, 2 + c.below(7));
  g = &all_families()[r.family].graph;
  ir::program p = r.program;
  const int kind = c.below(4);
  if (kind == 0) p = scan_of(r, 1 + c.below(3), c.one_in(2), nullptr, c).program;
  if (kind == 1) p = written()[static_cast<std::size_t>(c.below(static_cast<int>(written().size())))];
  p = attached(p, c);
  const int stage = c.below(4);
  if (stage == 0) return p;
  p = pipeline::canonical(p);
  const sequence<int> outputs = real_outputs(p);
  const sequence<ir::value_id> inputs = outputs.empty() ? sequence<ir::value_id>() : differentiable_inputs(p, outputs);
  if (stage == 1 || inputs.empty()) return p;
  if (stage == 2) return pipeline::run<pipeline::joint_passes>(p, pipeline::asked_of(p, outputs, inputs));
  const program_with_gradient d = differentiate(p, outputs, inputs, static_cast<keeping>(c.below(5)));
  return c.one_in(2) ? d.gradient : d.forward;
}

TEST(random_broken, are_refused_or_taken) {
  constexpr int each_program = 20;
  long broken_ones = 0, found = 0;
  counts n;
  const long wanted = for_random_seeds("STG_BROKEN", 100, [&](std::uint64_t seed) {
    choices c(seed);
    const graph* g = nullptr;
    const ir::program right = whole(c, g);
    ASSERT_EQ(pass::verify(right), pass::finding()) << ir::to_text(right);
    for (int k = 0; k < each_program; ++k) {
      const ir::program p = broken(right, c);
      const bool is_found = pass::verify(p) != pass::finding();
      ++broken_ones;
      found += is_found;
      if (!is_found) show(p);
      if (!is_found) consume({p, *g, c, n});
    }
  });
  std::cout << broken_ones << " breakages of " << wanted << " programs, " << found
            << " found; what takes programs took " << n.taken << " and refused " << n.refused << "\n";
  EXPECT_GT(3 * found, broken_ones);
  EXPECT_LT(found, broken_ones);
}

}  // namespace
}  // namespace stg::test::random_broken
