// The text of stg::explain.
#include <stg/codegen/report.hpp>

#include <string>  // string, to_string

#include <stg/base/error.hpp>  // error
#include <stg/ir/print.hpp>    // to_text, columns

#include "cost.hpp"           // cost_of
#include "report_memory.hpp"  // memory_text
#include "report_units.hpp"   // half, units_text

namespace stg::detail {

namespace {

using namespace explained;

// ---- what goes from the forward half to the gradient ----

void name_output(ir::output& o, const std::string& name) {
  if (o.name.length == 0) o.name = text(std::string_view(name).substr(0, text::capacity));
}

/// For each statement of the gradient the forward statement that computes the same, or no_value.
std::vector<value_id> same_in_forward(const ir::program& forward, const ir::program& gradient,
                                      const std::vector<pass::connection>& connections) {
  std::vector<value_id> same(gradient.statements.size(), ir::no_value);
  for (value_id i = 0; i < gradient.size(); ++i) {
    ir::statement s = gradient[i];
    if (s.code == ir::opcode::input) {
      const pass::connection& c = connections[index(static_cast<int>(s.attribute))];
      if (c.kind == pass::connection_kind::cotangent) continue;
      if (c.kind == pass::connection_kind::saved) {
        same[index(i)] = forward.outputs[index(c.index)].at;
        continue;
      }
      s.attribute = c.index;
    }
    bool known = true;
    for (int k = 0; k < s.arity(); ++k) known = known && same[index(s.operands[k])] != ir::no_value;
    if (known) same[index(i)] = forward.find(ir::renamed(s, same));
  }
  return same;
}

std::string section(const std::string& title, const table& lines) {
  return lines.empty() ? "  " + title + ": nothing\n" : "  " + title + '\n' + indented(ir::detail::columns(lines), 4);
}

std::string between_text(const half& forward, const half& gradient, const std::vector<pass::connection>& connections,
                         const measure& size) {
  table saved, again, recomputed, drawn;
  const std::vector<value_id> same = same_in_forward(forward.p, gradient.p, connections);
  for (value_id i = 0; i < gradient.p.size(); ++i) {
    const ir::statement& s = gradient.p[i];
    const std::string readers = joined(gradient.readers_of(i));
    if (s.code == ir::opcode::input) {
      const pass::connection& c = connections[index(static_cast<int>(s.attribute))];
      if (c.kind == pass::connection_kind::saved) {
        const value_id at = pass::root_of(forward.p, forward.p.outputs[index(c.index)].at);
        std::vector<std::string> others;
        for (const std::string& reader : forward.readers_of(at))
          if (reader != "the gradient") others.push_back(reader);
        saved.push_back({value_text(forward.p, at), size(bytes_of_value(forward.p, at)), "for " + readers,
                         others.empty() ? "for the gradient alone" : "in memory anyway for " + joined(others)});
      } else {
        again.push_back(
            {ir::detail::operation_text(gradient.p, s), ir::detail::spelled(gradient.p, s.dims), "in " + readers});
      }
    } else if (s.code == ir::opcode::keep_mask) {
      drawn.push_back({line_of(gradient.p, i)[0], ir::detail::spelled(gradient.p, s.dims)});
    } else if (same[index(i)] != ir::no_value && op::info_of(s.code).kind != op::category::source &&
               s.code != ir::opcode::reshape) {
      std::vector<std::string> line = line_of(gradient.p, i);
      line.push_back("per " + std::string(name_of(s.where)));
      line.push_back("was " + ir::detail::spelled(same[index(i)]));
      recomputed.push_back(line);
    }
  }
  return section("saved for the gradient", saved) + section("read again", again) +
         section("drawn again, not saved", drawn) + section("computed again rather than saved", recomputed);
}

std::string heading(const std::string& title, const half& h) {
  const int sweeps = edge_sweeps(h);
  return title + ": " + std::to_string(h.unit_count()) + (h.unit_count() == 1 ? " unit" : " units") + ", " +
         std::to_string(sweeps) + (sweeps == 1 ? " sweep" : " sweeps") + " over edges\n";
}
std::string total_text(const unit_cost& total, const measure& size) {
  return "  in total\n    bytes " + size(total.bytes) + "\n    operations " + size(total.operations) + '\n';
}

/// What runs once, for fixed inputs.
std::string prologue_text(const placed_prologue& once, const std::string& title, int threads, const sizes* given) {
  if (!once.exists) return "";
  const measure size(given);
  const half h(once.program.program, 0, std::vector<std::string>(once.program.program.outputs.size(), "all calls"));
  const std::vector<stored_value> values = stored_values(h, once.program.buffers, "", once.kept);
  return heading(title + ", once for a graph and fixed inputs", h) + indented(to_text(h.p), 2) + units_text(h, size) +
         total_text(total_of(h), size) + "  memory\n" +
         memory_text(values, h.unit_count(), once.bytes, threads, given, "kept for all calls", once.kept_bytes,
                     h.orders_edges()) +
         '\n';
}

std::string inference_text(const compiled_programs& all, const sizes* given) {
  const measure size(given);
  const half h(all.inference.program, 0, std::vector<std::string>(all.inference.program.outputs.size(), "the caller"));
  const std::vector<stored_value> values = stored_values(h, all.inference.buffers, "", all.in_callers_tensors);
  return prologue_text(all.inference_prologue, "inference", all.threads, given) + heading("inference", h) +
         indented(to_text(h.p), 2) + units_text(h, size) + total_text(total_of(h), size) + "  memory\n" +
         memory_text(values, h.unit_count(), all.inference_bytes, all.threads, given, "in the caller's tensor",
                     all.inference_prologue.kept_bytes, h.orders_edges());
}

std::string training_text(const compiled_programs& all, const sizes* given) {
  const measure size(given);
  ir::program forward = all.forward.program, gradient = all.gradient.program;
  std::vector<std::string> forward_readers, gradient_readers;
  for (std::size_t k = 0; k < forward.outputs.size(); ++k) {
    const bool saved = static_cast<int>(k) >= all.results;
    forward_readers.emplace_back(saved ? "the gradient" : "the caller");
    if (saved) name_output(forward.outputs[k], "saved");
  }
  for (std::size_t k = 0; k < gradient.outputs.size(); ++k) {
    const std::string input(forward.inputs[index(all.required[k])].name.view());
    gradient_readers.push_back("the caller, as the gradient of " + input);
    name_output(gradient.outputs[k], "gradient of " + input);
  }
  for (std::size_t c = 0; c < all.connections.size(); ++c) {
    if (all.connections[c].kind != pass::connection_kind::saved) continue;
    gradient.inputs[c].name = text("saved " + ir::detail::spelled(forward.outputs[index(all.connections[c].index)].at));
  }
  const half head(forward, 0, forward_readers);
  const half tail(gradient, head.unit_count(), gradient_readers);

  unit_cost total = total_of(head);
  total += total_of(tail);
  std::vector<stored_value> values = stored_values(head, all.forward.buffers, "forward ", {});
  for (const stored_value& v : stored_values(tail, all.gradient.buffers, "gradient ", {})) values.push_back(v);
  return prologue_text(all.training_prologue, "training", all.threads, given) + heading("training, forward", head) +
         indented(to_text(head.p), 2) + units_text(head, size) + '\n' + heading("training, gradient", tail) +
         indented(to_text(tail.p), 2) + units_text(tail, size) + '\n' + "training, both\n" +
         between_text(head, tail, all.connections, size) + total_text(total, size) + "  memory\n" +
         memory_text(values, head.unit_count() + tail.unit_count(), all.training_bytes, all.threads, given,
                     "in the caller's tensor", all.training_prologue.kept_bytes,
                     head.orders_edges() || tail.orders_edges());
}

}  // namespace

program_cost cost_of_program(const ir::program& p, const sizes& given) {
  const pass::fusion f = pass::fuse(p);
  const pass::plan plan = pass::schedule(p, f);
  const measure size(&given);
  program_cost sum;
  for (int u = 0; u < static_cast<int>(f.units.size()); ++u) {
    const unit_cost cost = cost_of(p, f, plan, u);
    sum.bytes += size.value(cost.bytes);
    sum.operations += size.value(cost.operations);
    if (const std::int64_t row = size.value(cost.gathered)) sum.gathered.push_back(row);
  }
  return sum;
}

std::string report(const compiled_programs& programs, const sizes* given) {
  const std::string words =
      "in registers: computed within what consumes it. for a chunk of edges: computed into scratch, some "
      "edges at a time.\n"
      "across edges: a few features, computed for several edges to a register.\n"
      "block by block: these units take some rows at a time, one unit after the other.\n"
      "bytes: at least; every array once, a neighbour's row once per edge, 4 per neighbour, 8 per edge id and per "
      "row's offset.\n\n";
  return words + inference_text(programs, given) + (programs.trains ? '\n' + training_text(programs, given) : "");
}

std::vector<std::int64_t> sizes_of_extents(const std::vector<ir::polynomial>& extents, const sizes& given) {
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
