// split: what is saved for the gradient, and what is computed, read or drawn again.
#include "symbols.hpp"
#include "symbols_of_kinds.hpp"

#include <stg/dsl/keep.hpp>
#include <stg/op/call.hpp>
#include <stg/op/scan.hpp>
#include <stg/pass/algebra.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/order.hpp>
#include <stg/pass/save.hpp>
#include <stg/pass/save_steps.hpp>
#include <stg/analysis/verify.hpp>

namespace stg {

constexpr pass::differentiated halves(auto program) {
  const ir::program p = pass::fold(pass::cse(trace(program)));
  const ir::program joint = pass::fold(pass::autodiff(p, {0}, pass::trainable_inputs(p)).program);
  return pass::split(pass::dce(pass::algebra(joint)), 1, {0}, p.inputs.size());
}
/// The only value that is saved comes from this operation.
constexpr bool saves_only(auto program, ir::opcode code) {
  const pass::differentiated d = halves(program);
  return d.forward.outputs.size() == 2 && d.forward[d.forward.outputs[1].at].code == code;
}
constexpr bool saves_nothing(auto program) { return halves(program).forward.outputs.size() == 1; }
constexpr int in_gradient(auto program, ir::opcode code) { return count_of(halves(program).gradient, code); }

// A cheap chain on inputs is computed again, a costly one is saved.
constexpr auto cheap = [](auto v) { return relu(v(x) * 2.0) * v(y); };
constexpr auto costly = [](auto v) { return stg::tanh(v(x)) * v(y); };
static_assert(saves_nothing(cheap) && in_gradient(cheap, ir::opcode::relu) == 1);
static_assert(saves_only(costly, ir::opcode::tanh) && in_gradient(costly, ir::opcode::tanh) == 0);

// A wide value that lacks one costly number is computed again from that number, which is saved in its place.
constexpr auto lacks_one = [](auto v) {
  auto scaled = v(trainable(vertex_feature<"sixteen", 16>)) * stg::tanh(v(vertex_feature<"s">));
  return scaled * scaled * scaled;
};
static_assert(saves_only(lacks_one, ir::opcode::tanh) && in_gradient(lacks_one, ir::opcode::tanh) == 0);

// What lies in memory anyway is saved, and a cheap chain starts from there.
constexpr auto dense = [](auto v) { return sum(relu(matmul(v(x), W)) * 3.0, axis<0>) * v(vertex_feature<"z">); };
static_assert(saves_only(dense, ir::opcode::matmul) && in_gradient(dense, ir::opcode::relu) == 1);

// Aggregates are saved; per-edge values never are, whatever they cost.
constexpr auto aggregate = [](auto v) { return sum(v.in_edges().src(x)) * v(y); };
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(stg::tanh(e.src(x) * e(w)));
};
static_assert(saves_only(aggregate, ir::opcode::sum_edges));
static_assert(saves_nothing(attention) && in_gradient(attention, ir::opcode::tanh) == 1);

// A maximum along an axis is compared with what it was taken of: where that is computed again, so is the maximum,
// though both together cost more than is done again elsewhere. What it is taken of may have another shape in memory.
constexpr auto largest = [](auto v) {
  auto chain = v(x) * v(y) * v(x) * v(y) * v(x) * v(y) * v(x) * v(y) * v(x) * v(y) * v(x) * v(y) * v(x);  // 12
  return max(chain, axis<0>) * v(vertex_feature<"z">);
};
static_assert(saves_nothing(largest) && in_gradient(largest, ir::opcode::reduce_max) == 1);
constexpr auto largest_of_rows = [](auto v) {
  auto rows = reshape<2, 1>(matmul(v(x), W));
  return max(rows, axis<0>) * v(vertex_feature<"z", 1>);
};
static_assert(saves_only(largest_of_rows, ir::opcode::matmul) &&
              in_gradient(largest_of_rows, ir::opcode::reduce_max) == 1);
// So it is per edge, where a dense product reads the maximum, which therefore lies in memory.
constexpr auto largest_of_edges = [](auto v) {
  auto e = v.in_edges();
  auto m = max(stg::exp(e.src(x)) * e.dst(y), axis<0>, keepdim);
  return sum(stg::tanh(matmul(m, trainable(parameter<"V", 1, 3>))));
};
static_assert(halves(largest_of_edges).forward.outputs.size() == 3 &&  // and exp of the rows, and the product
              in_gradient(largest_of_edges, ir::opcode::reduce_max) == 1);

// A gradient knows the scopes of the program, and those of what it reads.
constexpr auto in_scope = [](auto v) {
  return scope<"inner">(
      v, [](auto u, auto s) { return stg::tanh(s) * u(y); }, v(x));
};
constexpr bool reads_within_scope(const ir::program& gradient) {
  bool found = false;
  for (const ir::statement& s : gradient.statements) found = found || (s.code == ir::opcode::input && s.scopes != 0);
  return found && !gradient.scopes.empty();
}
static_assert(reads_within_scope(halves(in_scope).gradient));

// A mask is drawn again.
constexpr auto random = [](auto v) { return dropout(v(x), 0.5) * v(y); };
static_assert(saves_nothing(random) && in_gradient(random, ir::opcode::keep_mask) == 1);
static_assert(in_gradient([](auto v) { return dropout(v(x), 0.0) * v(y); }, ir::opcode::keep_mask) == 0,
              "none is drawn that keeps everything");

// elu's gradient is written in its result: the pre-activation is not saved beside it.
constexpr auto activated = [](auto v) { return elu(sum(v.in_edges().src(x)) + v(y), 1.0); };
static_assert(saves_nothing([](auto v) { return v(x) + v(y); }));
static_assert(halves(activated).forward.outputs.size() == 2 &&
              halves(activated).forward.outputs[1].at == halves(activated).forward.outputs[0].at);

// ---- what lies in memory anyway ----

constexpr ir::value_id first_of(const ir::program& p, ir::opcode code) {
  ir::value_id i = 0;
  while (p[i].code != code) ++i;
  return i;
}
constexpr bool lies_in_memory(auto program, ir::opcode code) {
  const ir::program p = trace(program);
  return pass::stored_anyway(p)[first_of(p, code)] != 0;
}
// What is promised to be stored does, and what neighbours read, unless it is promised to be inlined.
constexpr auto promised = [](auto v) { return sum(v.in_edges().src(inlined(exp(v(x))))) * stored(tanh(v(x))); };
static_assert(lies_in_memory(promised, ir::opcode::tanh) && !lies_in_memory(promised, ir::opcode::exp));
static_assert(lies_in_memory([](auto v) { return sum(v.in_edges().src(exp(v(x)))); }, ir::opcode::exp));
static_assert(!lies_in_memory([](auto v) { return exp(v(x)) * 2.0; }, ir::opcode::exp));
// What the user is given does, but for edge values, which are computed again all the same; and what a product reads.
static_assert(lies_in_memory([](auto v) { return exp(v(x)); }, ir::opcode::exp));
static_assert(!lies_in_memory([](auto v) { return exp(v.in_edges()(w)); }, ir::opcode::exp));
static_assert(lies_in_memory([](auto v) { return tanh(matmul(exp(v(x)), W)); }, ir::opcode::exp));
// What is passed to a call does, and what comes out of it.
constexpr auto layer = [](auto v, auto h, auto by) { return sum(v.in_edges().src(h)) * by; };
constexpr auto passes = [](auto v) { return call(layer, v, exp(v(x)), tanh(v(y))) * 2.0; };
static_assert(lies_in_memory(passes, ir::opcode::exp) && lies_in_memory(passes, ir::opcode::tanh));
static_assert(lies_in_memory(passes, ir::opcode::result));

// ---- programs written as if with their gradients: the first output is the forward program's ----

struct choice_made {
  ir::program p{};
  ir::flags saved{};
  constexpr bool saves(ir::opcode code) const { return saved[first_of(p, code)] != 0; }
  constexpr int count() const {
    int n = 0;
    for (ir::value_id i = 0; i < p.size(); ++i) n += saved[i];
    return n;
  }
};
constexpr choice_made chosen_in(auto program, bool of_step = false, int outputs = 1) {
  choice_made made;
  made.p = pass::order(trace(program));
  made.saved = pass::saved_values(made.p, outputs, made.p.inputs.size(), of_step);
  return made;
}
constexpr auto total(auto h) { return sum(sum(h, axis<0>), all_vertices); }

// A promise to store goes before the choice, and what is made of it is not asked for.
constexpr auto promised_to_store = [](auto v) {
  auto h = stored(relu(tanh(v(x))));
  return outputs(total(h), h * v(y));
};
constexpr auto promised_of_cheap = [](auto v) {
  auto h = stored(relu(v(x) * 2.0));
  return outputs(total(h), h * v(y));
};
static_assert(chosen_in(promised_to_store).count() == 1 && chosen_in(promised_to_store).saves(ir::opcode::relu));
static_assert(chosen_in(promised_to_store, true).count() == 1);
static_assert(chosen_in(promised_of_cheap, true).count() == 1 &&
              chosen_in(promised_of_cheap, true).saves(ir::opcode::relu));
// The gradient has the program's tags, but not that promise, which is the forward program's.
constexpr auto tagged = [](auto v) {
  auto h = stored(relu(v(x) * 2.0));
  return outputs(total(h), tag<"mine">(h * v(y)));
};
constexpr ir::program gradient_of(auto program) {
  const ir::program p = pass::order(trace(program));
  return pass::split(p, 1, {}, p.inputs.size()).gradient;
}
static_assert(gradient_of(tagged).tags.size() == 1 && gradient_of(tagged).tags[0].name.view() == "mine");

// Outputs of the program are there for what is to be made again from the nearest results, but not in steps, which keep
// no output, and not for what is to be made again from inputs.
constexpr auto given_back(keeping way, bool first) {
  return [way, first](auto v) {
    keep(v, way);
    auto h = tanh(v(x)), f = h * v(y);
    return outputs(first ? h : f, first ? f : h, exp(h));
  };
}
static_assert(chosen_in(given_back(keeping::results, true), false, 2).saves(ir::opcode::tanh));
static_assert(chosen_in(given_back(keeping::results, false), false, 2).saves(ir::opcode::tanh));
static_assert(chosen_in(given_back(keeping::results, true), true, 2).count() == 0);
static_assert(chosen_in(given_back(keeping::results, false), false, 1).count() == 0);
static_assert(chosen_in(given_back(keeping::inputs, true), false, 2).count() == 0);
static_assert(chosen_in(given_back(keeping::everything, true), false, 2).saves(ir::opcode::tanh));

// Cheap chains end in what is said to be saved, and not in what is to be made again, be it in memory or a few numbers.
constexpr auto chain_of(auto body) {
  return [body](auto v) {
    auto h = relu(body(v) * 2.0);
    return outputs(total(h), exp(h));
  };
}
constexpr auto of_saved = chain_of([](auto v) { return saved(tanh(v(x))); });
constexpr auto of_stored = chain_of([](auto v) { return matmul(v(x), W); });
constexpr auto of_stored_again = chain_of([](auto v) { return recomputed(matmul(v(x), W)); });
constexpr auto sixteen = vertex_feature<"sixteen", 16>;
constexpr auto of_few = chain_of([](auto v) { return v(sixteen) * tanh(v(vertex_feature<"s">)); });
constexpr auto of_few_again = chain_of([](auto v) { return v(sixteen) * recomputed(tanh(v(vertex_feature<"s">))); });
static_assert(chosen_in(of_saved).count() == 1 && chosen_in(of_saved).saves(ir::opcode::tanh));
static_assert(chosen_in(of_stored).count() == 1 && chosen_in(of_stored).saves(ir::opcode::matmul));
static_assert(chosen_in(of_stored_again).count() == 1 && chosen_in(of_stored_again).saves(ir::opcode::relu));
static_assert(chosen_in(of_few).count() == 1 && chosen_in(of_few).saves(ir::opcode::tanh));
static_assert(chosen_in(of_few_again).count() == 1 && chosen_in(of_few_again).saves(ir::opcode::relu));

// What a product of the gradient reads is not in memory for that: it is the forward program's that counts.
constexpr auto read_whole_behind = [](auto v) {
  auto h = relu(v(x) * 2.0);
  return outputs(total(h), matmul(h, W));
};
static_assert(chosen_in(read_whole_behind).count() == 0);
// A chain ends in a sum over edges that the gradient reads, and not in another.
constexpr auto of_sum = chain_of([](auto v) { return sum(v.in_edges().src(x)); });
constexpr auto of_sum_as_well = [](auto v) {
  auto s = sum(v.in_edges().src(x)), h = relu(s * 2.0);
  return outputs(total(h), exp(h), exp(s));
};
static_assert(chosen_in(of_sum).count() == 1 && chosen_in(of_sum).saves(ir::opcode::relu));
static_assert(chosen_in(of_sum_as_well).count() == 1 && chosen_in(of_sum_as_well).saves(ir::opcode::sum_edges));
// It ends in what is saved for the gradient in steps alone: elsewhere both are saved.
constexpr auto of_what_is_saved = [](auto v) {
  auto t = tanh(v(x)), h = relu(t * 2.0);
  return outputs(total(h), exp(h), exp(t));
};
static_assert(chosen_in(of_what_is_saved).count() == 2);
static_assert(chosen_in(of_what_is_saved, true).count() == 1 &&
              chosen_in(of_what_is_saved, true).saves(ir::opcode::tanh));
// Values of the graph are saved, whatever they cost, and a chain ends in them.
constexpr auto of_graph = [](auto v) {
  auto g = relu(sum(v(x), all_vertices) * 2.0);
  return outputs(sum(g, axis<0>), exp(g));
};
constexpr auto of_vertex_and_graph = [](auto v) {
  auto h = relu(v(x) * tanh(sum(v(x), all_vertices)));
  return outputs(total(h), exp(h));
};
static_assert(chosen_in(of_graph).count() == 1 && chosen_in(of_graph).saves(ir::opcode::relu));
static_assert(chosen_in(of_vertex_and_graph).count() == 1 && chosen_in(of_vertex_and_graph).saves(ir::opcode::tanh));
// Eight numbers are few, nine are not, nor as many as a call says.
constexpr auto times_tanh(auto wide, auto narrow) {
  return [=](auto v) {
    auto h = v(wide) * tanh(v(narrow));
    return outputs(total(h), exp(h));
  };
}
constexpr auto of_eight = times_tanh(vertex_feature<"wide", 2, 8>, vertex_feature<"narrow", 8>);
constexpr auto of_nine = times_tanh(vertex_feature<"wide", 2, 9>, vertex_feature<"narrow", 9>);
constexpr auto of_named = times_tanh(vertex_feature<"wide", stg::extent<"F">>, vertex_feature<"narrow">);
static_assert(chosen_in(of_eight).saves(ir::opcode::tanh) && chosen_in(of_nine).saves(ir::opcode::mul));
static_assert(chosen_in(of_named).count() == 1 && chosen_in(of_named).saves(ir::opcode::tanh));

// A promise to inline is one of chains of vertices: sums, and what the graph has one of, are saved all the same.
constexpr auto inlined_sum = [](auto v) {
  auto h = inlined(sum(v.in_edges().src(x)));
  return outputs(total(h), exp(h));
};
constexpr auto inlined_of_graph = [](auto v) {
  auto g = inlined(relu(sum(v(x), all_vertices) * 2.0));
  return outputs(sum(g, axis<0>), exp(g));
};
constexpr auto inlined_costly = [](auto v) {
  auto h = inlined(tanh(v(x)));
  return outputs(total(h), exp(h));
};
static_assert(chosen_in(inlined_sum).count() == 1 && chosen_in(inlined_sum).saves(ir::opcode::sum_edges));
static_assert(chosen_in(inlined_of_graph).count() == 1 && chosen_in(inlined_of_graph).saves(ir::opcode::relu));
static_assert(chosen_in(inlined_costly).count() == 0);

// A maximum along an axis, of which something is said, goes along with what it is compared with, in whatever shape, but
// for inputs, which are there. One of the graph's numbers is saved by itself.
constexpr auto largest_said(auto rows, auto of_rows, auto of_maximum) {
  return [=](auto v) {
    auto m = of_maximum(max(reshape<2, 2>(of_rows(rows(v))), axis<0>, keepdim));
    return outputs(sum(sum(m, axis<0>)[0] + 0.0 * sum(v(x), axis<0>), all_vertices), exp(m));
  };
}
constexpr auto plain = [](auto h) { return h; };
constexpr auto made_again = [](auto h) { return recomputed(h); };
constexpr auto kept = [](auto h) { return saved(h); };
constexpr auto of_relu = [](auto v) { return relu(v(x) * 2.0); };
constexpr auto of_input = [](auto v) { return v(x); };
constexpr auto of_graph_relu = [](auto v) { return relu(sum(v(x), all_vertices) * 2.0); };
static_assert(chosen_in(largest_said(of_relu, plain, plain)).count() == 0);
static_assert(chosen_in(largest_said(of_relu, plain, kept)).count() == 2 &&
              chosen_in(largest_said(of_relu, plain, kept)).saves(ir::opcode::reduce_max));
static_assert(chosen_in(largest_said(of_relu, made_again, kept)).count() == 0);
static_assert(chosen_in(largest_said(of_input, plain, plain)).count() == 0);
static_assert(chosen_in(largest_said(of_input, plain, kept)).count() == 1);
static_assert(!chosen_in(largest_said(of_graph_relu, made_again, plain)).saves(ir::opcode::reduce_max));
static_assert(chosen_in(largest_said(of_graph_relu, plain, plain)).saves(ir::opcode::reduce_max));
static_assert(!chosen_in(largest_said(of_graph_relu, made_again, kept)).saves(ir::opcode::reduce_max));

// So it is over vertices.
constexpr auto largest_of_rows_again = [](auto v) {
  auto m = max(recomputed(tanh(v(x))), all_vertices);
  return outputs(sum(m, axis<0>), exp(m));
};
constexpr auto largest_of_rows_kept = [](auto v) {
  auto m = max(tanh(v(x)), all_vertices);
  return outputs(sum(m, axis<0>), exp(m));
};
static_assert(chosen_in(largest_of_rows_again).count() == 0);
static_assert(chosen_in(largest_of_rows_kept).saves(ir::opcode::max_vertices));

// Saving a maximum of maxima saves their operands; if one operand is to be computed again, the maximum is, too.
constexpr auto largest_of_largest(auto of_rows, auto of_maximum, auto of_both) {
  return [=](auto v) {
    auto m = of_maximum(max(reshape<2, 2>(of_rows(relu(v(x) * 2.0))), axis<0>, keepdim));
    auto n = of_both(max(reshape<2, 1>(m), axis<0>, keepdim));
    return outputs(sum(sum(n, axis<0>)[0] + 0.0 * sum(v(x), axis<0>), all_vertices), exp(m), exp(n));
  };
}
static_assert(chosen_in(largest_of_largest(plain, plain, plain)).count() == 0);
static_assert(chosen_in(largest_of_largest(plain, plain, kept)).count() == 3 &&
              chosen_in(largest_of_largest(plain, plain, kept)).saves(ir::opcode::relu));
static_assert(chosen_in(largest_of_largest(kept, plain, kept)).count() == 3);
static_assert(chosen_in(largest_of_largest(made_again, plain, kept)).count() == 0);
static_assert(chosen_in(largest_of_largest(plain, made_again, kept)).count() == 0);
static_assert(chosen_in(largest_of_largest(plain, made_again, plain)).count() == 0);

// So it is where one is promised to be stored.
constexpr auto to_store = [](auto h) { return stored(h); };
static_assert(chosen_in(largest_said(of_relu, plain, to_store)).count() == 2);
static_assert(chosen_in(largest_said(of_relu, made_again, to_store)).count() == 0);
static_assert(chosen_in(largest_said(of_input, plain, to_store)).count() == 1);
static_assert(chosen_in(largest_said(of_relu, kept, to_store)).count() == 2);
static_assert(chosen_in(largest_of_largest(plain, plain, to_store)).count() == 3);
static_assert(chosen_in(largest_of_largest(made_again, plain, to_store)).count() == 0);
// What is promised to be inlined is not saved for the sake of a maximum.
constexpr auto to_inline = [](auto h) { return inlined(h); };
static_assert(chosen_in(largest_said(of_relu, to_inline, kept)).count() == 0);
static_assert(chosen_in(largest_of_largest(to_inline, plain, kept)).count() == 0);

// A list that a call and its gradient are both given is none of values: what it lists is asked for. Of a call whose
// result alone is read nothing else is.
constexpr auto given_a_list = [](auto v) { return call(layer, v, sin(v(x)), cos(v(y))) * 2.0; };
constexpr bool saves_what_is_listed() {
  const pass::differentiated d = halves(given_a_list);
  bool all = d.forward.outputs.size() > 1;
  for (int k = 1; k < d.forward.outputs.size(); ++k)
    all = all && d.forward[d.forward.outputs[k].at].where == ir::space::vertex;
  return all && d.forward.outputs.size() == 3 && pass::verify(d.forward) == pass::finding() &&
         pass::verify(d.gradient) == pass::finding();
}
static_assert(saves_what_is_listed());
constexpr auto result_alone = [](auto v) {
  auto r = call(layer, v, tanh(v(x)), tanh(v(y)));
  return outputs(total(r), exp(r));
};
static_assert(chosen_in(result_alone).count() == 1 && chosen_in(result_alone).saves(ir::opcode::result));
// Nor are steps side by side, or what becomes steps again, another value than what they are made of.
constexpr auto beside_each_other = [](auto v) {
  auto step = [](auto u, auto h) {
    auto n = tanh(h * u(x));
    return next(n).gives(total(n));
  };
  auto [last, each] = scan<3>(v, step, v(y));
  auto all = stacked(each);
  return outputs(sum(all, axis<0>), exp(all));
};
static_assert(chosen_in(beside_each_other).count() == 1 && chosen_in(beside_each_other).saves(ir::opcode::result));
constexpr bool saves_what_becomes_steps() {
  choice_made made;
  made.p = pass::order(trace([](auto v) { return tanh(sum(v(vertex_feature<"three", 3>), all_vertices)); }));
  ir::statement s;
  s.code = ir::opcode::reshape;
  s.operands[0] = made.p.outputs[0].at;
  s.over = ir::extent(3);
  const ir::value_id steps = made.p.emit(s);
  ir::statement flat = made.p[s.operands[0]];
  flat.code = ir::opcode::reshape;
  flat.operands[0] = steps;
  const ir::value_id again = made.p.emit(flat);
  flat.code = ir::opcode::exp;
  flat.operands[0] = again;
  made.p.outputs[0].at = again;
  made.p.outputs.push_back({made.p.emit(flat), {}});
  made.saved = pass::saved_values(made.p, 1, made.p.inputs.size());
  return pass::verify(made.p) == pass::finding() && made.count() == 1 && made.saves(ir::opcode::tanh);
}
static_assert(saves_what_becomes_steps());
// Another shape of a vertex's row is a value like others.
constexpr auto another_shape = [](auto v) {
  auto r = reshape<2, 2>(tanh(v(x)));
  return outputs(total(r), exp(r));
};
static_assert(chosen_in(another_shape).count() == 1 && chosen_in(another_shape).saves(ir::opcode::reshape));

// ---- the gradient's program is of the same kinds, extents and types ----

constexpr auto named_doubles = [](auto v) {
  auto h = tanh(v(vertex_feature<"named", f64, stg::extent<"F">>));
  return outputs(total(h), h * h);
};
constexpr bool is_of_its_type() {
  const ir::program p = pass::order(trace(named_doubles));
  const pass::differentiated d = pass::split(p, 1, {}, p.inputs.size());
  return pass::verify(d.gradient) == pass::finding() && d.gradient.extents == p.extents && !p.extents.empty() &&
         d.gradient[0].type == scalar_type::f64 && d.results == 1 && d.connections.size() == 2 &&
         d.connections[0] == pass::connection{pass::connection_kind::input, 0} &&
         d.connections[1] == pass::connection{pass::connection_kind::saved, 1};
}
static_assert(is_of_its_type());
constexpr auto of_sets = [](auto g) {
  auto h = tanh(g(author)(known));
  return outputs(total(h), sum(g(paper).in_edges(writes).src(h)));
};
constexpr auto of_steps = [](auto v) {
  return scan<"T">(
      v, [](auto u, auto s) { return s * u(over<"T">(vertex_feature<"r", 4>)); }, v(x));
};
static_assert(pass::verify(gradient_of(of_sets)) == pass::finding() && !gradient_of(of_sets).kinds.empty());
constexpr bool reads_for_each_step(const ir::program& gradient) {
  bool found = false;
  for (const ir::statement& s : gradient.statements) found = found || (s.code == ir::opcode::input && s.is_sequence());
  return found && pass::verify(gradient) == pass::finding();
}
constexpr pass::differentiated halves_of_steps() {
  const ir::program p = pass::order(trace(of_steps));
  return pass::split(pass::save_steps(pass::autodiff(p, {0}, pass::trainable_inputs(p)).program), 1, {0},
                     p.inputs.size());
}
static_assert(reads_for_each_step(halves_of_steps().gradient));

// Of a step, which keeps for every step what it saves, rows of half the width are saved rather than a product of them.
template <int Width> inline constexpr auto M = parameter<"M", 16, Width>;
inline constexpr auto to_named = parameter<"M", 16, stg::extent<"G">>;
inline constexpr auto from_named = parameter<"M", stg::extent<"F">, 32>;
constexpr auto widened(auto symbol, auto by) {
  return [=](auto v) {
    auto h = relu(matmul(tanh(v(symbol)), v(by)));
    return outputs(total(h), exp(h));
  };
}
constexpr auto twice_as_wide = widened(sixteen, M<32>);
constexpr auto not_twice = widened(sixteen, M<31>);
static_assert(chosen_in(twice_as_wide, true).count() == 1 && chosen_in(twice_as_wide, true).saves(ir::opcode::tanh));
static_assert(chosen_in(not_twice, true).count() == 1 && chosen_in(not_twice, true).saves(ir::opcode::relu));
static_assert(chosen_in(twice_as_wide).saves(ir::opcode::matmul));
static_assert(chosen_in(widened(sixteen, to_named), true).saves(ir::opcode::relu));
static_assert(chosen_in(widened(vertex_feature<"named", stg::extent<"F">>, from_named), true).saves(ir::opcode::relu));
constexpr auto beside = [](auto v) {
  auto h = relu(concat<axis<0>>(tanh(v(sixteen)), v(vertex_feature<"t", 16>)));
  return outputs(total(h), exp(h));
};
static_assert(chosen_in(beside, true).count() == 1 && chosen_in(beside, true).saves(ir::opcode::tanh));
static_assert(chosen_in(beside).count() == 1 && chosen_in(beside).saves(ir::opcode::relu));

}  // namespace stg
