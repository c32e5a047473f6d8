// Signatures of programs, in words.
#include <stg/door/signature.hpp>

#include <string_view>  // string_view

#include <stg/ir/spelling.hpp>  // spelled
#include <stg/op/list.hpp>      // effect, info_of

namespace stg::door {

namespace {

value value_of(const ir::program& p, const ir::statement& s, std::string_view name) {
  value v;
  v.name = name;
  const bool of_edges = s.where == ir::space::edge;
  v.where = of_edges ? "edge" : s.where == ir::space::vertex ? "vertex" : "graph";
  if (s.where.set > 0) v.of = p.kinds[s.where.set - 1].name.view();
  v.type = s.type;
  if (s.is_sequence()) v.steps = ir::detail::spelled(p, s.over);
  for (int a = 0; a < s.dims.rank; ++a) v.extents.push_back(ir::detail::spelled(p, s.dims.axes[a]));
  return v;
}

bool draws(const ir::program& p) {
  for (const ir::statement& s : p.statements)  // a scan draws where its step does
    if (!ir::is_scan(s.code) && op::info_of(s.code).effects == op::effect::random) return true;
  for (const ir::program& called : p.callees)
    if (draws(called)) return true;
  return false;
}

std::string line_of(const value& v, std::string_view indent) {
  return std::string(indent) + (v.name.empty() ? "output" : v.name) + ": " + v.spelled() + '\n';
}

}  // namespace

std::string value::spelled() const {
  std::string rows = where == "edge" ? "edges" : where == "vertex" ? "vertices" : "";
  if (!rows.empty() && !of.empty()) rows += " of " + of;
  std::string shape;
  const auto add = [&](const std::string& axis) { shape += (shape.empty() ? "" : ", ") + axis; };
  if (!steps.empty()) add(steps);
  if (!rows.empty()) add(rows);
  for (const std::string& e : extents) add(e);
  return (is_sparse ? "sparse " : "") + std::string(name_of(type)) + " (" + shape + ')' +
         (is_trained ? ", trained" : "");
}

std::string signature::spelled() const {
  std::string text = "Inputs:\n";
  for (const value& v : inputs) text += line_of(v, "  ");
  text += "Gives:\n";
  for (const value& v : outputs) text += line_of(v, "  ");
  return text;
}

const value* signature::input(std::string_view name) const {
  for (const value& v : inputs)
    if (v.name == name) return &v;
  return nullptr;
}

signature signature_of(const ir::program& p) {
  signature found;
  found.draws = draws(p);
  for (const ir::statement& s : p.statements) {
    if (s.code != ir::opcode::input) continue;
    const ir::input& declared = p.inputs[s.entry()];
    if (found.input(declared.name.view()) != nullptr) continue;
    value v = value_of(p, s, declared.name.view());
    v.is_trained = declared.trainable;
    v.is_sparse = declared.sparse;
    found.inputs.push_back(v);
  }
  for (const ir::output& o : p.outputs) found.outputs.push_back(value_of(p, p[o.at], o.name.view()));
  return found;
}

}  // namespace stg::door
