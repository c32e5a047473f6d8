// Probes: one pass over all threads, timed.
#include "isa_index.hpp"    // isa_index
#include "probe_table.hpp"  // probe_table

#include <stg/base/error.hpp>        // error
#include <stg/runtime/parallel.hpp>  // parallel, threads
#include <stg/runtime/probe.hpp>     // gather, memory_bandwidth, arithmetic_peak

#include <algorithm>  // min
#include <atomic>     // atomic
#include <chrono>     // steady_clock
#include <cstring>    // memset
#include <limits>     // numeric_limits
#include <string>     // to_string

namespace stg::probe {

namespace {

constexpr const probe_table* probe_tables[] = {STG_FOR_EACH_ISA(&probe_table)};
const probe_table& kernels() { return *probe_tables[detail::isa_index()]; }

std::atomic<float> sink{0};  // where sums go, so that reads are not dropped

template <class Body> double seconds_of(const Body& body) {
  const auto before = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

template <class Pass> double least_of(int passes, const Pass& pass) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < passes; ++i) least = std::min(least, pass());
  return least;
}

/// [0, count) in parts that begin at multiples of 4,096, several for each thread.
template <class Body> void each_range(std::int64_t count, const Body& body) {
  constexpr std::int64_t grain = 4096;
  const std::int64_t grains = (count + grain - 1) / grain, parts = std::min<std::int64_t>(grains, 16 * threads());
  parallel(parts, [&](std::int64_t part) {
    const std::int64_t first = grains * part / parts * grain;
    body(first, std::min(grains * (part + 1) / parts * grain, count));
  });
}

float* floats(arena& a) { return reinterpret_cast<float*>(a.data()); }
void reserve(arena& a, std::int64_t count) {
  a.reserve(count * 4);
  std::memset(a.data(), 0, static_cast<std::size_t>(count) * 4);
}

}  // namespace

gather::gather(graph g, std::int64_t width) : graph_(std::move(g)), width_(width) {
  if (width < 1) throw error("probe::gather: width " + std::to_string(width) + "; ask for at least 1");
  reserve(table_, graph_.sources() * width + 16);  // a register may begin in the last row
  reserve(output_, graph_.destinations() * width);
}

double gather::read(int distance) {
  const adjacency rows = graph_.in_edges();
  return seconds_of([&] {
    each_range(rows.edges(), [&](std::int64_t first, std::int64_t last) {
      sink.store(kernels().gather(rows, first, last, floats(table_), width_, distance), std::memory_order_relaxed);
    });
  });
}

double gather::write() {
  return seconds_of([&] {
    each_range(graph_.destinations() * width_,
               [&](std::int64_t first, std::int64_t last) { kernels().write(floats(output_) + first, last - first); });
  });
}

double gather::best(int passes) {
  double least = std::numeric_limits<double>::infinity();
  for (int distance : distances) least = std::min(least, least_of(passes, [&] { return read(distance); }));
  return least + least_of(passes, [&] { return write(); });
}

bandwidth memory_bandwidth() {
  constexpr std::int64_t count = std::int64_t{64} << 20;
  arena memory[3];
  for (arena& a : memory) reserve(a, count);
  float *a = floats(memory[0]), *b = floats(memory[1]), *c = floats(memory[2]);
  const auto pass = [&](const auto& body) {
    return least_of(3, [&] { return seconds_of([&] { each_range(count, body); }); });
  };
  bandwidth best;
  best.read = count * 4 / pass([&](std::int64_t i, std::int64_t n) {
                sink.store(kernels().read(b + i, n - i), std::memory_order_relaxed);
              });
  best.write = count * 4 / pass([&](std::int64_t i, std::int64_t n) { kernels().write(a + i, n - i); });
  best.triad = count * 12 / pass([&](std::int64_t i, std::int64_t n) { kernels().triad(a + i, b + i, c + i, n - i); });
  return best;
}

double arithmetic_peak() {
  constexpr std::int64_t rounds = 1000000;  // a millisecond and more
  const int parts = threads();
  const double seconds = least_of(20, [&] {
    return seconds_of([&] {
      parallel(parts, [&](std::int64_t) { sink.store(kernels().multiply_add(rounds), std::memory_order_relaxed); });
    });
  });
  return static_cast<double>(kernels().operations_a_round) * rounds * parts / seconds;
}

}  // namespace stg::probe
