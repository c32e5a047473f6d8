// Promises: what stored(x), inlined(x), together(a, b) and apart(a, b) make of the plan, and what is refused.
#include <stg/dsl/outputs.hpp>
#include <stg/dsl/scope.hpp>
#include <stg/dsl/trace.hpp>
#include <stg/op/list.hpp>
#include <stg/analysis/verify.hpp>
#include <stg/pass/promise.hpp>
#include <stg/pipeline.hpp>

namespace {

using namespace stg;
using pass::refused_promise;

constexpr auto x = vertex_feature<"x", 4>;
constexpr auto W = parameter<"W", 4, 4>;
constexpr auto w = edge_feature<"w">;

constexpr ir::program inferred(auto lambda) { return pipeline::inferred(pipeline::canonical(trace(lambda))); }
constexpr int stored_values(const ir::program& p) {
  const pass::plan made = pipeline::planned(p);
  int n = 0;
  for (ir::value_id i = 0; i < p.size(); ++i) n += made.stored[i];
  return n;
}
constexpr int count_of(const ir::program& p, ir::opcode code) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == code;
  return n;
}
constexpr refused_promise refused(auto lambda) { return pipeline::refused_promise(inferred(lambda)).what; }
constexpr bool keeps(auto lambda) {
  const ir::program p = inferred(lambda);
  return refused(lambda) == refused_promise::none && pass::verify(p) == pass::finding();
}

// What would stay in registers lies in memory, and is read there by the sum's neighbours.
constexpr auto in_registers = [](auto v) { return exp(v(x)) * 2.0 + tanh(v(x)); };
constexpr auto in_memory = [](auto v) { return stored(exp(v(x))) * 2.0 + tanh(v(x)); };
static_assert(stored_values(inferred(in_registers)) == 1 && stored_values(inferred(in_memory)) == 2);
static_assert(keeps(in_memory));

// Also what nothing reads any more: a rule went around it, or the lambda left it.
constexpr auto left = [](auto v) {
  auto unread = stored(exp(v(x)));
  static_cast<void>(unread);
  return v(x) * 2.0;
};
static_assert(keeps(left) && count_of(inferred(left), ir::opcode::exp) == 1 && stored_values(inferred(left)) == 2);
// A block of rows is no memory: products that follow each other keep what is promised for all rows.
constexpr auto chained = [](auto v) { return matmul(stored(relu(matmul(v(x), W))), W); };
constexpr auto in_blocks = [](auto v) { return matmul(relu(matmul(v(x), W)), W); };
static_assert(keeps(chained) && stored_values(inferred(chained)) > stored_values(inferred(in_blocks)));

// A value that two sweeps read is stored, or computed in both: once along in-edges, once along out-edges of the sums.
constexpr auto shared = [](auto v, auto h) {
  auto first = sum(v.in_edges().src(v(x))) * h;
  return sum(v.in_edges().src(first)) * h;
};
constexpr auto shared_stored = [](auto v) { return shared(v, exp(v(x))); };
constexpr auto shared_inlined = [](auto v) { return shared(v, inlined(exp(v(x)))); };
static_assert(keeps(shared_inlined));
static_assert(stored_values(inferred(shared_stored)) == stored_values(inferred(shared_inlined)) + 1);
static_assert(count_of(inferred(shared_stored), ir::opcode::exp) == 1 &&
              count_of(inferred(shared_inlined), ir::opcode::exp) == 2);
// What neighbours read is computed for each edge, of what lies in memory.
constexpr auto gathered = [](auto v) { return sum(v.in_edges().src(inlined(exp(v(x))))); };
static_assert(keeps(gathered) && stored_values(inferred(gathered)) == 1);
// A chain of such values, one of them through another shape.
constexpr auto chain = [](auto v) { return sum(v.in_edges().src(reshape<2, 2>(inlined(exp(inlined(tanh(v(x)))))))); };
static_assert(keeps(chain) && stored_values(inferred(chain)) == 1);
// In registers anyway: nothing changes.
constexpr auto anyway = [](auto v) { return inlined(exp(v(x))) * 2.0 + tanh(v(x)); };
static_assert(keeps(anyway) && inferred(anyway) == inferred(in_registers));

// ---- refused ----

// What the caller has in memory, and products of edges, lie there anyway.
constexpr auto wide = edge_feature<"wide", 4>;
static_assert(keeps([](auto v) { return stored(v(x)) * 2.0; }));
static_assert(keeps([](auto v) { return sum(stored(v.in_edges()(wide))); }));
static_assert(keeps([](auto v) { return sum(exp(stored(matmul(v.in_edges()(wide), W)))); }));
static_assert(keeps([](auto v) {
  auto all = scan<3>(
      v, [](auto, auto s) { return 0.5 * s; }, v.in_edges()(wide));
  return sum(stored(all));
}));

static_assert(refused([](auto v) { return sum(stored(exp(v.in_edges()(w)))); }) == refused_promise::stored_per_edge);
static_assert(refused([](auto v) { return stored(v.in_degree()) * v(x); }) == refused_promise::stored_source);
static_assert(refused([](auto v) { return stored(inlined(exp(v(x)))); }) == refused_promise::both);
static_assert(refused([](auto v) { return inlined(exp(v(x))); }) == refused_promise::inlined_output);
static_assert(refused([](auto v) { return exp(inlined(v(x))); }) == refused_promise::inlined_output);
static_assert(refused([](auto v) { return v(x) * inlined(sum(exp(v(x)), all_vertices)); }) ==
              refused_promise::inlined_graph);
static_assert(refused([](auto v) { return sum(v.in_edges().src(inlined(sum(v.in_edges().src(x))))); }) ==
              refused_promise::inlined_work);
static_assert(refused([](auto v) { return sum(inlined(exp(v(x))), all_vertices) * v(x); }) ==
              refused_promise::inlined_rows);
static_assert(refused([](auto v) { return sum(inlined(concat<axis<0>>(v(x), exp(v(x)))), all_vertices); }) ==
              refused_promise::inlined_rows);

// ---- pairs ----

constexpr int units(auto lambda) { return pipeline::planned(inferred(lambda)).units.size(); }
constexpr int units_in_chains(auto lambda) {
  const pass::plan made = pipeline::planned(inferred(lambda));
  int n = 0;
  for (const pass::planned_unit& u : made.units) n += u.chained != 1;
  return n;
}
constexpr auto any = [](auto, auto) {};
constexpr auto parted = [](auto a, auto b) { apart(a, b); };
constexpr auto joined = [](auto a, auto b) { together(a, b); };
// Work on rows, sums over the same edges, reductions and work on the graph, which share a unit where nothing is said.
constexpr auto rows = [](auto say) {
  return [say](auto v) {
    auto a = exp(v(x)), b = tanh(v(x));
    say(a, b);
    return outputs(a, b);
  };
};
constexpr auto sums = [](auto say) {
  return [say](auto v) {
    auto a = sum(v.in_edges().src(x)), b = max(v.in_edges().src(x));
    say(a, b);
    return outputs(a, b);
  };
};
constexpr auto reductions = [](auto say) {
  return [say](auto v) {
    auto a = sum(v(x), all_vertices), b = max(v(x), all_vertices);
    say(a, b);
    return outputs(a, b);
  };
};
constexpr auto of_graph = [](auto say) {
  return [say](auto v) {
    auto all = sum(v(x), all_vertices), a = exp(all), b = tanh(all);
    say(a, b);
    return outputs(a, b);
  };
};
static_assert(units(rows(any)) == 1 && units(rows(parted)) == 2 && keeps(rows(parted)) && keeps(rows(joined)));
static_assert(units(sums(any)) == units(sums(joined)) && keeps(sums(joined)));
static_assert(units(sums(parted)) == units(sums(any)) + 1 && keeps(sums(parted)));
static_assert(units(reductions(parted)) == units(reductions(any)) + 1 && keeps(reductions(parted)));
static_assert(units(of_graph(parted)) == units(of_graph(any)) + 1 && keeps(of_graph(parted)));
// Nor do two passes that run block by block: a chain ends between them.
constexpr auto layers = [](auto say) {
  return [say](auto v) {
    auto a = relu(matmul(v(x), W)), b = relu(matmul(a, W));
    say(a, b);
    return b;
  };
};
static_assert(units_in_chains(layers(any)) == 4 && units_in_chains(layers(parted)) == 3 && keeps(layers(parted)));
// A value waits for the unit of another one, with its readers.
constexpr auto waits = [](auto say) {
  return [say](auto v) {
    auto first = sum(v.in_edges().src(x)), second = sum(v.in_edges().src(first)), other = exp(sin(v(x)));
    say(second, other);
    return outputs(first, second, other);
  };
};
static_assert(refused(waits(joined)) == refused_promise::none && units(waits(joined)) == 2);
constexpr bool is_computed_with_its_pair(auto lambda) {
  const ir::program p = inferred(lambda);
  const sequence<int> unit_of = pass::units_of_values(p, pipeline::planned(p));
  return unit_of[p.outputs[1].at] == unit_of[p.outputs[2].at];
}
static_assert(!is_computed_with_its_pair(waits(any)) && is_computed_with_its_pair(waits(joined)));
// A sum joins a unit without edges.
constexpr auto behind_a_product = [](auto say) {
  return [say](auto v) {
    auto friends = sum(v.in_edges().src(x)), y = relu(matmul(v(x), W));
    say(friends, y);
    return friends + y;
  };
};
static_assert(keeps(behind_a_product(joined)) && units(behind_a_product(joined)) == units(behind_a_product(any)) - 1);

static_assert(refused([](auto v) {
                auto a = sum(v.in_edges().src(x)), b = matmul(v(x), W);
                together(a, b);
                return a * b;
              }) == refused_promise::together_alone);
static_assert(refused([](auto v) {
                auto a = sum(v.in_edges().src(x)), b = sum(v.out_edges().dst(x));
                together(a, b);
                return a * b;
              }) == refused_promise::together_kinds);
static_assert(refused([](auto v) {
                auto a = sum(v.in_edges().src(x)), b = sum(v.in_edges().src(a));
                together(a, b);
                return a * b;
              }) == refused_promise::together_order);
static_assert(refused([](auto v) {
                auto a = exp(v.in_edges()(w)), b = tanh(v.in_edges()(w));
                apart(a, b);
                return sum(a) * sum(b);
              }) == refused_promise::paired_edges);
static_assert(refused([](auto v) {
                apart(exp(v(x)), exp(v(x)));
                return exp(v(x));
              }) == refused_promise::apart_at_once);
static_assert(refused([](auto v) {
                apart(exp(v(x)), v(x));
                return exp(v(x));
              }) == refused_promise::none,
              "nobody computes an input");

// ---- training ----

constexpr auto loss_of(auto h) { return sum(sum(square(h), axis<0>), all_vertices); }
constexpr auto stored_loss = [](auto v) { return loss_of(stored(tanh(sum(v.in_edges().src(exp(matmul(v(x), W))))))); };
constexpr auto inlined_loss = [](auto v) {
  return loss_of(inlined(tanh(sum(v.in_edges().src(exp(matmul(v(x), W)))))));
};
constexpr pass::differentiated trained(auto lambda) {
  const ir::program p = pipeline::canonical(trace(lambda));
  return pipeline::differentiated(p, {0}, pass::trainable_inputs(p));
}
constexpr bool keeps_in_training(auto lambda) {
  const pass::differentiated d = trained(lambda);
  return pipeline::refused_promise(d.forward) == pass::promise_finding() &&
         pipeline::refused_promise(d.gradient) == pass::promise_finding() &&
         pass::verify(d.forward) == pass::finding() && pass::verify(d.gradient) == pass::finding();
}
static_assert(keeps_in_training(stored_loss) && keeps_in_training(inlined_loss));
constexpr auto pair_loss = [](auto say) {
  return [say](auto v) {
    auto h = matmul(v(x), W), a = tanh(h), b = sin(h);
    say(a, b);
    return loss_of(a * b);
  };
};
static_assert(keeps_in_training(pair_loss(parted)) && keeps_in_training(pair_loss(joined)));
// What is stored is saved and read by the gradient; what is inlined is computed again.
static_assert(count_of(trained(stored_loss).gradient, ir::opcode::tanh) == 0);
static_assert(count_of(trained(inlined_loss).gradient, ir::opcode::tanh) >= 1);

}  // namespace
