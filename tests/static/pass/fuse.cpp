// fuse: how many units a program becomes, in which order, and what crosses them.
#include "symbols.hpp"
#include "symbols_of_kinds.hpp"

#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fuse.hpp>
#include <stg/pass/order.hpp>

#include <initializer_list>

namespace stg {

using pass::sweep_side;
using pass::unit_kind;

constexpr auto share = vertex_feature<"share">;
constexpr auto a = parameter<"a", 4>;

struct expected {
  unit_kind kind;
  sweep_side side = sweep_side::none;
  int loops = 0;
};
constexpr expected product{unit_kind::product};
constexpr expected rows{unit_kind::sweep};
constexpr expected reduction{unit_kind::reduction};
constexpr expected graph_arithmetic{unit_kind::graph};
constexpr expected in_sweep(int loops = 1) { return {unit_kind::sweep, sweep_side::in, loops}; }
constexpr expected out_sweep(int loops = 1) { return {unit_kind::sweep, sweep_side::out, loops}; }

constexpr bool becomes(auto program, std::initializer_list<expected> units) {
  const ir::program p = pass::dce(pass::cse(pass::order(trace(program))));
  const pass::fusion f = pass::fuse(p);
  if (f.units.size() != static_cast<int>(units.size())) return false;
  int k = 0;
  for (const expected& e : units) {
    const pass::unit& u = f.units[k++];
    if (u.kind != e.kind || u.side != e.side || u.loops.size() != e.loops) return false;
  }
  return true;
}
/// Values in memory besides inputs: how many, and how many numbers per row.
constexpr int stored(auto program) {
  const ir::program p = pass::dce(pass::cse(pass::order(trace(program))));
  int n = 0;
  for (unsigned char s : pass::fuse(p).stored) n += s;
  return n;
}
constexpr std::int64_t stored_numbers(auto program) {
  const ir::program p = pass::dce(pass::cse(pass::order(trace(program))));
  const pass::fusion f = pass::fuse(p);
  std::int64_t n = 0;
  for (ir::value_id i = 0; i < p.size(); ++i) n += f.stored[i] ? p[i].dims.size() : 0;
  return n;
}

// Work before, on and after the edges is one sweep; only the result is stored.
constexpr auto layer = [](auto v) { return relu(v(share) * sum(v.in_edges().src(x) * v(share)) + v(y)); };
static_assert(becomes(layer, {in_sweep()}) && stored(layer) == 1);

// Softmax: two loops over the same edges in one sweep, nothing per edge in memory.
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(e.src(share) + v(share)) * e.src(x));
};
static_assert(becomes(attention, {in_sweep(2)}) && stored(attention) == 1);

// Several aggregates of one side share a sweep and a loop; the other side needs another.
static_assert(becomes(
    [](auto v) {
      auto e = v.in_edges();
      return sum(e.src(x)) + mean(e.src(y)) + max(e.src(x));
    },
    {in_sweep()}));
static_assert(becomes([](auto v) { return sum(v.in_edges().src(x)) + sum(v.out_edges().dst(y)); },
                      {in_sweep(), out_sweep()}));

// What is made of a vertex's degree alone is computed by each unit that reads it, unless edges read it. A unit of its
// own is left out where nobody else is in it.
constexpr auto two_means = [](auto v) { return mean(v.in_edges().src(mean(v.in_edges().src(x)))); };
static_assert(becomes(two_means, {in_sweep(), in_sweep()}) && stored(two_means) == 2);
constexpr int statements_of(auto program, int unit) {
  return pass::fuse(pass::dce(pass::cse(pass::order(trace(program))))).units[unit].statements.size();
}
static_assert(statements_of(two_means, 0) == 2 && statements_of(two_means, 1) == 2, "a maximum and a quotient");
constexpr auto of_degrees = [](auto v) { return matmul(v(x) * (v.in_degree() + 1.0), W) / (v.in_degree() + 1.0); };
static_assert(becomes(of_degrees, {rows, product, rows}) && stored(of_degrees) == 3);
constexpr auto by_neighbours = [](auto v) {
  auto d = v.in_degree() + 1.0;
  return sum(v.in_edges().src(d) * v.in_edges().src(x)) / d;
};
static_assert(stored(by_neighbours) == 2, "its neighbours read the sum");
constexpr auto by_edges = [](auto v) {
  auto d = v.in_degree() + 1.0;
  return outputs(sum(v.in_edges().dst(d) * v.in_edges().src(x)), matmul(v(x), W) * d);
};
static_assert(stored(by_edges) == 4, "the sum of a loop that reads its row, the product, and both outputs");
// Nor what is made of a degree that lies in memory.
constexpr auto of_stored_degrees = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(v.in_degree()) * e.src(x)) / (v.in_degree() + 1.0);
};
static_assert(becomes(of_stored_degrees, {rows, in_sweep()}) && stored(of_stored_degrees) == 2);

// A number that only a reduction reads is made by the sweep that reads what it is made of anyway, and the reduction
// joins that sweep's own.
constexpr auto counted = [](auto v) {
  auto y = sum(v.in_edges().src(v(x)));
  auto kept = v(vertex_feature<"kept", boolean>);
  auto loss = sum(select(kept, sum(matmul(y, W), axis<0>), 0.0), all_vertices);
  return loss / sum(cast<f32>(kept), all_vertices);
};
static_assert(becomes(counted, {in_sweep(), product, rows, reduction, graph_arithmetic}));
static_assert(statements_of(counted, 0) == 0 && statements_of(counted, 2) == 3);
// Not where the reduction is to be there before.
constexpr auto needed_before = [](auto v) {
  auto kept = v(vertex_feature<"kept", boolean>);
  auto part = sum(v.in_edges().src(v(x))) / sum(cast<f32>(kept), all_vertices);
  return select(kept, sum(matmul(part, W), axis<0>), 0.0);
};
static_assert(statements_of(needed_before, 0) == 1);

// What another vertex reads ends a sweep.
constexpr auto two_hops = [](auto v) { return sum(v.in_edges().src(sum(v.in_edges().src(x)))); };
static_assert(becomes(two_hops, {in_sweep(), in_sweep()}) && stored(two_hops) == 2);

// So do dense products, reductions and the arithmetic behind them.
static_assert(becomes([](auto v) { return sum(v.in_edges().src(matmul(relu(v(x)), W))); },
                      {rows, product, in_sweep()}));
static_assert(becomes([](auto v) { return sum(v(x) * v(x), all_vertices) * 0.5; },
                      {rows, reduction, graph_arithmetic}));

// A reduction runs as soon as it can, so that what it reads need not wait; those that follow each other are one unit.
constexpr auto reduced_early = [](auto v) {
  auto first = sum(v.in_edges().src(x));
  return outputs(sum(v.in_edges().src(first)), sum(first, all_vertices));
};
static_assert(becomes(reduced_early, {in_sweep(), reduction, in_sweep()}));
static_assert(becomes([](auto v) { return sum(v(x) * v(x), all_vertices) + sum(stg::exp(v(y)), all_vertices); },
                      {rows, reduction, graph_arithmetic}));

// An aggregate that nobody needs before a later sweep of its side waits for it, with what is computed from it per
// vertex.
constexpr auto waiting = [](auto v) {
  auto early = sum(v.out_edges().dst(y));
  auto between = sum(v.in_edges().src(x));
  return (early + between) + sum(v.out_edges().dst(between));
};
static_assert(becomes(waiting, {in_sweep(), out_sweep()}));

// A wide value that a later sweep makes of a narrow one crosses as the narrow one.
constexpr auto widened = [](auto v) {
  auto total = sum(v.in_edges().src(share));
  auto wide = a * total;
  return wide + sum(v.out_edges().dst(total));
};
static_assert(becomes(widened, {in_sweep(), out_sweep()}) && stored_numbers(widened) == 1 + 4);

// A chain on inputs is computed where it is read, not where its operands are.
constexpr auto late = [](auto v) {
  auto chain = stg::exp(v(x) * 2.0);
  auto first = sum(v.in_edges().src(share));
  return chain + sum(v.in_edges().src(first));
};
static_assert(stored_numbers(late) == 1 + 4);

// So is a value of what the unit that needs it reads anyway, though that is wider.
constexpr auto of_a_row_at_hand = [](auto v) {
  auto positive = v(x) > 0.0;
  auto first = sum(v.in_edges().src(share));
  return select(positive, v(x), sum(v.in_edges().src(first)) * v(share));
};
static_assert(stored_numbers(of_a_row_at_hand) == 1 + 4);

// Nor does it wait in memory for want of a byte: what it is made of is at hand for nothing.
constexpr auto of_two_rows_at_hand = [](auto v) {
  auto other = v(vertex_feature<"other">);
  auto less = v(share) < other;
  auto first = sum(v.in_edges().src(share));
  return select(less, v(share), sum(v.in_edges().src(first)) * other);
};
static_assert(stored_numbers(of_two_rows_at_hand) == 1 + 1);

// What is given is no array of the program's.
static_assert(stored([](auto v) { return relu(matmul(v(x), W)); }) == 2);
static_assert(stored([](auto v) { return outputs(v(x), relu(v(x))); }) == 1);

// A loop reads a product's rows where they lie, and computes nothing that they were made of.
constexpr auto product_on_edges = [](auto v) {
  auto e = v.in_edges();
  return sum(matmul(e.src(x) * e(edge_feature<"u", 4>), W));
};
constexpr int values_in_last_loop(auto program) {
  const ir::program p = pass::dce(pass::cse(pass::order(trace(program))));
  const pass::fusion f = pass::fuse(p);
  return f.units[f.units.size() - 1].loops[0].statements.size();
}
static_assert(values_in_last_loop(product_on_edges) == 1);

// A mask that neighbours read lies in memory, and who reads its own row reads it there.
constexpr int masks_drawn() {
  ir::program p =
      pass::dce(pass::cse(trace([](auto v) { return outputs(dropout(v(x), 0.5) * v(y), sum(v.in_edges().src(y))); })));
  ir::value_id mask = ir::no_value;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::keep_mask) mask = i;
  for (ir::statement& s : p.statements)
    if (s.code == ir::opcode::gather_src) s.operands[0] = mask;
  int n = 0;
  for (const pass::unit& u : pass::fuse(p).units)
    for (const ir::value_id i : u.statements) n += i == mask;
  return n;
}
static_assert(masks_drawn() == 1);

// Edge-sized arrays exist where the user asks for an edge output, and only there.
constexpr auto edge_output = [](auto v) {
  auto e = v.in_edges();
  return outputs(softmax(e.src(share)), sum(softmax(e.src(share)) * e.src(x)));
};
static_assert(becomes(edge_output, {in_sweep(2)}) && stored(edge_output) == 2);

// A value moves to its reader though what it is made of stays: that is stored and read, or moves for less.
constexpr auto three_rows = vertex_feature<"three_rows", 4>;
constexpr auto two_wide = vertex_feature<"two_wide", 2>;
constexpr auto W6 = parameter<"W6", 4, 6>;
constexpr auto moves_alone = [](auto v) {
  auto stays = v(x) * v(y) + v(three_rows);
  auto moves = concat<axis<0>>(stays, v(two_wide));
  return moves * sum(v.in_edges().src(matmul(tanh(v(vertex_feature<"own", 4>)), W6)));
};
static_assert(stored(moves_alone) == 4 && stored_numbers(moves_alone) == 4 + 4 + 6 + 6);

// A mask that is in memory is not drawn again; what sweeps no rows is of no vertex set.
constexpr bool draws_once() {
  ir::program p = pass::dce(pass::cse(pass::order(trace([](auto v) { return dropout(v(x), 0.5); }))));
  ir::value_id mask = ir::no_value;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::keep_mask) mask = i;
  p.outputs.push_back(ir::output{mask, {}});
  int drawn = 0;
  for (const pass::unit& u : pass::fuse(p).units)
    for (ir::value_id i : u.statements) drawn += i == mask;
  return drawn == 1;
}
static_assert(draws_once());
constexpr bool has_no_set() {
  const ir::program p = pass::dce(pass::cse(trace([](auto v) { return exp(sum(v(x), all_vertices)); })));
  for (const pass::unit& u : pass::fuse(p).units)
    if (u.set != 0) return false;
  return pass::fuse(p).units.size() == 2;
}
static_assert(has_no_set());

// Sums over several relations into a set share a sweep, of which one row is stored; a loop has the edges of one
// relation.
constexpr auto two_relations = [](auto g) {
  auto p = g(paper);
  return relu(sum(p.in_edges(writes).src(g(author)(known))) + mean(p.in_edges(cites).src(p(words))) + p(words));
};
static_assert(becomes(two_relations, {in_sweep(2)}) && stored(two_relations) == 1);
// A message that reads what another relation gave its own row: the next loop, and of that relation alone.
constexpr auto one_after_the_other = [](auto g) {
  auto p = g(paper);
  auto by = sum(p.in_edges(writes).src(g(author)(known)));
  return sum(p.in_edges(cites).dst(by) * p.in_edges(cites).src(p(words))) + by;
};
static_assert(becomes(one_after_the_other, {in_sweep(2)}) && stored(one_after_the_other) == 1);
// Read of another row it is a sweep of its own; so is what belongs to another set.
constexpr auto of_neighbours = [](auto g) {
  auto p = g(paper);
  return mean(p.in_edges(cites).src(sum(p.in_edges(writes).src(g(author)(known)))));
};
static_assert(becomes(of_neighbours, {in_sweep(), in_sweep()}));
constexpr auto of_two_sets = [](auto g) {
  return outputs(sum(g(author).out_edges(writes).dst(g(paper)(words))),
                 sum(g(paper).out_edges(cites).dst(g(paper)(words))));
};
static_assert(becomes(of_two_sets, {out_sweep(), out_sweep()}));
// In-edges of one relation beside out-edges of another, or of the same; in a plain program each has a sweep.
constexpr auto both_sides = [](auto g) {
  auto p = g(paper);
  return sum(p.in_edges(writes).src(g(author)(known))) + sum(p.out_edges(cites).dst(p(words))) +
         max(p.in_edges(cites).src(p(words)));
};
static_assert(becomes(both_sides, {in_sweep(3)}) && stored(both_sides) == 1);
static_assert(becomes([](auto v) { return sum(v.in_edges().src(x)) + sum(v.out_edges().dst(x)); },
                      {in_sweep(), out_sweep()}));
// Statements wait for the loops of their stage: before the first of them, or after the last.
constexpr bool runs_between_stages() {
  const ir::program p = pass::dce(pass::cse(pass::order(trace(two_relations))));
  const pass::unit u = pass::fuse(p).units[0];
  for (const int stage : u.stages)
    if (stage != 0 && stage != 2) return false;
  return u.loops[0].relation != u.loops[1].relation && u.stages.back() == 2;
}
static_assert(runs_between_stages());
// Where a kernel is given the rows of one relation, sweeps go along one.
constexpr auto of_own_row = [](auto g) {
  auto p = g(paper);
  auto own = tanh(p(words));
  return sum(p.in_edges(writes).src(g(author)(known)) * p.in_edges(writes).dst(own)) +
         max(p.in_edges(cites).src(p(words)) * p.in_edges(cites).dst(own));
};
constexpr int sweeps_along_one(auto lambda) {
  const ir::program p = pass::dce(pass::cse(pass::order(trace(lambda))));
  return pass::fuse(p, pass::relations_of_sweep::one).units.size();
}
static_assert(sweeps_along_one(two_relations) == 2 && sweeps_along_one(of_own_row) == 2);
// Rows that a sweep without edges has begun go on with one relation's, and with all that is taken from that.
constexpr auto twice_along_one = [](auto g) {
  auto e = g(paper).in_edges(cites);
  return outputs(tanh(g(paper)(words)), sum(e.src(g(paper)(words))), max(e.src(g(paper)(words))));
};
static_assert(sweeps_along_one(twice_along_one) == 1);

// A number that is made of wide rows is stored for a later sweep, which would read more than it; not where that is
// promised.
constexpr auto number_of_rows(bool promised) {
  return [promised](auto v) {
    auto number = sum(v(vertex_feature<"wide", 16>) * v(vertex_feature<"wider", 16>), axis<0>, keepdim);
    auto twice = sum(v.in_edges().src(sum(v.in_edges().src(x))));
    return twice * (promised ? inlined(number) : named<"n">(number));
  };
}
constexpr int stored_numbers(bool promised) {
  const ir::program p = pass::dce(pass::cse(pass::order(trace(number_of_rows(promised)))));
  const pass::fusion f = pass::fuse(p);
  int n = 0;
  for (ir::value_id i = 0; i < p.size(); ++i)
    n += f.stored[i] && p[i].where == ir::space::vertex && p[i].dims.is_scalar();
  return n;
}
static_assert(stored_numbers(false) == 1 && stored_numbers(true) == 0);

}  // namespace stg
