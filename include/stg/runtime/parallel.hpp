// Running independent parts on several threads; its source is the only file that knows OpenMP.
#pragma once

#include <cstdint>      // int64_t
#include <type_traits>  // remove_reference_t, invocable

namespace stg {

/// Threads that `parallel` uses: what OMP_NUM_THREADS or the machine says until `set_threads`.
int threads();

/// Sets the number of threads for the whole process. Results never depend on it. Error when n < 1.
void set_threads(int n);

/// Calls body(part, context) once for every part in [0, parts), handed out dynamically; serial, without waking a
/// thread, when parts == 1 or threads() == 1, and inside another `parallel`. Returns when all parts are done. When
/// bodies throw, the exception of the lowest part is rethrown here and parts above it may not have run.
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

}  // namespace stg
