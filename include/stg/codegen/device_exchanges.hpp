// device_exchanges: a plan that runs on a device, on the part of a cut graph: messages between its units.
//
// What is exchanged, and where, is found as for a CPU (exchanges.hpp). Rows are packed on the program's stream and go
// from device to device beside it: units run meanwhile that do not read them. The host launches all units of a plan,
// then waits until its messages have come, so a rank that fails is named there.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <memory>   // unique_ptr

#include <stg/codegen/exchanges.hpp>  // exchange
#include <stg/codegen/launch.hpp>     // launch
#include <stg/codegen/plan_data.hpp>  // plan_data

struct CUstream_st;  // a stream's target

namespace stg::codegen {

/// Whether a step that reads whole arrays runs block by block of a cut on a device: sums over rows, which are joined by
/// the blocks' tree, and products of rows, whose library may order a row's additions by the number of rows.
bool runs_by_blocks(const plan_data& plan, int i);

class device_exchanges {
 public:
  /// l: the call, on a part that lies on a device, and outlives this. on: the stream of its units.
  device_exchanges(const plan_data& plan, const launch& l, const step_program* steps, CUstream_st* on);
  device_exchanges(const device_exchanges&) = delete;
  /// Where the plan did not end, the links of this rank are given up: the others do not wait for it.
  ~device_exchanges();

  void begin(const launch& l);
  /// What a unit reads of other ranks is there when the stream comes to it.
  void before(int unit, const launch& l);
  void after(int unit, const launch& l);
  void end(const launch& l);

  /// Runs step i by `run(l)`, for each block of rows of this rank; l: as the unit sees it.
  template <class Run> void by_blocks(int i, const launch& l, const Run& run) {
    run_blocks(i, l, {&run, [](const void* self, const launch& block) { (*static_cast<const Run*>(self))(block); }});
  }

 private:
  struct block_runner {
    const void* self;
    void (*call)(const void* self, const launch& block);
  };
  void run_blocks(int i, const launch& l, const block_runner& run);

  class work;
  std::unique_ptr<work> work_;
};

}  // namespace stg::codegen
