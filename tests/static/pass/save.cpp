// split: what is saved for the gradient, and what is computed, read or drawn again.
#include "symbols.hpp"

#include <stg/dsl/keep.hpp>
#include <stg/op/call.hpp>
#include <stg/pass/algebra.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/order.hpp>
#include <stg/pass/save.hpp>

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
