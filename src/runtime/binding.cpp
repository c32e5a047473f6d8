// Binding tensors to a program's inputs.
#include "memory/kept_lists.hpp"  // kept_lists

#include <stg/runtime/binding.hpp>

#include <algorithm>  // find
#include <cstdint>    // uintptr_t
#include <limits>     // numeric_limits
#include <map>        // map
#include <string>     // string, to_string
#include <vector>     // vector

#include <stg/base/error.hpp>            // error
#include <stg/runtime/communicator.hpp>  // communicator
#include <stg/runtime/kinds.hpp>         // check_kinds, rows_of_kind, identity_of_kind
#include <stg/runtime/rank_rows.hpp>     // rank_rows

namespace stg {

namespace {

std::string quoted(const text& name) {
  std::string s("'");
  s.append(name.view());
  s.push_back('\'');
  return s;
}

std::string spelled(const ir::polynomial& p) {
  std::string s;
  for (int i = 0; i < p.count; ++i) {
    const ir::term& t = p.terms[i];
    if (i > 0) s.append(" + ");
    const bool number = t.coefficient != 1 || t.degree == 0;
    if (number) s.append(std::to_string(t.coefficient));
    for (int f = 0; f < t.degree; ++f) {
      if (number || f > 0) s.append(" * ");
      s.append(t.factors[f].view());
    }
  }
  return p.count == 0 ? "0" : s;
}

/// One axis of one input, and the size that it is bound to; without an input the steps of the graph sequence.
struct bound_axis {
  const ir::input* input = nullptr;
  int axis = 0;
  std::int64_t size = 0;
};
std::string spelled(const bound_axis& from) {
  if (from.input == nullptr) return "the graph sequence";
  return quoted(from.input->name) + " axis " + std::to_string(from.axis);
}

/// Rows of a value that lives there.
std::int64_t rows_of(const program_view& program, const ir::domain& where, const graph& on) {
  if (where.set != 0) return rows_of_kind(program.kinds[where.set - 1], on);
  return where == ir::space::vertex ? on.vertices() : where == ir::space::edge ? on.edges() : 1;
}

class binder {
 public:
  binder(const program_view& program, const call_graph& graph)
      : program(program), of_call(graph), on(graph.outside()), graphs(graph.steps()) {
    sizes.clear();
    later.clear();
  }

  void bind(const ir::statement& s, const ir::input& in, const bound_input& bound) {
    if (bound.weights_of != graphs && bound.weights_of != nullptr) wrong_weights(in);
    const bool per_row = s.where != ir::space::graph;
    const int steps = has_axis_of_steps(s) ? 1 : 0;  // axes before the rows
    const int first = steps + (per_row ? 1 : 0), rank = s.dims.rank + first;
    const bool flat =
        s.dims.rank == 0 && bound.shape.rank() == rank + 1 && bound.shape[rank] == 1;  // (n, 1) for one number
    const bool one = !per_row && steps == 0 && s.dims.rank == 0 && bound.shape.size() == 1;
    if (bound.shape.rank() != rank && !flat && !one)
      throw error("input " + quoted(in.name) + " has shape " + to_string(bound.shape) + "; expected " +
                  std::to_string(rank) + " axes: " + expected(s));
    if (per_row) {
      const bool vertices = s.where == ir::space::vertex;
      const std::int64_t rows = graphs != nullptr && !vertices ? graphs->all_edges : rows_of(program, s.where, on);
      if (bound.shape[steps] != rows)
        throw error("input " + quoted(in.name) + " has " + std::to_string(bound.shape[steps]) + " rows" +
                    (steps == 1 ? " in a step" : "") + "; " + rows_in(s.where) + " has " + std::to_string(rows) +
                    (vertices            ? " vertices"
                     : graphs != nullptr ? " edges in all its steps"
                                         : " edges"));
      if (bound.edges != edge_identity::unknown) check_values(s.where, in, bound.edges);
    }
    if (steps == 1) bind_axis(s.over, {&in, 0, bound.shape[0]}, true);
    for (int a = 0; a < s.dims.rank; ++a) bind_axis(s.dims.axes[a], {&in, a + steps, bound.shape[a + first]}, false);
  }
  /// The number of steps of a scan whose steps have a graph each.
  void bind_steps(ir::extent extent) { bind_axis(extent, {nullptr, 0, graphs->steps}, true); }

  void finish(std::span<std::int64_t> values) {
    for (const pending& p : later) {
      const std::int64_t wanted = value(p.wanted);
      if (p.from.size != wanted && p.from.input == nullptr) wrong_steps(p.from, p.wanted, wanted);
      if (p.from.size != wanted)
        throw error("input " + spelled(p.from) + " has extent " + std::to_string(p.from.size) + "; expected " +
                    spelled(p.wanted) + " = " + std::to_string(wanted));
    }
    for (std::size_t i = 0; i < program.extents.size(); ++i) values[i] = value(program.extents[i]);
  }

 private:
  struct named_size {
    text name;
    bound_axis from;  // what fixed it
  };
  struct pending {
    ir::polynomial wanted;
    bound_axis from;
  };

  const ir::kind& kind_of(const ir::domain& where) const { return program.kinds[where.set - 1]; }
  std::string rows_in(const ir::domain& where) const {
    if (where.set == 0) return graphs != nullptr ? "the graph sequence" : "the graph";
    return (where == ir::space::edge ? "relation " : "vertex set ") + quoted(kind_of(where).name);
  }
  /// Edge values are those of the edges that they are bound for.
  void check_values(const ir::domain& where, const ir::input& in, edge_identity of) const {
    if (where.set == 0) return check_edges("input " + quoted(in.name), in.name.view(), of, of_call);
    const ir::kind& relation = kind_of(where);
    if (of == identity_of_kind(relation, on)) return;
    throw error(
        "input " + quoted(in.name) + " has edge values of another graph or relation; write graphs.edge_values(" +
        std::string(relation.name.view()) + ", " + std::string(in.name.view()) + ") with the graph of the call");
  }
  ir::polynomial polynomial_of(ir::extent e) const {
    return e.is_static() ? ir::polynomial(e.code) : program.extents[static_cast<std::size_t>(-1 - e.code)];
  }
  /// Edges of steps that have a graph each follow one another in one axis.
  bool has_axis_of_steps(const ir::statement& s) const {
    return s.is_sequence() && (graphs == nullptr || s.where != ir::space::edge);
  }
  [[noreturn]] void wrong_weights(const ir::input& in) const {
    throw error("input " + quoted(in.name) + " has the weights of " +
                (graphs == nullptr ? "a graph sequence, and the call has one graph; write model(sequence, "
                                   : "another graph sequence; write model(sequence, ") +
                std::string(in.name.view()) + " = sequence.weights())");
  }
  [[noreturn]] static void wrong_steps(const bound_axis& from, const ir::polynomial& p, std::int64_t wanted) {
    throw error(spelled(from) + " has " + std::to_string(from.size) + " steps; the scan has " + spelled(p) +
                (p.is_integer() ? "" : " = " + std::to_string(wanted)));
  }
  std::string expected(const ir::statement& s) const {
    std::string list = has_axis_of_steps(s) ? spelled(polynomial_of(s.over)) : "";
    if (has_axis_of_steps(s) && s.where != ir::space::graph) list.append(", ");
    list.append(s.where == ir::space::vertex ? "vertices" : s.where == ir::space::edge ? "edges" : "");
    if (s.is_sequence() && !has_axis_of_steps(s)) list.append(" of all steps");
    for (int a = 0; a < s.dims.rank; ++a) {
      if (!list.empty()) list.append(", ");
      list.append(spelled(polynomial_of(s.dims.axes[a])));
    }
    return "(" + list + ")";
  }

  /// Steps may be none.
  void bind_axis(ir::extent extent, const bound_axis& from, bool is_steps) {
    const ir::polynomial wanted = polynomial_of(extent);
    const std::int64_t size = from.size;
    const bool is_name = wanted.count == 1 && wanted.terms[0].coefficient == 1 && wanted.terms[0].degree == 1;
    if (wanted.is_integer()) {
      if (size != wanted.integer() && from.input == nullptr) wrong_steps(from, wanted, wanted.integer());
      if (size != wanted.integer())
        throw error("input " + spelled(from) + " has extent " + std::to_string(size) + "; the program says " +
                    std::to_string(wanted.integer()));
    } else if (is_name) {
      if (size == 0 && !is_steps)
        throw error("extent " + quoted(wanted.terms[0].factors[0]) + " is 0 in " + spelled(from) +
                    "; an extent is 1 or more");
      for (const named_size& known : sizes) {
        if (!(known.name == wanted.terms[0].factors[0])) continue;
        if (known.from.size != size)
          throw error("extent " + quoted(known.name) + " is " + std::to_string(known.from.size) + " in " +
                      spelled(known.from) + " and " + std::to_string(size) + " in " + spelled(from) +
                      "; one name is one size");
        return;
      }
      sizes.push_back({wanted.terms[0].factors[0], from});
    } else {
      later.push_back({wanted, from});
    }
  }

  std::int64_t value(const ir::polynomial& p) const {
    return ir::evaluate(p, [&](const text& name) {
      for (const named_size& known : sizes)
        if (known.name == name) return known.from.size;
      throw error("extent " + quoted(name) + " is not the extent of any input; bind an input that has it by itself");
    });
  }

  const program_view& program;
  const call_graph& of_call;
  const graph& on;
  const step_graphs* graphs;
  struct axes {
    std::vector<named_size> sizes;
    std::vector<pending> later;
  };
  const detail::kept_lists<axes> kept{};
  std::vector<named_size>& sizes = kept->sizes;
  std::vector<pending>& later = kept->later;
};

/// A slice or a pad of run-time extents: whether the part ends within the axis is known only now.
void check_part(const program_view& program, const ir::statement* statements, const ir::statement& s,
                std::span<const std::int64_t> extents) {
  const auto size_of = [&](std::int64_t code) {
    return code >= 0 ? code : extents[static_cast<std::size_t>(-1 - code)];
  };
  const bool is_slice = ir::takes_part(s.code);
  const std::int64_t own = s.dims.axes[s.part_axis()].code,
                     other = statements[s.operands[0]].dims.axes[s.part_axis()].code;
  const std::int64_t axis = is_slice ? other : own;
  const std::int64_t end = size_of(s.beginning().code) + size_of(is_slice ? own : other);
  if (end <= size_of(axis)) return;
  const std::string name = axis >= 0 ? "" : spelled(program.extents[static_cast<std::size_t>(-1 - axis)]) + " = ";
  throw error((is_slice ? "slice" : "what is padded") + std::string(" ends at ") + std::to_string(end) +
              "; its axis has extent " + name + std::to_string(size_of(axis)));
}
void check_slices(const program_view& program, const ir::statement* statements, std::int64_t count,
                  std::span<const std::int64_t> extents) {
  for (std::int64_t i = 0; i < count; ++i)
    if (ir::takes_part(statements[i].code) || ir::places_part(statements[i].code))
      check_part(program, statements, statements[i], extents);
}
void check_slices(const program_view& program, const sequence<ir::program>& callees,
                  std::span<const std::int64_t> extents) {
  for (const ir::program& c : callees) {
    check_slices(program, c.statements.begin(), c.size(), extents);
    check_slices(program, c.callees, extents);
  }
}
/// Those of a program, and of all that it calls.
void check_slices(const program_view& program, std::span<const std::int64_t> extents) {
  check_slices(program, program.statements.data(), std::ssize(program.statements), extents);
  const ir::statement* statements = program.called;
  for (int k = 0; k < program.called_count; ++k) {
    check_slices(program, statements, program.called_sizes[k].statements, extents);
    statements += program.called_sizes[k].statements;
  }
  if (program.callees != nullptr) check_slices(program, *program.callees, extents);
}

}  // namespace

void check_place(std::string_view what, std::string_view expression, location lies, location runs_on) {
  if (lies == runs_on) return;
  throw error(std::string(what) + " lies on " + to_string(lies) + ", the program runs on " + to_string(runs_on) +
              "; write " + std::string(expression) + ".to(" + spelled(runs_on) + ")");
}

void check_edges(std::string_view what, std::string_view expression, edge_identity of, const call_graph& on) {
  if (of == edge_identity::unknown || on.outside().has_kinds() || of == on.edge_identity()) return;
  if (on.steps() != nullptr)
    throw error(std::string(what) + " has edge values of another graph sequence; write sequence.edge_steps(" +
                std::string(expression) + ") with the sequence of the call");
  throw error(std::string(what) + " has edge values of another graph; write graph.edge_values(" +
              std::string(expression) + ") with the graph of the call");
}

/// Whether a graph is the part of one rank of several.
static bool has_some_rows(const graph& on) { return on.ranks() != nullptr && on.ranks()->ranks->size() > 1; }

bound_labels labels_of(const program_view& program, const ir::label_range& range, std::span<const bound_input> inputs,
                       std::span<const std::int64_t> extents, const call_graph& on) {
  const auto input_of = [&](ir::value_id id) -> const ir::statement* {
    if (id == ir::no_value || program.statements[static_cast<std::size_t>(id)].code != ir::opcode::input)
      return nullptr;
    return &program.statements[static_cast<std::size_t>(id)];
  };
  const auto data_of = [&](const ir::statement* s) {
    return s == nullptr ? nullptr : inputs[static_cast<std::size_t>(s->entry())].data;
  };
  bound_labels found;
  const ir::statement *labels = input_of(range.labels), *mask = input_of(range.mask);
  const bool mask_is_computed = range.mask != ir::no_value && mask == nullptr;
  if (labels == nullptr || mask_is_computed) return found;
  found.input = &program.inputs[static_cast<std::size_t>(labels->entry())];
  if (labels->type == scalar_type::boolean) {
    if (has_some_rows(on.outside())) return found;  // a mask may name rows of other ranks alone
    found.kept = static_cast<const bool*>(data_of(labels));
  } else {
    found.label = static_cast<const std::int32_t*>(data_of(labels));
    found.kept = static_cast<const bool*>(data_of(mask));
  }
  found.where = labels->where;
  const auto length = [&](ir::extent e) {
    return e.is_static() ? e.code : extents[static_cast<std::size_t>(-1 - e.code)];
  };
  const auto has_graphs = [&](const ir::statement& s) { return s.where == ir::space::edge && on.steps() != nullptr; };
  const auto rows_of = [&](const ir::statement& s) {
    if (has_graphs(s)) return on.steps()->all_edges;
    const std::int64_t rows = stg::rows_of(program, s.where, on.outside());
    return s.is_sequence() ? rows * length(s.over) : rows;
  };
  found.rows = rows_of(*labels);
  if (labels->is_sequence()) found.steps = length(labels->over);
  if (has_graphs(*labels)) found.graphs = on.steps();
  found.kept_rows = mask == nullptr ? found.rows : rows_of(*mask);
  found.classes = length(range.classes);
  return found;
}

void wrong_label(const bound_labels& labels, std::int64_t row, std::int32_t label) {
  std::string at;
  if (labels.steps > 0) {
    std::int64_t step = 0;
    while (labels.first_row_of(step + 1) <= row) ++step;
    row -= labels.first_row_of(step);
    at = " at step " + std::to_string(step);
  }
  if (labels.where != ir::space::graph)
    at += std::string(at.empty() ? " at " : ", ") +
          (labels.where == ir::space::edge ? "the edge with id " : "vertex ") + std::to_string(row);
  throw error("input " + quoted(labels.input->name) + " is " + std::to_string(label) + at + "; labels lie in [0, " +
              std::to_string(labels.classes) + ")");
}

void empty_mask(const bound_labels& mask, std::int64_t step) {
  const std::string name(mask.input->name.view());
  const bool per_edge = mask.where == ir::space::edge;
  throw error("mask '" + name + "' names no " + (per_edge ? "edge" : "vertex") +
              (step < 0 ? "" : " at step " + std::to_string(step)) + ", the loss would be 0; write may_be_empty(" +
              (per_edge ? "e(" : "v(") + name + ")) where that is meant");
}

void bind_inputs(const program_view& program, const call_graph& on, std::span<const bound_input> inputs,
                 std::span<std::int64_t> extents, location runs_on, const step_extents& steps) {
  check_kinds(program.kinds, on.outside());
  if (on.steps() != nullptr) check_place("graph sequence", "sequence", on.outside().place(), runs_on);
  else check_place("graph", "graph", on.outside().place(), runs_on);
  binder b(program, on);
  for (int k = 0; k < steps.count; ++k) b.bind_steps(steps.first[k]);
  for (const ir::statement& s : program.statements)
    if (s.code == ir::opcode::input) {
      const std::size_t at = static_cast<std::size_t>(s.entry());
      b.bind(s, program.inputs[at], inputs[at]);
      if (inputs[at].place != runs_on && !inputs[at].is_number)
        check_place("input " + quoted(program.inputs[at].name), program.inputs[at].name.view(), inputs[at].place,
                    runs_on);
    }
  b.finish(extents);
  check_slices(program, extents);
  if (!runs_on.is_host()) return;
  for (const ir::label_range& range : program.checks) {
    const bound_labels b = labels_of(program, range, inputs, extents, on);
    if (b.is_mask()) {
      const auto names_nothing = [&](std::int64_t first, std::int64_t last) {
        return first < last && std::find(b.kept + first, b.kept + last, true) == b.kept + last;
      };
      if (names_nothing(0, b.rows)) empty_mask(b);
      for (std::int64_t t = 0; t < b.steps; ++t)
        if (names_nothing(b.first_row_of(t), b.first_row_of(t + 1))) empty_mask(b, t);
      continue;
    }
    for (std::int64_t v = 0; v < b.rows; ++v)
      if ((b.kept == nullptr || b.kept[v % b.kept_rows]) && (b.label[v] < 0 || b.label[v] >= b.classes))
        wrong_label(b, v, b.label[v]);
  }
}

namespace {

bool overlap(const byte_range& a, const byte_range& b) {
  const auto from_a = reinterpret_cast<std::uintptr_t>(a.data), from_b = reinterpret_cast<std::uintptr_t>(b.data);
  if (a.bytes == 0 || b.bytes == 0) return false;
  return from_a < from_b + static_cast<std::uintptr_t>(b.bytes) &&
         from_b < from_a + static_cast<std::uintptr_t>(a.bytes);
}

/// f(the entry of an input, its memory) for each that lies in memory of its user's.
template <class F> void for_each_range(const program_view& program, std::span<const bound_input> inputs, F f) {
  for (const ir::statement& s : program.statements) {
    if (s.code != ir::opcode::input) continue;
    const std::size_t at = static_cast<std::size_t>(s.entry());
    const bound_input& in = inputs[at];
    if (!in.is_number && in.weights_of == nullptr && !program.inputs[at].sparse)
      f(at, byte_range{in.data, in.shape.size() * bytes_of(s.type)});
  }
}

}  // namespace

std::vector<same_input> find_same_inputs(const program_view& program, std::span<const bound_input> inputs) {
  struct seen {
    dimensions shape;
    scalar_type type;
    std::size_t entry;
  };
  std::map<const void*, std::vector<seen>> by_address;
  std::vector<same_input> found;
  for (const ir::statement& s : program.statements) {
    if (s.code != ir::opcode::input) continue;
    const std::size_t at = static_cast<std::size_t>(s.entry());
    const bound_input& in = inputs[at];
    if (in.data == nullptr || in.is_number || in.weights_of != nullptr || program.inputs[at].sparse) continue;
    const auto is_same = [&](const seen& other) { return other.shape == in.shape && other.type == s.type; };
    std::vector<seen>& here = by_address[in.data];
    const auto first = std::find_if(here.begin(), here.end(), is_same);
    if (first == here.end()) here.push_back({in.shape, s.type, at});
    else if (first->entry != at)
      found.push_back(
          {std::string(program.inputs[at].name.view()), std::string(program.inputs[first->entry].name.view())});
  }
  return found;
}

void check_apart(const program_view& program, std::span<const bound_input> inputs,
                 std::span<const byte_range> outputs) {
  const auto refuse = [](std::size_t output, const std::string& other) {
    throw error("output " + std::to_string(output) + " lies in the memory of " + other + "; give another tensor");
  };
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    for_each_range(program, inputs, [&](std::size_t entry, const byte_range& input) {
      if (overlap(outputs[k], input)) refuse(k, "input " + quoted(program.inputs[entry].name));
    });
    for (std::size_t other = 0; other < k; ++other)
      if (overlap(outputs[k], outputs[other])) refuse(k, "output " + std::to_string(other));
  }
}

void check_no_own_results(const program_view& program, std::span<const bound_input> inputs, const byte_range& working) {
  for_each_range(program, inputs, [&](std::size_t entry, const byte_range& input) {
    if (overlap(working, input))
      throw error("input " + quoted(program.inputs[entry].name) +
                  " is a result of the step that is to read it; bind a clone() of it");
  });
}

void check_edge_ids(const program_view& program, std::int64_t edges) {
  if (edges <= std::numeric_limits<std::int32_t>::max()) return;
  for (const ir::statement& s : program.statements)
    if (s.code == ir::opcode::edge_index || s.code == ir::opcode::first_max_edge)
      throw error("graph has " + std::to_string(edges) +
                  " edges; the gradient of max and min over edges takes at most " +
                  std::to_string(std::numeric_limits<std::int32_t>::max()));
}

}  // namespace stg
