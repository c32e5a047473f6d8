// Index form as text: for a terminal, and as LaTeX.
#pragma once

#include <cstdint>      // int64_t, uint64_t
#include <string_view>  // string_view

#include <stg/base/sequence.hpp>       // sequence
#include <stg/examine/index_form.hpp>  // index_form
#include <stg/ir/program.hpp>          // program

namespace stg::examine {

/// Text that constant evaluation writes. At run time std::string(t.view()) has it.
struct written_text {
  sequence<char> letters{};
  constexpr std::string_view view() const { return {letters.data(), static_cast<std::size_t>(letters.size())}; }
  constexpr void append(std::string_view s) { letters.append(s.data(), static_cast<int>(s.size())); }
  constexpr void append_number(std::uint64_t n) {
    if (n >= 10) append_number(n / 10);
    letters.push_back(static_cast<char>('0' + n % 10));
  }
};

enum class notation : int { plain, latex };

namespace detail {

class index_printer {
 public:
  constexpr index_printer(const ir::program& of, const index_equations& made, notation as)
      : p(of), f(made), latex(as == notation::latex), output_at(of.size(), -1), label_at(of.size(), -1) {
    for (int k = p.outputs.size() - 1; k >= 0; --k)
      if (p.outputs[k].name.length > 0) output_at[p.outputs[k].at] = k;
    for (int k = p.names.size() - 1; k >= 0; --k)
      if (p.names[k].is_name()) label_at[p.names[k].at] = k;
  }

  constexpr written_text run() {
    bool first = true;
    for (const equation& e : f.equations) {
      if (!first) put(latex ? " \\\\\n" : "\n");
      first = false;
      value(e.value, e.row, e.indices, false);
      put(latex ? " &= " : " = ");
      print(e.right, lowest);
    }
    return to;
  }

 private:
  using kind = scalar_term::kind;
  static constexpr int none = scalar_term::none;
  // How strongly parts of a term hold together.
  static constexpr int lowest = 0, comparison = 1, sum = 2, product = 3, sign = 4, atom = 5;

  constexpr void put(std::string_view s) { to.append(s); }
  constexpr void put(std::string_view plain, std::string_view as_latex) { put(latex ? as_latex : plain); }

  // ---- names ----

  /// Letters of LaTeX's mathematics are variables: several are a word.
  constexpr void name(std::string_view s) {
    if (!latex) return put(s);
    if (s.size() > 1) put("\\mathrm{");
    for (const char c : s) {
      if (c == '\\') put("\\backslash ");
      else if (c == '^' || c == '~') put(c == '^' ? "\\hat{}" : "\\sim ");
      else {
        if (c == '_' || c == '%' || c == '#' || c == '&' || c == '$' || c == '{' || c == '}') put("\\");
        to.letters.push_back(c);
      }
    }
    if (s.size() > 1) put("}");
  }
  constexpr void numbered_name(std::string_view letters, int nth) {
    const int n = static_cast<int>(letters.size());
    to.letters.push_back(letters[static_cast<std::size_t>(nth % n)]);
    if (nth >= n) {
      put(latex ? "_{" : "");
      to.append_number(static_cast<std::uint64_t>(nth / n));
      put(latex ? "}" : "");
    }
  }
  constexpr void variable(int v) {
    const index_variable& x = f.variables[v];
    if (x.what == index_variable::kind::vertex) return numbered_name("ijklmno", x.nth);
    if (x.what == index_variable::kind::feature) return numbered_name("fghpqrst", x.nth);
    variable(x.src);
    put("→", " \\to ");
    variable(x.dst);
  }
  constexpr void kind_name(int number) { name(p.kinds[number - 1].name.view()); }
  constexpr void value_name(ir::value_id i) {
    const ir::statement& s = p[i];
    if (s.code == ir::opcode::input && p.inputs[s.entry()].name.length > 0)
      return name(p.inputs[s.entry()].name.view());
    if (output_at[i] >= 0) return name(p.outputs[output_at[i]].name.view());
    if (label_at[i] >= 0) return name(p.names[label_at[i]].name.view());
    if (p.outputs.size() == 1 && p.outputs[0].at == i) return name("out");
    put("v", "v^{(");  // below it stand its indices
    to.append_number(static_cast<std::uint64_t>(i));
    if (latex) put(")}");
  }
  /// Indices are variables, or terms.
  constexpr void value(ir::value_id i, int row, const int (&indices)[ir::shape::max_rank], bool are_terms) {
    value_name(i);
    bool first = true;
    const auto next = [&] {
      if (first) put(latex ? "_{" : "[");
      else put(",");
      first = false;
    };
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

  // ---- numbers ----

  constexpr void number(double x) {
    if (x != x) return put("NaN", "\\mathrm{NaN}");
    if (x < 0 || (x == 0 && __builtin_bit_cast(std::uint64_t, x) != 0)) {
      put("-");
      x = -x;
    }
    if (x > 1.7976931348623157e308) return put("∞", "\\infty");
    int exponent = 0;
    double scale = 1, power = 1;  // exact up to 10^22: one rounding
    for (; x / scale >= 1e15; ++exponent) scale *= 10;
    if (x != 0 && x < 1e-5)
      for (; x * scale < 1; --exponent) scale *= 10;
    x = exponent > 0 ? x / scale : x * scale;
    int digits = 0;
    for (; digits < 17; ++digits, power *= 10) {
      const double whole = static_cast<double>(static_cast<std::uint64_t>(x * power + 0.5));
      if (whole / power == x || x * power > 1e16) break;
    }
    const std::uint64_t whole = static_cast<std::uint64_t>(x * power + 0.5), one = static_cast<std::uint64_t>(power);
    to.append_number(whole / one);
    if (digits > 0 && whole % one != 0) {
      put(".");
      for (std::uint64_t rest = whole % one, place = one / 10; place > 0 && rest > 0; rest %= place, place /= 10)
        to.append_number(rest / place);
    }
    if (exponent == 0) return;
    put("e", " \\cdot 10^{");
    if (exponent < 0) put("-");
    to.append_number(static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent));
    if (latex) put("}");
  }
  constexpr void extent(ir::extent e) {
    const ir::polynomial size = p.polynomial_of(e);
    for (int t = 0; t < size.count; ++t) {
      const ir::term& one = size.terms[t];
      if (one.coefficient < 0) put("-");
      else if (t > 0) put("+");
      const std::uint64_t c = static_cast<std::uint64_t>(one.coefficient < 0 ? -one.coefficient : one.coefficient);
      if (c != 1 || one.degree == 0) to.append_number(c);
      for (int k = 0; k < one.degree; ++k) {
        if (k > 0 || c != 1) put("·", " ");
        name(one.factors[k].view());
      }
    }
    if (size.count == 0) put("0");
  }

  // ---- terms ----

  struct infix {
    std::string_view plain{}, as_latex{};
    int level = atom;
    bool right_is_higher = false;  // a - (b - c) keeps its parentheses
  };
  static constexpr infix infix_of(const scalar_term& t) {
    switch (t.what) {
      case kind::plus:
        return {"+", "+", sum, false};
      case kind::minus:
        return {"-", "-", sum, true};
      case kind::times:
        return {"·", " ", product, false};
      case kind::remainder:
        return {" mod ", " \\bmod ", product, true};
      case kind::below:
        return {" < ", " < ", comparison, true};
      case kind::same:
        return {" = ", " = ", comparison, true};
      case kind::apply:
        break;
      default:
        return {};
    }
    switch (t.code) {
      case ir::opcode::add:
        return {" + ", " + ", sum, false};
      case ir::opcode::sub:
        return {" - ", " - ", sum, true};
      case ir::opcode::mul:
        return {" · ", " \\, ", product, false};
      case ir::opcode::div:
        return {" / ", " / ", product, true};
      case ir::opcode::less:
        return {" < ", " < ", comparison, true};
      case ir::opcode::less_equal:
        return {" ≤ ", " \\le ", comparison, true};
      case ir::opcode::equal:
        return {" = ", " = ", comparison, true};
      case ir::opcode::not_equal:
        return {" ≠ ", " \\ne ", comparison, true};
      default:
        return {};
    }
  }
  constexpr int level_of(const scalar_term& t) const {
    if (t.what == kind::apply && t.code == ir::opcode::div && (latex || is_of_integers(t))) return atom;
    if (t.what == kind::apply && t.code == ir::opcode::negate) return sign;
    if (t.what == kind::number && t.number < 0) return sign;
    if (t.what == kind::extent && p.polynomial_of(ir::extent(t.of)).count > 1) return sum;
    if (t.what == kind::extent) return product;
    if (t.what == kind::reduce) return comparison;
    if (t.what == kind::choose || (t.what == kind::apply && t.code == ir::opcode::select)) return lowest;
    return infix_of(t).level;
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
        return value(static_cast<ir::value_id>(t.of), t.row, t.indices, true);
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
    print(t.operands[0], as.level);
    put(as.plain, as.as_latex);
    print(t.operands[1], as.right_is_higher ? as.level + 1 : as.level);
  }
  /// Words of operations stand as they are; LaTeX has some of its own.
  constexpr void application(const scalar_term& t) {
    if (t.code == ir::opcode::div) return division(t);
    if (infix_of(t).level != atom) return binary(t, infix_of(t));
    if (t.code == ir::opcode::negate) {
      put("-");
      return print(t.operands[0], sign);
    }
    if (t.code == ir::opcode::select) return choice(t);
    const std::string_view word =
        t.code == ir::opcode::cast ? name_of(p[static_cast<ir::value_id>(t.of)].type) : name_of(t.code);
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
    const double slope = p[static_cast<ir::value_id>(t.of)].number;
    if (t.code == ir::opcode::leaky_relu || t.code == ir::opcode::elu) {
      put("; ");
      number(slope);
    }
    put(")", "\\right)");
  }
  constexpr bool is_of_integers(const scalar_term& t) const {
    return p[static_cast<ir::value_id>(t.of)].type == scalar_type::i32;
  }
  /// That of integers goes towards 0.
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
    const bool is_log_sum_exp = word.substr(0, 11) == "log_sum_exp" || word.substr(0, 18) == "reduce_log_sum_exp";
    if (word.substr(0, 4) == "sum_" || word == "reduce_sum") put("Σ", "\\sum");
    else if (word.substr(0, 5) == "prod_") put("Π", "\\prod");
    else if (is_log_sum_exp) put("log Σ", "\\log \\sum");
    else if (word.substr(0, 4) == "max_" || word == "reduce_max") put("max", "\\max");
    else if (word.substr(0, 9) == "first_max") put("argmax", "\\operatorname{argmax}");
    else name(word.substr(0, word.find('_')));
    const index_variable& over = f.variables[static_cast<int>(t.of)];
    const bool braces = latex || over.what == index_variable::kind::edge || over.set != 0;
    put(braces ? "_{" : "_");
    variable(static_cast<int>(t.of));
    if (over.set != 0) {
      put(" ∈ ", " \\in ");
      kind_name(over.set);
    }
    put(braces ? "} " : " ");
    if (is_log_sum_exp) {
      put("exp(", "\\exp\\left(");
      print(t.operands[0], lowest);
      return put(")", "\\right)");
    }
    const bool nested = f.terms[t.operands[0]].what == kind::reduce;
    print(t.operands[0], nested ? comparison : product);
  }

  const ir::program& p;
  const index_equations& f;
  bool latex;
  sequence<int> output_at, label_at;  // of each value, its first output and name that have letters
  written_text to{};
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
