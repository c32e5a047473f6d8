// Binding tensors to a program's inputs: every size is checked here, before a kernel runs.
#pragma once

#include <cstdint>      // int64_t
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/ir/frozen.hpp>            // program_sizes
#include <stg/ir/program.hpp>           // statement, input, label_range
#include <stg/runtime/call_graph.hpp>   // call_graph
#include <stg/runtime/dimensions.hpp>   // dimensions
#include <stg/runtime/step_graphs.hpp>  // step_graphs

namespace stg {

/// A program seen without its sizes in the type, so that checking it is ordinary compiled code.
struct program_view {
  std::span<const ir::statement> statements;
  std::span<const ir::input> inputs;
  std::span<const ir::polynomial> extents;
  std::span<const ir::label_range> checks;
  ir::kind_list kinds{};

  // Its callees, whose extents are the first ones of its own: of a frozen program the statements of all callees, one
  // program behind the other, else the programs. By addresses: each kind of std::span is a hundred classes more in
  // every file.
  const ir::statement* called = nullptr;
  const ir::program_sizes* called_sizes = nullptr;
  int called_count = 0;
  const sequence<ir::program>* callees = nullptr;
};

template <class Frozen> program_view view_of(const Frozen& p) {
  program_view v{{p.statements, static_cast<std::size_t>(p.size)},
                 {p.inputs, static_cast<std::size_t>(p.room.inputs)},
                 {p.extents, static_cast<std::size_t>(p.room.extents)},
                 {p.checks, static_cast<std::size_t>(p.room.checks)},
                 {p.kinds, p.room.kinds}};
  if constexpr (Frozen::room.callees > 0) {
    v.called = p.called.statements;
    v.called_sizes = p.called.sizes;
    v.called_count = Frozen::called_type::room.callees;
  }
  return v;
}

inline program_view view_of(const ir::program& p) {
  program_view v{{p.statements.begin(), p.statements.end()},
                 {p.inputs.begin(), p.inputs.end()},
                 {p.extents.begin(), p.extents.end()},
                 {p.checks.begin(), p.checks.end()},
                 {p.kinds.begin(), p.kinds.size()}};
  v.callees = &p.callees;
  return v;
}

/// The binding of one input of a call. `data` is null for an input that no statement reads.
struct bound_input {
  const void* data = nullptr;
  dimensions shape{};
  location place{};        // of the data
  bool is_number = false;  // given as one, and kept by the call: it goes wherever the program runs
  edge_identity edges = edge_identity::unknown;  // of edge values: their edges
  const step_graphs* weights_of = nullptr;       // the weights of this sequence, read at each step from its memory
};

/// Extents of a program.
struct step_extents {
  const ir::extent* first = nullptr;
  int count = 0;
};

/// Checks the shape of every bound input and finds the sizes of the run-time extents, one per entry of the program's
/// extents. Raises stg::error that names the input and says what was expected: rows other than the graph's vertices or
/// edges, edge values of another graph, an extent that differs, a run-time extent bound to two sizes, to 0 or to none,
/// edge values of another relation, a graph without the program's vertex sets and relations, a slice that ends beyond a
/// run-time extent, a label outside of its classes (if the program runs on the host; elsewhere the backend checks
/// them); and the graph, or an input, in a different place than the program runs. For a sequence as graph, `steps` are
/// the extents that must be its length, with their names.
void bind_inputs(const program_view& program, const call_graph& on, std::span<const bound_input> inputs,
                 std::span<std::int64_t> extents, location runs_on = host, const step_extents& steps = {});

/// Labels bound by a call, and their requirements; or a mask, which has to name a vertex.
struct bound_labels {
  const ir::input* input = nullptr;
  const std::int32_t* label = nullptr;  // (rows), at the input's place; null: a mask
  const bool* kept = nullptr;           // (rows): labels that count; null: all
  std::int64_t rows = 0, classes = 0;
  std::int64_t kept_rows = 0;            // of a mask with the same rows at every step, of fewer rows than the labels
  ir::domain where = ir::space::vertex;  // of the rows
  std::int64_t steps = 0;                // of the rows, one behind the other; 0: one value for all
  const step_graphs* graphs = nullptr;   // for rows of edges, if each step has a graph

  bool is_mask() const { return label == nullptr; }
  /// The first row of a step; of `steps`, the end of all.
  std::int64_t first_row_of(std::int64_t step) const {
    return graphs != nullptr ? graphs->edges_before(step) : rows / steps * step;
  }
};
/// A program's check of labels, or of a mask, for a call; without rows, so that nothing is checked, if they or their
/// mask are computed: their computation sees to it.
bound_labels labels_of(const program_view& program, const ir::label_range& range, std::span<const bound_input> inputs,
                       std::span<const std::int64_t> extents, const call_graph& on);
/// step: the one at which the mask names nothing; -1: it is the same at all, or names nothing at any.
[[noreturn]] void empty_mask(const bound_labels& mask, std::int64_t step = -1);
[[noreturn]] void wrong_label(const bound_labels& labels, std::int64_t row, std::int32_t label);

/// One input of a call that is the same memory as an input before it, of the same shape and type.
struct same_input {
  std::string input, as;
  bool operator==(const same_input&) const = default;
};
/// All of them, each beside its first equal.
std::vector<same_input> find_same_inputs(const program_view& program, std::span<const bound_input> inputs);

/// Checks a value other than an input, such as an existing result or a cotangent: `what` is its name in the sentence,
/// `expression` the user's expression for it.
///
///   stg::check_place("output 0", "out", out.place(), stg::cuda());
void check_place(std::string_view what, std::string_view expression, location lies, location runs_on);

/// Raises stg::error when edge values belong to a different graph than the call; does nothing for a graph of several
/// kinds, since its relations are not told here.
void check_edges(std::string_view what, std::string_view expression, edge_identity of, const call_graph& on);

/// The memory of a tensor.
struct byte_range {
  const void* data = nullptr;
  std::int64_t bytes = 0;
};
/// Raises stg::error when an output shares memory with an input, which may be read after the output is written, or with
/// an output before it. Inputs and outputs lie in one place. Allocates nothing but the error.
void check_apart(const program_view& program, std::span<const bound_input> inputs, std::span<const byte_range> outputs);

/// Raises stg::error when an input lies in the results of the call before, since this call is about to overwrite them.
void check_no_own_results(const program_view& program, std::span<const bound_input> inputs, const byte_range& working);

/// Raises stg::error when a program that compares edge ids, as the gradient of max over edges does, is called with more
/// edges than an id of 32 bits can count.
void check_edge_ids(const program_view& program, std::int64_t edges);

}  // namespace stg
