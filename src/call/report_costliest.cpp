// Which units of an explanation cost most.
#include "report_costliest.hpp"

#include <algorithm>    // max, stable_sort
#include <string_view>  // string_view

#include <stg/ir/print.hpp>  // columns, names_text

namespace stg::detail::explained {

namespace {

struct costly_unit {
  std::string name, what;
  unit_cost cost;
  std::int64_t weight;               // bytes, or the bytes that memory brings during its operations
  std::vector<costly_unit> of_step;  // of a scan: the units of its step, over all steps
};

/// Where a unit's values were written, the names that they were given, and what it makes for the caller.
std::string what_text(const program_with_plan& h, int at) {
  const pass::unit& unit = h.f.units[index(at)];
  std::vector<char> in_scope(static_cast<std::size_t>(h.p.scopes.size()), 0);
  std::vector<std::string> words, names, gradients;
  const auto take = [&](value_id i) {
    each_scope(h.p, h.p[i], [&](int scope) { in_scope[static_cast<std::size_t>(scope)] = 1; });
    if (const std::string name = ir::detail::names_text(h.p, i); !name.empty()) add_once(names, name);
  };
  for (value_id i : unit.statements) {
    take(i);
    for (int k = 0; k < h.p.outputs.size(); ++k)
      if (root_of(h.p, h.p.outputs[k].at) == i && h.output_readers[k].starts_with("the caller, as "))
        add_once(gradients, h.output_readers[k].substr(std::string("the caller, as ").size()));
  }
  for (const pass::edge_loop& loop : unit.loops)
    for (value_id i : loop.statements) take(i);
  for (int i = 0; i < h.p.scopes.size(); ++i)
    if (in_scope[static_cast<std::size_t>(i)]) words.emplace_back(h.p.scopes[i].view());
  words.insert(words.end(), names.begin(), names.end());
  for (std::string& name : gradients) {  // all of one word, once
    constexpr std::string_view of = "the gradient of ";
    if (name.starts_with(of) && &name != &gradients.front() && gradients.front().starts_with(of))
      name.erase(0, of.size());
    words.push_back(name);
  }
  if (words.size() > 4) words.resize(4);
  return listed(words);
}

/// ` of x and W`, ` with W`: what of a product's operands is an input.
std::string operands_text(const program_with_plan& h, int at) {
  const pass::unit& unit = h.f.units[index(at)];
  if (unit.kind != pass::unit_kind::product) return "";
  std::vector<std::string> names;
  for (int k = 0; k < 2; ++k) {
    const ir::statement& operand = h.p.operand(h.p[unit.statements[0]], k);
    if (operand.code != ir::opcode::input) continue;
    const std::string_view name = h.p.inputs[index(operand.entry())].name.view();
    if (!name.starts_with("saved ")) names.emplace_back(name);
  }
  return names.empty() ? "" : names.size() == 1 ? " with " + names[0] : " of " + names[0] + " and " + names[1];
}

std::string described(const program_with_plan& h, int at) {
  const std::string what = what_text(h, at);
  return kind_text(h, at) + operands_text(h, at) + (what.empty() ? "" : " (" + what + ')');
}

costly_unit costly(const std::string& name, const std::string& what, const unit_cost& cost, const sizes* given) {
  return {name,
          what,
          cost,
          std::max(number_of(cost.bytes, given), number_of(cost.operations, given) / operations_per_byte),
          {}};
}

/// The dearest first; of equals the first.
void sort(std::vector<costly_unit>& units) {
  std::stable_sort(units.begin(), units.end(),
                   [](const costly_unit& a, const costly_unit& b) { return a.weight > b.weight; });
}

std::vector<costly_unit> units_of_step(const program_with_plan& h, const ir::statement& scan, const sizes* given) {
  const ir::program& step = h.p.callees[scan.callee()];
  const program_with_plan inside(step, 0, std::vector<std::string>(index(step.outputs.size()), "the scan"));
  std::vector<costly_unit> units;
  for (int u = 0; u < inside.unit_count(); ++u)
    units.push_back(costly("  " + inside.unit_name(u) + " of its step", described(inside, u),
                           repeated(h.p, scan, cost_of(inside.p, inside.f, inside.plan, u)), given));
  sort(units);
  return units;
}

void add_units(std::vector<costly_unit>& units, const program_with_plan& h, const sizes* given) {
  for (int u = 0; u < h.unit_count(); ++u) {
    units.push_back(costly(h.unit_name(u), described(h, u), cost_of(h.p, h.f, h.plan, u), given));
    const pass::unit& unit = h.f.units[index(u)];
    if (unit.kind == pass::unit_kind::scan) units.back().of_step = units_of_step(h, h.p[unit.statements[0]], given);
  }
}

}  // namespace

std::int64_t number_of(const formula& f, const sizes* given) {
  if (given != nullptr) return measure(given).value(f);
  return f.evaluate([](const std::string& name) {
    return name == "|V|"           ? some_vertices
           : name.starts_with('|') ? edges_per_vertex * some_vertices  // |E|, or the entries of a sparse feature
                                   : some_extent;
  });
}

std::string costliest_text(const std::vector<const program_with_plan*>& programs, const sizes* given, std::size_t count,
                           std::size_t indent) {
  std::vector<costly_unit> units;
  for (const program_with_plan* h : programs) add_units(units, *h, given);
  std::int64_t all = 0;
  for (const costly_unit& u : units) all += u.weight;
  sort(units);
  if (units.size() > count) units.resize(count);
  table lines;
  const auto add = [&](const costly_unit& u) {
    std::vector<std::string> line = {u.name};
    if (given != nullptr) {
      line.insert(line.begin(), std::to_string(all == 0 ? 0 : (100 * u.weight + all / 2) / all) + " %");
      line.push_back(std::to_string(number_of(u.cost.bytes, given)) + " bytes");
      line.push_back(std::to_string(number_of(u.cost.operations, given)) + " operations");
      line.push_back(u.what);
    } else {
      line.push_back(u.what);
      line.push_back(u.cost.bytes.spelled() + " bytes");
    }
    lines.push_back(line);
  };
  std::size_t inner = 2;  // of all scans together: a summary is short
  for (const costly_unit& u : units) {
    add(u);
    for (std::size_t k = 0; k < u.of_step.size() && inner > 0 && 10 * u.of_step[k].weight >= all; ++k, --inner)
      add(u.of_step[k]);
  }
  if (given != nullptr)  // numbers stand under one another
    for (const std::size_t column : {0, 2, 3}) {
      std::size_t widest = 0;
      for (const std::vector<std::string>& line : lines) widest = std::max(widest, line[column].size());
      for (std::vector<std::string>& line : lines) line[column].insert(0, widest - line[column].size(), ' ');
    }
  return indented(ir::detail::columns(lines), indent);
}

}  // namespace stg::detail::explained
