// Index forms of values: functions that are true, in constant evaluation and at run time.
#pragma once

#include "models.hpp"

#include <stg/examine/index_text.hpp>

namespace stg::examined {

inline constexpr auto thirty_two = vertex_feature<"thirty_two", 32>;
inline constexpr auto heads = vertex_feature<"heads", 4, 8>;

constexpr bool is_written(const ir::program& p, std::string_view plain) {
  return examine::to_text(p, examine::index_form_to_inputs(p, p.outputs[0].at)).view() == plain;
}
constexpr bool is_written(auto model, std::string_view plain) { return is_written(canonical(model), plain); }
constexpr bool is_written_as_it_is(auto model, std::string_view plain) { return is_written(trace(model), plain); }
constexpr bool is_latex(auto model, std::string_view latex) {
  const ir::program p = canonical(model);
  return examine::to_latex(p, examine::index_form_to_inputs(p, p.outputs[0].at)).view() == latex;
}

inline constexpr auto weighted = [](auto v) {
  auto e = v.in_edges();
  return sum(e(ew) * e.src(x));
};
constexpr bool a_sum_over_edges_is_one_over_neighbours() {
  return is_written(weighted, "out[i,f] = Σ_{j→i} ew[j→i] · x[j,f]") &&
         is_latex(weighted, "\\mathrm{out}_{i,f} &= \\sum_{j \\to i} \\mathrm{ew}_{j \\to i} \\, x_{j,f}") &&
         is_written([](auto v) { return sum(v.out_edges().dst(x)); }, "out[i,f] = Σ_{i→j} x[j,f]") &&
         is_written([](auto v) { return max(v.in_edges().src(x)) - v(x); }, "out[i,f] = (max_{j→i} x[j,f]) - x[i,f]");
}
constexpr bool attention_is_its_equations() {
  return is_written(attention,
                    "out[i,f] = Σ_{j→i} exp(score[j→i] - (max_{k→i} score[k→i])) · "
                    "(1 / Σ_{l→i} exp(score[l→i] - max_{l→i} score[l→i])) · v2[j,f]\n"
                    "score[j→i] = leaky_relu(v4[j] + v4[i]; 0.2)\n"
                    "v2[i,f] = Σ_g x[i,g] · W[g,f]\n"
                    "v4[i] = Σ_f v2[i,f] · A[f]");
}
constexpr bool one_statement_reads_its_operands_by_name() {
  const ir::program p = canonical(attention);
  const ir::value_id score = p.names[0].at;
  return examine::to_text(p, examine::index_form(p, score)).view() == "score[j→i] = leaky_relu(v7[j→i]; 0.2)" &&
         examine::to_text(p, examine::index_form(p, first_of(p, ir::opcode::gather_dst))).view() == "v6[j→i] = v4[i]";
}
constexpr bool moving_along_axes_is_arithmetic() {
  return is_written([](auto v) { return reshape<32>(v(heads)); }, "out[i,f] = heads[i,⌊f / 8⌋,f mod 8]") &&
         is_written([](auto v) { return reshape<4, 2, 4>(v(heads)); }, "out[i,f,g,h] = heads[i,f,g·4+h]") &&
         is_written([](auto v) { return reshape<4, 1, 8>(v(heads)); }, "out[i,f,g] = heads[i,f,g]") &&
         is_written([](auto v) { return slice<1, 3>(v(x)); }, "out[i,f] = x[i,f+1]") &&
         is_written([](auto v) { return v(x)[2]; }, "out[i] = x[i,2]") &&
         is_written([](auto v) { return concat<axis<0>>(v(x), v(z)); }, "out[i,f] = f < 4 ? x[i,f] : z[i,f-4]") &&
         is_written([](auto v) { return transpose<0, 1>(v(heads)); }, "out[i,f,g] = heads[i,g,f]");
}
constexpr bool parentheses_are_where_they_are_needed() {
  const auto minus = [](auto v) { return v(x) - (v(y) - v(x) * 2.0); };
  const auto over = [](auto v) { return v(x) / (v(y) * 0.25) + 1e-7; };
  return is_written(minus, "out[i,f] = x[i,f] - (y[i,f] - x[i,f] · 2)") &&
         is_written(over, "out[i,f] = x[i,f] / (y[i,f] · 0.25) + 1e-7") &&
         is_latex(over, "\\mathrm{out}_{i,f} &= \\frac{x_{i,f}}{y_{i,f} \\cdot 0.25} + 1 \\cdot 10^{-7}");
}
constexpr bool signs_and_remainders_are_not_misread() {
  const auto turned = [](auto v) { return reshape<32>(transpose<0, 1>(reshape<4, 8>(v(thirty_two)))); };
  const auto smaller = [](auto v) { return cast<f32>((v(x) < v(y)) == (v(y) < v(x))); };
  return is_written(turned, "out[i,f] = thirty_two[i,(f mod 4)·8+⌊f / 4⌋]") &&
         is_latex(turned,
                  "\\mathrm{out}_{i,f} &= "
                  "\\mathrm{thirty\\_two}_{i,\\left(f \\bmod 4\\right) \\cdot 8+\\lfloor f / 4 \\rfloor}") &&
         is_written_as_it_is([](auto v) { return v(x) - -v(y); }, "out[i,f] = x[i,f] - (-y[i,f])") &&
         is_written_as_it_is([](auto v) { return v(x) * (-3.0 * v(y)); }, "out[i,f] = x[i,f] · (-3 · y[i,f])") &&
         is_written_as_it_is([](auto v) { return -(-v(x)); }, "out[i,f] = -(-x[i,f])") &&
         is_written_as_it_is(smaller, "out[i,f] = f32((x[i,f] < y[i,f]) = (y[i,f] < x[i,f]))");
}
constexpr bool numbers_read_back_as_they_are() {
  return is_written_as_it_is([](auto v) { return cast<f64>(v(label)) * 5e-324; }, "out[i] = f64(label[i]) · 5e-324") &&
         is_written_as_it_is([](auto v) { return cast<f64>(v(label)) * 2.2250738585072014e-308; },
                             "out[i] = f64(label[i]) · 2.2250738585072014e-308") &&
         is_written_as_it_is([](auto v) { return cast<f64>(v(label)) + 1.7976931348623157e308; },
                             "out[i] = f64(label[i]) + 1.7976931348623157e308") &&
         is_written_as_it_is([](auto v) { return cast<f64>(v(label)) + 123456.78901234567; },
                             "out[i] = f64(label[i]) + 123456.78901234567") &&
         is_written_as_it_is([](auto v) { return cast<f64>(v(label)) / 1e22; }, "out[i] = f64(label[i]) / 1e22");
}
constexpr bool a_division_of_integers_goes_towards_zero() {
  const auto third = [](auto v) { return v(label) / 3 * 2; };
  return is_written(third, "out[i] = trunc(label[i] / 3) · 2") &&
         is_latex(third,
                  "\\mathrm{out}_{i} &= \\operatorname{trunc}\\left(\\frac{\\mathrm{label}_{i}}{3}\\right) \\cdot 2");
}
constexpr bool ways_are_cut_where_they_meet() {
  const ir::program p = chain(3), many = chain(100);
  const examine::index_equations all = examine::index_form_to_inputs(many, many.outputs[0].at);
  return is_written(p,
                    "out[i] = a · v8[i] + b · v8[i]\n"
                    "v8[i] = a · v5[i] + b · v5[i]\n"
                    "v5[i] = a · x[i] + b · x[i]") &&
         all.equations.size() == 100 && all.terms.size() == 700;
}
/// h + h, reshaped there and back: the reshapes are written out, and what they move is read at two places.
constexpr ir::program moving_chain(int steps) {
  ir::program p;
  p.inputs = {ir::input{text("x")}};
  ir::statement s;
  s.where = ir::space::vertex;
  s.dims.push(ir::extent(4));
  pass::value at{&p, p.emit(s)};
  for (int k = 0; k < steps; ++k) {
    s = ir::statement();
    s.code = ir::opcode::reshape;
    s.where = ir::space::vertex;
    s.operands[0] = at.id;
    if (k % 2 == 0) s.dims.push(ir::extent(2));
    s.dims.push(ir::extent(k % 2 == 0 ? 2 : 4));
    const pass::value moved{&p, p.emit(s)};
    at = moved + moved;
  }
  p.outputs.push_back(ir::output{at.id, {}});
  return p;
}
constexpr bool ways_that_only_move_are_cut_too() {
  const ir::program few = moving_chain(8), more = moving_chain(16);
  const examine::index_equations one = examine::index_form_to_inputs(few, few.outputs[0].at),
                                 two = examine::index_form_to_inputs(more, more.outputs[0].at);
  return one.equations.size() == 8 && two.equations.size() == 16 && two.terms.size() <= 2 * one.terms.size() + 8;
}
/// Asked of a value that is dead, too, what is read twice is one equation.
constexpr bool what_no_output_needs_has_a_form() {
  ir::program p = chain(30);
  const ir::value_id last = p.outputs[0].at;
  p.outputs[0].at = 0;
  return examine::index_form_to_inputs(p, last).equations.size() == 30;
}
constexpr bool a_value_with_its_own_gradient_is_what_it_is() {
  return is_written(rounds_straight, "out[i,f] = round(x[i,f]) - y[i,f]");
}
constexpr bool kinds_are_named() {
  return is_written(cited_then_written, "v2[i,f] = Σ_{j→i ∈ cites} year[j,f]") &&
         is_written([](auto g) { return sum(g(paper)(year), all_vertices) / g(paper).vertex_count(); },
                    "out[f] = (Σ_{i ∈ paper} year[i,f]) / |paper|") &&
         is_written(written_by, "out[i,f] = (Σ_{j→i ∈ writes} age[j,f]) / max(deg_in[writes,i], 1)") &&
         is_latex(written_by,
                  "\\mathrm{out}_{i,f} &= \\frac{\\sum_{j \\to i \\in \\mathrm{writes}} \\mathrm{age}_{j,f}}"
                  "{\\max\\left(\\deg^-_{\\mathrm{writes},i}, 1\\right)}");
}
inline constexpr auto marked = vertex_feature<"W^2_{a}">;
constexpr bool letters_that_mean_something_are_escaped() {
  return is_latex([](auto v) { return -v(marked); }, "\\mathrm{out}_{i} &= -\\mathrm{W\\hat{}2\\_\\{a\\}}_{i}");
}
inline constexpr auto random_value = [](auto v) { return dropout(v(x), 0.5); };

}  // namespace stg::examined
