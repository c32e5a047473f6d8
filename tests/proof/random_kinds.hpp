// Random programs over two vertex sets and three relations, and graphs of them.
#pragma once

#include "choices.hpp"  // choices

#include <stg/codegen/interpreter.hpp>  // array
#include <stg/pass/value.hpp>           // aggregate, apply, gather, value
#include <stg/runtime/graphs.hpp>       // graphs
#include <stg/runtime/kinds.hpp>        // rows_of_kind

#include <cstdint>  // int64_t, uint64_t
#include <span>     // span
#include <string>   // string
#include <vector>   // vector

namespace stg::test::random_kinds {

inline constexpr int authors = 1, papers = 2, writes = 3, cites = 4, knows = 5;

/// Writes a program, value by value, each of shape () or (3).
class kinds_writer {
 public:
  explicit kinds_writer(choices& from) : c(from) {
    add_kind("author");
    add_kind("paper");
    add_kind("writes", authors, papers);
    add_kind("cites", papers, papers);
    add_kind("knows", authors, authors);
    for (const ir::domain where : {vertices(authors), vertices(papers), edges(writes)}) input(where, true);
  }

  ir::program run() {
    const int wanted = p.size() + 4 + c.below(22);
    while (p.size() < wanted) write();
    for (int k = 1 + c.below(3); k > 0; --k) p.outputs.push_back({values[index(c.below(count()))], {}});
    return p;
  }

 private:
  using value = pass::value;

  static ir::domain vertices(int set) { return {ir::space::vertex, set}; }
  static ir::domain edges(int relation) { return {ir::space::edge, relation}; }
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int count() const { return static_cast<int>(values.size()); }
  void add_kind(const char* name, int source = ir::kind::no_set, int destination = ir::kind::no_set) {
    ir::kind k;
    k.name = text(name);
    k.source = source;
    k.destination = destination;
    ir::kind_number(p, k);
  }
  void keep(value x) { values.push_back(x.id); }
  value at(int k) { return {&p, values[index(k)]}; }
  value any() { return at(c.below(count())); }
  /// A value that lives in a space, or none.
  value any_in(ir::space where) {
    const int first = c.below(count());
    for (int k = 0; k < count(); ++k)
      if (value x = at((first + k) % count()); x.where() == where) return x;
    return value();
  }
  value constant(double x) { return pass::constant(p, f64, x); }
  value wide(value x) {
    if (x.dims().rank == 1) return x;
    ir::shape three;
    three.push(ir::extent(3));
    return pass::broadcast(x, x.where(), three);
  }

  void input(ir::domain where, bool wide) {
    ir::statement s;
    s.code = ir::opcode::input;
    s.where = where;
    s.type = f64;
    if (wide) s.dims.push(ir::extent(3));
    s.set_entry(p.inputs.size());
    ir::input in;
    in.name.append("x");
    in.name.append_number(static_cast<std::uint64_t>(p.inputs.size()));
    p.inputs.push_back(in);
    keep({&p, p.emit(s)});
  }

  void write() {
    switch (c.below(13)) {
      case 0: {
        const ir::domain places[] = {vertices(authors), vertices(papers), edges(writes),
                                     edges(cites),      edges(knows),     ir::space::graph};
        return input(places[c.below(6)], !c.one_in(3));
      }
      case 1: {
        constexpr ir::opcode codes[] = {ir::opcode::tanh, ir::opcode::relu, ir::opcode::sigmoid, ir::opcode::negate};
        return keep(pass::apply(codes[c.below(4)], any()));
      }
      case 2:
      case 3:
      case 4:
        return combine();
      case 5:
      case 6:
        return gather();
      case 7:
      case 8:
        return aggregate();
      case 9:
        return multiply();
      case 10: {
        const value x = any();
        return keep(x.dims().rank == 1 ? pass::reshape(pass::reduce(ir::opcode::reduce_sum, x, 1), ir::shape()) : -x);
      }
      case 11:
        return of_graph();
      default:
        return degree();
    }
  }

  /// Of values of one domain, or of the graph's and another.
  void combine() {
    const value a = any();
    const int first = c.below(count());
    for (int k = 0; k < count(); ++k) {
      const value b = at((first + k) % count());
      if (a.where() != b.where() && a.where() != ir::space::graph && b.where() != ir::space::graph) continue;
      constexpr ir::opcode codes[] = {ir::opcode::add, ir::opcode::sub, ir::opcode::mul, ir::opcode::max};
      return keep(pass::apply(codes[c.below(4)], a, b));
    }
  }
  void gather() {
    const value x = any_in(ir::space::vertex);
    const int relation = writes + c.below(3);
    for (int k = 0; k < 6; ++k) {
      const int r = writes + (relation - writes + k) % 3;
      const ir::opcode end = (k + relation) % 2 == 0 ? ir::opcode::gather_src : ir::opcode::gather_dst;
      const int set = end == ir::opcode::gather_src ? p.source_set(r) : p.destination_set(r);
      if (set == x.where().set) return keep(pass::gather(end, x, r));
    }
  }
  void aggregate() {
    const value x = any_in(ir::space::edge);
    const ir::direction side = c.one_in(2) ? ir::direction::in : ir::direction::out;
    const int relation = x.where().set;
    switch (c.below(4)) {
      case 0:
        return keep(pass::aggregate(ir::opcode::max_edges, x, side));
      case 1: {
        const value many = pass::degree(p, relation, side, f64);
        return keep(pass::aggregate(ir::opcode::sum_edges, x, side) / pass::apply(ir::opcode::max, many, constant(1)));
      }
      case 2: {  // softmax
        const auto owners = [&](ir::opcode code) {
          return pass::gather(ir::owner_gather(side), pass::aggregate(code, x, side), relation);
        };
        const value most = owners(ir::opcode::max_edges), share = owners(ir::opcode::top_share_edges);
        ir::statement s = pass::blank(ir::opcode::softmax_edges, x, most, share);
        s.set_side(side);
        return keep(pass::make(p, s));
      }
      default:
        return keep(pass::aggregate(ir::opcode::sum_edges, x, side));
    }
  }
  void multiply() {
    value x = any();
    if (x.where() == ir::space::graph) x = any_in(ir::space::vertex);
    ir::statement s;
    s.code = ir::opcode::input;
    s.type = f64;
    s.dims.push(ir::extent(3));
    s.dims.push(ir::extent(3));
    s.set_entry(p.inputs.size());
    ir::input in;
    in.name.append("x");
    in.name.append_number(static_cast<std::uint64_t>(p.inputs.size()));
    p.inputs.push_back(in);
    const value w{&p, p.emit(s)};
    keep(pass::matmul(wide(x), w, c.one_in(2)));
  }
  void of_graph() {
    const value x = any_in(ir::space::vertex);
    ir::statement s;
    s.code = ir::opcode::vertex_count;
    s.type = f64;
    s.set_counted_set(1 + c.below(2));
    const value n = pass::make(p, s);
    keep(pass::apply(ir::opcode::sum_vertices, x) / pass::apply(ir::opcode::max, n, constant(1)));
  }
  void degree() {
    keep(pass::degree(p, writes + c.below(3), c.one_in(2) ? ir::direction::in : ir::direction::out, f64));
  }

  choices& c;
  ir::program p{};
  std::vector<ir::value_id> values{};
};

inline graphs random_graphs(choices& c) {
  const int n = c.below(7), m = c.below(7);
  graphs g;
  g.add_vertices("author", n).add_vertices("paper", m);
  const auto join = [&](const char* name, const char* source, const char* destination, int sources, int destinations) {
    std::vector<std::int64_t> src, dst;
    for (int e = sources == 0 || destinations == 0 ? 0 : c.below(14); e > 0; --e) {
      src.push_back(c.below(sources));
      dst.push_back(c.below(destinations));
    }
    g.add_edges(name, source, destination, std::span<const std::int64_t>(src), std::span<const std::int64_t>(dst));
  };
  join("writes", "author", "paper", n, m);
  join("cites", "paper", "paper", m, m);
  join("knows", "author", "author", n, n);
  return g;
}

inline std::int64_t numbers_of(const ir::program& p, const ir::statement& s, const graph& g) {
  const std::int64_t rows = s.where.set == 0 ? 1 : rows_of_kind(p.kinds[s.where.set - 1], g);
  return rows * s.dims.size();
}
inline oracle::array random_numbers(choices& c, std::int64_t n) {
  oracle::array all;
  for (; n > 0; --n) all.push_back(c.number());
  return all;
}

/// Numbers for every input of a program.
inline oracle::environment random_inputs(const ir::program& p, const graph& g, choices& c) {
  oracle::environment env;
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::input)
      env.inputs[std::string(p.inputs[s.entry()].name.view())] = random_numbers(c, numbers_of(p, s, g));
  return env;
}

}  // namespace stg::test::random_kinds
