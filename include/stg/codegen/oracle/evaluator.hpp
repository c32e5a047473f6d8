// One statement of any operation in double, with plain loops over the rows, edges and elements that it is made of.
#pragma once

#include <cstdint>  // int64_t
#include <string>   // string, to_string
#include <utility>  // swap
#include <vector>   // vector

#include <stg/base/error.hpp>                    // error
#include <stg/base/keep_mask.hpp>                // keeps
#include <stg/codegen/oracle/axes.hpp>           // index_of, place
#include <stg/codegen/oracle/bound_program.hpp>  // bound_program
#include <stg/codegen/oracle/bounded.hpp>        // bounded, sum_of
#include <stg/codegen/oracle/messages.hpp>       // messages
#include <stg/codegen/oracle/pointwise.hpp>      // pointwise
#include <stg/ir/program.hpp>                    // statement
#include <stg/op/list.hpp>                       // info_of

namespace stg::oracle {

/// Where an operand is read is one function, which whoever keeps the values defines.
class evaluator : public bound_program {
 public:
  using bound_program::bound_program;
  virtual ~evaluator() = default;

 protected:
  using bounded = detail::bounded;
  using numbers = std::vector<bounded>;
  struct row_range {
    std::int64_t first = 0, last = 0;
  };

  // ---- reading ----

  /// The element of operand k that an element of the result reads.
  bounded read(const ir::statement& s, int k, std::int64_t row, const dimensions& index) const {
    return read(s, k, row, place(index, operand_dims(s, k)));
  }
  virtual bounded read(const ir::statement& s, int k, std::int64_t row, std::int64_t element) const = 0;

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
      case op::category::call:
        return call(s);
      case op::category::message:
        return message(s);
    }
    throw error("stg internal: the oracle does not know " + std::string(name_of(s.code)));
  }

  /// Between ranks, each with an oracle of its own.
  virtual numbers message(const ir::statement& s) const {
    if (env.ranks == nullptr) throw error("a program with messages runs on ranks; give environment.ranks");
    const messages with(*env.ranks, s, env.call);
    numbers mine;
    if (s.arity() == 2)
      for (std::int64_t i = 0; i < count(operand_dims(s, 0)); ++i) mine.push_back(read(s, 0, 0, i));
    switch (s.code) {
      case ir::opcode::send:
        with.send(mine);
        return {detail::exact(0)};
      case ir::opcode::receive:
        return with.receive(size(count(dims_of(s.dims))));
      case ir::opcode::sum_at_rank:
        return with.sum(mine);
      default:
        return with.spread(mine);
    }
  }

  /// Part of a scan; a list and the steps themselves are no numbers.
  virtual numbers call(const ir::statement& s) const {
    throw error("stg internal: this oracle does not know " + std::string(name_of(s.code)));
  }

  virtual numbers source(const ir::statement& s, row_range rows) const {
    if (s.code == ir::opcode::input) {
      const array& from = bound(s);
      const std::int64_t width = count(dims_of(s.dims)), wanted = rows_of(s) * width;
      if (from.size() != size(wanted))
        throw error("input " + std::string(p.inputs[s.entry()].name.view()) + " has " + std::to_string(from.size()) +
                    " numbers; expected " + std::to_string(wanted));
      numbers all;
      for (std::int64_t i = rows.first * width; i < rows.last * width; ++i) all.push_back(detail::exact(from[size(i)]));
      return all;
    }
    const dimensions dims = dims_of(s.dims);
    return each(s, rows, [&](std::int64_t row, const dimensions& index) {
      switch (s.code) {
        case ir::opcode::arguments:
          return bounded();
        case ir::opcode::constant:
          return detail::exact(s.value());
        case ir::opcode::extent_value:
          return detail::exact(static_cast<double>(length(s.counted())));
        case ir::opcode::vertex_count:
          return detail::exact(static_cast<double>(rows_of({ir::space::vertex, s.counted_set()})));
        case ir::opcode::degree:
          return detail::exact(static_cast<double>(degree(s.relation(), s.side(), row)));
        case ir::opcode::vertex_index:
        case ir::opcode::edge_index:
          return detail::exact(static_cast<double>(row));
        case ir::opcode::iota:
          return detail::exact(static_cast<double>(index[0]));
        case ir::opcode::keep_mask: {
          const bool kept = keeps(env.seed, env.call, env.first_site + s.site(), global_id(s.where, row),
                                  place(index, dims), s.drop_probability());
          return detail::exact(kept ? 1 / (1 - s.drop_probability()) : 0);
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

  virtual numbers feature(const ir::statement& s, row_range rows) const {
    const dimensions &from = operand_dims(s, 0), to = dims_of(s.dims);
    return each(s, rows, [&](std::int64_t row, dimensions index) {
      switch (op::info_of(s.code).moves) {
        case op::movement::whole:
          return read(s, 0, row, place_in(index, to));
        case op::movement::swap:
          std::swap(index[size(s.swapped_axis())], index[size(s.other_axis())]);
          return read(s, 0, row, place_in(index, from));
        case op::movement::runs:
          return from_run(s, row, index);
        case op::movement::from_entry: {
          const std::int64_t entry = index_at(s, row);
          if (entry < 0 || entry >= from[0]) return bounded();
          index.push_front(entry);
          return read(s, 0, row, place_in(index, from));
        }
        case op::movement::to_entry:
          if (index_at(s, row) != index[0]) return bounded();
          index.pop_front();
          return read(s, 0, row, place_in(index, from));
        case op::movement::none:
          break;
      }
      return reduced(s, row, index, from);
    });
  }
  /// The element that one of the runs brings there; 0 if none does.
  bounded from_run(const ir::statement& s, std::int64_t row, dimensions index) const {
    std::int64_t& along = index[size(s.part_axis())];
    for (const op::run& r : op::runs_of(p, s)) {
      const std::int64_t at = along - length(r.to);
      if (at < 0 || at >= length(r.length)) continue;
      along = length(r.from) + at;
      return read(s, r.operand, row, place_in(index, operand_dims(s, r.operand)));
    }
    return bounded();
  }
  /// The label that a pick, a put or a sum by an index goes by.
  std::int64_t index_at(const ir::statement& s, std::int64_t row) const {
    return static_cast<std::int64_t>(read(s, 1, row, 0).value);
  }
  bounded reduced(const ir::statement& s, std::int64_t row, const dimensions& at, const dimensions& from) const {
    numbers terms;
    for (std::int64_t f = 0; f < count(from); ++f) {
      const dimensions index = index_of(f, from);
      bool mine = true;
      for (std::size_t i = 0; i < from.size(); ++i) mine = mine && (s.reduces(i) || index[i] == at[i]);
      if (mine) terms.push_back(read(s, 0, row, f));
    }
    if (s.code == ir::opcode::reduce_sum) return detail::sum_of(terms);
    return s.code == ir::opcode::reduce_max ? detail::largest_of(terms) : detail::top_share(terms);
  }

  numbers gather(const ir::statement& s, row_range rows) const {
    const edge_lists& edges_of = edges_by_relation[size(s.where.set)];
    const std::vector<std::int64_t>& from = s.code == ir::opcode::gather_src ? edges_of.src : edges_of.dst;
    return each(s, rows,
                [&](std::int64_t edge, const dimensions& index) { return read(s, 0, from[size(edge)], index); });
  }

  numbers aggregate(const ir::statement& s, row_range rows) const {
    return each(s, rows, [&](std::int64_t vertex, const dimensions& index) {
      const std::vector<std::int64_t>& mine = owned(p.operand(s, 0).where.set, s.side(), vertex);
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
        case ir::opcode::top_share_edges:
          return detail::top_share(terms);
        default: {  // first_max_edge
          if (terms.empty()) return detail::exact(-1);
          const double largest = detail::largest_of(terms).value;
          std::size_t first = 0;
          while (first < terms.size() && terms[first].value != largest) ++first;
          return detail::exact(static_cast<double>(mine[first < terms.size() ? first : 0]));  // else NaN alone
        }
      }
    });
  }

  numbers reduction(const ir::statement& s, row_range rows) const {
    if (s.code == ir::opcode::scatter_sum) return scattered(s, rows);
    return each(s, rows, [&](std::int64_t, const dimensions& index) {
      numbers terms;
      for (std::int64_t v = 0; v < rows_of(p.operand(s, 0).where); ++v) terms.push_back(read(s, 0, v, index));
      return s.code == ir::opcode::sum_vertices ? detail::sum_of(terms) : detail::largest_of(terms);
    });
  }

  numbers scattered(const ir::statement& s, row_range rows) const {
    return each(s, rows, [&](std::int64_t, dimensions index) {
      const std::int64_t entry = index[0];
      index.pop_front();
      numbers terms;
      for (std::int64_t row = 0; row < rows_of(p.operand(s, 0).where); ++row)
        if (index_at(s, row) == entry) terms.push_back(read(s, 0, row, index));
      return detail::sum_of(terms);
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
    const bool transposed = s.is_transposed();
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
};

}  // namespace stg::oracle
