// The text of what is stored.
#include "report_memory.hpp"

#include <stg/ir/print.hpp>  // columns

namespace stg::detail::explained {

namespace {

/// What lives while unit u runs.
formula live_at(const std::vector<stored_value>& values, int u) {
  formula sum;
  for (const stored_value& v : values)
    if (!v.is_callers && (v.is_over ? v.first < u : v.first <= u) && u <= v.last) sum += v.bytes;
  return sum;
}

}  // namespace

std::vector<stored_value> stored_values(const program_with_plan& h, const std::vector<buffer>& buffers,
                                        const std::string& prefix, const sequence<value_id>& in_callers_tensors) {
  std::vector<stored_value> values;
  for (value_id i = 0; i < h.p.size(); ++i) {
    if (!h.is_stored(i)) continue;
    const std::string reason = h.p[i].where == ir::space::edge ? listed(h.readers_of(i)) : "";
    bool callers = false;
    for (value_id at : in_callers_tensors) callers = callers || at == i;
    values.push_back({prefix + value_text(h.p, i), bytes_of_value(h.p, i), buffers[index(i)].first,
                      buffers[index(i)].last, reason, callers, buffers[index(i)].is_over});
  }
  return values;
}

std::map<int, formula> most_alive(const block_use& block) {
  std::map<int, formula> most;
  for (int u = 0; u < block.units; ++u) {
    const formula live = live_at(block.values, u);
    bool exceeded = live.is_zero();
    for (int other = 0; other < block.units; ++other) {
      const formula theirs = live_at(block.values, other);
      exceeded = exceeded || (live.at_most(theirs) && (!(live == theirs) || other < u));
    }
    if (!exceeded) most[u] = live;
  }
  return most;
}

std::string peak_text(const block_use& block, int threads, bool whole) {
  const std::int64_t bytes = block.bytes.values + block.bytes.workspace + block.kept_bytes;
  return std::to_string(bytes) + " bytes = " + std::to_string(block.bytes.values) +
         (whole ? " for values, in one block by lifetime, + " : " for values + ") +
         std::to_string(block.bytes.workspace) + " of workspace for " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads") +
         (block.kept_bytes == 0 ? "" : ", + " + std::to_string(block.kept_bytes) + " kept by the prologue");
}

std::string memory_text(const block_use& block, int threads, const sizes* given, const std::string& callers) {
  const measure size(given);
  std::string r;
  table lines;
  for (const stored_value& v : block.values) {
    const std::string first = std::to_string(v.first), last = std::to_string(v.last);
    const std::string lifetime = v.is_callers            ? callers
                                 : v.last >= block.units ? "from unit " + first + " until the call is over"
                                 : first == last         ? "in unit " + first
                                                         : "units " + first + " to " + last;
    lines.push_back({v.text, size(v.bytes), lifetime + (v.is_over ? ", written over what it alone reads" : "")});
  }
  r += indented(ir::detail::columns(lines), 4);

  for (const auto& [u, live] : most_alive(block))
    r += "    alive in unit " + std::to_string(u) + ": " + size(live) + '\n';
  if (given) {
    r += "    peak: " + peak_text(block, threads, true) + '\n';
  } else {
    r += "    peak: the largest of these, where values whose lifetimes do not overlap share memory, and a workspace "
         "for rows in\n"
         "    flight and partial sums, by extents and threads\n";
  }
  bool edges = false;
  for (const stored_value& v : block.values) {
    if (v.edge_reason.empty()) continue;
    edges = true;
    r += "    " + v.text + " has |E| rows: it is stored for " + v.edge_reason + '\n';
  }
  if (block.orders_edges)
    r += "    edge values that are read along out-edges of a large graph are copied in their order, part of the "
         "workspace:\n    at most as much as the sweep computes, and some blocks of edges\n";
  return r + (edges                ? "    the peak depends on |E|\n"
              : block.orders_edges ? "    no array has |E| rows; the workspace depends on |E|\n"
                                   : "    no array has |E| rows: the peak does not depend on |E|\n");
}

}  // namespace stg::detail::explained
