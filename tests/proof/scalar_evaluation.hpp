// What an equation in indices says, in numbers: reads are of values that the oracle has computed.
#pragma once

#include <stg/codegen/interpreter.hpp>     // interpretation
#include <stg/examine/scalar_term.hpp>     // scalar_term
#include <stg/op/list.hpp>                 // visit
#include <stg/runtime/own_operations.hpp>  // operation_of

#include <cmath>    // exp, log
#include <cstdint>  // int64_t
#include <limits>   // infinity
#include <vector>   // vector

namespace stg::test {

class scalar_evaluation : public oracle::bound_program {
 public:
  scalar_evaluation(const ir::program& p, const graph& g, const oracle::environment& env,
                    const oracle::interpretation& known, const examine::index_equations& form)
      : bound_program(p, g, env), known_(known), f_(form), at_(static_cast<std::size_t>(form.variables.size()), 0) {
    find_shapes();
  }

  std::int64_t rows(ir::value_id i) const { return rows_of(p[i]); }
  std::int64_t width(ir::value_id i) const {
    std::int64_t n = 1;
    for (const std::int64_t extent : shapes[size(i)]) n *= extent;
    return n;
  }

  /// The right side of an equation at one element of its value.
  double right_side(const examine::equation& e, std::int64_t row, std::int64_t element) {
    if (e.row != none) bind_row(e.row, row);
    const dimensions& dims = shapes[size(e.value)];
    for (int a = static_cast<int>(dims.size()) - 1; a >= 0; --a) {
      if (e.indices[a] != none) at(e.indices[a]) = element % dims[size(a)];
      element /= dims[size(a)];
    }
    return value(e.right);
  }

 private:
  using kind = examine::scalar_term::kind;
  using variable = examine::index_variable;
  static constexpr int none = examine::scalar_term::none;

  std::int64_t& at(std::int64_t v) { return at_[size(v)]; }
  void bind_row(int v, std::int64_t row) {
    at(v) = row;
    const variable& x = f_.variables[v];
    if (x.what != variable::kind::edge) return;
    at(x.src) = edges_by_relation[0].src[size(row)];
    at(x.dst) = edges_by_relation[0].dst[size(row)];
  }

  double value(int k) {
    if (k == none) return 0;
    const examine::scalar_term& t = f_.terms[k];
    switch (t.what) {
      case kind::number:
        return t.number;
      case kind::extent:
        return static_cast<double>(length(ir::extent(t.of)));
      case kind::vertices:
        return static_cast<double>(vertices);
      case kind::variable:
        return static_cast<double>(at(t.of));
      case kind::degree:
        return static_cast<double>(owned(0, static_cast<ir::direction>(t.of), at(t.row)).size());
      case kind::read: {
        const dimensions& dims = shapes[size(t.of)];
        std::int64_t place = t.row == none ? 0 : at(t.row);
        for (std::size_t a = 0; a < dims.size(); ++a)
          place = place * dims[a] + static_cast<std::int64_t>(t.indices[a] == none ? 0 : value(t.indices[a]));
        return known_.values[size(t.of)].at(size(place));
      }
      case kind::apply:
        return applied(t);
      case kind::reduce:
        return reduced(t);
      case kind::plus:
        return value(t.operands[0]) + value(t.operands[1]);
      case kind::minus:
        return value(t.operands[0]) - value(t.operands[1]);
      case kind::times:
        return value(t.operands[0]) * value(t.operands[1]);
      case kind::quotient:
        return std::floor(value(t.operands[0]) / value(t.operands[1]));
      case kind::remainder:
        return std::fmod(value(t.operands[0]), value(t.operands[1]));
      case kind::below:
        return value(t.operands[0]) < value(t.operands[1]);
      case kind::same:
        return value(t.operands[0]) == value(t.operands[1]);
      case kind::choose:
        return value(t.operands[0]) != 0 ? value(t.operands[1]) : value(t.operands[2]);
    }
    throw error("an unknown term");
  }

  double applied(const examine::scalar_term& t) {
    const ir::statement& s = p[static_cast<ir::value_id>(t.of)];
    const double x[] = {value(t.operands[0]), value(t.operands[1]), value(t.operands[2])};
    if (t.code == ir::opcode::select) return x[0] != 0 ? x[1] : x[2];
    if (t.code == ir::opcode::cast) return s.type == boolean ? x[0] != 0 : s.type == i32 ? std::trunc(x[0]) : x[0];
    if (t.code == ir::opcode::div && s.type == i32)  // towards 0
      return op::div::apply(static_cast<std::int32_t>(x[0]), static_cast<std::int32_t>(x[1]));
    if (ir::applies_own(t.code)) {
      const long double given[] = {x[0], x[1], x[2]};
      return static_cast<double>(operation_of(s.operation()).value(given));
    }
    double y = 0;
    op::visit(t.code, [&]<class Op>(std::type_identity<Op>) {
      if constexpr (Op::kind == op::category::pointwise) {
        if constexpr (Op::takes_number && requires { Op::apply(1.0, x[0]); }) y = Op::apply(s.real(), x[0]);
        else if constexpr (Op::arity == 1 && requires { Op::apply(x[0]); }) y = static_cast<double>(Op::apply(x[0]));
        else if constexpr (requires { Op::apply(x[0], x[1]); }) y = static_cast<double>(Op::apply(x[0], x[1]));
        else throw error("a term that is not applied to numbers");
      }
    });
    return y;
  }

  double reduced(const examine::scalar_term& t) {
    const variable& over = f_.variables[static_cast<int>(t.of)];
    std::vector<std::int64_t> places;
    if (over.what == variable::kind::edge && t.row != none) {
      places = owned(0, p_direction(over, t.row), at(t.row));
    } else {
      const std::int64_t n = over.what == variable::kind::feature  ? length(over.of)
                             : over.what == variable::kind::vertex ? vertices
                                                                   : edges;
      for (std::int64_t k = 0; k < n; ++k) places.push_back(k);
    }
    std::vector<double> terms;
    for (const std::int64_t place : places) {
      bind_row(static_cast<int>(t.of), place);
      terms.push_back(value(t.operands[0]));
    }
    return of_terms(t.code, terms, places);
  }
  static ir::direction p_direction(const variable& edge, int owner) {
    return edge.dst == owner ? ir::direction::in : ir::direction::out;
  }

  static double of_terms(ir::opcode code, const std::vector<double>& terms, const std::vector<std::int64_t>& places) {
    double sum = 0, product = 1, largest = -std::numeric_limits<double>::infinity(), exponentials = 0, squares = 0;
    std::int64_t first = -1;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      sum += terms[k];
      product *= terms[k];
      if (!(terms[k] > largest)) continue;
      largest = terms[k];
      first = places[k];
    }
    const double n = static_cast<double>(terms.size());
    for (const double x : terms) {
      squares += (x - sum / n) * (x - sum / n);
      exponentials += std::exp(x - largest);
    }
    switch (code) {
      case ir::opcode::prod_edges:
        return product;
      case ir::opcode::max_edges:
      case ir::opcode::max_vertices:
        return terms.empty() ? 0 : largest;
      case ir::opcode::reduce_max:
        return largest;
      case ir::opcode::first_max_edge:
        return static_cast<double>(first);
      case ir::opcode::var_edges:
        return terms.empty() ? 0 : squares / n;
      case ir::opcode::top_share_edges:
      case ir::opcode::reduce_top_share:
        return 1 / exponentials;
      default:
        return sum;
    }
  }

  const oracle::interpretation& known_;
  const examine::index_equations& f_;
  std::vector<std::int64_t> at_;
};

}  // namespace stg::test
