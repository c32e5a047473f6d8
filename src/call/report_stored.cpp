// What lies in memory by stg's plan beside what another rule would store, and what was promised.
#include "report_stored.hpp"

#include <stg/examine/materialize.hpp>  // stored_by_mpms
#include <stg/ir/print.hpp>             // columns
#include <stg/ir/decisions.hpp>         // promises
#include <stg/pass/promise.hpp>         // refused

namespace stg::detail::explained {

namespace {

/// Of values that are no inputs: those are in the caller's tensors.
std::vector<std::string> line_of_choice(const program_with_plan& h, const std::string& title, const ir::flags& stored,
                                        const unit_cost& cost, const measure& size) {
  formula bytes;
  int values = 0;
  for (value_id i = 0; i < h.p.size(); ++i) {
    if (!stored[index(i)] || h.p[i].code == ir::opcode::input) continue;
    bytes += bytes_of_value(h.p, i);
    ++values;
  }
  return {title, std::to_string(values) + (values == 1 ? " value" : " values"), "bytes " + size(bytes),
          "moved " + size(cost.bytes), "operations " + size(cost.operations)};
}

const char* words_of(pass::refused_promise why) {
  switch (why) {
    case pass::refused_promise::none:
      return "kept";
    case pass::refused_promise::both:
      return "refused: it is both stored and inlined";
    case pass::refused_promise::stored_per_edge:
      return "refused: loops over edges compute theirs";
    case pass::refused_promise::stored_source:
      return "refused: it is made where it is read";
    case pass::refused_promise::inlined_output:
      return "refused: it lies in the caller's memory";
    case pass::refused_promise::inlined_graph:
      return "refused: a value of the graph is computed once";
    case pass::refused_promise::inlined_work:
      return "refused: it is made once, for others to read";
    case pass::refused_promise::inlined_rows:
      return "refused: its rows are read by a product, a reduction or a scan";
    case pass::refused_promise::width_type:
    case pass::refused_promise::width_caller:
    case pass::refused_promise::width_source:
    case pass::refused_promise::width_graph:
    case pass::refused_promise::width_whole:
    case pass::refused_promise::width_compared:
    case pass::refused_promise::width_inlined:
      return "refused: its rows are as wide as its numbers";
    case pass::refused_promise::paired_edges:
      return "refused: one is computed wherever it is read";
    case pass::refused_promise::together_alone:
      return "refused: one has a pass of its own";
    case pass::refused_promise::together_kinds:
      return "refused: they are of other rows or other edges";
    case pass::refused_promise::together_order:
      return "refused: one is needed before the other is ready";
    case pass::refused_promise::apart_at_once:
      return "refused: they are computed at once";
  }
  return "";
}

}  // namespace

std::string choices_text(const program_with_plan& h, const measure& size) {
  table lines = {line_of_choice(h, "as planned", h.plan.stored, total_of(h), size)};
  lines.push_back(line_of_choice(h, "by MPMS, pytato's rule", examine::stored_by_mpms(h.p),
                                 cost_of_choice(h.p, examine::stored_by_mpms), size));
  const ir::promises says(h.p);
  const sequence<int> unit_of = pass::units_of_values(h.p, h.plan);
  for (const ir::decision& d : h.p.decisions) {
    const std::string what = "promised: " + std::string(ir::decided_words[static_cast<int>(d.what)]);
    if (ir::promises::is_promise(d))
      lines.push_back({what, value_text(h.p, d.at), words_of(pass::refused(h.p, h.plan, says, d.at))});
    else if (ir::is_of_pairs(d.what))
      lines.push_back({what, value_text(h.p, d.at) + " and " + value_text(h.p, d.other),
                       words_of(pass::refused(h.p, h.plan, unit_of, d))});
  }
  return ir::detail::columns(lines);
}

}  // namespace stg::detail::explained
