// The oracle that backends are tested against: any program in double, with plain loops, one full array per value.
//
// Nothing is fused, shared or reordered, and no operation's `apply` is used, so that a mistake there cannot hide.
// i32 and boolean values are doubles too. With every number goes its magnitude: the sum of the absolute terms that it
// was made of, carried through elementary functions by their derivative. A backend is right when
// |backend - oracle| <= tolerance · magnitude.
#pragma once

#include <cstdint>  // int64_t
#include <map>      // map
#include <string>   // string
#include <vector>   // vector

#include <stg/base/error.hpp>                // error
#include <stg/base/keep_mask.hpp>            // keeps
#include <stg/codegen/oracle/axes.hpp>       // numbers_of_axes, index_of, place
#include <stg/codegen/oracle/pointwise.hpp>  // bounded, pointwise
#include <stg/ir/program.hpp>                // program
#include <stg/op/list.hpp>                   // info_of
#include <stg/runtime/graph.hpp>             // graph

namespace stg::oracle {

/// Row-major numbers of one value: (vertices, extents…), (edges, extents…) in edge-id order, or (extents…).
using array = std::vector<double>;

/// What a call binds. Run-time extents that are not given are deduced from the sizes of inputs, where one is.
struct environment {
  std::map<std::string, array> inputs{};
  std::map<int, array> entries{};  // by entry of the program's inputs: for inputs without a name, such as saved values
  std::map<std::string, std::int64_t> extents{};
  std::uint64_t seed = 0;
  std::uint32_t call = 0;
};

/// Every value of a program, one array per statement.
struct interpretation {
  std::vector<array> values{};
  std::vector<array> magnitudes{};
};

/// Evaluates statements. Where an operand is read is one function, which whoever keeps values elsewhere overrides.
class interpreter {
 public:
  /// Binds a program's inputs. Errors name the input: not bound, of another size, or an extent that nothing determines.
  interpreter(const ir::program& p, const graph& g, const environment& env)
      : p(p),
        env(env),
        vertices(g.vertices()),
        edges(g.edges()),
        extents(env.extents),
        src(size(edges)),
        dst(size(edges)),
        in(size(vertices)),
        out(size(vertices)) {
    const adjacency rows = g.in_edges();
    for (std::int64_t v = 0; v < rows.rows(); ++v)
      for (std::int64_t k = rows.begin(v); k < rows.end(v); ++k) {
        src[size(rows.edge_id(k))] = rows.neighbour(k);
        dst[size(rows.edge_id(k))] = v;
      }
    for (std::int64_t e = 0; e < edges; ++e) {
      in[size(dst[size(e)])].push_back(e);
      out[size(src[size(e)])].push_back(e);
    }
    deduce_extents();
  }
  virtual ~interpreter() = default;

  /// Evaluates the statements that the program has grown by.
  void follow() {
    find_shapes();
    while (values.size() < p.statements.size()) {
      const ir::statement& s = p.statements[values.size()];
      values.push_back(evaluate(s, row_range{0, rows_of(s.where)}));
    }
  }

  interpretation run() {
    follow();
    interpretation result;
    for (const numbers& x : values) {
      array value, magnitude;
      for (const detail::bounded& b : x) {
        value.push_back(b.value);
        magnitude.push_back(b.magnitude);
      }
      result.values.push_back(value);
      result.magnitudes.push_back(magnitude);
    }
    return result;
  }

 protected:
  using bounded = detail::bounded;
  using numbers = std::vector<bounded>;
  using dimensions = detail::numbers_of_axes;
  struct row_range {
    std::int64_t first = 0, last = 0;
  };

  static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

  // ---- sizes ----

  std::int64_t rows_of(ir::space where) const {
    return where == ir::space::vertex ? vertices : where == ir::space::edge ? edges : 1;
  }
  void find_shapes() {
    while (shapes.size() < p.statements.size()) shapes.push_back(dims_of(p.statements[shapes.size()].dims));
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
  const dimensions& operand_dims(const ir::statement& s, int k) const { return shapes[size(s.operands[k])]; }

  const array& bound(const ir::statement& s) const {
    const auto entry = env.entries.find(static_cast<int>(s.attribute));
    if (entry != env.entries.end()) return entry->second;
    const std::string name(p.inputs[size(s.attribute)].name.view());
    const auto found = env.inputs.find(name);
    if (found == env.inputs.end()) throw error("input " + name + " is not bound; give environment.inputs");
    return found->second;
  }

  /// A bare name that is the only unknown axis of an input follows from the input's size.
  void deduce_extents() {
    for (const ir::statement& s : p.statements) {
      if (s.code != ir::opcode::input) continue;
      std::int64_t known = rows_of(s.where);
      int unknown = 0;
      std::string name;
      for (int i = 0; i < s.dims.rank; ++i) {
        const ir::polynomial e = p.polynomial_of(s.dims.axes[i]);
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

  // ---- reading ----

  /// The element of operand k that result element f of row r reads.
  bounded read(const ir::statement& s, int k, std::int64_t row, const dimensions& index) const {
    return read(s, k, row, place(index, operand_dims(s, k)));
  }
  virtual bounded read(const ir::statement& s, int k, std::int64_t row, std::int64_t element) const {
    if (p.operand(s, k).where == ir::space::graph) row = 0;
    return values[size(s.operands[k])][size(row * count(operand_dims(s, k)) + element)];
  }

  /// result(row, index) for every element of some rows.
  template <class F> numbers each(const ir::statement& s, row_range rows, F result) const {
    const dimensions dims = dims_of(s.dims);
    const std::int64_t width = count(dims);
    numbers all;
    all.reserve(size((rows.last - rows.first) * width));
    for (std::int64_t row = rows.first; row < rows.last; ++row)
      for (std::int64_t f = 0; f < width; ++f) all.push_back(result(row, index_of(f, dims)));
    return all;
  }

  // ---- operations ----

  numbers evaluate(const ir::statement& s, row_range rows) const {
    switch (op::info_of(s.code).kind) {
      case op::category::source:
        return source(s, rows);
      case op::category::pointwise:
        return pointwise(s, rows);
      case op::category::feature:
        return feature(s, rows);
      case op::category::gather:
        return gather(s, rows);
      case op::category::aggregate:
        return aggregate(s, rows);
      case op::category::reduction:
        return reduction(s, rows);
      case op::category::dense:
        return s.where == ir::space::graph ? reduced_matmul(s, rows) : matmul(s, rows);
    }
    throw error("stg internal: the oracle does not know " + std::string(name_of(s.code)));
  }

  virtual numbers source(const ir::statement& s, row_range rows) const {
    if (s.code == ir::opcode::input) {
      const array& from = bound(s);
      const std::int64_t width = count(dims_of(s.dims)), wanted = rows_of(s.where) * width;
      if (from.size() != size(wanted))
        throw error("input " + std::string(p.inputs[size(s.attribute)].name.view()) + " has " +
                    std::to_string(from.size()) + " numbers; expected " + std::to_string(wanted));
      numbers all;
      for (std::int64_t i = rows.first * width; i < rows.last * width; ++i) all.push_back(detail::exact(from[size(i)]));
      return all;
    }
    const dimensions dims = dims_of(s.dims);
    return each(s, rows, [&](std::int64_t row, const dimensions& index) {
      switch (s.code) {
        case ir::opcode::constant:
          return detail::exact(s.number);
        case ir::opcode::extent_value:
          return detail::exact(static_cast<double>(length(ir::extent(s.attribute))));
        case ir::opcode::vertex_count:
          return detail::exact(static_cast<double>(vertices));
        case ir::opcode::degree:
          return detail::exact(static_cast<double>(owned(s.side(), row).size()));
        case ir::opcode::vertex_index:
        case ir::opcode::edge_index:
          return detail::exact(static_cast<double>(row));
        case ir::opcode::iota:
          return detail::exact(static_cast<double>(index[0]));
        case ir::opcode::keep_mask: {
          const bool kept = keeps(env.seed, env.call, s.attribute, row, place(index, dims), s.number);
          return detail::exact(kept ? 1 / (1 - s.number) : 0);
        }
        default:
          throw error("stg internal: the oracle does not know " + std::string(name_of(s.code)));
      }
    });
  }

  numbers pointwise(const ir::statement& s, row_range rows) const {
    return each(s, rows, [&](std::int64_t row, const dimensions& index) {
      bounded x[ir::statement::max_operands];
      for (int k = 0; k < s.arity(); ++k) x[k] = read(s, k, row, index);
      return detail::pointwise(s, p.operand(s, 0).type, x);
    });
  }

  numbers feature(const ir::statement& s, row_range rows) const {
    const dimensions &from = operand_dims(s, 0), to = dims_of(s.dims);
    const std::size_t axis = size(s.axis);
    const bool part = s.code == ir::opcode::slice || s.code == ir::opcode::pad;
    const std::int64_t begin = part ? length(ir::extent(s.attribute)) : 0;
    return each(s, rows, [&](std::int64_t row, dimensions index) {
      switch (s.code) {
        case ir::opcode::reshape:
          return read(s, 0, row, place_in(index, to));
        case ir::opcode::concat:
          if (index[axis] < from[axis]) return read(s, 0, row, place_in(index, from));
          index[axis] -= from[axis];
          return read(s, 1, row, place_in(index, operand_dims(s, 1)));
        case ir::opcode::slice:
          index[axis] += begin;
          return read(s, 0, row, place_in(index, from));
        case ir::opcode::pick: {
          const std::int64_t entry = index_at(s, row);
          if (entry < 0 || entry >= from[0]) return bounded();
          index.push_front(entry);
          return read(s, 0, row, place_in(index, from));
        }
        case ir::opcode::put:
          if (index_at(s, row) != index[0]) return bounded();
          index.pop_front();
          return read(s, 0, row, place_in(index, from));
        case ir::opcode::transpose:
          std::swap(index[axis], index[size(s.attribute)]);
          return read(s, 0, row, place_in(index, from));
        case ir::opcode::pad:
          index[axis] -= begin;
          return index[axis] < 0 || index[axis] >= from[axis] ? bounded() : read(s, 0, row, place_in(index, from));
        default:
          return reduced(s, row, index, from);
      }
    });
  }
  /// The label that a pick or a put goes by.
  std::int64_t index_at(const ir::statement& s, std::int64_t row) const {
    return static_cast<std::int64_t>(read(s, 1, row, 0).value);
  }
  bounded reduced(const ir::statement& s, std::int64_t row, const dimensions& at, const dimensions& from) const {
    numbers terms;
    for (std::int64_t f = 0; f < count(from); ++f) {
      const dimensions index = index_of(f, from);
      bool mine = true;
      for (std::size_t i = 0; i < from.size(); ++i) mine = mine && ((s.attribute >> i & 1) || index[i] == at[i]);
      if (mine) terms.push_back(read(s, 0, row, f));
    }
    if (s.code == ir::opcode::reduce_sum) return detail::sum_of(terms);
    return s.code == ir::opcode::reduce_max ? detail::largest_of(terms) : detail::log_sum_exp(terms);
  }

  /// The edges that a vertex owns, in the order of edge ids.
  const std::vector<std::int64_t>& owned(ir::direction side, std::int64_t vertex) const {
    return (side == ir::direction::in ? in : out)[size(vertex)];
  }

  numbers gather(const ir::statement& s, row_range rows) const {
    const std::vector<std::int64_t>& from = s.code == ir::opcode::gather_src ? src : dst;
    return each(s, rows,
                [&](std::int64_t edge, const dimensions& index) { return read(s, 0, from[size(edge)], index); });
  }

  numbers aggregate(const ir::statement& s, row_range rows) const {
    return each(s, rows, [&](std::int64_t vertex, const dimensions& index) {
      const std::vector<std::int64_t>& mine = owned(s.side(), vertex);
      numbers terms;
      for (const std::int64_t e : mine) terms.push_back(read(s, 0, e, index));
      switch (s.code) {
        case ir::opcode::sum_edges:
          return detail::sum_of(terms);
        case ir::opcode::max_edges:
          return detail::largest_of(terms);
        case ir::opcode::prod_edges:
          return detail::product_of(terms);
        case ir::opcode::var_edges:
          return detail::variance_of(terms);
        case ir::opcode::log_sum_exp_edges:
          return detail::log_sum_exp(terms);
        default: {  // first_max_edge
          std::int64_t first = -1;
          const double largest = detail::largest_of(terms).value;
          for (std::size_t k = 0; k < terms.size() && first < 0; ++k)
            if (terms[k].value == largest) first = mine[k];
          return detail::exact(static_cast<double>(first));
        }
      }
    });
  }

  numbers reduction(const ir::statement& s, row_range rows) const {
    return each(s, rows, [&](std::int64_t, const dimensions& index) {
      numbers terms;
      for (std::int64_t v = 0; v < vertices; ++v) terms.push_back(read(s, 0, v, index));
      return s.code == ir::opcode::sum_vertices ? detail::sum_of(terms) : detail::largest_of(terms);
    });
  }

  /// The left operand of a product; a sparse one is masked.
  bounded left(const ir::statement& s, std::int64_t row, std::int64_t element) const {
    const bounded x = read(s, 0, row, element);
    if (s.arity() == 2) return x;
    const bool drops = p.operand(s, 2).code == ir::opcode::keep_mask;  // else it is the constant 1
    const bounded m = read(s, 2, row, drops ? element : 0);
    return bounded{x.value * m.value, x.magnitude * m.magnitude};
  }

  /// x (…, k) × W (k, m), or W (m, k) when transposed.
  numbers matmul(const ir::statement& s, row_range rows) const {
    const dimensions &x = operand_dims(s, 0), &w = operand_dims(s, 1);
    const bool transposed = s.attribute == 1;
    return each(s, rows, [&](std::int64_t row, dimensions index) {
      const std::int64_t m = index.back();
      numbers terms;
      for (std::int64_t k = 0; k < x.back(); ++k) {
        index.back() = k;
        const bounded a = left(s, row, place_in(index, x));
        const bounded b = read(s, 1, 0, transposed ? m * w[1] + k : k * w[1] + m);
        terms.push_back(bounded{a.value * b.value, a.magnitude * b.magnitude});
      }
      return detail::sum_of(terms);
    });
  }

  /// Σ over rows and leading axes of x (…, k)ᵀ g (…, m): (k, m).
  numbers reduced_matmul(const ir::statement& s, row_range rows) const {
    const dimensions &x = operand_dims(s, 0), &g = operand_dims(s, 1);
    std::int64_t leading = 1;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) leading *= x[i];
    return each(s, rows, [&](std::int64_t, const dimensions& index) {
      numbers terms;
      for (std::int64_t v = 0; v < rows_of(p.operand(s, 0).where); ++v)
        for (std::int64_t r = 0; r < leading; ++r) {
          const bounded a = left(s, v, r * x.back() + index[0]);
          const bounded b = read(s, 1, v, r * g.back() + index[1]);
          terms.push_back(bounded{a.value * b.value, a.magnitude * b.magnitude});
        }
      return detail::sum_of(terms);
    });
  }

  const ir::program& p;
  const environment& env;
  std::int64_t vertices, edges;
  std::map<std::string, std::int64_t> extents;
  mutable std::vector<std::int64_t> lengths;       // of run-time extents that were asked for
  std::vector<dimensions> shapes;                  // by statement
  std::vector<std::int64_t> src, dst;              // by edge id
  std::vector<std::vector<std::int64_t>> in, out;  // by vertex: the edges that it owns
  std::vector<numbers> values;                     // by statement
};

/// Every value of a program on a graph.
inline interpretation interpret_all(const ir::program& p, const graph& g, const environment& env) {
  return interpreter(p, g, env).run();
}

/// The outputs of a program on a graph, in order; with their magnitudes when asked for.
///
///   stg::oracle::environment env;
///   env.inputs["x"] = {1, 2, 3};
///   auto y = stg::oracle::interpret(stg::trace(mean_of_neighbours), graph, env)[0];   // (vertices)
inline std::vector<array> interpret(const ir::program& p, const graph& g, const environment& env,
                                    std::vector<array>* magnitudes = nullptr) {
  const interpretation all = interpret_all(p, g, env);
  std::vector<array> outputs;
  if (magnitudes != nullptr) magnitudes->clear();
  for (const ir::output& o : p.outputs) {
    outputs.push_back(all.values[static_cast<std::size_t>(o.at)]);
    if (magnitudes != nullptr) magnitudes->push_back(all.magnitudes[static_cast<std::size_t>(o.at)]);
  }
  return outputs;
}

}  // namespace stg::oracle
