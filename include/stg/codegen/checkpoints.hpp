// Chooses values of scans to make again rather than keep for every step, and finds the kept ones.
//
// Values that only the steps of a scan's gradient read have room for a block of steps. The states at the beginning of
// blocks are kept, in memory of the scan. The scan of the gradient goes through the steps from the last one, whose
// block is there; before it enters an earlier block it has the forward scan run the block once more, by the same plan
// and with the same random numbers, so it reads the same bits.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <span>     // span

#include <stg/codegen/plan_data.hpp>  // plan_data
#include <stg/codegen/scan.hpp>       // step_program
#include <stg/pass/save.hpp>          // connection
#include <stg/runtime/memory.hpp>     // buffer

namespace stg::detail {
struct call_sizes;
}

namespace stg::codegen {

struct scan_pair;  // src/codegen/scan_pair.hpp
struct pair_list;

/// Scans of a training step's forward program, each with its gradient's scan. The first `results` outputs of the
/// program are the user's. Users' files are spared the list.
class scan_pairs {
 public:
  scan_pairs(const plan_data& forward, const plan_data& gradient, std::span<const pass::connection> connections,
             int results);
  ~scan_pairs();
  scan_pairs(const scan_pairs&) = delete;
  scan_pairs& operator=(const scan_pairs&) = delete;
  const scan_pair* begin() const;
  const scan_pair* end() const;

 private:
  pair_list* list_;
};

/// Shared knowledge of the scans of a call.
struct kept_steps {
  std::int64_t every = 0;  // steps of a block; 0: saved values of every step are kept
  const scan_pairs* pairs = nullptr;
  const plan_data *forward = nullptr, *gradient = nullptr;
  const step_program* programs = nullptr;  // of the forward plan's scans
  std::byte* const* memory = nullptr;      // of the forward plan

  bool divides(std::int64_t steps) const { return every > 0 && every < steps; }
};

/// Whether the values collected by a pair's forward scan are kept for all steps, even if checkpoints are asked for: its
/// steps are no more than rows, and carry no state for the beginning of a block.
bool is_kept_whole(const kept_steps& kept, const scan_pair& pair);

/// Whether its steps fall into blocks in this call, if there are more than a block has.
bool has_blocks(const kept_steps& kept, const scan_pair& pair);

/// Rows for stacked values: the rows of a block, and of the step behind it, which a state is carried to.
constexpr std::int64_t stacked_rows(std::int64_t every) { return every + 1; }

/// Gives stacked values and kept states their sizes and lives among the buffers of the forward plan, and keeps the
/// steps' operands until the gradient has run the steps again. The gradient's units count from `first_unit` on.
void measure_kept(const kept_steps& kept, const stg::detail::call_sizes& n, int first_unit, std::span<buffer> buffers);

/// Gives the scans the addresses of their kept states, by the statements of the forward plan.
void point_at_states(const kept_steps& kept, std::byte* base, std::span<const buffer> buffers, std::byte** memory);

/// The block length with which a call takes the least memory, roughly: as much for a block as for states.
std::int64_t steps_of_least_memory(const kept_steps& kept, const stg::detail::call_sizes& n);

/// The most steps that a scan of these pairs has.
std::int64_t most_steps(const kept_steps& kept, const stg::detail::call_sizes& n);

}  // namespace stg::codegen
