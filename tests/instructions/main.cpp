// Calls every kernel twice and lets callgrind count the second: what the first allocates and looks up is not counted.
#include "kernels.hpp"  // kernel

#include <bench/graphs.hpp>          // make
#include <stg/runtime/isa.hpp>       // isa
#include <stg/runtime/parallel.hpp>  // threads

#include <valgrind/callgrind.h>  // CALLGRIND_TOGGLE_COLLECT

#include <cstdio>  // printf

/// One line per kernel, "name size each", then one dump of callgrind's of that name. Neighbours' rows in
/// tables of 1 MiB and more are fetched ahead: those of 64 floats are, those of 7 are not.
int main() {
  std::vector<instructions::kernel> all;
  const stg::graph on = graphs::make({.vertices = 5000, .edges = 20'000, .uniform = 10'000});
  instructions::add_sums(all, on);
#ifdef STG_IN_FULL
  instructions::add_attention(all, on);
#endif
  instructions::add_products(all, on);
#ifdef STG_IN_FULL
  instructions::add_recurrence(all);
#endif
  std::printf("%s %d\n", stg::isa(), stg::threads());
  for (const auto& k : all) {
    k.prepare();
    k.run();
    k.prepare();
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_TOGGLE_COLLECT;
    k.run();
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_STOP_INSTRUMENTATION;
    CALLGRIND_DUMP_STATS_AT(k.name.c_str());
    std::printf("%s %lld %s\n", k.name.c_str(), static_cast<long long>(k.size), k.each.c_str());
  }
}
