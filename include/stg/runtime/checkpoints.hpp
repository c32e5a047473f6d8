// How much of the steps of scans a training call keeps for the gradient.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t

namespace stg {

/// By default what each step of a scan saves is kept for every step. With checkpoints the carried values are kept every
/// few steps alone, and the gradient runs the steps between once more, a block at a time, before it goes through them:
/// the forward program takes twice as long, and every bit is the same.
///
///   step.checkpoint({.every = 30});            // values of 30 steps, states of T / 30
///   step.checkpoint({.within = 512 << 20});    // as many steps as the call has bytes for; all where it can
struct checkpoints {
  std::int64_t every = 0;   // steps; 0: what every step saves is kept
  std::int64_t within = 0;  // bytes that a call may take at most, where they decide; 0: they do not
};

namespace detail {

/// Error where they cannot be meant.
void check(const checkpoints& asked);

[[noreturn]] void say_that_bytes_are_too_few(std::int64_t limit, std::int64_t steps, std::int64_t bytes);

/// Within a limit of bytes, the largest number of steps in [least, most] for which `bytes_of(steps)` is no more, where
/// more steps take more bytes, all of them perhaps fewer. `guess`, the answer to an earlier question, spares the search
/// where it still holds. Error where `least` is too many.
template <class BytesOf>
std::int64_t most_steps_within(std::int64_t limit, std::int64_t least, std::int64_t most, std::int64_t guess,
                               const BytesOf& bytes_of) {
  const auto fits = [&](std::int64_t steps) { return bytes_of(steps) <= limit; };
  if (fits(most)) return most;
  if (guess >= least && guess < most && !fits(guess + 1) && fits(guess)) return guess;
  if (!fits(least)) say_that_bytes_are_too_few(limit, least, bytes_of(least));
  std::int64_t fit = least, too_many = most;
  while (fit + 1 < too_many) {
    const std::int64_t between = fit + (too_many - fit) / 2;
    (fits(between) ? fit : too_many) = between;
  }
  return fit;
}

}  // namespace detail

}  // namespace stg
