// A stream of random choices that a seed decides.
#pragma once

#include <cstdint>  // uint64_t

namespace stg::test {

/// A stream of choices: a few steps of splitmix64 (Steele et al., OOPSLA 2014).
class choices {
 public:
  explicit choices(std::uint64_t seed) : state(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// From 0 up to n, without n.
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  double between(double low, double high) { return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53; }
  /// A number of moderate size, away from 0.
  double number() { return one_in(2) ? between(0.1, 2) : -between(0.1, 2); }

 private:
  std::uint64_t state;
};

}  // namespace stg::test
