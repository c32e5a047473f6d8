// Running independent parts on several threads; its source is the only file that includes OpenMP.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <atomic>       // atomic
#include <cstdint>      // int64_t
#include <type_traits>  // remove_reference_t, is_invocable_v

namespace stg {

/// Threads that `parallel` uses: what OMP_NUM_THREADS or the machine says until `set_threads`.
int threads();

/// Sets the number of threads for the whole process. Results never depend on it. Error when n < 1.
void set_threads(int n);

/// Calls body(part, context) once for every part in [0, parts), handed out dynamically to this thread and to others
/// that have time. They have none, and no thread is woken, when parts == 1 or threads() == 1, inside a `parallel` that
/// others help with, and for as long as they help another thread. Returns when all parts are done. When bodies throw,
/// the exception of the lowest part is rethrown here and parts above it may not have run.
void parallel(std::int64_t parts, void (*body)(std::int64_t part, void* context), void* context);

/// The same for any callable, which is used by reference and not copied.
///
///   stg::parallel(16, [&](std::int64_t part) { rows_of(part).fill(0); });
template <class Body>
  requires std::is_invocable_v<Body&, std::int64_t>
void parallel(std::int64_t parts, Body&& body) {
  using callable = std::remove_reference_t<Body>;
  auto call = [](std::int64_t part, void* context) { (*static_cast<callable*>(context))(part); };
  parallel(parts, +call, const_cast<void*>(static_cast<const void*>(&body)));
}

/// Calls body(part, slot) for every part, which must not throw. A slot, of at least one and at most `slots`, is one
/// thread's for as long as it takes parts: scratch is kept per slot. Helpers are asked for once, when it begins.
///
///   stg::parallel_in_slots(2, 400, [&](std::int64_t part, std::int64_t slot) { rows(part, scratch[slot]); });
template <class Body>
  requires std::is_invocable_v<Body&, std::int64_t, std::int64_t>
void parallel_in_slots(std::int64_t slots, std::int64_t parts, Body&& body) {
  std::atomic<std::int64_t> taken{0};
  parallel(slots < parts ? slots : parts, [&](std::int64_t slot) {
    for (std::int64_t part = taken++; part < parts; part = taken++) body(part, slot);
  });
}

/// What a part must take, in nanoseconds, to be worth waking a thread for. Handing out parts costs 0.5 us while others
/// still look for work, which they do for 200 us; those who sleep by then come some 25 us later, and 5 us are lost by
/// calling them. Everything that divides work asks here.
inline constexpr std::int64_t least_part_time = 10'000;

/// True when work that takes one thread about so many nanoseconds is worth dividing between two. Estimates need not be
/// better than a factor of two.
constexpr bool worth_threads(std::int64_t nanoseconds) { return nanoseconds >= 2 * least_part_time; }

/// Calls body(part) for the same parts either way: on all threads when that is worth it, else in ascending order here.
///
///   stg::parallel_if_worth(elements / 2, parts, [&](std::int64_t part) { update(part); });  // 2 elements in 1 ns
template <class Body>
  requires std::is_invocable_v<Body&, std::int64_t>
void parallel_if_worth(std::int64_t nanoseconds, std::int64_t parts, Body&& body) {
  if (worth_threads(nanoseconds)) return parallel(parts, body);
  for (std::int64_t part = 0; part < parts; ++part) body(part);
}

}  // namespace stg
