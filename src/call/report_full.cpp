// An explanation in full: every value, unit, edge loop and array of each program.
#include "report_full.hpp"

#include <stg/ir/print.hpp>  // to_text, columns

#include "report_keeping.hpp"  // keeping_text
#include "report_stored.hpp"   // choices_text

namespace stg::detail::explained {

namespace {

// ---- words ----

/// Words of the text that are not the language's, each with what it says to one who wrote the lambda.
constexpr struct {
  std::string_view word, meaning;
} glossary[] = {
    {"unit ", "one pass over vertices or edges, or one product; units run one after the other"},
    {"in registers", "computed within what reads it"},
    {"for a chunk of edges", "computed into scratch memory, some edges at a time"},
    {"across edges", "a few features, computed for several edges to a register"},
    {"kept for the block", "for the rows that these units work on now; there is no array of it"},
    {"block by block", "these units take some rows at a time, one unit after the other"},
    {"gather_src", "the value at an edge's source, e.src(...)"},
    {"gather_dst", "the value at an edge's destination, e.dst(...)"},
    {"sum_edges", "a sum over a vertex's edges; max_edges, prod_edges and their like in the same way"},
    {"top_share_edges", "a softmax's largest share over a vertex's edges: 1 / the sum of exp(x - the largest x)"},
    {"reduce_sum", "a sum along feature axes; reduce_max, reduce_top_share in the same way"},
    {"sum_vertices", "a sum over all vertices, one value for the graph"},
    {"scatter_sum", "rows summed by an index: the gradient of a parameter that they pick from, such as an embedding"},
    {"reduced_matmul", "x^T y, summed over vertices: the gradient of a product's parameter"},
    {"by MPMS", "more than one reader and more than one stored value below; all else is computed where it is read"},
    {"|E|/|V|", "edges of a vertex, on average"},
    {"keep_mask", "what dropout keeps: 1 / (1 - p) or 0; drawn again wherever it is read"},
    {"input 'd(output", "the gradient that backward starts from, 1 for a loss"},
    {"input 'saved", "what the forward program kept in memory for the gradient"},
    {"unread #", "an input that another part of the step reads"},
    {"entry=", "which of the inputs it is, where they are read in another order"},
    {"iota", "0, 1, 2, ... along a feature axis"},
    {"arithmetic on graph values", "on values of which there is one for the graph, as parameters and losses"},
    {"bytes ",
     "at least: every array once, a neighbour's row once per edge, 4 for its id, 8 per edge id and row's offset"},
};

std::string glossary_of(const std::string& shown) {
  table lines;
  for (const auto& [word, meaning] : glossary)
    if (shown.find(word) != std::string::npos)
      lines.push_back({std::string(word.substr(0, word.find_last_not_of(' ') + 1)), std::string(meaning)});
  return "words\n" + indented(ir::detail::columns(lines), 2) + '\n';
}

// ---- what goes from the forward half to the gradient ----

std::string section(const std::string& title, const table& lines) {
  return lines.empty() ? "  " + title + ": nothing\n" : "  " + title + '\n' + indented(ir::detail::columns(lines), 4);
}

std::string between_text(const program_with_plan& forward, const program_with_plan& gradient,
                         const sequence<pass::connection>& connections, const measure& size) {
  table saved, again, recomputed, drawn;
  const sequence<value_id> same = same_in_forward(forward.p, gradient.p, connections);
  for (value_id i = 0; i < gradient.p.size(); ++i) {
    const ir::statement& s = gradient.p[i];
    const std::string readers = listed(gradient.readers_of(i));
    if (s.code == ir::opcode::input) {
      const pass::connection& c = connections[index(s.entry())];
      if (c.kind == pass::connection_kind::saved) {
        const value_id at = root_of(forward.p, forward.p.outputs[index(c.index)].at);
        std::vector<std::string> others;
        for (const std::string& reader : forward.readers_of(at))
          if (reader != "the gradient") others.push_back(reader);
        saved.push_back({value_text(forward.p, at), size(bytes_of_value(forward.p, at)), "for " + readers,
                         others.empty() ? "for the gradient alone" : "in memory anyway for " + listed(others)});
      } else {
        again.push_back(
            {ir::detail::operation_text(gradient.p, s), ir::detail::spelled(gradient.p, s.dims), "in " + readers});
      }
    } else if (s.code == ir::opcode::keep_mask) {
      drawn.push_back({line_of(gradient.p, i)[0], ir::detail::spelled(gradient.p, s.dims)});
    } else if (is_computed_again(gradient.p, i, same)) {
      std::vector<std::string> line = line_of(gradient.p, i);
      line.push_back("per " + ir::detail::where_text(gradient.p, s.where));
      line.push_back("was " + ir::detail::spelled(same[index(i)]));
      recomputed.push_back(line);
    }
  }
  return section("saved for the gradient", saved) + section("read again", again) +
         section("drawn again, not saved", drawn) + section("computed again rather than saved", recomputed);
}

// ---- programs ----

std::string heading(const std::string& title, const program_with_plan& h) {
  const int sweeps = edge_sweeps(h);
  return title + ": " + std::to_string(h.unit_count()) + (h.unit_count() == 1 ? " unit" : " units") + ", " +
         std::to_string(sweeps) + (sweeps == 1 ? " sweep" : " sweeps") + " over edges\n";
}
std::string total_text(const unit_cost& total, const measure& size) {
  return "  in total\n    bytes " + size(total.bytes) + "\n    operations " + size(total.operations) + '\n';
}

std::string program_text(const std::string& title, const program_with_plan& h, const measure& size) {
  return heading(title, h) + indented(to_text(h.p), 2) + units_text(h, size) + "  stored\n" +
         indented(choices_text(h, size), 4);
}

/// What runs once, for fixed inputs.
std::string prologue_text(const placed_prologue& once, const std::optional<program_with_plan>& planned,
                          const std::string& title, int threads, const sizes* given) {
  if (!planned) return "";
  const measure size(given);
  return program_text(title + ", once for a graph and fixed inputs", *planned, size) +
         total_text(total_of(*planned), size) + "  memory\n" +
         memory_text(prologue_memory_of(once, *planned), threads, given, "kept for all calls") + '\n';
}

std::string inference_text(const compiled_programs& all, const planned_programs& planned, const sizes* given) {
  const measure size(given);
  return prologue_text(all.inference_prologue, planned.inference_prologue, "inference", all.threads, given) +
         program_text("inference", planned.inference, size) + total_text(total_of(planned.inference), size) +
         "  memory\n" + memory_text(inference_memory_of(all, planned), all.threads, given);
}

std::string training_text(const compiled_programs& all, const planned_programs& planned, const sizes* given) {
  const measure size(given);
  const auto& [head, tail] = *planned.training;
  unit_cost total = total_of(head);
  total += total_of(tail);
  return prologue_text(all.training_prologue, planned.training_prologue, "training", all.threads, given) +
         program_text("training, forward", head, size) + '\n' + program_text("training, gradient", tail, size) + '\n' +
         "training, both\n" + between_text(head, tail, all.connections, size) + keeping_text(all, size) +
         total_text(total, size) + "  memory\n" + memory_text(training_memory_of(all, planned), all.threads, given);
}

}  // namespace

std::string full_text(const compiled_programs& all, const planned_programs& planned, const sizes* given) {
  const std::string shown =
      inference_text(all, planned, given) + (planned.training ? '\n' + training_text(all, planned, given) : "");
  return glossary_of(shown) + shown;
}

}  // namespace stg::detail::explained
