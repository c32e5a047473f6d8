// The places of a scan's values: what its step reads and writes, and where that lies at each step.
//
// A step's plan reads and writes where it is told to: a value over the steps in the step's rows of it; a carried value
// in one of two places, by turns, or, where the scan collects the states that steps begin with, in the rows of these.
// Where the steps of a call have a graph each, a step reads its own: memory that steps share is laid out once, for the
// largest, and rows of edges follow one another from step to step.
//
// Where steps are no more than rows (steps_together.hpp), several of the scan's are one of what is called a step here,
// over as many times the vertices.
//
// With checkpoints (checkpoints.hpp) what is collected for the gradient alone has rows for a block of steps, which take
// turns.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/codegen/exchanges.hpp>    // rows_there
#include <stg/codegen/frame.hpp>        // call_sizes
#include <stg/codegen/launch.hpp>       // graph_view, launch
#include <stg/codegen/plan_data.hpp>    // plan_data
#include <stg/codegen/scan.hpp>         // step_program
#include <stg/runtime/memory.hpp>       // buffer
#include <stg/runtime/step_graphs.hpp>  // step_graphs

#include "../runtime/memory/kept_lists.hpp"  // kept_lists
#include "scan_pair.hpp"                     // scan_pair

namespace stg::codegen {

/// An input of a scan's step.
struct step_input {
  int value;             // of the plan around the scan
  bool by_step = false;  // a step reads its own rows of the value
  int stacked = -1;      // of a gradient: the output of the forward step that a block stacks; -1: none
};

/// An input whose place is another at each step.
struct moving_input {
  int at, entry;  // the statement, and of the step's inputs
};

/// An output of a scan's step.
struct step_output {
  int root;               // the value of the step that it lies in
  int result = -1;        // the value of the plan around the scan that it makes; -1: none
  bool in_place = false;  // it is made where it is to be
  bool stacked = false;   // it has rows for a block of steps alone
};

/// A value that is carried from step to step.
struct carried_value {
  int begins = -1;        // the output that collects the states that steps begin with; -1: none
  std::int64_t room = 0;  // bytes of one of its places
  std::byte *now = nullptr, *next = nullptr;
};

/// Lists that a scan works with.
struct scan_lists {
  std::vector<buffer> buffers;         // by statement of the step
  std::vector<std::byte*> memory;      // the same
  std::vector<std::int64_t> bytes;     // the same, of inputs and outputs: those of the step at hand
  std::vector<step_input> inputs;      // by entry
  std::vector<unsigned char> same;     // the same: whether all steps read the same
  std::vector<rows_there> there;       // the same, of a part of a cut graph: the rows of other ranks as a step begins
  std::vector<moving_input> moving;    // in the order of the step's statements
  std::vector<step_output> outputs;    // by output
  std::vector<carried_value> carried;  // by carried value
  std::vector<std::int64_t> no_edges;  // of steps together: where the rows of their vertices begin
};

/// The steps of a scan in a call, and where each reads and writes.
struct scan_places {
  /// keeps: the pair whose forward scan this is, if its steps may fall into blocks; null: values of all steps are kept.
  /// apart: each step runs by itself. l: to outlive this.
  scan_places(const plan_data& around, int scan_at, const step_program& repeated, const launch& l,
              const scan_pair* keeps, bool apart);

  /// The step that runs as the nth one.
  std::int64_t at_step(std::int64_t nth) const { return s.is_backwards() ? steps - 1 - nth : nth; }

  // ---- sizes ----
  /// Shows a launch the graph of the largest step, which memory is laid out for.
  void show_any_step(launch& inside) const;
  /// Shows the graph of step t. Returns whether its sizes are others than those of the step before.
  bool show_step(std::int64_t t, graph_view& inside);
  /// Bytes of an input or an output of the step at hand, by statement.
  std::int64_t bytes_now(int i) const { return all->bytes[size(i)]; }
  std::int64_t bytes_of_carried(int k) const { return bytes_now(step.outputs[k].at); }

  // ---- values ----
  step_input& input(int entry) const { return all->inputs[size(entry)]; }
  step_output& output(int k) const { return all->outputs[size(k)]; }
  carried_value& carried(int k) const { return all->carried[size(k)]; }
  std::byte*& memory(int i) const { return all->memory[size(i)]; }
  bool is_input(int i) const { return step.statements[i].code == ir::opcode::input; }

  // ---- addresses ----
  /// The value of the plan around the scan that an input reads.
  std::byte* read_from(int entry) const { return call.memory[plan.root(input(entry).value)]; }
  /// Rows of step t in a value that statement i of the step reads by step.
  std::byte* rows_of_step(int entry, int i, std::int64_t t) const;
  /// Where output k is collected; null: nobody reads it.
  std::byte* result(int k) const {
    const int value = output(k).result;
    return value < 0 ? nullptr : call.memory[value];
  }
  /// The row of a collected value that belongs to the nth step.
  std::byte* row(int k, std::int64_t nth) const;
  /// Where a carried value lies that is collected as the nth step begins.
  std::byte* collected(int k, std::int64_t nth) const { return row(carried(k).begins, nth); }
  bool is_collected(int k) const { return carried(k).begins >= 0; }
  /// The kept states of the blocks lie one carried value after the other, in memory of the scan's own.
  std::byte* kept_state(int k, std::int64_t block) const;

  stg::detail::kept_lists<scan_lists> all;
  const plan_data& plan;
  int at;
  const ir::statement& s;
  const plan_data& step;
  const launch& call;
  step_graphs* graphs;           // of the steps of this scan; null where they see what is around them
  stg::detail::call_sizes n;     // of the step at hand
  stg::detail::call_sizes room;  // of the largest: what memory is laid out for
  std::int64_t all_steps;
  std::int64_t together;  // of those, how many run as one
  std::int64_t steps;
  std::int64_t every = 0;  // steps of a block; 0: there are none
  int carried_count;
  std::int64_t step_bytes = 0, carried_bytes = 0;

 private:
  static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }
  void find_inputs();
  void find_rows_there(const step_program& repeated);
  void find_outputs();
  void find_stacked(const scan_pair& pair);
  void find_places();
  void place_step();
  void count_bytes();
  void show_rows(std::int64_t rows, graph_view& inside) const;
  bool show_last_rows(std::int64_t t, graph_view& inside);
  bool has_rows_of_step(int i) const;
  std::int64_t bytes_of_rows(int i, std::int64_t rows) const;
  std::int64_t begin_of_step(int i, std::int64_t t) const;
  std::int64_t begin_in_block(int i, std::int64_t nth) const;
};

}  // namespace stg::codegen
