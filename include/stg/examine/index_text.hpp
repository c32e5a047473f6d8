// Index form as text: for a terminal, and as LaTeX.
#pragma once

#include <cstdint>      // int64_t
#include <string_view>  // string_view

#include <stg/examine/index_form.hpp>   // index_form
#include <stg/examine/index_names.hpp>  // index_names, written_text
#include <stg/examine/scalar_term.hpp>  // scalar_term, equation
#include <stg/ir/operation_name.hpp>    // operation_name
#include <stg/ir/program.hpp>           // program

namespace stg::examine {

namespace detail {

class index_printer : index_names {
 public:
  constexpr index_printer(const ir::program& of, const index_equations& made, notation as)
      : index_names(of, made, as) {}

  constexpr written_text run() {
    bool first = true;
    for (const equation& e : f.equations) {
      if (!first) put(latex ? " \\\\\n" : "\n");
      first = false;
      value(e.value, none, e.row, e.indices, false);
      put(latex ? " &= " : " = ");
      print(e.right, lowest);
    }
    return to;
  }

 private:
  using kind = scalar_term::kind;
  // How strongly parts of a term hold together. Readers disagree about the end of a remainder: within sums and products
  // it stands in parentheses.
  static constexpr int lowest = 0, comparison = 1, modulus = 2, sum = 3, product = 4, sign = 5, atom = 6;

  /// Indices are variables, or terms.
  constexpr void value(ir::value_id i, int step, int row, const int (&indices)[ir::shape::max_rank], bool are_terms) {
    value_name(i);
    bool first = true;
    const auto next = [&] {
      if (first) put(latex ? "_{" : "[");
      else put(",");
      first = false;
    };
    if (step != none) {
      next();
      print(step, lowest);
    }
    if (row != none) {
      next();
      variable(row);
    }
    for (int a = 0; a < p[i].dims.rank; ++a) {
      if (indices[a] == none) continue;
      next();
      if (are_terms) print(indices[a], lowest);
      else variable(indices[a]);
    }
    if (!first) put(latex ? "}" : "]");
  }

  // ---- terms ----

  struct infix {
    std::string_view plain{}, as_latex{};
    int level = atom;
    int left = atom, right = atom;  // how strongly operands hold together at least: a - (b - c), (a < b) < c
  };
  static constexpr infix summed(std::string_view word, bool of_differences) {
    return {word, word, sum, sum, of_differences ? product : sum};
  }
  static constexpr infix compared(std::string_view plain, std::string_view as_latex) {
    return {plain, as_latex, comparison, modulus, modulus};
  }
  static constexpr infix infix_of(const scalar_term& t) {
    switch (t.what) {
      case kind::plus:
        return summed("+", false);
      case kind::minus:
        return summed("-", true);
      case kind::times:
        return {"·", " ", product, product, product};
      case kind::remainder:
        return {" mod ", " \\bmod ", modulus, product, sign};
      case kind::below:
        return compared(" < ", " < ");
      case kind::same:
        return compared(" = ", " = ");
      case kind::apply:
        break;
      default:
        return {};
    }
    switch (t.code) {
      case ir::opcode::add:
        return summed(" + ", false);
      case ir::opcode::sub:
        return summed(" - ", true);
      case ir::opcode::mul:
        return {" · ", " \\, ", product, product, product};
      case ir::opcode::div:
        return {" / ", " / ", product, product, sign};
      case ir::opcode::less:
        return compared(" < ", " < ");
      case ir::opcode::less_equal:
        return compared(" ≤ ", " \\le ");
      case ir::opcode::equal:
        return compared(" = ", " = ");
      case ir::opcode::not_equal:
        return compared(" ≠ ", " \\ne ");
      default:
        return {};
    }
  }
  constexpr int level_of(const scalar_term& t) const {
    if (t.what == kind::apply && t.code == ir::opcode::div && (latex || is_of_integers(t))) return atom;
    if (t.what == kind::apply && t.code == ir::opcode::negate) return sign;
    if (t.what == kind::number && latex && has_exponent(t.number)) return product;
    if (t.what == kind::number && is_negative(t.number)) return sign;
    if (t.what == kind::extent) return level_of(p.polynomial_of(ir::extent(t.of)));
    if (t.what == kind::reduce) return comparison;
    if (t.what == kind::choose || (t.what == kind::apply && t.code == ir::opcode::select)) return lowest;
    return infix_of(t).level;
  }
  static constexpr int level_of(const ir::polynomial& e) {
    if (e.count > 1) return sum;
    return e.count == 0 || (e.terms[0].coefficient == 1 && e.terms[0].degree < 2) ? atom : product;
  }
  /// The number, of extents or a minus with its operand, at the beginning of a term's text; else the term itself.
  constexpr int first_of(int at) const {
    while (at != none && infix_of(f.terms[at]).level != atom && f.terms[at].code != ir::opcode::div) {
      const int first = f.terms[at].operands[0];
      if (first == none || level_of(f.terms[first]) < infix_of(f.terms[at]).left) return none;
      at = first;
    }
    return at;
  }
  constexpr std::int64_t coefficient_of(const scalar_term& t) const {
    const ir::polynomial e = p.polynomial_of(ir::extent(t.of));
    return e.count == 0 ? 0 : e.terms[0].coefficient;
  }
  /// Behind another sign a minus would be misread.
  constexpr bool begins_with_minus(int at) const {
    at = first_of(at);
    if (at == none) return false;
    const scalar_term& t = f.terms[at];
    if (t.what == kind::extent) return coefficient_of(t) < 0;
    return t.what == kind::number ? is_negative(t.number) : t.what == kind::apply && t.code == ir::opcode::negate;
  }
  /// And a digit behind a number, since a product has no sign.
  constexpr bool begins_with_digit(int at) const {
    at = first_of(at);
    if (at == none) return false;
    const scalar_term& t = f.terms[at];
    return t.what == kind::extent ? coefficient_of(t) != 1 : t.what == kind::number;
  }
  constexpr void print(int at, int level) {
    if (at == none) return put("0");
    const scalar_term& t = f.terms[at];
    const bool parentheses = level_of(t) < level;
    if (parentheses) put("(", "\\left(");
    print(t);
    if (parentheses) put(")", "\\right)");
  }
  constexpr void print(const scalar_term& t) {
    switch (t.what) {
      case kind::number:
        return number(t.number);
      case kind::extent:
        return extent(ir::extent(t.of));
      case kind::vertices:
        put("|");
        if (t.of == 0) put("V");
        else kind_name(static_cast<int>(t.of));
        return put("|");
      case kind::variable:
        return variable(static_cast<int>(t.of));
      case kind::degree:
        put(t.of == 0 ? "deg_in" : "deg_out", t.of == 0 ? "\\deg^-" : "\\deg^+");
        put(latex ? "_{" : "[");
        if (t.relation != 0) {
          kind_name(t.relation);
          put(",");
        }
        variable(t.row);
        return put(latex ? "}" : "]");
      case kind::read:
        return value(static_cast<ir::value_id>(t.of), t.step, t.row, t.indices, true);
      case kind::reduce:
        return reduction(t);
      case kind::quotient:
        put("⌊", "\\lfloor ");
        print(t.operands[0], product);
        put(" / ");
        print(t.operands[1], sign);
        return put("⌋", " \\rfloor");
      case kind::choose:
        return choice(t);
      case kind::apply:
        return application(t);
      default:
        return binary(t, infix_of(t));
    }
  }
  constexpr void binary(const scalar_term& t, const infix& as) {
    print(t.operands[0], as.left);
    const bool has_sign = as.level == product && begins_with_digit(t.operands[1]);
    put(as.plain, has_sign ? " \\cdot " : as.as_latex);
    print(t.operands[1], as.level > comparison && begins_with_minus(t.operands[1]) ? atom + 1 : as.right);
  }
  /// Words of operations stand as they are; LaTeX has some of its own.
  constexpr void application(const scalar_term& t) {
    if (t.code == ir::opcode::div) return division(t);
    if (infix_of(t).level != atom) return binary(t, infix_of(t));
    if (t.code == ir::opcode::negate) {
      put("-");
      return print(t.operands[0], atom);
    }
    if (t.code == ir::opcode::select) return choice(t);
    const ir::statement& s = p[static_cast<ir::value_id>(t.of)];
    const text own = ir::applies_own(t.code) ? ir::operation_name(s.operation()) : text();
    const std::string_view word = own.length > 0               ? own.view()
                                  : t.code == ir::opcode::cast ? name_of(s.type)
                                                               : name_of(t.code);
    const bool known = t.code == ir::opcode::exp || t.code == ir::opcode::log || t.code == ir::opcode::sin ||
                       t.code == ir::opcode::cos || t.code == ir::opcode::tanh || t.code == ir::opcode::max ||
                       t.code == ir::opcode::min || t.code == ir::opcode::sinh || t.code == ir::opcode::cosh;
    if (latex && known) put("\\");
    if (latex && known) put(word);
    else name(word);
    put("(", "\\left(");
    for (int k = 0; k < ir::statement::max_operands && t.operands[k] != none; ++k) {
      if (k > 0) put(", ");
      print(t.operands[k], lowest);
    }
    if (t.code == ir::opcode::leaky_relu || t.code == ir::opcode::elu) {
      put("; ");
      number(s.real());
    }
    put(")", "\\right)");
  }
  constexpr bool is_of_integers(const scalar_term& t) const {
    return p[static_cast<ir::value_id>(t.of)].type == scalar_type::i32;
  }
  /// Division of integers goes towards 0.
  constexpr void division(const scalar_term& t) {
    if (is_of_integers(t)) put("trunc(", "\\operatorname{trunc}\\left(");
    if (latex) {
      put("\\frac{");
      print(t.operands[0], lowest);
      put("}{");
      print(t.operands[1], lowest);
      put("}");
    } else {
      binary(t, infix_of(t));
    }
    if (is_of_integers(t)) put(")", "\\right)");
  }
  constexpr void choice(const scalar_term& t) {
    put(latex ? "\\begin{cases}" : "");
    if (latex) {
      print(t.operands[1], lowest);
      put(" & \\text{if } ");
      print(t.operands[0], lowest);
      put(" \\\\ ");
      print(t.operands[2], lowest);
      put(" & \\text{else}\\end{cases}");
      return;
    }
    print(t.operands[0], comparison);
    put(" ? ");
    print(t.operands[1], comparison);
    put(" : ");
    print(t.operands[2], comparison);
  }
  constexpr void reduction(const scalar_term& t) {
    const std::string_view word = name_of(t.code);
    const bool is_share = t.code == ir::opcode::top_share_edges || t.code == ir::opcode::reduce_top_share;
    if (word.substr(0, 4) == "sum_" || word == "reduce_sum") put("Σ", "\\sum");
    else if (word.substr(0, 5) == "prod_") put("Π", "\\prod");
    else if (is_share) put("1 / Σ", "1 / \\sum");
    else if (word.substr(0, 4) == "max_" || word == "reduce_max") put("max", "\\max");
    else if (word.substr(0, 9) == "first_max") put("argmax", "\\operatorname{argmax}");
    else name(word.substr(0, word.find('_')));
    subscript(t);
    if (is_share) {
      put("exp(", "\\exp\\left(");
      print(t.operands[0], sum);
      put(" - max", " - \\max");
      subscript(t);
      print(t.operands[0], product);
      return put(")", "\\right)");
    }
    const bool nested = f.terms[t.operands[0]].what == kind::reduce;
    print(t.operands[0], nested ? comparison : product);
  }
  /// The range of a reduction.
  constexpr void subscript(const scalar_term& t) {
    const index_variable& over = f.variables[static_cast<int>(t.of)];
    const bool braces = latex || over.what == index_variable::kind::edge || over.set != 0;
    put(braces ? "_{" : "_");
    variable(static_cast<int>(t.of));
    if (over.set != 0) {
      put(" ∈ ", " \\in ");
      kind_name(over.set);
    }
    put(braces ? "} " : " ");
  }
};

}  // namespace detail

/// Equations as lines of text. A vertex is i, then j, k …; an edge j→i leads from j to i; places along feature axes are
/// f, g, h …; a value without a name is v and its number.
///
///   out[i,f] = Σ_{j→i} w[j→i] · x[j,f]
constexpr written_text to_text(const ir::program& p, const index_equations& form) {
  return detail::index_printer(p, form, notation::plain).run();
}
/// The same as lines of a LaTeX environment `aligned`.
///
///   \mathrm{out}_{i,f} &= \sum_{j \to i} w_{j \to i} \, x_{j,f}
constexpr written_text to_latex(const ir::program& p, const index_equations& form) {
  return detail::index_printer(p, form, notation::latex).run();
}

}  // namespace stg::examine
