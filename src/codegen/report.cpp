// The text of stg::explain.
#include <stg/codegen/report.hpp>

#include <map>     // map
#include <string>  // string, to_string

#include <stg/base/error.hpp>  // error
#include <stg/ir/print.hpp>    // to_text, columns
#include <stg/pass/chain.hpp>  // schedule
#include <stg/pass/fuse.hpp>   // fuse
#include <stg/pass/plan.hpp>   // plan

#include "cost.hpp"  // cost_of

namespace stg::detail {

namespace {

using ir::value_id;
using table = std::vector<std::vector<std::string>>;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

std::string indented(const std::string& lines, std::size_t by) {
  std::string r;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    r += std::string(by, ' ') + lines.substr(at, end + 1 - at);
    at = end + 1;
  }
  return r;
}

std::string joined(const std::vector<std::string>& items) {
  std::string r;
  for (const std::string& item : items) r += (r.empty() ? "" : ", ") + item;
  return r;
}
void add_once(std::vector<std::string>& items, const std::string& item) {
  for (const std::string& known : items)
    if (known == item) return;
  items.push_back(item);
}

/// `%3 = mul (%1, %2)`, its shape and its names.
std::vector<std::string> line_of(const ir::program& p, value_id i) {
  return {ir::detail::spelled(i) + " = " + ir::detail::operation_text(p, p[i]) + ir::detail::operands_text(p[i]),
          ir::detail::spelled(p, p[i].dims), ir::detail::names_text(p, i)};
}
/// `%3 (16) "score"`.
std::string value_text(const ir::program& p, value_id i) {
  const std::string names = ir::detail::names_text(p, i);
  return ir::detail::spelled(i) + ' ' + ir::detail::spelled(p, p[i].dims) + (names.empty() ? "" : ' ' + names);
}

/// A formula, and its number where sizes are given.
class measure {
 public:
  explicit measure(const sizes* given) : given(given) {}
  std::string operator()(const formula& f) const {
    return f.spelled() + (given ? " = " + std::to_string(value(f)) : "");
  }
  std::int64_t value(const formula& f) const {
    return f.evaluate([&](const std::string& name) -> std::int64_t {
      if (name == "|V|") return given->vertices;
      if (name == "|E|") return given->edges;
      if (name.starts_with('|')) return entries(name.substr(1, name.size() - 2));
      for (const extent_size& known : given->extents)
        if (known.name.view() == name) return known.size;
      throw error("internal: no size of '" + name + "'");
    });
  }

 private:
  std::int64_t entries(const std::string& input) const {
    for (const extent_size& known : given->entries)
      if (known.name.view() == input) return known.size;
    throw error("sizes need the entries of the sparse feature '" + input + "'; add .entries = {sized<\"" + input +
                "\">(n)}");
  }

  const sizes* given;
};

/// One program with its plan. Units count from first_unit on.
struct half {
  ir::program p;
  pass::fusion f;
  pass::plan plan;
  int first_unit;
  std::vector<std::string> output_readers;  // who each output is for

  half(ir::program program, int first_unit, std::vector<std::string> output_readers)
      : p(std::move(program)),
        f(pass::fuse(p)),
        plan(pass::schedule(p, f)),
        first_unit(first_unit),
        output_readers(std::move(output_readers)) {}

  int unit_count() const { return static_cast<int>(f.units.size()); }
  std::string unit_name(int u) const { return "unit " + std::to_string(first_unit + u); }
  bool is_stored(value_id i) const { return plan.stored[index(i)]; }
  bool is_in_block(value_id i) const { return plan.in_block[index(i)]; }

  /// Who reads a value from memory: units by what they do with it, and whoever gets the outputs.
  std::vector<std::string> readers_of(value_id i) const {
    std::vector<std::string> readers;
    for (int u = 0; u < unit_count(); ++u) {
      const pass::unit& unit = f.units[index(u)];
      const std::string name = unit_name(u);
      for (value_id s : unit.statements)
        if (reads(s, i)) add_reader(readers, unit.kind, u, i);
      for (const pass::edge_loop& loop : unit.loops)
        for (value_id e : loop.statements) {
          if (!reads(e, i)) continue;
          const bool gathers = op::info_of(p[e].code).kind == op::category::gather;
          if (gathers && !is_own(e, unit.side)) add_once(readers, "neighbours in " + name);
          else add_reader(readers, unit.kind, u, i);
        }
    }
    for (std::size_t k = 0; k < p.outputs.size(); ++k)
      if (pass::root_of(p, p.outputs[k].at) == i) add_once(readers, output_readers[k]);
    return readers;
  }
  static bool is_own(const ir::statement& gather, pass::sweep_side side) {
    return (gather.code == ir::opcode::gather_dst) == (side == pass::sweep_side::in);
  }
  bool is_own(value_id gather, pass::sweep_side side) const { return is_own(p[gather], side); }

  /// One that reads a sparse input: its third operand masks it.
  bool is_sparse_product(int u) const { return p[f.units[index(u)].statements[0]].arity() == 3; }

 private:
  bool reads(value_id reader, value_id i) const {
    for (int k = 0; k < p[reader].arity(); ++k)
      if (pass::root_of(p, p[reader].operands[k]) == i) return true;
    return false;
  }
  void add_reader(std::vector<std::string>& readers, pass::unit_kind kind, int u, value_id made) const {
    if (f.unit_of[index(made)] == u) return kind == pass::unit_kind::graph ? add_once(readers, "this unit") : void();
    const bool product = kind == pass::unit_kind::product || kind == pass::unit_kind::reduced_product;
    add_once(readers, (product && is_sparse_product(u)      ? "the sparse product of "
                       : product                            ? "the dense product of "
                       : kind == pass::unit_kind::reduction ? "the reduction of "
                                                            : "") +
                          unit_name(u));
  }
};

std::string kind_text(const half& h, int at) {
  const pass::unit& u = h.f.units[index(at)];
  switch (u.kind) {
    case pass::unit_kind::product:
      return h.is_sparse_product(at) ? "sparse product" : "dense product";
    case pass::unit_kind::reduced_product:
      return h.is_sparse_product(at) ? "sparse product, summed over vertices" : "dense product, summed over vertices";
    case pass::unit_kind::reduction:
      return "reduction over vertices";
    case pass::unit_kind::graph:
      return "arithmetic of the graph";
    case pass::unit_kind::sweep:
      break;
  }
  return u.side == pass::sweep_side::in    ? "sweep along in-edges"
         : u.side == pass::sweep_side::out ? "sweep along out-edges"
                                           : "sweep over vertices, no edges";
}

/// Which units run together with one, block by block.
std::string chain_text(const half& h, int u) {
  const int first = h.plan.chain_of(u), last = first + h.plan.units[index(first)].chained - 1;
  return first == last   ? ""
         : u != first    ? ", in the blocks of " + h.unit_name(first)
         : u + 1 == last ? ", block by block with " + h.unit_name(last)
                         : ", block by block with units " + std::to_string(h.first_unit + u + 1) + " to " +
                               std::to_string(h.first_unit + last);
}

int edge_sweeps(const half& h) {
  int n = 0;
  for (const pass::unit& u : h.f.units) n += u.side != pass::sweep_side::none;
  return n;
}

/// How a loop comes by a per-edge value.
std::string how_text(const half& h, value_id e, pass::sweep_side side, pass::edge_mode mode) {
  const ir::statement& s = h.p[e];
  if (s.code == ir::opcode::reshape) return "another shape of " + ir::detail::spelled(pass::root_of(h.p, e));
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

std::string stored_text(const half& h, value_id i) {
  return h.is_stored(i)     ? "stored for " + joined(h.readers_of(i))
         : h.is_in_block(i) ? "kept for the block, for " + joined(h.readers_of(i))
                            : "";
}

std::string unit_text(const half& h, int u, const measure& size) {
  const pass::unit& unit = h.f.units[index(u)];
  const pass::planned_unit& planned = h.plan.units[index(u)];
  const bool sweep = unit.kind == pass::unit_kind::sweep;
  std::string r = "  " + h.unit_name(u) + ": " + kind_text(h, u) + chain_text(h, u) + '\n';
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
      add(step.index, "");
      continue;
    }
    flush("for the vertex");
    const pass::planned_loop& loop = h.plan.loops[index(step.index)];
    for (int s = loop.first_statement; s < loop.last_statement; ++s) {
      const value_id e = h.plan.loop_statements[index(s)].at;
      add(e, how_text(h, e, unit.side, h.plan.modes[index(step.index)][index(e)]));
    }
    for (int s = loop.first_result; s < loop.last_result; ++s) {
      const value_id a = h.plan.loop_results[index(s)].at;
      if (h.p[a].where == ir::space::edge) lines.push_back({"store " + ir::detail::spelled(a)});
      else add(a, "aggregated");
    }
    flush(std::string("for each of its ") + (unit.side == pass::sweep_side::in ? "in" : "out") + "-edges");
  }
  flush(sweep ? "for the vertex" : "");
  const unit_cost cost = cost_of(h.p, h.f, h.plan, u);
  return r + "    bytes " + size(cost.bytes) + "\n    operations " + size(cost.operations) + '\n';
}

std::string units_text(const half& h, const measure& size) {
  std::string r;
  for (int u = 0; u < h.unit_count(); ++u) r += unit_text(h, u, size);
  return r;
}

unit_cost total_of(const half& h) {
  unit_cost total;
  for (int u = 0; u < h.unit_count(); ++u) total += cost_of(h.p, h.f, h.plan, u);
  return total;
}

// ---- memory ----

/// A value that takes memory: which, how much, and from which unit to which.
struct stored_value {
  std::string text;
  formula bytes;
  int first, last;
  std::string edge_reason;  // why it has |E| rows, empty where it has not
  bool is_callers = false;  // lies in a tensor of the caller
};

std::vector<stored_value> stored_values(const half& h, const std::vector<buffer>& buffers, const std::string& prefix,
                                        const std::vector<value_id>& in_callers_tensors) {
  std::vector<stored_value> values;
  for (value_id i = 0; i < h.p.size(); ++i) {
    if (!h.is_stored(i)) continue;
    const std::string reason = h.p[i].where == ir::space::edge ? joined(h.readers_of(i)) : "";
    bool callers = false;
    for (value_id at : in_callers_tensors) callers = callers || at == i;
    values.push_back({prefix + value_text(h.p, i), bytes_of_value(h.p, i), buffers[index(i)].first,
                      buffers[index(i)].last, reason, callers});
  }
  return values;
}

/// What lives while unit u runs.
formula live_at(const std::vector<stored_value>& values, int u) {
  formula sum;
  for (const stored_value& v : values)
    if (!v.is_callers && v.first <= u && u <= v.last) sum += v.bytes;
  return sum;
}

/// `callers`: what is said of values that take no memory of the block; `kept_bytes`: what a prologue left, behind it.
std::string memory_text(const std::vector<stored_value>& values, int units, const block_bytes& block, int threads,
                        const sizes* given, const std::string& callers = "in the caller's tensor",
                        std::int64_t kept_bytes = 0) {
  const measure size(given);
  std::string r;
  table lines;
  for (const stored_value& v : values) {
    const std::string first = std::to_string(v.first), last = std::to_string(v.last);
    const std::string lifetime = v.is_callers      ? callers
                                 : v.last >= units ? "from unit " + first + " until the call is over"
                                 : first == last   ? "in unit " + first
                                                   : "units " + first + " to " + last;
    lines.push_back({v.text, size(v.bytes), lifetime});
  }
  r += indented(ir::detail::columns(lines), 4);

  std::map<int, formula> most;  // units whose live values no other unit's exceed for every size
  for (int u = 0; u < units; ++u) {
    const formula live = live_at(values, u);
    bool exceeded = live.is_zero();
    for (int other = 0; other < units; ++other) {
      const formula theirs = live_at(values, other);
      exceeded = exceeded || (live.at_most(theirs) && (!(live == theirs) || other < u));
    }
    if (!exceeded) most[u] = live;
  }
  for (const auto& [u, live] : most) r += "    alive in unit " + std::to_string(u) + ": " + size(live) + '\n';
  if (given) {
    const std::int64_t bytes = block.values + block.workspace + kept_bytes;
    r += "    peak: " + std::to_string(bytes) + " bytes = " + std::to_string(block.values) +
         " for values, in one block by lifetime, + " + std::to_string(block.workspace) + " of workspace for " +
         std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
         (kept_bytes == 0 ? "" : ", + " + std::to_string(kept_bytes) + " kept by the prologue") + '\n';
  } else {
    r += "    peak: the largest of these, where values whose lifetimes do not overlap share memory, and a workspace "
         "for rows in\n"
         "    flight and partial sums, by extents and threads\n";
  }
  bool edges = false;
  for (const stored_value& v : values) {
    if (v.edge_reason.empty()) continue;
    edges = true;
    r += "    " + v.text + " has |E| rows: it is stored for " + v.edge_reason + '\n';
  }
  return r + (edges ? "    the peak depends on |E|\n" : "    no array has |E| rows: the peak does not depend on |E|\n");
}

// ---- training: what goes from one half to the other ----

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
         memory_text(values, h.unit_count(), once.bytes, threads, given, "kept for all calls", once.kept_bytes) + '\n';
}

std::string inference_text(const compiled_programs& all, const sizes* given) {
  const measure size(given);
  const half h(all.inference.program, 0, std::vector<std::string>(all.inference.program.outputs.size(), "the caller"));
  const std::vector<stored_value> values = stored_values(h, all.inference.buffers, "", all.in_callers_tensors);
  return prologue_text(all.inference_prologue, "inference", all.threads, given) + heading("inference", h) +
         indented(to_text(h.p), 2) + units_text(h, size) + total_text(total_of(h), size) + "  memory\n" +
         memory_text(values, h.unit_count(), all.inference_bytes, all.threads, given, "in the caller's tensor",
                     all.inference_prologue.kept_bytes);
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
                     "in the caller's tensor", all.training_prologue.kept_bytes);
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
      "in registers: computed within the loop that consumes it. for a chunk of edges: computed into scratch, some "
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
