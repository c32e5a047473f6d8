// The text of explain, made by ordinary compiled code from programs without sizes in their types.
#pragma once

#include <cstdint>  // int64_t
#include <string>   // string
#include <vector>   // vector

#include <stg/ir/program.hpp>         // program
#include <stg/pass/save.hpp>          // differentiated
#include <stg/runtime/kind_rows.hpp>  // kind_rows
#include <stg/runtime/memory.hpp>     // buffer
#include <stg/runtime/sizes.hpp>      // sizes

namespace stg::codegen {
struct column_kernels;
}

namespace stg::detail {

/// A program and the places of its stored values: a buffer per statement. Lifetimes hold for any sizes, bytes for the
/// given sizes.
struct placed_program {
  ir::program program{};
  std::vector<buffer> buffers{};
};
/// Bytes of one block: values by lifetime, and behind them the units' scratch.
struct block_bytes {
  std::int64_t values = 0, workspace = 0;
};

/// The prologue that runs once for fixed inputs. Its outputs are kept; they are not among the bytes of its block.
struct placed_prologue {
  bool exists = false;
  placed_program program{};
  sequence<ir::value_id> kept{};
  block_bytes bytes{};
  std::int64_t kept_bytes = 0;
};

/// All programs compiled from one lambda.
struct compiled_programs {
  placed_prologue inference_prologue{}, training_prologue{};
  placed_program inference{};
  sequence<ir::value_id> in_callers_tensors{};  // values of inference that need no memory of their own
  block_bytes inference_bytes{};

  bool trains = false;
  placed_program forward{}, gradient{};  // units of the gradient count on after the forward program's
  sequence<pass::connection> connections{};
  int results = 0;           // outputs of forward that the user asked for; others are saved
  sequence<int> required{};  // the input that each output of gradient belongs to
  ir::program canonical{};   // before it was differentiated, for cotangents of the outputs
  sequence<int> provided{};
  block_bytes training_bytes{};
  int threads = 1;

  // Of sweeps by columns, where a graph is cut over ranks; null: none.
  const codegen::column_kernels *inference_columns = nullptr, *forward_columns = nullptr, *gradient_columns = nullptr;
};

/// A summary, in full with every value, unit and array behind it. `given`: also the numbers behind the formulas, for
/// these sizes; null for none.
std::string report(const compiled_programs& programs, const sizes* given, bool in_full);
/// A program as a Graphviz graph.
std::string dot(const ir::program& p);
/// All of it as one page for a browser, called after the file; `canonical`: the lambda's program.
std::string page(const std::string& path, const ir::program& canonical, const compiled_programs& programs,
                 const sizes* given);
/// Error that names the file if it cannot be written.
void write_whole_file(const std::string& path, const std::string& text);

/// What the units of a program move and compute at least, in sum; explain has the formulas.
struct program_cost {
  std::int64_t bytes = 0, operations = 0;
  std::vector<std::int64_t> gathered{};  // bytes of neighbours' rows per edge, of each unit that reads any
};
/// Error that names the extent if its size is missing.
program_cost cost_of_program(const ir::program& p, const sizes& given);

/// The size of every run-time extent of a program. Error that names the extent if a size is missing.
std::vector<std::int64_t> sizes_of_extents(const sequence<ir::polynomial>& extents, const sizes& given);
/// Rows of the vertex sets and relations of a program by their numbers, of none for a plain one; 1 of each without
/// sizes. Errors name the missing ones.
sequence<kind_rows> rows_of_kinds(const sequence<ir::kind>& kinds, const sizes* given);

}  // namespace stg::detail
