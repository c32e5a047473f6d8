// Which units of an explanation cost most.
#include "report_costliest.hpp"

#include <algorithm>  // max, stable_sort

#include <stg/ir/print.hpp>  // columns, names_text

namespace stg::detail::explained {

namespace {

struct costly_unit {
  std::string name, kind, what;
  unit_cost cost;
  std::int64_t weight;  // bytes, or the bytes that memory brings during its operations
};

/// Where a unit's values were written, the names that they were given, and what it makes for the caller.
std::string what_text(const program_with_plan& h, int at) {
  const pass::unit& unit = h.f.units[index(at)];
  std::uint64_t scopes = 0;
  std::vector<std::string> words, names, gradients;
  const auto take = [&](value_id i) {
    scopes |= h.p[i].scopes;
    if (const std::string name = ir::detail::names_text(h.p, i); !name.empty()) add_once(names, name);
  };
  for (value_id i : unit.statements) {
    take(i);
    for (int k = 0; k < h.p.outputs.size(); ++k)
      if (pass::root_of(h.p, h.p.outputs[k].at) == i && h.output_readers[k].starts_with("the caller, as "))
        add_once(gradients, h.output_readers[k].substr(std::string("the caller, as ").size()));
  }
  for (const pass::edge_loop& loop : unit.loops)
    for (value_id i : loop.statements) take(i);
  for (int i = 0; i < h.p.scopes.size(); ++i)
    if (scopes >> i & 1) words.emplace_back(h.p.scopes[i].view());
  words.insert(words.end(), names.begin(), names.end());
  for (const std::string& gradient : gradients) words.push_back(gradient);
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

void add_units(std::vector<costly_unit>& units, const program_with_plan& h, const sizes* given) {
  for (int u = 0; u < h.unit_count(); ++u) {
    const unit_cost cost = cost_of(h.p, h.f, h.plan, u);
    units.push_back({h.unit_name(u), kind_text(h, u) + operands_text(h, u), what_text(h, u), cost,
                     std::max(number_of(cost.bytes, given), number_of(cost.operations, given) / operations_per_byte)});
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
  std::stable_sort(units.begin(), units.end(),
                   [](const costly_unit& a, const costly_unit& b) { return a.weight > b.weight; });
  if (units.size() > count) units.resize(count);
  table lines;
  for (const costly_unit& u : units) {
    std::string cost = u.cost.bytes.spelled() + " bytes";
    if (given != nullptr) {
      const std::int64_t percent = all == 0 ? 0 : (100 * u.weight + all / 2) / all;
      cost = std::to_string(percent) + " %: " + std::to_string(number_of(u.cost.bytes, given)) + " bytes, " +
             std::to_string(number_of(u.cost.operations, given)) + " operations";
    }
    lines.push_back({u.name, u.kind + (u.what.empty() ? "" : " (" + u.what + ')'), cost});
  }
  return indented(ir::detail::columns(lines), indent);
}

}  // namespace stg::detail::explained
