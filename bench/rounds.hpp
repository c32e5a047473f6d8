// Contestants timed in turn: round after round each runs once, so that all see the same machine.
#pragma once

#include <algorithm>   // nth_element
#include <chrono>      // steady_clock
#include <functional>  // function
#include <string>      // string
#include <vector>      // vector

namespace rounds {

/// Something that runs once and says how many seconds its parts took: one number for each name.
struct contestant {
  std::vector<std::string> parts;
  std::function<std::vector<double>()> run;
};

/// Seconds of one call.
template <class Body> double seconds_of(const Body& body) {
  const auto before = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

/// A contestant of one part.
template <class Body> contestant timed(std::string name, Body body) {
  return {{std::move(name)}, [body = std::move(body)] { return std::vector<double>{seconds_of(body)}; }};
}

struct median {
  std::string part;
  double seconds;
};

/// Medians over `count` rounds, after one round that is not counted, in the order of the contestants' parts.
///
///   auto m = rounds::medians({rounds::timed("a", a), rounds::timed("b", b)}, 9);   // m[0].seconds
inline std::vector<median> medians(const std::vector<contestant>& contestants, int count) {
  std::vector<std::vector<double>> samples;
  for (int round = -1; round < count; ++round) {
    std::size_t at = 0;
    for (const contestant& c : contestants)
      for (double seconds : c.run()) {
        if (round < 0) samples.emplace_back();
        else samples[at].push_back(seconds);
        ++at;
      }
  }
  std::vector<median> result;
  std::size_t at = 0;
  for (const contestant& c : contestants)
    for (const std::string& part : c.parts) {
      auto& s = samples[at++];
      const auto middle = s.begin() + static_cast<std::ptrdiff_t>(s.size() / 2);
      std::nth_element(s.begin(), middle, s.end());
      result.push_back({part, *middle});
    }
  return result;
}

}  // namespace rounds
