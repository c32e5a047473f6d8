// A changing graph that benchmarks share: as many vertices as sx-mathoverflow has, some of whose edges are others each
// step.
#pragma once

#include <stg/runtime/snapshot.hpp>  // snapshot_edges

#include <cstdint>  // int64_t, uint64_t
#include <vector>   // vector

namespace drawn_steps {

inline constexpr std::int64_t vertices = 24'818, edges = 250'000;
inline constexpr int steps = 60, percent = 5;

/// Numbers that are the same with every compiler: xorshift (Marsaglia 2003).
class drawn {
 public:
  std::int64_t below(std::int64_t n) {
    x_ ^= x_ << 13, x_ ^= x_ >> 7, x_ ^= x_ << 17;
    return static_cast<std::int64_t>(x_ % static_cast<std::uint64_t>(n));
  }

 private:
  std::uint64_t x_ = 88172645463325252u;
};

/// As many vertices as sx-mathoverflow has; of the edges of each step so many per cent are others than the step before.
inline std::vector<stg::snapshot_edges> all() {
  drawn random;
  stg::snapshot_edges now;
  for (std::int64_t e = 0; e < edges; ++e) {
    now.src.push_back(random.below(vertices));
    now.dst.push_back(random.below(vertices));
    now.weights.push_back(static_cast<double>(random.below(1000)) / 8);
  }
  std::vector<stg::snapshot_edges> made{now};
  while (made.size() < steps) {
    for (std::int64_t i = 0; i < edges * percent / 100; ++i) {
      const auto e = static_cast<std::size_t>(random.below(edges));
      now.src[e] = random.below(vertices);
      now.dst[e] = random.below(vertices);
    }
    made.push_back(now);
  }
  return made;
}

}  // namespace drawn_steps
