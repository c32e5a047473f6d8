// The texts of stg::explain and stg::to_dot, and what programs cost in numbers.
#include <stg/call/report.hpp>

#include <string>  // string

#include <stg/base/error.hpp>  // error
#include <stg/ir/print.hpp>    // to_dot

#include "cost.hpp"            // cost_of
#include "report_full.hpp"     // full_text
#include "report_summary.hpp"  // summary_text
#include "report_words.hpp"    // measure

namespace stg::detail {

std::string report(const compiled_programs& programs, const sizes* given, bool in_full) {
  const explained::planned_programs planned(programs);
  const std::string summary = explained::summary_text(programs, planned, given, in_full);
  return in_full ? summary + '\n' + explained::full_text(programs, planned, given) : summary;
}

std::string dot(const ir::program& p) { return ir::to_dot(p); }

program_cost cost_of_program(const ir::program& p, const sizes& given) {
  const pass::fusion f = pass::fuse(p);
  const pass::plan plan = pipeline::planned(p, f);
  const explained::measure size(&given);
  program_cost sum;
  for (int u = 0; u < f.units.size(); ++u) {
    const unit_cost cost = cost_of(p, f, plan, u);
    sum.bytes += size.value(cost.bytes);
    sum.operations += size.value(cost.operations);
    if (const std::int64_t row = size.value(cost.gathered)) sum.gathered.push_back(row);
  }
  return sum;
}

sequence<kind_rows> rows_of_kinds(const sequence<ir::kind>& kinds, const sizes* given) {
  if (kinds.empty()) return {};
  sequence<kind_rows> rows(kinds.size() + 1);
  for (int k = 0; k < kinds.size(); ++k) {
    std::int64_t& n = rows[k + 1].rows;
    n = given == nullptr ? 1 : -1;
    if (given != nullptr)
      for (const extent_size& known : given->kinds)
        if (known.name == kinds[k].name) n = known.size;
    const std::string name(kinds[k].name.view());
    if (n < 0) throw error("sizes need those of '" + name + "'; add .kinds = {sized<\"" + name + "\">(n)}");
  }
  return rows;
}

std::vector<std::int64_t> sizes_of_extents(const sequence<ir::polynomial>& extents, const sizes& given) {
  std::vector<std::int64_t> values;
  values.reserve(extents.size());
  for (const ir::polynomial& p : extents)
    values.push_back(ir::evaluate(p, [&](const text& name) {
      for (const extent_size& known : given.extents)
        if (known.name == name) return known.size;
      const std::string spelled(name.view());
      throw error("sizes need the extent '" + spelled + "'; add sized<\"" + spelled + "\">(n)");
    }));
  return values;
}

}  // namespace stg::detail
