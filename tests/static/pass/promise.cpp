// Promises: what stored(x), inlined(x), together(a, b) and apart(a, b) make of the plan, and what is refused.
#include <stg/dsl/outputs.hpp>
#include <stg/dsl/scope.hpp>
#include <stg/dsl/trace.hpp>
#include <stg/op/list.hpp>
#include <stg/analysis/verify.hpp>
#include <stg/pass/promise.hpp>
#include <stg/pipeline.hpp>

#include <string_view>
#include <tuple>

namespace {

using namespace stg;
using pass::refused_promise;

constexpr auto x = vertex_feature<"x", 4>;
constexpr auto y = vertex_feature<"y", 4>;
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

// The same from the other side, of pairs that are said in either order.
constexpr auto turned = [](auto say) { return [say](auto a, auto b) { say(b, a); }; };
static_assert(units(rows(turned(parted))) == 2 && units(sums(turned(parted))) == units(sums(any)) + 1);
static_assert(units(reductions(turned(parted))) == units(reductions(any)) + 1);
static_assert(units(of_graph(turned(parted))) == units(of_graph(any)) + 1 && keeps(of_graph(turned(parted))));
static_assert(units_in_chains(layers(turned(parted))) == 3 && keeps(layers(turned(parted))));
static_assert(is_computed_with_its_pair(waits(turned(joined))));
// Three values, each apart from the next one: the first and the third meet.
constexpr auto three = [](auto first, auto second) {
  return [=](auto v) {
    auto a = exp(v(x)), b = tanh(v(x)), c = sin(v(x));
    first(a, b);
    second(b, c);
    return outputs(a, b, c);
  };
};
constexpr int unit_of_output(auto lambda, int k) {
  const ir::program p = inferred(lambda);
  return pass::units_of_values(p, pipeline::planned(p))[p.outputs[k].at];
}
static_assert(units(three(parted, parted)) == 2 && keeps(three(parted, parted)) && keeps(three(parted, any)));
static_assert(unit_of_output(three(parted, parted), 0) == unit_of_output(three(parted, parted), 2));
static_assert(units(three(any, parted)) == 2 && units(three(parted, any)) == 2);
static_assert(unit_of_output(three(any, parted), 0) == unit_of_output(three(any, parted), 1));
static_assert(unit_of_output(three(parted, any), 0) == unit_of_output(three(parted, any), 2));
// The same of a sum, a reduction or a value of the graph, each between two of its like.
constexpr auto three_of = [](auto kind, auto first, auto second) {
  return [=](auto v) {
    auto [a, b, c] = kind(v);
    first(a, b);
    second(b, c);
    return outputs(a, b, c);
  };
};
constexpr auto three_sums = [](auto v) {
  auto near = v.in_edges().src(v(x));
  return std::tuple(sum(near), max(near), sum(tanh(near)));
};
constexpr auto three_reductions = [](auto v) {
  return std::tuple(sum(v(x), all_vertices), max(v(x), all_vertices), sum(v(y), all_vertices));
};
constexpr auto three_of_graph = [](auto v) {
  auto all = sum(v(x), all_vertices);
  return std::tuple(exp(all), tanh(all), sin(all));
};
constexpr bool first_and_last_meet(auto kind) {
  const auto program = three_of(kind, parted, parted);
  return keeps(program) && unit_of_output(program, 0) == unit_of_output(program, 2) &&
         unit_of_output(program, 0) != unit_of_output(program, 1);
}
static_assert(first_and_last_meet(three_sums));
static_assert(keeps(three_of(three_reductions, parted, parted)) && units(three_of(three_reductions, any, parted)) == 2);
static_assert(first_and_last_meet(three_of_graph));
// A value that waits takes along its readers, and theirs; one that cannot wait goes back to an earlier unit, or stays.
constexpr auto waits_with_readers = [](auto say) {
  return [say](auto v) {
    auto first = sum(v.in_edges().src(x)), second = sum(v.in_edges().src(first)), other = exp(sin(v(x)));
    auto reader = other * 2.0, last = tanh(reader);
    say(second, other);
    return outputs(first, second, other, last, reader);
  };
};
static_assert(is_computed_with_its_pair(waits_with_readers(joined)) && keeps(waits_with_readers(joined)));
static_assert(unit_of_output(waits_with_readers(joined), 3) == unit_of_output(waits_with_readers(joined), 1));
static_assert(unit_of_output(waits_with_readers(any), 3) < unit_of_output(waits_with_readers(any), 1));
constexpr auto goes_back = [](auto say) {
  return [say](auto v) {
    auto early = exp(v(x)), near = sum(v.in_edges().src(early));
    auto next = sum(v.in_edges().src(near)), late = tanh(sum(v(x), all_vertices)) + v(x);
    say(late, next);
    return outputs(near, next, late, early);
  };
};
static_assert(is_computed_with_its_pair(goes_back(joined)) && keeps(goes_back(joined)));
// What neighbours read in between cannot wait; an order that lets neither move is refused.
constexpr auto is_read_between = [](auto say) {
  return [say](auto v) {
    auto a = exp(v(x)), b = sum(v.in_edges().src(sum(v.in_edges().src(a))));
    say(a, b);
    return outputs(a, b, b);
  };
};
static_assert(refused(is_read_between(joined)) == refused_promise::together_order);
// Neither where a third value bars the way.
constexpr auto is_barred_by_a_third = [](auto v) {
  auto first = sum(v.in_edges().src(x)), second = sum(v.in_edges().src(first)), other = exp(sin(v(x)));
  auto third = tanh(other);
  together(second, other);
  apart(third, second);
  return outputs(first, second, other, third);
};
static_assert(refused(is_barred_by_a_third) == refused_promise::together_order);
// Reductions, and values of the graph.
constexpr auto late_reduction = [](auto say) {
  return [say](auto v) {
    auto first = sum(v(x), all_vertices), near = sum(v.in_edges().src(exp(v(x)) * first));
    auto second = max(near, all_vertices);
    say(first, second);
    return outputs(near, second, max(v(x), all_vertices));
  };
};
static_assert(refused(late_reduction(joined)) == refused_promise::together_order);
constexpr auto graph_waits = [](auto say) {
  return [say](auto v) {
    auto all = sum(v(x), all_vertices), a = exp(all), other = tanh(sum(exp(v(x)) * all, all_vertices));
    say(a, other);
    return outputs(all, a, other);
  };
};
static_assert(is_computed_with_its_pair(graph_waits(joined)) && keeps(graph_waits(joined)));
static_assert(!is_computed_with_its_pair(graph_waits(any)));
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
                auto a = matmul(v(x), W), b = sum(v.in_edges().src(x));
                together(a, b);
                return a * b;
              }) == refused_promise::together_alone);
static_assert(refused([](auto v) {
                auto a = sum(v(x), all_vertices), b = exp(a);
                together(a, b);
                return b * v(x);
              }) == refused_promise::together_kinds);
static_assert(refused([](auto v) {
                auto a = exp(v(x)), b = sum(v(x), all_vertices);
                together(b, a);
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

// Of one kind, in an order that no unit has; of two kinds, whichever is said first.
constexpr refused_promise refused_pair(auto values) {
  const auto by = [values](auto say) {
    return [=](auto v) {
      auto [a, b, result] = values(v);
      say(a, b);
      return result;
    };
  };
  refused_promise one = refused(by(joined)), other = refused(by(turned(joined)));
  return one == other ? one : refused_promise::none;
}
constexpr refused_promise refused_apart(auto values) {
  const auto by = [values](auto say) {
    return [=](auto v) {
      auto [a, b, result] = values(v);
      say(a, b);
      return result;
    };
  };
  refused_promise one = refused(by(parted)), other = refused(by(turned(parted)));
  return one == other ? one : refused_promise::both;
}
static_assert(refused_pair([](auto v) {
                auto a = sum(v.in_edges().src(x)), b = sum(v.out_edges().dst(x));
                return std::tuple(a, b, a * b);
              }) == refused_promise::together_kinds);
static_assert(refused_pair([](auto v) {
                auto a = sum(v.in_edges().src(x)), b = exp(sum(v.in_edges().src(a)));
                return std::tuple(a, b, a * b);
              }) == refused_promise::together_order);
static_assert(refused_pair([](auto v) {
                auto a = exp(sum(v(x), all_vertices)), b = exp(v(x));
                return std::tuple(a, b, a * b);
              }) == refused_promise::together_kinds);
static_assert(refused_pair([](auto v) {
                auto a = scan<3>(
                    v, [](auto, auto h) { return tanh(h); }, v(x));
                auto b = sin(v(x));
                return std::tuple(a, b, a * b);
              }) == refused_promise::together_alone);
static_assert(refused_pair([](auto v) {
                auto b = exp(v(x));
                return std::tuple(v(x), b, b);
              }) == refused_promise::paired_edges);
static_assert(refused_pair([](auto v) {
                auto a = v.in_degree(), b = exp(v(x));
                return std::tuple(a, b, a * b);
              }) == refused_promise::paired_edges);
// One of them an edge value; a product of edges lies in memory and has a unit of its own.
static_assert(refused_apart([](auto v) {
                auto a = exp(v.in_edges()(w)), b = exp(v(x));
                return std::tuple(a, b, sum(a) * b);
              }) == refused_promise::paired_edges);
static_assert(refused_apart([](auto v) {
                auto a = matmul(v.in_edges()(wide), W), b = exp(v(x));
                return std::tuple(a, b, sum(a) * b);
              }) == refused_promise::none);
// A pair that is refused is named, by a lambda's name or else by its operation.
constexpr auto named_pair = [](auto v) {
  auto a = named<"score">(sum(v.in_edges().src(x))), b = matmul(v(x), W);
  together(a, b);
  return a * b;
};
constexpr bool names_pair(auto lambda, std::string_view first, std::string_view second) {
  const pass::promise_finding found = pipeline::refused_promise(inferred(lambda));
  return found.first.view() == first && found.second.view() == second;
}
static_assert(names_pair(named_pair, "score", "matmul"));
static_assert(pipeline::refused_promise(inferred([](auto v) { return inlined(exp(v(x))); })).first.length == 0);

// A value that its pair cannot wait for goes back to the pair's unit.
constexpr int unit_of(auto lambda, ir::opcode code) {
  const ir::program p = inferred(lambda);
  const sequence<int> unit_of = pass::units_of_values(p, pipeline::planned(p));
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == code) return unit_of[i];
  return -1;
}
constexpr auto returns = [](auto say) {
  return [say](auto v) {
    auto a = exp(v(x)), b = tanh(v(x));
    auto near = sum(v.in_edges().src(a)), far = sum(v.in_edges().src(near)) * b;
    say(a, b);
    return outputs(near, far);
  };
};
static_assert(unit_of(returns(any), ir::opcode::exp) < unit_of(returns(any), ir::opcode::tanh));
static_assert(unit_of(returns(joined), ir::opcode::exp) == unit_of(returns(joined), ir::opcode::tanh));
static_assert(keeps(returns(joined)) && keeps(returns(turned(joined))));
// Unless it reads its pair's neighbours, or is apart from a value that is there.
constexpr auto may_not_return = [](auto v) {
  auto a = exp(v(x)), b = tanh(v(x)), c = sin(v(x));
  auto near = sum(v.in_edges().src(a + c)), far = sum(v.in_edges().src(near)) * b;
  together(a, b);
  apart(c, b);
  return outputs(near, far, c);
};
static_assert(refused(may_not_return) == refused_promise::together_order);
// A chain ends before its first unit, and before each that is said.
constexpr auto cut_layers = [](auto first, auto second) {
  return [=](auto v) {
    auto m = matmul(v(x), W), a = relu(m), b = relu(matmul(a, W));
    first(m, a);
    second(a, b);
    return b;
  };
};
static_assert(units_in_chains(cut_layers(parted, any)) == 3 && keeps(cut_layers(parted, any)));
static_assert(units_in_chains(cut_layers(parted, parted)) == 2 && keeps(cut_layers(parted, parted)));

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
