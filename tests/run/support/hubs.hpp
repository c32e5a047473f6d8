// A graph for tests with threads, and how many threads they take.
#pragma once

#include "families.hpp"  // power_law

#include <stg/runtime/parallel.hpp>  // set_threads

namespace stg::test {

inline constexpr int thread_counts[] = {1, 2, 3, 4, 7};

/// Puts the number of threads back.
struct keep_threads {
  const int before = threads();
  ~keep_threads() { set_threads(before); }
};

/// Hubs with thousands of edges, most vertices with a few, and enough of both for a sweep to be cut into many parts.
inline const graph& hubs() {
  static const graph g = test::power_law(4000, 60000, 3).add_self_loops();
  return g;
}

}  // namespace stg::test
