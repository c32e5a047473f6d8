// Names of values and variables, numbers and extents in the text of an index form.
#pragma once

#include <cstdint>      // uint64_t
#include <string_view>  // string_view

#include <stg/base/decimal.hpp>         // shortest_decimal
#include <stg/base/sequence.hpp>        // sequence
#include <stg/examine/scalar_term.hpp>  // scalar_term, index_variable, index_equations
#include <stg/ir/program.hpp>           // program

namespace stg::examine {

/// Text written in constant evaluation. At run time std::string(t.view()) has it.
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

class index_names {
 protected:
  static constexpr int none = scalar_term::none;

  constexpr index_names(const ir::program& of, const index_equations& made, notation as)
      : p(of), f(made), latex(as == notation::latex), output_at(of.size(), -1), label_at(of.size(), -1) {
    for (int k = p.outputs.size() - 1; k >= 0; --k)
      if (p.outputs[k].name.length > 0) output_at[p.outputs[k].at] = k;
    for (int k = p.names.size() - 1; k >= 0; --k) label_at[p.names[k].at] = k;
  }

  constexpr void put(std::string_view s) { to.append(s); }
  constexpr void put(std::string_view plain, std::string_view as_latex) { put(latex ? as_latex : plain); }

  /// Letters of LaTeX's mathematics are variables: several are a word.
  constexpr void name(std::string_view s) {
    if (!latex) return put(s);
    if (s.size() > 1) put("\\mathrm{");
    for (const char c : s) {
      if (c == '\\') put("\\backslash ");
      else if (c == '^' || c == '~') put(c == '^' ? "\\hat{}" : "\\sim ");
      else if (c == ' ') put("\\ ");
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

  /// The shortest digits that read back as x; with a power of ten from 10^15 on, and below 10^-5.
  constexpr void number(double x) {
    if (x != x) return put("NaN", "\\mathrm{NaN}");
    if (is_negative(x)) {
      put("-");
      x = -x;
    }
    if (x > 1.7976931348623157e308) return put("∞", "\\infty");
    if (x == 0) return put("0");
    const decimal d = shortest_decimal(x);
    if (has_exponent(x)) {
      digits(d, 0, 1);
      if (d.count > 1) put(".");
      digits(d, 1, d.count);
      put("e", " \\cdot 10^{");
      if (d.exponent < 0) put("-");
      to.append_number(static_cast<std::uint64_t>(d.exponent < 0 ? -d.exponent : d.exponent));
      if (latex) put("}");
      return;
    }
    if (d.exponent < 0) put("0");
    else digits(d, 0, d.exponent + 1);
    if (d.count <= d.exponent + 1) return;
    put(".");
    digits(d, d.exponent + 1, d.count);
  }
  static constexpr bool is_negative(double x) { return __builtin_bit_cast(std::uint64_t, x) >> 63 != 0 && x == x; }
  static constexpr bool has_exponent(double x) {
    const double size = x < 0 ? -x : x;
    return size != 0 && (size < 1e-5 || (size >= 1e15 && size <= 1.7976931348623157e308));
  }
  /// Digits of a decimal from one place up to a second; digits before the first and behind the last are 0.
  constexpr void digits(const decimal& d, int from, int up_to) {
    for (int k = from; k < up_to; ++k) to.letters.push_back(k >= 0 && k < d.count ? d.digits[k] : '0');
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

  const ir::program& p;
  const index_equations& f;
  bool latex;
  sequence<int> output_at, label_at;  // of each value, its first output and name that have letters
  written_text to{};
};

}  // namespace detail

}  // namespace stg::examine
