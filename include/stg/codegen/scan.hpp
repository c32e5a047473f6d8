// Running a scan: the plan of its step, once for each step, in memory that the call has for it.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/plan_data.hpp>  // plan_data
#include <stg/codegen/launch.hpp>     // launch

namespace stg::codegen {

/// The steps of a scan, one after the other, as who runs them sees them. From one to the next the addresses in `call`'s
/// memory and its seed are others, and all else is what it was, but where sizes change.
class step_calls {
 public:
  launch call;                   // of the step at hand
  bool has_other_sizes = false;  // than the step before, or a graph of its own

  /// Goes on to the next step, the first time to the first, when what the one at hand computes has been launched.
  /// False: there is none.
  virtual bool next() = 0;

 protected:
  ~step_calls() = default;
};

/// The step of a scan as compiled code knows it: its plan, and how a backend runs that.
struct step_program {
  const plan_data* data = nullptr;
  const void* self = nullptr;  // what the two are called with
  void (*run)(const void* self, step_calls&) = nullptr;
  std::int64_t (*workspace)(const void* self, const launch&) = nullptr;
  bool reads_edges = true;  // itself, or a scan in it
  bool on_device = false;
  /// Copies among the values of a call, in the order of its units; null where they lie in the host's memory.
  void (*copy)(const launch&, std::byte* to, const std::byte* from, std::int64_t bytes) = nullptr;
  const step_program* steps = nullptr;      // of its own scans, by callee
  const column_kernels* columns = nullptr;  // of sweeps by columns (column_kernels.hpp)
};

/// Runs scan i of a plan; the workspace is its own.
void run_scan(const plan_data& plan, int i, const step_program& step, const launch& l);

/// Bytes that it needs: for a step's values and workspace, and the carried values of two steps.
std::int64_t scan_workspace(const plan_data& plan, int i, const step_program& step, const launch& l);

}  // namespace stg::codegen
