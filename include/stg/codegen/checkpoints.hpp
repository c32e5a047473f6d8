// Which values of scans are made again rather than kept for every step, and where those are that are kept.
//
// What a scan of the forward program collects for the steps of its gradient and for nobody else has room for a block of
// steps. The states that blocks begin with are kept, in memory that belongs to the scan. The scan of the gradient goes
// through the steps from the last one, whose block is there; before it enters another block it has the forward scan run
// that once more, by the same plan and with the same random numbers, so that it reads the same bits.
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

/// Scans of a training step's forward program, of whose outputs the first `results` are the user's, each with that of
/// its gradient. Users' files are spared the list.
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

/// Of a call, what its scans know of each other.
struct kept_steps {
  std::int64_t every = 0;  // steps of a block; 0: what every step saves is kept
  const scan_pairs* pairs = nullptr;
  const plan_data *forward = nullptr, *gradient = nullptr;
  const step_program* programs = nullptr;  // of the forward plan's scans
  std::byte* const* memory = nullptr;      // of the forward plan

  bool divides(std::int64_t steps) const { return every > 0 && every < steps; }
};

/// Whether what a pair's forward scan collects is kept for all steps, whatever is asked for: its steps are no more than
/// rows, and carry no state that a block could begin with.
bool is_kept_whole(const kept_steps& kept, const scan_pair& pair);

/// Whether its steps fall into blocks in this call, if there are more than a block has.
bool has_blocks(const kept_steps& kept, const scan_pair& pair);

/// Rows for what is stacked: those of a block, and of the step behind it, which a state is carried to.
constexpr std::int64_t stacked_rows(std::int64_t every) { return every + 1; }

/// Gives values that are stacked and kept states their sizes and lives among the buffers of the forward plan, and has
/// what the steps read stay until the gradient has run them again. The gradient's units count from `first_unit` on.
void measure_kept(const kept_steps& kept, const stg::detail::call_sizes& n, int first_unit, std::span<buffer> buffers);

/// Tells the scans where the states that they keep lie, by the statements of the forward plan.
void point_at_states(const kept_steps& kept, std::byte* base, std::span<const buffer> buffers, std::byte** memory);

/// The number of steps of a block with which a call takes the least memory, roughly: as much for a block as for states.
std::int64_t steps_of_least_memory(const kept_steps& kept, const stg::detail::call_sizes& n);

/// The most steps that a scan of these pairs has.
std::int64_t most_steps(const kept_steps& kept, const stg::detail::call_sizes& n);

}  // namespace stg::codegen
