// The draws of one hop among all vertices that have an edge into it, by their sums of squares.
#pragma once

#include "batch_writer.hpp"  // batch_scratch
#include "draws.hpp"         // draws

#include <stg/base/error.hpp>  // error

#include <algorithm>  // min, upper_bound
#include <cmath>      // nextafter
#include <cstdint>    // int32_t, int64_t
#include <limits>     // numeric_limits
#include <span>       // span
#include <string>     // string, to_string

namespace stg::detail {

/// Errors of numbers of draws, which `by` begins: negative ones, and more than are counted. of: " of vertex set 'a'".
inline void check_draws(const std::string& by, std::span<const std::int64_t> draws, const std::string& of = "") {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  for (std::size_t h = 0; h < draws.size(); ++h)
    if (draws[h] < 0 || draws[h] > most)
      throw error(by + ": " + std::to_string(draws[h]) + " draws" + of + " in hop " + std::to_string(h + 1) +
                  "; give 0 to " + std::to_string(most));
}

/// Candidates are counted in the order in which they are met, each edge of theirs is added, then they are drawn.
class layer_draws {
 public:
  /// Of a set of so many vertices.
  layer_draws(batch_scratch& scratch, std::int64_t vertices) : s_(scratch) {
    s_.start_candidates(vertices);
    s_.sums.clear();
  }

  /// An edge from u with its P.
  void add(std::int32_t u, double p) {
    const auto c = static_cast<std::size_t>(s_.candidate(u));
    if (c == s_.sums.size()) s_.sums.push_back(0);
    s_.sums[c] += p * p;
  }

  void draw(draws& random, std::int64_t count) {
    count_ = count;
    for (double& q : s_.sums) q = total_ += q;
    s_.counts.assign(s_.sums.size(), 0);
    for (std::int64_t i = 0; i < count && total_ > 0; ++i) {
      const double share = std::min(random.uniform() * total_, std::nextafter(total_, 0.0));
      ++s_.counts[static_cast<std::size_t>(std::upper_bound(s_.sums.begin(), s_.sums.end(), share) - s_.sums.begin())];
    }
  }

  /// P · times drawn / (draws · q(u) / Σ q) of an edge that was added; 0: it is not taken.
  double weight(std::int32_t u, double p) {
    const auto c = static_cast<std::size_t>(s_.candidate(u));
    if (s_.counts[c] == 0 || p == 0) return 0;
    const double q = s_.sums[c] - (c == 0 ? 0 : s_.sums[c - 1]);
    return p * s_.counts[c] * total_ / (static_cast<double>(count_) * q);
  }

 private:
  batch_scratch& s_;
  double total_ = 0;
  std::int64_t count_ = 0;
};

/// P of an edge into a vertex: its weight, or where there are none 1 / in-degree.
inline double share_of_edge(const adjacency& in, const std::vector<float>& weights, std::int64_t v, std::int64_t k) {
  return weights.empty() ? 1.0 / static_cast<double>(in.degree(v))
                         : static_cast<double>(weights[static_cast<std::size_t>(k)]);
}

}  // namespace stg::detail
