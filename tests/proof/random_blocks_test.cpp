// Random programs over the hops of a sample that has all neighbours: values and gradients are those of the whole graph,
// layers with gradients of their own among them. STG_SEED chooses others, STG_BLOCKS how many.
#include "../run/support/near.hpp"          // is_near
#include "../run/support/through_text.hpp"  // goes_through_text
#include "../run/support/verified.hpp"      // canonical, inferred, differentiated
#include "choices.hpp"                      // choices
#include "drafted_calls.hpp"                // run_halves
#include "for_random_programs.hpp"          // for_random_seeds

#include <stg/codegen/interpreter.hpp>         // interpret
#include <stg/ir/callees.hpp>                  // emit_arguments, callee_number
#include <stg/ir/print.hpp>                    // to_text
#include <stg/pass/by_hops.hpp>                // by_hops
#include <stg/pass/expand.hpp>                 // expand
#include <stg/runtime/graphs.hpp>              // graphs
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler

#include <gtest/gtest.h>  // TEST

#include <cstdint>   // uint64_t
#include <iostream>  // cout
#include <string>    // string, to_string
#include <vector>    // vector

namespace stg::test::random_blocks {
namespace {

using arrays = std::vector<oracle::array>;
using pass::value;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
ir::shape three() {
  ir::shape s;
  s.push(ir::extent(3));
  return s;
}

/// Writes programs, value by value, each of shape () or (3).
class writer {
 public:
  writer(choices& from, ir::program& to) : c(from), p(to) {}

  value input(ir::domain where, const ir::shape& dims) {
    ir::statement s;
    s.code = ir::opcode::input;
    s.where = where;
    s.type = f64;
    s.dims = dims;
    s.set_entry(p.inputs.size());
    ir::input in;
    in.name.append("x");
    in.name.append_number(static_cast<std::uint64_t>(p.inputs.size()));
    p.inputs.push_back(in);
    return {&p, p.emit(s)};
  }
  value with_shape(value x, const ir::shape& dims) {
    if (x.dims() == dims) return x;
    if (dims.rank == 1) return pass::broadcast(x, x.where(), dims);
    return pass::reshape(pass::reduce(ir::opcode::reduce_sum, x, 1), ir::shape());
  }
  value unary(value x) {
    constexpr ir::opcode codes[] = {ir::opcode::tanh, ir::opcode::relu, ir::opcode::negate, ir::opcode::abs};
    return pass::apply(codes[c.below(4)], x);
  }
  value binary(value a, value b) {
    constexpr ir::opcode codes[] = {ir::opcode::add, ir::opcode::sub, ir::opcode::mul, ir::opcode::max};
    return pass::apply(codes[c.below(4)], a, b);
  }
  value degree() { return pass::degree(p, 0, ir::direction::in, f64); }

  choices& c;
  ir::program& p;
};

/// The gradient that some values are given with: made of their cotangents so that it is 0 where these are.
class gradient_writer : public writer {
 public:
  gradient_writer(choices& from, ir::program& to, const std::vector<value>& made, const std::vector<value>& given)
      : writer(from, to) {
    for (const value y : made) cotangents.push_back(input(y.where(), y.dims()));
    for (const value x : given) plain.push_back(input(x.where(), x.dims()));
  }
  void run(const std::vector<value>& given) {
    for (int k = c.below(8); k > 0; --k) write();
    for (const value x : given) p.outputs.push_back({like(x).id, {}});
  }

 private:
  value of_cotangents() { return cotangents[index(c.below(static_cast<int>(cotangents.size())))]; }
  void write() {
    const value d = of_cotangents();
    switch (c.below(5)) {
      case 0:
        return cotangents.push_back(unary(d));
      case 1: {
        const value e = of_cotangents();
        if (e.where() == d.where()) cotangents.push_back(binary(d, e));
        return;
      }
      case 2: {  // times anything that is no cotangent
        const value x = plain[index(c.below(static_cast<int>(plain.size())))];
        if (x.where() == d.where() || x.where() == ir::space::graph) cotangents.push_back(d * x);
        return;
      }
      case 3:
        return move(d);
      default: {
        const value x = plain[index(c.below(static_cast<int>(plain.size())))];
        if (x.where() != ir::space::vertex) return plain.push_back(c.one_in(2) ? degree() : unary(x));
        const value along = pass::gather(c.one_in(2) ? ir::opcode::gather_src : ir::opcode::gather_dst, x, 0);
        plain.push_back(along);
        if (c.one_in(2)) plain.push_back(pass::aggregate(ir::opcode::sum_edges, along, ir::direction::in));
      }
    }
  }
  void move(value d) {
    if (d.where() == ir::space::graph) return;
    if (d.where() == ir::space::vertex) return cotangents.push_back(pass::gather(ir::opcode::gather_dst, d, 0));
    cotangents.push_back(
        pass::aggregate(ir::opcode::sum_edges, d, c.one_in(3) ? ir::direction::in : ir::direction::out));
  }
  value like(value x) {
    value d = of_cotangents();
    if (c.one_in(8)) return pass::broadcast(pass::constant(p, f64, 0), x.where(), x.dims());
    if (x.where() != ir::space::edge && d.where() == ir::space::edge)
      d = pass::aggregate(ir::opcode::sum_edges, d, c.one_in(2) ? ir::direction::in : ir::direction::out);
    if (x.where() == ir::space::edge && d.where() == ir::space::vertex) d = pass::gather(ir::opcode::gather_dst, d, 0);
    if (x.where() == ir::space::graph && d.where() == ir::space::vertex) d = pass::apply(ir::opcode::sum_vertices, d);
    return with_shape(d, x.dims());
  }

  std::vector<value> cotangents{}, plain{};
};

class program_writer : public writer {
 public:
  program_writer(choices& from, ir::program& to) : writer(from, to) {
    keep(input(ir::space::vertex, three()));
    keep(input(ir::space::edge, ir::shape()));
    keep(input(ir::space::graph, three()));
  }
  void run() {
    const int wanted = p.size() + 4 + c.below(18);
    while (p.size() < wanted) write();
    for (int k = 1 + c.below(2); k > 0; --k) {
      value y = any();
      if (y.where() == ir::space::graph) y = values[0];
      p.outputs.push_back({y.id, {}});
    }
  }

 private:
  void keep(value x) { values.push_back(x); }
  value any() { return values[index(c.below(static_cast<int>(values.size())))]; }
  value any_in(ir::space where) {
    const int first = c.below(static_cast<int>(values.size()));
    for (std::size_t k = 0; k < values.size(); ++k)
      if (const value x = values[(index(first) + k) % values.size()]; x.where() == where) return x;
    return values[0];
  }
  void write() {
    switch (c.below(10)) {
      case 0: {
        const ir::domain places[] = {ir::space::vertex, ir::space::edge, ir::space::graph};
        return keep(input(places[c.below(3)], c.one_in(3) ? ir::shape() : three()));
      }
      case 1:
        return keep(unary(any()));
      case 2:
      case 3: {
        const value a = any(), b = any();
        if (a.where() == b.where() || a.where() == ir::space::graph || b.where() == ir::space::graph)
          keep(binary(a, b));
        return;
      }
      case 4:
        return keep(
            pass::gather(c.one_in(2) ? ir::opcode::gather_src : ir::opcode::gather_dst, any_in(ir::space::vertex), 0));
      case 5: {
        const value x = any_in(ir::space::edge);
        if (x.where() != ir::space::edge) return;
        const ir::opcode code = c.one_in(3) ? ir::opcode::max_edges : ir::opcode::sum_edges;
        return keep(pass::aggregate(code, x, ir::direction::in));
      }
      case 6: {
        ir::shape square = three();
        square.push(ir::extent(3));
        const value w = input(ir::space::graph, square);
        return keep(pass::matmul(with_shape(any_in(ir::space::vertex), three()), w, c.one_in(2)));
      }
      case 7:
        return keep(degree());
      default:
        return own();
    }
  }
  /// Some values, as if a layer had made them of some others.
  void own() {
    std::vector<value> made, given;
    for (int k = 1 + c.below(2); k > 0; --k) made.push_back(any_in(c.one_in(3) ? ir::space::edge : ir::space::vertex));
    for (int k = 1 + c.below(3); k > 0; --k) given.push_back(any());
    ir::program gradient;
    gradient_writer(c, gradient, made, given).run(given);
    sequence<ir::value_id> list;
    for (const value y : made) list.push_back(y.id);
    for (const value x : given) list.push_back(x.id);
    ir::statement s;
    s.code = ir::opcode::own_gradient;
    s.operands[0] = ir::emit_arguments(p, list);
    s.set_callee(ir::callee_number(p, gradient));
    s.set_outputs(static_cast<int>(made.size()));
    const ir::value_id statement = p.emit(s);
    for (std::size_t k = 0; k < made.size(); ++k) {
      ir::statement r;
      r.code = ir::opcode::result;
      r.operands[0] = statement;
      r.set_output(static_cast<int>(k));
      r.where = made[k].where();
      r.type = f64;
      r.dims = made[k].dims();
      keep({&p, p.emit(r)});
    }
  }

  std::vector<value> values{};
};

graph random_graph(choices& c) {
  const int n = 2 + c.below(12);
  std::vector<std::int64_t> src, dst;
  for (int e = c.below(3 * n); e > 0; --e) src.push_back(c.below(n)), dst.push_back(c.below(n));
  return graph::from_edges(n, src, dst);
}
oracle::array random_numbers(choices& c, std::int64_t n) {
  oracle::array all;
  for (; n > 0; --n) all.push_back(c.number());
  return all;
}

/// The hops of a sample as graphs of several kinds, as the interpreter takes them.
graphs hops_as_graphs(const ir::program& p, const std::vector<kind_rows>& rows) {
  graphs g;
  for (int k = 0; k < p.kinds.size(); ++k)
    if (!p.kinds[k].is_relation()) g.add_vertices(p.kinds[k].name.view(), rows[index(k + 1)].rows);
  for (int k = 0; k < p.kinds.size(); ++k) {
    const ir::kind& relation = p.kinds[k];
    if (!relation.is_relation()) continue;
    const adjacency& in = rows[index(k + 1)].in;
    std::vector<std::int64_t> src, dst;
    for (std::int64_t v = 0; v < in.rows(); ++v)
      for (std::int64_t e = in.begin(v); e < in.end(v); ++e) {
        src.push_back(in.neighbours() == nullptr ? v : in.neighbour(e));  // where there are degrees alone
        dst.push_back(v);
      }
    g.add_edges(relation.name.view(), p.kinds[relation.source - 1].name.view(),
                p.kinds[relation.destination - 1].name.view(), src, dst);
  }
  return g;
}

struct counts {
  long programs = 0, gradients = 0, own = 0, hops = 0, refused = 0;
};

void expect_near(const oracle::array& found, const oracle::array& expected, const oracle::array& magnitudes,
                 const std::string& what) {
  ASSERT_TRUE(is_near(found, expected, magnitudes, 1e-10)) << what;
}

/// Rows of an array.
oracle::array rows_of(const oracle::array& all, const std::vector<std::int64_t>& ids, std::int64_t width) {
  oracle::array some;
  for (const std::int64_t id : ids)
    for (std::int64_t f = 0; f < width; ++f) some.push_back(all[index(id * width + f)]);
  return some;
}

void check(std::uint64_t seed, counts& n) {
  choices c(seed);
  const graph g = random_graph(c);
  ir::program traced;
  program_writer(c, traced).run();
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_text(traced));
  const ir::program p = pass::written_for_hops(verified::canonical(traced));

  sequence<int> provided, required;
  for (int k = 0; k < p.outputs.size(); ++k) provided.push_back(k);
  const ir::flags reached = pass::reached_from(p, provided);
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && p[i].where != ir::space::edge && reached[i]) required.push_back(p[i].entry());
  const pass::block_mistake wrong = pass::block_mistake_in(p, required);
  if (wrong == pass::block_mistake::splits_cotangents || wrong == pass::block_mistake::spreads_cotangents)
    return void(++n.refused);
  ASSERT_EQ(wrong, pass::block_mistake::none);
  const pass::program_by_hops by = pass::by_hops(p, required);
  ASSERT_TRUE(goes_through_text(by.program));

  std::vector<std::int32_t> seeds = {0};
  if (c.one_in(2)) seeds = {static_cast<std::int32_t>(g.vertices() - 1), 0};
  const std::vector<std::int64_t> fan_outs(index(by.hops), all_neighbours);
  const batch b = neighbour_sampler(g, {.fan_outs = fan_outs}).sample(seeds, 1);
  const blocks sampled = b.blocks();
  std::vector<kind_rows> rows(index(by.kinds.size() + 1));
  sampled.find({}, {by.kinds.data(), index(by.kinds.size())}, by.hops, rows.data());
  const graphs hops = hops_as_graphs(by.program, rows);
  const std::vector<std::int64_t> vertices(b.vertices.begin(), b.vertices.end());
  const auto batch_rows = [&](const ir::statement& s, const oracle::array& all) {
    if (s.where == ir::space::graph) return all;
    return rows_of(all, s.where == ir::space::vertex ? vertices : b.edges, s.dims.size());
  };
  const auto count_of = [&](const ir::statement& s) {
    return s.dims.size() * (s.where == ir::space::vertex ? g.vertices() : s.where == ir::space::edge ? g.edges() : 1);
  };

  // What both are given: every input of the hops' program has the first rows of what it is bound to.
  oracle::environment whole, part;
  arrays by_entry(index(p.inputs.size()));
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::input)
      whole.inputs[std::string(p.inputs[s.entry()].name.view())] = by_entry[index(s.entry())] =
          random_numbers(c, count_of(s));
  const ir::program& over = by.program;
  for (const ir::statement& s : over.statements) {
    if (s.code != ir::opcode::input) continue;
    const int entry = s.entry(), bound = p.inputs.size();
    oracle::array numbers = batch_rows(s, by_entry[index(entry < bound ? entry : by.again[entry - bound])]);
    if (s.where != ir::space::graph) numbers.resize(index(rows[index(s.where.set)].rows * s.dims.size()));
    part.entries[entry] = numbers;
  }

  const auto rows_of_output = [&](const ir::statement& s, const oracle::array& all) {
    if (s.where == ir::space::vertex)
      return rows_of(all, std::vector<std::int64_t>(seeds.begin(), seeds.end()), s.dims.size());
    const std::int64_t edges = b.graph.in_edges().end(b.seeds - 1);
    return rows_of(all, std::vector<std::int64_t>(b.edges.begin(), b.edges.begin() + edges), s.dims.size());
  };
  arrays magnitudes;
  const arrays expected = oracle::interpret(pass::expand(p), g, whole, &magnitudes);
  for (const ir::program& form : {pass::expand(over), verified::inferred(over)}) {
    const arrays found = oracle::interpret(form, hops, part);
    for (int k = 0; k < p.outputs.size(); ++k) {
      const ir::statement& s = p[p.outputs[k].at];
      expect_near(found[index(k)], rows_of_output(s, expected[index(k)]), rows_of_output(s, magnitudes[index(k)]),
                  "output " + std::to_string(k) + "\n" + to_text(form));
    }
  }
  ++n.programs;
  n.hops += by.hops;
  if (required.empty()) return;

  // Cotangents at the seeds, and none elsewhere in the graph.
  const pass::joint_program joint = pass::autodiff(p, provided, pass::inputs_at(p, required));
  const pass::joint_program joint_over = verified::autodiff(over, provided, pass::inputs_at(over, required));
  arrays cotangents;
  for (int k = 0; k < provided.size(); ++k) {
    const ir::statement& s = joint.program[joint.cotangents[k]];
    oracle::array of_whole(index(count_of(s))), of_part;
    std::vector<std::int64_t> ids(seeds.begin(), seeds.end());
    if (s.where == ir::space::edge) ids.assign(b.edges.begin(), b.edges.begin() + b.graph.in_edges().end(b.seeds - 1));
    for (const std::int64_t id : ids)
      for (std::int64_t f = 0; f < s.dims.size(); ++f)
        of_part.push_back(of_whole[index(id * s.dims.size() + f)] = c.number());
    const auto name_of = [](const pass::joint_program& j, int nth) {
      return std::string(j.program.inputs[j.program[j.cotangents[nth]].entry()].name.view());
    };
    whole.inputs[name_of(joint, k)] = of_whole;
    part.inputs[name_of(joint_over, k)] = of_part;
    cotangents.push_back(of_part);
  }
  const arrays full = oracle::interpret(pass::expand(joint.program), g, whole, &magnitudes);
  const pass::differentiated step = verified::differentiated(over, provided, pass::inputs_at(over, required));
  const auto interpreted = [&](const ir::program& half, const oracle::environment& env) {
    return oracle::interpret(half, hops, env);
  };
  const arrays sample = oracle::interpret(pass::expand(joint_over.program), hops, part),
               trained = run_halves(step, part, cotangents, interpreted);
  const sequence<ir::value_id> inputs = pass::inputs_at(p, required);
  for (int k = 0; k < inputs.size(); ++k) {
    const std::size_t at = index(p.outputs.size() + k);
    const ir::statement& s = p[inputs[k]];
    for (const arrays* form : {&sample, &trained})
      expect_near((*form)[at], batch_rows(s, full[at]), batch_rows(s, magnitudes[at]),
                  "gradient " + std::to_string(k) + "\n" + to_text(over));
  }
  ++n.gradients;
  for (const ir::statement& s : over.statements) n.own += s.code == ir::opcode::own_gradient;
}

TEST(random_blocks, give_the_values_and_gradients_of_the_whole_graph) {
  counts n;
  const long programs = for_random_seeds("STG_BLOCKS", 2000, [&](std::uint64_t seed) { check(seed, n); });
  std::cout << n.programs << " programs, " << n.gradients << " gradients, " << n.own << " layers' own, " << n.hops
            << " hops, " << n.refused << " refused\n";
  EXPECT_LT(n.refused, programs / 10);
  EXPECT_GT(n.gradients, n.programs / 2);
  EXPECT_GT(n.own, n.programs / 4) << "layers with gradients of their own are drawn";
  EXPECT_GT(n.hops, n.programs / 2) << "programs read further than the seeds";
}

}  // namespace
}  // namespace stg::test::random_blocks
