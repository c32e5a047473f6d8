// Spelling statements in the language.
#include "program_text.hpp"

#include <stg/ir/callees.hpp>  // arguments_of
#include <stg/ir/print.hpp>    // spelled, operation_text
#include <stg/op/list.hpp>     // info_of

#include <string_view>  // string_view
#include <vector>       // vector

namespace stg::test {
namespace {

class speller {
 public:
  /// carried: of the inputs of a scan's step, how many the step before it gives.
  explicit speller(const ir::program& p, int carried = 0) : p(p), carried(carried) {}

  std::string text() const {
    std::string r = symbols() + "\ninline constexpr auto program = [](auto v) {\n" + statements("  ");
    for (const ir::label_range& c : p.checks)
      r += "  v.trace->program.checks.push_back({" + name(c.labels) + ".id, " +
           (c.mask == ir::no_value ? "stg::ir::no_value" : name(c.mask) + ".id") + ", stg::ir::extent(" +
           std::to_string(c.classes.code) + ")});\n";
    r += "  return stg::outputs(";
    for (int k = 0; k < p.outputs.size(); ++k) r += (k > 0 ? ", " : "") + name(p.outputs[k].at);
    return r + ");\n};\n";
  }

  std::string text_of_scan() const {
    ir::value_id scan = 0;
    while (p[scan].code != ir::opcode::scan) ++scan;
    const ir::program& step = p.callees[p[scan].callee()];
    const int carried = p[scan].carried();
    std::string r = symbols() + "\ninline constexpr auto program = [](auto v) {\n" +
                    "  [[maybe_unused]] const auto in = v.in_edges();\n" + "  auto all = stg::scan<\"" +
                    std::string(p.polynomial_of(p[scan].over).terms[0].factors[0].view()) + "\">(v, " +
                    (ir::is_split(step) ? "stg::split_steps(" : "") + "[](auto v";
    for (int k = 0; k < carried; ++k) r += ", [[maybe_unused]] auto c" + std::to_string(k);
    r += ") {\n" + speller(step, carried).statements("    ") + "    return stg::next(";
    for (int k = 0; k < carried; ++k) r += (k > 0 ? ", " : "") + name(step.outputs[k].at);
    r += ").gives(";
    for (int k = carried; k < step.outputs.size(); ++k) r += (k > carried ? ", " : "") + name(step.outputs[k].at);
    r += ");\n  }";
    if (ir::is_split(step)) r += ')';
    const sequence<ir::value_id> given = ir::arguments_of(p, p[scan]);
    for (int k = 0; k < carried; ++k) r += ", " + read(p[given[k]]);
    r += ");\n  return stg::outputs(";
    const auto results = step.outputs.size();
    for (int k = 0; k < results; ++k)
      r += results == 1 ? "all" : (k > 0 ? ", " : "") + ("std::get<" + std::to_string(k) + ">(all)");
    return r + ");\n};\n";
  }

 private:
  std::string symbols() const {
    std::string r;
    for (const ir::statement& s : p.statements)
      if (s.code == ir::opcode::input) r += symbol(s);
    return r;
  }
  std::string statements(const std::string& indent) const {
    std::string r = indent + "[[maybe_unused]] const auto in = v.in_edges();\n";
    for (ir::value_id i = 0; i < p.size(); ++i)
      r += indent + "[[maybe_unused]] auto " + name(i) + " = " + statement(p[i]) + ";  // " + comment(p[i]) + '\n';
    return r;
  }
  static std::string name(ir::value_id i) { return "v" + std::to_string(i); }
  static std::string type(scalar_type t) { return "stg::" + std::string(t == boolean ? "boolean" : name_of(t)); }
  std::string comment(const ir::statement& s) const {
    return std::string(name_of(s.where.kind)) + " " + ir::detail::spelled(p, s.dims);
  }
  static std::string extent(const ir::polynomial& e) {
    std::string r;
    for (int i = 0; i < e.count; ++i) {
      const ir::term& t = e.terms[i];
      if (i > 0) r += " + ";
      if (t.coefficient != 1 || t.degree == 0) r += std::to_string(t.coefficient) + (t.degree > 0 ? " * " : "");
      for (int f = 0; f < t.degree; ++f)
        r += (f > 0 ? " * " : "") + ("stg::extent<\"" + std::string(t.factors[f].view())) + "\">";
    }
    return r.empty() ? "0" : r;
  }
  std::string extent(ir::extent e) const { return extent(p.polynomial_of(e)); }
  std::string extents(const ir::shape& dims, const std::string& before = "") const {
    std::string r;
    for (int a = 0; a < dims.rank; ++a) r += (a > 0 ? ", " : before) + extent(dims.axes[a]);
    return r;
  }
  static std::string where(ir::domain s) {
    return s == ir::space::edge ? "stg::space::in_edge" : "stg::space::" + std::string(name_of(s.kind));
  }
  const ir::input& input_of(const ir::statement& s) const { return p.inputs[s.entry()]; }

  std::string symbol(const ir::statement& s) const {
    const ir::input& in = input_of(s);
    const std::string_view kind = in.sparse                      ? "stg::sparse_feature"
                                  : s.where == ir::space::vertex ? "stg::vertex_feature"
                                  : s.where == ir::space::edge   ? "stg::edge_feature"
                                                                 : "stg::test::graph_feature";
    const std::string plain =
        std::string(kind) + "<\"" + std::string(in.name.view()) + "\", " + type(s.type) + extents(s.dims, ", ") + ">";
    const std::string each = s.is_sequence() ? "stg::over<" + extent(s.over) + ">(" + plain + ")" : plain;
    return "inline constexpr auto " + std::string(in.name.view()) + " = " +
           (in.trainable ? "trainable(" + each + ")" : each) + ";\n";
  }

  // ---- statements ----

  std::string operand(const ir::statement& s, int k) const { return name(s.operands[k]); }
  bool all_real(const ir::statement& s) const {
    for (int k = 0; k < s.arity(); ++k)
      if (p.operand(s, k).type != f64) return false;
    return true;
  }
  std::string call(const std::string& function, const ir::statement& s, const std::string& more = "") const {
    std::string r = function + "(";
    for (int k = 0; k < s.arity(); ++k) r += (k > 0 ? ", " : "") + operand(s, k);
    return r + more + ")";
  }
  std::string infix(std::string_view sign, const ir::statement& s) const {
    return operand(s, 0) + " " + std::string(sign) + " " + operand(s, 1);
  }
  static int only_axis(std::int64_t axes) {
    for (int a = 0; a < ir::shape::max_rank; ++a)
      if (axes == std::int64_t(1) << a) return a;
    return -1;
  }

  std::string read(const ir::statement& s) const {
    return (s.where == ir::space::edge ? "in(" : "v(") + std::string(input_of(s).name.view()) + ")";
  }
  std::string statement(const ir::statement& s) const {
    if (s.code == ir::opcode::input && s.entry() < carried) return "c" + std::to_string(s.entry());
    if (s.code == ir::opcode::input) return read(s);
    if (s.code == ir::opcode::degree)
      return "v.template " + std::string(name_of(s.side())) + "_degree<" + type(s.type) + ">()";
    if (!all_real(s) || s.arity() == 0) return written(s);
    const std::string plain = "stg::" + std::string(name_of(s.code));
    switch (op::info_of(s.code).kind) {
      case op::category::pointwise:
        return pointwise(s, plain);
      case op::category::feature:
        return feature(s);
      case op::category::gather:
        return call(s.code == ir::opcode::gather_src ? "in.src" : "in.dst", s);
      case op::category::aggregate:
        if (s.side() == ir::direction::out) return written(s);
        if (s.code == ir::opcode::sum_edges) return call("stg::sum", s);
        if (s.code == ir::opcode::max_edges) return call("stg::max", s);
        return written(s);
      case op::category::reduction:
        if (s.code == ir::opcode::sum_vertices) return call("stg::sum", s, ", stg::all_vertices");
        if (s.code == ir::opcode::max_vertices) return call("stg::max", s, ", stg::all_vertices");
        return written(s);
      case op::category::dense:
        return s.code == ir::opcode::matmul && !s.is_transposed() ? call(plain, s) : written(s);
      case op::category::source:
      case op::category::call:
      case op::category::message:
        break;
    }
    return written(s);
  }

  std::string pointwise(const ir::statement& s, const std::string& plain) const {
    switch (s.code) {
      case ir::opcode::add:
        return infix("+", s);
      case ir::opcode::sub:
        return infix("-", s);
      case ir::opcode::mul:
        return infix("*", s);
      case ir::opcode::div:
        return infix("/", s);
      case ir::opcode::less:
        return infix("<", s);
      case ir::opcode::less_equal:
        return infix("<=", s);
      case ir::opcode::equal:
        return infix("==", s);
      case ir::opcode::not_equal:
        return infix("!=", s);
      case ir::opcode::negate:
        return "-" + operand(s, 0);
      case ir::opcode::leaky_relu:
      case ir::opcode::elu:
        return call(plain, s, ", " + ir::detail::spelled(s.real()));
      case ir::opcode::detach:
        return !s.is_shifted() ? call(plain, s) : written(s);
      case ir::opcode::cast:
      case ir::opcode::broadcast_to:
      case ir::opcode::select:
      case ir::opcode::softmax_edges:
      case ir::opcode::softmax_axes:
        return written(s);
      default:
        return call(plain, s);
    }
  }

  std::string feature(const ir::statement& s) const {
    const std::string axis = "stg::axis<" + std::to_string(ir::held(s, ir::member::axis)) + ">";
    const int reduced = only_axis(s.axes());
    const std::string kept = ", stg::axis<" + std::to_string(reduced) + ">, stg::keepdim";
    switch (s.code) {
      case ir::opcode::reduce_sum:
        return reduced < 0 ? written(s) : call("stg::sum", s, kept);
      case ir::opcode::reduce_max:
        return reduced < 0 ? written(s) : call("stg::max", s, kept);
      case ir::opcode::reshape:
        return s.dims.rank == 0 ? written(s) : call("stg::reshape<" + extents(s.dims) + ">", s);
      case ir::opcode::concat:
        return p.operand(s, 0).where == p.operand(s, 1).where ? call("stg::concat<" + axis + ">", s) : written(s);
      default:
        return written(s);
    }
  }

  /// What the language has no word for, or not in this place.
  std::string written(const ir::statement& s) const {
    const std::string attribute = ir::attribute_is_extent(s.code)
                                      ? "stg::test::code_of(v.trace, " + extent(ir::extent_of(s)) + ")"
                                      : std::to_string(ir::held(s, ir::member::attribute));
    std::string r = "stg::test::written<" + where(s.where) + ", stg::test::dims<" + extents(s.dims) + ">, " +
                    type(s.type) + ">(v.trace, stg::ir::opcode::" + std::string(name_of(s.code)) + ", " + attribute +
                    ", " + std::to_string(ir::held(s, ir::member::axis)) + ", " + ir::detail::spelled(s.real());
    for (int k = 0; k < s.arity(); ++k) r += ", " + operand(s, k) + ".id";
    return r + ")";
  }

  const ir::program& p;
  int carried;
};

}  // namespace

std::string lambda_of(const ir::program& p) { return speller(p).text(); }
std::string lambda_of_scan(const ir::program& p) { return speller(p).text_of_scan(); }

}  // namespace stg::test
