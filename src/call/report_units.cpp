// The text of a program's units.
#include "report_units.hpp"

#include <stg/ir/print.hpp>  // columns

namespace stg::detail::explained {

namespace {

/// Which units run together with one, block by block.
std::string chain_text(const program_with_plan& h, int u) {
  const int first = h.plan.chain_of(u), last = first + h.plan.units[index(first)].chained - 1;
  return first == last   ? ""
         : u != first    ? ", in the blocks of " + h.unit_name(first)
         : u + 1 == last ? ", block by block with " + h.unit_name(last)
                         : ", block by block with units " + std::to_string(h.first_unit + u + 1) + " to " +
                               std::to_string(h.first_unit + last);
}

/// `in-edges`, `out-edges of writes`.
std::string edges_text(const program_with_plan& h, pass::sweep_side side, int relation) {
  const std::string edges = side == pass::sweep_side::out ? "out-edges" : "in-edges";
  return relation == 0 ? edges : edges + " of " + std::string(h.p.kinds[relation - 1].name.view());
}

/// How a loop comes by a per-edge value.
std::string how_text(const program_with_plan& h, value_id e, pass::sweep_side side, pass::edge_mode mode) {
  const ir::statement& s = h.p[e];
  if (ir::is_view(s)) return "another shape of " + ir::detail::spelled(root_of(h.p, e));
  const bool chunk = mode == pass::edge_mode::rows;
  if (pass::is_part_of_row(h.p, e)) return std::string("read in place") + (chunk ? ", for a chunk of edges" : "");
  const bool gather = op::info_of(s.code).kind == op::category::gather;
  if (pass::is_read_from_memory(h.p, e)) {
    const std::string from = !gather             ? "read from the edge"
                             : h.is_own(e, side) ? "read from the vertex itself"
                                                 : "read from the neighbour";
    return chunk ? from + ", for a chunk of edges" : from;
  }
  return chunk ? "for a chunk of edges" : mode == pass::edge_mode::across ? "across edges" : "in registers";
}

std::string stored_text(const program_with_plan& h, value_id i) {
  return h.is_stored(i)     ? "stored for " + listed(h.readers_of(i))
         : h.is_in_block(i) ? "kept for the block, for " + listed(h.readers_of(i))
                            : "";
}

/// Where its kernel is compiled, if not in the user's file.
std::string kernel_text(const program_with_plan& h, int u) {
  return h.is_in_library(u) ? ", with a kernel of the library" : "";
}

std::string unit_text(const program_with_plan& h, int u, const measure& size) {
  const pass::unit& unit = h.f.units[index(u)];
  const pass::planned_unit& planned = h.plan.units[index(u)];
  const bool sweep = unit.kind == pass::unit_kind::sweep;
  std::string r = "  " + h.unit_name(u) + ": " + kind_text(h, u) + chain_text(h, u) + kernel_text(h, u) + '\n';
  table lines;
  const auto flush = [&](const std::string& heading) {
    if (!lines.empty())
      r += (heading.empty() ? "" : "    " + heading + '\n') +
           indented(ir::detail::columns(lines), heading.empty() ? 4 : 6);
    lines.clear();
  };
  const auto add = [&](value_id i, const std::string& how) {
    std::vector<std::string> line = line_of(h.p, i);
    line.push_back(how);
    line.push_back(stored_text(h, i));
    lines.push_back(line);
  };
  for (int k = planned.first_step; k < planned.last_step; ++k) {
    const pass::step& step = h.plan.steps[index(k)];
    if (!step.is_loop) {
      add(step.index, h.plan.joined[index(step.index)] ? "in registers" : "");
      continue;
    }
    flush("for the vertex");
    const pass::planned_loop& loop = h.plan.loops[index(step.index)];
    for (int s = loop.first_statement; s < loop.last_statement; ++s) {
      const value_id e = h.plan.loop_statements[index(s)].at;
      add(e, how_text(h, e, loop.side, h.plan.mode(step.index, e)));
    }
    for (int s = loop.first_result; s < loop.last_result; ++s) {
      const value_id a = h.plan.loop_results[index(s)].at;
      if (h.p[a].where == ir::space::edge) lines.push_back({"store " + ir::detail::spelled(a)});
      else add(a, "aggregated");
    }
    flush("for each of its " + edges_text(h, loop.side, loop.relation));
  }
  flush(sweep ? "for the vertex" : "");
  const unit_cost cost = cost_of(h.p, h.f, h.plan, u);
  return r + "    bytes " + size(cost.bytes) + "\n    operations " + size(cost.operations) + '\n';
}

}  // namespace

std::string kind_text(const program_with_plan& h, int at) {
  const pass::unit& u = h.f.units[index(at)];
  switch (u.kind) {
    case pass::unit_kind::product:
      return h.is_sparse_product(at) ? "sparse product" : "dense product";
    case pass::unit_kind::reduced_product:
      return h.is_sparse_product(at) ? "sparse product, summed over vertices" : "dense product, summed over vertices";
    case pass::unit_kind::reduction:
      return "reduction over vertices";
    case pass::unit_kind::graph:
      return "arithmetic on graph values";
    case pass::unit_kind::scan:
      return "scan";
    case pass::unit_kind::message:
      return "message, " + ir::detail::operation_text(h.p, h.p[u.statements[0]]);
    case pass::unit_kind::sweep:
      break;
  }
  if (u.side == pass::sweep_side::none) return "sweep over vertices, no edges";
  std::vector<std::string> along;
  for (const pass::edge_loop& loop : u.loops) add_once(along, edges_text(h, loop.side, loop.relation));
  return "sweep along " + listed(along);
}

int edge_sweeps(const program_with_plan& h) {
  int n = 0;
  for (const pass::unit& u : h.f.units) n += u.side != pass::sweep_side::none;
  return n;
}

std::string units_text(const program_with_plan& h, const measure& size) {
  std::string r;
  for (int u = 0; u < h.unit_count(); ++u) r += unit_text(h, u, size);
  return r;
}

unit_cost total_of(const program_with_plan& h) {
  unit_cost total;
  for (int u = 0; u < h.unit_count(); ++u) total += cost_of(h.p, h.f, h.plan, u);
  return total;
}

}  // namespace stg::detail::explained
