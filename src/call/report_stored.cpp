// What lies in memory by stg's plan beside what another rule would store, and what was promised.
#include "report_stored.hpp"

#include <stg/examine/materialize.hpp>  // stored_by_mpms
#include <stg/ir/print.hpp>             // columns
#include <stg/ir/promise.hpp>           // promises
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
  }
  return "";
}

}  // namespace

std::string choices_text(const program_with_plan& h, const measure& size) {
  table lines = {line_of_choice(h, "as planned", h.plan.stored, total_of(h), size)};
  lines.push_back(line_of_choice(h, "by MPMS, pytato's rule", examine::stored_by_mpms(h.p),
                                 cost_of_choice(h.p, examine::stored_by_mpms), size));
  const ir::promises says(h.p);
  for (const ir::tag& t : h.p.tags)
    if (t.is_promise())
      lines.push_back({t.name.view() == ir::stored_tag ? "promised: stored" : "promised: inlined",
                       value_text(h.p, t.at), words_of(pass::refused(h.p, h.plan, says, t.at))});
  return ir::detail::columns(lines);
}

}  // namespace stg::detail::explained
