// The oracle that backends are tested against: any program in double, with plain loops, one full array per value.
//
// Nothing is fused, shared or reordered, and no operation's `apply` is used, so that a mistake there cannot hide.
// i32 and boolean values are doubles too. With every number goes its magnitude: the sum of the absolute terms that it
// was made of, carried through elementary functions by their derivative. A backend is right when
// |backend - oracle| <= tolerance · magnitude.
#pragma once

#include <cmath>    // exp, log, …
#include <cstdint>  // int64_t
#include <limits>   // infinity
#include <map>      // map
#include <string>   // string
#include <vector>   // vector

#include <stg/base/error.hpp>      // error
#include <stg/base/keep_mask.hpp>  // keeps
#include <stg/ir/program.hpp>      // program
#include <stg/op/list.hpp>         // info_of
#include <stg/runtime/graph.hpp>   // graph

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

namespace detail {

/// A number with the sum of the absolute terms it was made of.
struct bounded {
  double value = 0;
  double magnitude = 0;
};

inline bounded exact(double value) { return bounded{value, std::abs(value)}; }
/// f(x): the error of x grows by |f'(x)|, and f rounds once more.
inline bounded through(double value, double slope, bounded x) {
  return bounded{value, std::abs(value) + std::abs(slope) * x.magnitude};
}

inline bounded log_sum_exp(const std::vector<bounded>& terms) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const bounded& x : terms) largest = std::max(largest, x.value);
  if (std::isinf(largest)) return exact(largest);
  double sum = 0, magnitude = 0;
  for (const bounded& x : terms) {
    sum += std::exp(x.value - largest);
    magnitude = std::max(magnitude, x.magnitude);
  }
  const double result = largest + std::log(sum);
  return bounded{result, std::abs(result) + std::log(sum) + magnitude};
}

/// 0 over nothing.
inline bounded largest_of(const std::vector<bounded>& terms) {
  bounded largest;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i == 0 || largest.value < terms[i].value) largest.value = terms[i].value;
    largest.magnitude = std::max(largest.magnitude, terms[i].magnitude);
  }
  return largest;
}

inline bounded sum_of(const std::vector<bounded>& terms) {
  bounded sum;
  for (const bounded& x : terms) sum = bounded{sum.value + x.value, sum.magnitude + x.magnitude};
  return sum;
}

inline bounded product_of(const std::vector<bounded>& terms) {
  bounded product{1, 1};
  for (const bounded& x : terms) product = bounded{product.value * x.value, product.magnitude * x.magnitude};
  return product;
}

/// Σ (x - mean)² / n; 0 over nothing.
inline bounded variance_of(const std::vector<bounded>& terms) {
  const double n = static_cast<double>(terms.empty() ? 1 : terms.size());
  const bounded sum = sum_of(terms);
  bounded squares;
  for (const bounded& x : terms) {
    const double apart = x.value - sum.value / n, magnitude = x.magnitude + sum.magnitude / n;
    squares = bounded{squares.value + apart * apart, squares.magnitude + magnitude * magnitude};
  }
  return bounded{squares.value / n, squares.magnitude / n};
}

/// One feature of a pointwise operation. `from` is the scalar type of the operands.
inline bounded pointwise(const ir::statement& s, scalar_type from, const bounded* x) {
  const double a = x[0].value, b = x[1].value;
  switch (s.code) {
    case ir::opcode::cast:
      if (s.type == scalar_type::boolean) return exact(a != 0);
      if (s.type == scalar_type::bf16) return bounded{bfloat16(static_cast<float>(a)), x[0].magnitude};
      if (s.type == scalar_type::f16) return bounded{float16(static_cast<float>(a)), x[0].magnitude};
      return s.type == scalar_type::i32 ? exact(std::trunc(a)) : x[0];
    case ir::opcode::broadcast_to:
      return x[0];
    case ir::opcode::negate:
      return bounded{-a, x[0].magnitude};
    case ir::opcode::abs:
      return bounded{std::abs(a), x[0].magnitude};
    case ir::opcode::detach:
    case ir::opcode::training:
      return x[0];
    case ir::opcode::sign:
      return exact(a > 0 ? 1 : a < 0 ? -1 : a);
    case ir::opcode::floor:
      return exact(std::floor(a));
    case ir::opcode::ceil:
      return exact(std::ceil(a));
    case ir::opcode::round:
      return exact(std::nearbyint(a));
    case ir::opcode::exp:
      return through(std::exp(a), std::exp(a), x[0]);
    case ir::opcode::exp2:
      return through(std::exp2(a), std::exp2(a), x[0]);
    case ir::opcode::expm1:
      return through(std::expm1(a), std::exp(a), x[0]);
    case ir::opcode::log2:
      return through(std::log2(a), 1.5 / a, x[0]);
    case ir::opcode::log1p:
      return through(std::log1p(a), 1 / (1 + a), x[0]);
    case ir::opcode::cbrt:
      return through(std::cbrt(a), std::cbrt(a) / (3 * a), x[0]);
    case ir::opcode::erf:
      return through(std::erf(a), 1.13 * std::exp(-a * a), x[0]);
    case ir::opcode::sin:
      return through(std::sin(a), std::cos(a), x[0]);
    case ir::opcode::cos:
      return through(std::cos(a), std::sin(a), x[0]);
    case ir::opcode::asin:
      return through(std::asin(a), 1 / std::sqrt(1 - a * a), x[0]);
    case ir::opcode::acos:
      return through(std::acos(a), 1 / std::sqrt(1 - a * a), x[0]);
    case ir::opcode::atan:
      return through(std::atan(a), 1 / (1 + a * a), x[0]);
    case ir::opcode::sinh:
      return through(std::sinh(a), std::cosh(a), x[0]);
    case ir::opcode::cosh:
      return through(std::cosh(a), std::sinh(a), x[0]);
    case ir::opcode::log:
      return through(std::log(a), 1 / a, x[0]);
    case ir::opcode::sqrt:
      return through(std::sqrt(a), 0.5 / std::sqrt(a), x[0]);
    case ir::opcode::rsqrt:
      return through(1 / std::sqrt(a), 0.5 / (a * std::sqrt(a)), x[0]);
    case ir::opcode::tanh:
      return through(std::tanh(a), 1 - std::tanh(a) * std::tanh(a), x[0]);
    case ir::opcode::sigmoid: {
      const double y = 1 / (1 + std::exp(-a));
      return through(y, y * (1 - y), x[0]);
    }
    case ir::opcode::relu:
      return a > 0 ? x[0] : bounded{a <= 0 ? 0 : a, x[0].magnitude};
    case ir::opcode::leaky_relu:
      return a > 0 ? x[0] : bounded{s.number * a, std::abs(s.number) * x[0].magnitude};
    case ir::opcode::elu:
      return a > 0 ? x[0] : through(s.number * std::expm1(a), s.number * std::exp(a), x[0]);
    case ir::opcode::add:
      return bounded{a + b, x[0].magnitude + x[1].magnitude};
    case ir::opcode::sub:
      return bounded{a - b, x[0].magnitude + x[1].magnitude};
    case ir::opcode::mul:
      return bounded{a * b, x[0].magnitude * x[1].magnitude};
    case ir::opcode::div:
      if (from == scalar_type::i32) return exact(std::trunc(a / b));
      return bounded{a / b, x[0].magnitude / std::abs(b) + std::abs(a / (b * b)) * x[1].magnitude};
    case ir::opcode::min:
      return bounded{b < a ? b : a, std::max(x[0].magnitude, x[1].magnitude)};
    case ir::opcode::max:
      return bounded{a < b ? b : a, std::max(x[0].magnitude, x[1].magnitude)};
    case ir::opcode::pow: {
      const double y = std::pow(a, b);
      const double in_base = b == 0 ? 0 : std::abs(b * std::pow(a, b - 1)) * x[0].magnitude;
      const double in_exponent = a > 0 ? std::abs(y * std::log(a)) * x[1].magnitude : 0;
      return bounded{y, std::abs(y) + in_base + in_exponent};
    }
    case ir::opcode::fmod:
      return bounded{std::fmod(a, b), x[0].magnitude + std::abs(std::trunc(a / b)) * x[1].magnitude};
    case ir::opcode::less:
      return exact(a < b);
    case ir::opcode::less_equal:
      return exact(a <= b);
    case ir::opcode::equal:
      return exact(a == b);
    case ir::opcode::not_equal:
      return exact(a != b);
    case ir::opcode::select:
      return a != 0 ? x[1] : x[2];
    default:
      throw error("stg internal: the oracle does not know " + std::string(name_of(s.code)));
  }
}

/// Extents, or an index: a short list of numbers.
class numbers_of_axes {
 public:
  void push_back(std::int64_t n) { at[count++] = n; }
  std::size_t size() const { return count; }
  std::int64_t& operator[](std::size_t i) { return at[i]; }
  std::int64_t operator[](std::size_t i) const { return at[i]; }
  std::int64_t& back() { return at[count - 1]; }
  std::int64_t back() const { return at[count - 1]; }
  void push_front(std::int64_t n) {
    for (std::size_t i = count++; i > 0; --i) at[i] = at[i - 1];
    at[0] = n;
  }
  void pop_front() {
    --count;
    for (std::size_t i = 0; i < count; ++i) at[i] = at[i + 1];
  }
  const std::int64_t* begin() const { return at; }
  const std::int64_t* end() const { return at + count; }

 private:
  std::int64_t at[ir::shape::max_rank] = {};
  std::size_t count = 0;
};

}  // namespace detail

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
  static std::int64_t count(const dimensions& d) {
    std::int64_t n = 1;
    for (const std::int64_t extent : d) n *= extent;
    return n;
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

  // ---- places in a row-major shape ----

  static dimensions index_of(std::int64_t at, const dimensions& dims) {
    dimensions index = dims;
    for (std::size_t i = dims.size(); i-- > 0; at /= dims[i]) index[i] = at % dims[i];
    return index;
  }
  /// Where an index lies in a shape that it broadcasts to: right-aligned, 0 along axes of extent 1.
  static std::int64_t place(const dimensions& index, const dimensions& dims) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < dims.size(); ++i)
      at = at * dims[i] + (dims[i] == 1 ? 0 : index[index.size() - dims.size() + i]);
    return at;
  }

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
  /// As place, without stretching: an axis of extent 1 is an axis like any other.
  static std::int64_t place_in(const dimensions& index, const dimensions& dims) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (index[i] < 0 || index[i] >= dims[i])
        throw error("slice: element " + std::to_string(index[i]) + " lies outside of the axis");
      at = at * dims[i] + index[i];
    }
    return at;
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
