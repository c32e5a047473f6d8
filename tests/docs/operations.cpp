// Prints docs/operations.md: what every struct of op/ says of itself, and its gradient as it writes it for symbols.
//
// `a`, `b` and `c` are the operands, `y` the result and `d` its cotangent. Facts come from the structs, gradients from
// running them.
#include <stg/base/error.hpp>     // error
#include <stg/ir/print.hpp>       // operation_text
#include <stg/pass/autodiff.hpp>  // adjoint

#include <cstdlib>      // EXIT_FAILURE
#include <exception>    // exception
#include <iostream>     // cout
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

namespace {

using namespace stg;
using ir::opcode;

// ---- an operation on symbols ----

/// Without parentheses around all of it.
std::string bare(const std::string& s) {
  if (s.front() != '(' || s.back() != ')') return s;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < s.size(); ++i) {
    depth += s[i] == '(' ? 1 : s[i] == ')' ? -1 : 0;
    if (depth == 0) return s;
  }
  return s.substr(1, s.size() - 2);
}

class example {
 public:
  explicit example(opcode code) {
    const op::info& known = op::info_of(code);
    ir::statement s;
    s.code = code;
    s.type = f64;
    for (int k = 0; k < known.arity; ++k) s.operands[k] = operand(code, known.kind, k);
    bring_shape(s);
    op::visit(code, [&](auto operation) {
      if (decltype(operation)::type::takes_number) s.set_real(number_of_text);
    });
    result = pass::emit(p, s);
  }

  std::vector<std::string> gradients() {
    std::vector<std::string> texts;
    if (!is_real(p[result].type)) return texts;
    const int inputs = p.inputs.size();
    ir::output o;
    o.at = result;
    p.outputs.push_back(o);
    for (int k = 0; k < inputs; ++k) {
      const ir::value_id of = p[result].operands[k];
      const bool refused = op::info_of(p[result].code).refused_operands >> k & 1;
      if (refused || !is_real(p[of].type) || p[of].code != opcode::input) continue;
      try {
        const pass::joint_program joint = pass::autodiff(p, {0}, {of});
        texts.push_back("d" + std::string(name(k)) + " = " +
                        bare(text(joint.program, joint.program.outputs.back().at, joint)));
      } catch (const pass::input_has_no_gradient&) {
      }
    }
    return texts;
  }

 private:
  static constexpr double number_of_text = 0.25;  // printed as s
  static constexpr std::string_view name(int k) {
    return std::string_view("abc").substr(static_cast<std::size_t>(k), 1);
  }

  ir::extent extent(std::string_view name) { return p.intern(ir::polynomial(text_of(name))); }
  static stg::text text_of(std::string_view name) { return stg::text(name); }
  ir::shape shape(std::initializer_list<std::string_view> axes) {
    ir::shape dims;
    for (const std::string_view a : axes) dims.push(a == "1" ? ir::extent(1) : extent(a));
    return dims;
  }
  ir::value_id input(int k, ir::domain where, scalar_type type, const ir::shape& dims, bool sparse = false) {
    ir::statement s;
    s.code = opcode::input;
    s.where = where;
    s.type = type;
    s.dims = dims;
    s.set_entry(p.inputs.size());
    ir::input in;
    in.name = text_of(name(k));
    in.sparse = sparse;
    p.inputs.push_back(in);
    return p.emit(s);
  }
  ir::value_id operand(opcode code, op::category kind, int k) {
    using ir::space;
    switch (kind) {
      case op::category::pointwise:
        if (code == opcode::select && k == 0) return input(k, space::vertex, boolean, shape({"k"}));
        if (code == opcode::softmax_edges) return input(k, space::edge, f64, shape({"k"}));
        if (code == opcode::broadcast_to) return input(k, space::vertex, f64, shape({"1"}));
        return input(k, space::vertex, code == opcode::cast ? f32 : f64, shape({"k"}));
      case op::category::feature:
        if ((code == opcode::pick || code == opcode::put) && k == 1) return input(k, space::vertex, i32, ir::shape());
        if (code == opcode::put) return input(k, space::vertex, f64, shape({"m"}));
        if (code == opcode::pick) return input(k, space::graph, f64, shape({"k", "m"}));
        if (code == opcode::concat) return input(k, space::vertex, f64, shape({k == 0 ? "k" : "m"}));
        if (code == opcode::slice) return input(k, space::vertex, f64, shape({"k"}));
        return input(k, space::vertex, f64, code == opcode::pad ? shape({"m"}) : shape({"k", "m"}));
      case op::category::aggregate:
        return input(k, space::edge, f64, shape({"k"}));
      case op::category::message:
        return input(k, space::graph, f64, shape({"k"}));
      case op::category::dense:
        if (k == 2) return pass::constant(p, f64, 1).id;
        if (k == 0) return input(k, space::vertex, f64, shape({"k"}), false);
        if (code == opcode::matmul || code == opcode::sparse_matmul)
          return input(k, space::graph, f64, shape({"k", "m"}));
        return input(k, space::vertex, f64, shape({"m"}));
      default:
        if (code == opcode::scatter_sum && k == 1) return input(k, space::vertex, i32, ir::shape());
        return input(k, space::vertex, f64, shape({code == opcode::scatter_sum ? "m" : "k"}));
    }
  }
  void bring_shape(ir::statement& s) {
    switch (s.code) {
      case opcode::broadcast_to:
        s.where = ir::space::vertex;
        s.dims = shape({"k"});
        break;
      case opcode::reduce_sum:
      case opcode::reduce_max:
      case opcode::reduce_top_share:
        s.set_only_axis(1);
        break;
      case opcode::softmax_axes:
        s.set_only_axis(0);
        break;
      case opcode::reshape:
        s.dims.push(p.intern(ir::polynomial(text_of("k")) * ir::polynomial(text_of("m"))));
        break;
      case opcode::concat:
        s.dims.push(p.intern(ir::polynomial(text_of("k")) + ir::polynomial(text_of("m"))));
        break;
      case opcode::put:
      case opcode::scatter_sum:
        s.set_beginning(extent("k"));
        break;
      case opcode::transpose:
        s.set_swapped(0, 1);
        break;
      case opcode::slice:
        s.set_beginning(ir::extent(3));
        s.dims = shape({"m"});
        break;
      case opcode::pad:
        s.set_beginning(ir::extent(3));
        s.dims = shape({"k"});
        break;
      default:
        break;
    }
  }

  // ---- an expression as text ----

  std::string text(const ir::program& q, ir::value_id at, const pass::joint_program& joint) const {
    const ir::statement& s = q[at];
    if (at == joint.cotangents[0]) return "d";
    if (at == result) return "y";
    if (s.code == opcode::input) return std::string(q.inputs[s.entry()].name.view());
    if (s.code == opcode::constant) return s.value() == number_of_text ? "s" : ir::detail::spelled(s.value());
    const auto of = [&](int k) { return text(q, s.operands[k], joint); };
    const auto infix = [&](const char* sign) { return "(" + of(0) + sign + of(1) + ")"; };
    switch (s.code) {
      case opcode::add:
        return infix(" + ");
      case opcode::sub:
        return infix(" - ");
      case opcode::mul:
        return infix(" · ");
      case opcode::div:
        return infix(" / ");
      case opcode::less:
        return infix(" < ");
      case opcode::equal:
        return infix(" = ");
      case opcode::negate:
        return "-" + of(0);
      default:
        break;
    }
    std::string r = ir::detail::operation_text(q, s);
    const std::size_t blank = r.find(' ');  // before what a statement brings itself: sum_edges[in]
    if (blank != std::string::npos) r.replace(blank, 1, "[").push_back(']');
    for (int k = 0; k < s.arity(); ++k) r += (k > 0 ? ", " : "(") + bare(of(k));
    return s.arity() > 0 ? r + ")" : r;
  }

  ir::program p{};
  ir::value_id result = ir::no_value;
};

std::string gradient_of(opcode code) {
  const op::info& known = op::info_of(code);
  if (known.kind == op::category::source) return "";
  if (code == opcode::own_gradient) return "the program that it was given with";
  if (known.kind == op::category::call) return "of the scan: a scan from the last step to the first";
  if (known.kind == op::category::message) return "a message the other way";
  if (known.refused_operands == (1 << known.arity) - 1) return "refused";
  std::string r;
  for (const std::string& g : example(code).gradients()) r += (r.empty() ? "`" : "<br>`") + g + "`";
  for (int k = 0; k < known.arity; ++k) {
    const std::string line = r.empty() ? "" : "<br>", operand(1, static_cast<char>('a' + k));
    if (known.refused_operands >> k & 1) r += line + "refused through " + operand;
    if (known.passive_operands >> k & 1) r += line + "passes " + operand + " by";
  }
  return r.empty() ? "none" : r;
}

constexpr std::string_view heads[] = {"## Sources\n\nWhat is computed from nothing: bound, known, counted or drawn.\n",
                                      "## Pointwise\n\nPer feature; a graph value is read from anywhere.\n",
                                      "## Along feature axes\n\nOf one value, never across vertices or edges.\n",
                                      "## Gathers\n\nThe value of an edge's end.\n",
                                      "## Aggregates\n\nOver the edges that a vertex owns, on one of the two sides.\n",
                                      "## Reductions\n\nOver all vertices.\n",
                                      "## Dense\n\nRows times a parameter, and rows times rows.\n",
                                      "## Scans\n\nA program as the step of another: [time.md](time.md).\n"};

}  // namespace

int main() try {
  std::cout
      << "# Operations\n\n<!-- Written by tests/docs/operations.cpp from the structs in include/stg/op/. Change those "
         "and build the target `operations_page`. -->\n\n"
         "Statements of a program are made of these; what the language writes them with stands in "
         "[language_reference.md](language_reference.md). `a`, `b`, `c` are\noperands, `y` is the result, `d` its "
         "cotangent and `s` the "
         "statement's number. A gradient is what the operation's struct writes for symbols with\nnamed extents `k` and "
         "`m`, before any pass looks at it. *refused*: to ask for it is a compile error. Cost counts arithmetic "
         "operations per element;\nwhat is saved for a gradient and what is computed again depends on it.\n";
  for (int kind = 0; kind < 8; ++kind) {
    std::cout << '\n'
              << heads[kind]
              << "\n| operation | operands | rule | gradient | cost | source |\n|---|---|---|---|---|---|\n";
    for (int k = 0; k < ir::opcode_count; ++k) {
      const auto code = static_cast<opcode>(k);
      const op::info& known = op::info_of(code);
      if (static_cast<int>(known.kind) != kind) continue;
      std::string_view source, rule;
      op::visit(code, [&](auto operation) {  // of a source, the name is that of its class
        using Op = typename decltype(operation)::type;
        rule = Op::in_words;
        if constexpr (requires { std::string_view(Op::source); }) source = Op::source;
      });
      std::cout << "| `" << name_of(code) << "` | " << known.arity << (known.commutative ? ", commute" : "") << " | "
                << rule << " | " << gradient_of(code) << " | " << known.cost << " | " << source << " |\n";
    }
  }
} catch (const std::exception& e) {
  std::cerr << "operations: " << e.what() << '\n';
  return EXIT_FAILURE;
} catch (const op::rule_is_broken&) {
  std::cerr << "operations: an operation breaks its rule with the operands that tests/docs/operations.cpp gives it\n";
  return EXIT_FAILURE;
}
