// A program with the bindings of a call: the graph as lists of edges, numbers of inputs, and the sizes that follow from
// them.
#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // int64_t
#include <map>      // map
#include <string>   // string
#include <vector>   // vector

#include <stg/base/error.hpp>           // error
#include <stg/codegen/oracle/axes.hpp>  // numbers_of_axes
#include <stg/ir/program.hpp>           // program
#include <stg/runtime/graph.hpp>        // graph
#include <stg/runtime/kinds.hpp>        // check_kinds, find_kinds

namespace stg::oracle {

/// Row-major numbers of one value: (vertices, extents…), (edges, extents…) in edge-id order, or (extents…).
using array = std::vector<double>;

class held_values;

/// The bindings of a call. Run-time extents that are not given are deduced from the sizes of inputs, if one is.
struct environment {
  std::map<std::string, array> inputs{};
  std::map<int, array> entries{};  // by entry of the program's inputs: for inputs without a name, such as saved values
  std::map<std::string, std::int64_t> extents{};
  std::uint64_t seed = 0;
  std::uint32_t call = 0;
  std::int64_t first_site = 0;    // of a called program: its first random number's site
  communicator* ranks = nullptr;  // of a program with messages
  held_values* held = nullptr;    // earlier results of detach, if they are to stay (interpreter.hpp)
  const std::vector<graph>* step_graphs =
      nullptr;  // of scans that read edges, one for each step; null: all see the same
};

/// Facts known before anything is evaluated. Errors name the input or the extent.
class bound_program {
 public:
  bound_program(const ir::program& p, const graph& g, const environment& env)
      : p(p), on(g), env(env), vertices(g.vertices()), edges(g.edges()), extents(env.extents) {
    const ir::kind_list wanted{p.kinds.begin(), p.kinds.size()};
    check_kinds(wanted, g);
    kinds.resize(size(wanted.count) + 1);
    find_kinds(wanted, g, kinds.data());
    kinds[0] = {edges, g.in_edges(), g.out_edges()};
    for (const kind_rows& k : kinds)
      edges_by_relation.emplace_back(k.in, k.ranks == nullptr ? k.out.rows() : k.sources);
    deduce_extents();
  }

 protected:
  using dimensions = detail::numbers_of_axes;

  static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

  // ---- bindings ----

  /// A relation's edges as lists.
  struct edge_lists {
    std::vector<std::int64_t> src, dst;              // by edge id
    std::vector<std::vector<std::int64_t>> in, out;  // by destination, by source: its edges

    edge_lists(const adjacency& rows, std::int64_t sources)
        : src(size(rows.edges())), dst(src.size()), in(size(rows.rows())), out(size(sources)) {
      for (std::int64_t v = 0; v < rows.rows(); ++v)
        for (std::int64_t k = rows.begin(v); k < rows.end(v); ++k) {
          src[size(rows.edge_id(k))] = rows.neighbour(k);
          dst[size(rows.edge_id(k))] = v;
        }
      for (std::size_t e = 0; e < src.size(); ++e) {
        in[size(dst[e])].push_back(static_cast<std::int64_t>(e));
        out[size(src[e])].push_back(static_cast<std::int64_t>(e));
      }
    }
  };
  /// The edges of a relation that a vertex owns, in the order of edge ids.
  const std::vector<std::int64_t>& owned(int relation, ir::direction side, std::int64_t vertex) const {
    const edge_lists& all = edges_by_relation[size(relation)];
    return (side == ir::direction::in ? all.in : all.out)[size(vertex)];
  }
  /// Their number; in a sample, as the larger graph counts it.
  std::int64_t degree(int relation, ir::direction side, std::int64_t vertex) const {
    const kind_rows& k = kinds[size(relation)];
    return (side == ir::direction::in ? k.in : k.out).known_degree(vertex);
  }
  /// The id by which random numbers of a row are drawn.
  std::int64_t global_id(const ir::domain& where, std::int64_t row) const {
    const adjacency& rows = kinds[size(where.set)].in;
    return where == ir::space::edge ? rows.global_edge(row) : rows.global_row(row);
  }
  const array& bound(const ir::statement& s) const {
    const auto entry = env.entries.find(s.entry());
    if (entry != env.entries.end()) return entry->second;
    const std::string name(p.inputs[s.entry()].name.view());
    const auto found = env.inputs.find(name);
    if (found == env.inputs.end()) throw error("input " + name + " is not bound; give environment.inputs");
    return found->second;
  }

  // ---- sizes ----

  std::int64_t rows_of(const ir::domain& where) const {
    if (where.set != 0) return kinds[size(where.set)].rows;
    return where == ir::space::vertex ? vertices : where == ir::space::edge ? edges : 1;
  }
  /// Rows of a value, over all steps if it has one for each.
  std::int64_t rows_of(const ir::statement& s) const {
    if (s.is_sequence() && s.where == ir::space::edge && env.step_graphs != nullptr)
      return edges_before(std::ssize(*env.step_graphs));
    return rows_of(s.where) * (s.is_sequence() ? length(s.over) : 1);
  }
  /// Edges of the steps before one, if each has a graph.
  std::int64_t edges_before(std::int64_t step) const {
    std::int64_t n = 0;
    for (std::int64_t t = 0; t < step; ++t) n += (*env.step_graphs)[size(t)].edges();
    return n;
  }
  std::int64_t length(ir::extent e) const {
    if (e.is_static()) return e.code;
    const std::size_t entry = size(-1 - e.code);
    if (lengths.size() <= entry) lengths.resize(entry + 1, -1);
    if (lengths[entry] < 0)
      lengths[entry] = ir::evaluate(p.extents[entry], [&](const text& name) {
        const auto found = extents.find(std::string(name.view()));
        if (found == extents.end())
          throw error("extent " + std::string(name.view()) + " has no size; give environment.extents");
        return found->second;
      });
    return lengths[entry];
  }
  dimensions dims_of(const ir::shape& s) const {
    dimensions d;
    for (int i = 0; i < s.rank; ++i) d.push_back(length(s.axes[i]));
    return d;
  }
  /// Shapes of the statements appended to the program.
  void find_shapes() {
    while (std::ssize(shapes) < p.size()) shapes.push_back(dims_of(p.statements[shapes.size()].dims));
  }
  const dimensions& operand_dims(const ir::statement& s, int k) const { return shapes[size(s.operands[k])]; }

  /// A bare name as only unknown axis of an input follows from the input's size.
  void deduce_extents() {
    for (const ir::statement& s : p.statements) {
      if (s.code != ir::opcode::input) continue;
      std::int64_t known = rows_of(s.where);
      int unknown = 0;
      std::string name;
      for (int i = 0; i < s.dims.rank + (s.is_sequence() ? 1 : 0); ++i) {
        const ir::polynomial e = p.polynomial_of(i < s.dims.rank ? s.dims.axes[i] : s.over);
        const bool bare = e.count == 1 && e.terms[0].degree == 1 && e.terms[0].coefficient == 1;
        const std::string candidate(bare ? e.terms[0].factors[0].view() : std::string_view());
        if (e.is_integer()) known *= e.integer();
        else if (bare && extents.contains(candidate)) known *= extents[candidate];
        else ++unknown, name = candidate;
      }
      if (unknown == 1 && !name.empty() && known > 0)
        extents[name] = static_cast<std::int64_t>(bound(s).size()) / known;
    }
  }

  const ir::program& p;
  const graph& on;
  const environment& env;
  std::int64_t vertices, edges;
  std::map<std::string, std::int64_t> extents;
  mutable std::vector<std::int64_t> lengths;  // of run-time extents, as far as requested
  std::vector<dimensions> shapes;             // by statement
  std::vector<kind_rows> kinds;               // by number
  std::vector<edge_lists> edges_by_relation;  // the same
};

}  // namespace stg::oracle
