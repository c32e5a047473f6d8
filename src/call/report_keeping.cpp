// The program is differentiated in every way of keeping; nothing of it runs.
#include "report_keeping.hpp"

#include <stg/ir/print.hpp>       // columns
#include <stg/analysis/kept.hpp>  // kept_throughout, kept_ways
#include <stg/pipeline.hpp>       // differentiated, planned

#include "cost.hpp"  // cost_of

namespace stg::detail::explained {

namespace {

formula operations_of(const ir::program& p) {
  const pass::fusion f = pass::fuse(p);
  const pass::plan plan = pipeline::planned(p, f);
  formula sum;
  for (int u = 0; u < f.units.size(); ++u) sum += cost_of(p, f, plan, u).operations;
  return sum;
}

/// What the gradient reads of the forward program; another shape of a value is no other value.
formula saved_bytes_of(const pass::differentiated& d) {
  ir::flags is_counted(d.forward.size(), 0);
  formula sum;
  for (const pass::connection& from : d.connections) {
    if (from.kind != pass::connection_kind::saved) continue;
    const value_id at = root_of(d.forward, d.forward.outputs[from.index].at);
    if (!is_counted[at]) sum += bytes_of_value(d.forward, at);
    is_counted[at] = 1;
  }
  return sum;
}

bool says_how_it_is_kept(const ir::program& p) {
  bool says = pass::kept_ways::says_anything(p);
  for (const ir::program& c : p.callees) says = says || says_how_it_is_kept(c);
  return says;
}

}  // namespace

std::string keeping_text(const compiled_programs& all, const measure& size) {
  const ir::program& p = all.canonical;
  pipeline::request asked = pipeline::asked_of(p);
  asked.provided = all.provided;
  asked.required = all.required;
  table lines;
  const auto add = [&](const std::string& name, const ir::program& q) {
    const pass::differentiated d = pipeline::differentiated(q, asked);
    lines.push_back({name, "saved " + size(saved_bytes_of(d)),
                     "operations " + size(operations_of(d.forward) + operations_of(d.gradient))});
  };
  if (says_how_it_is_kept(p)) add("as the lambda says", p);
  constexpr struct {
    const char* name;
    keeping way;
  } ways[] = {{"chosen", keeping::chosen},
              {"everything", keeping::everything},
              {"all_but_edges", keeping::all_but_edges},
              {"results", keeping::results},
              {"inputs", keeping::inputs}};
  for (const auto& [name, way] : ways) add(name, pass::kept_throughout(p, way));
  return "  ways of keeping, by keep(v, stg::keeping::...)\n" + indented(ir::detail::columns(lines), 4);
}

}  // namespace stg::detail::explained
