// R-MAT and uniform edges in integer arithmetic, and the search for data sets.
#include "graphs.hpp"

#include <stg/base/error.hpp>  // error

#include <algorithm>  // find, max, min, swap
#include <bit>        // bit_ceil, bit_width
#include <cstdio>     // fprintf
#include <numeric>    // iota
#include <random>     // mt19937_64

namespace graphs {

namespace {

using random_bits = std::mt19937_64;  // its sequence is part of the standard; distributions are not

/// In [0, n), n < 2^32: the upper half of 32 random bits times n.
std::int64_t below(random_bits& random, std::int64_t n) {
  return static_cast<std::int64_t>((random() >> 32) * static_cast<std::uint64_t>(n) >> 32);
}

/// Which of four quarters, 32 random bits a level against cumulated probabilities in units of 2^-32.
class quarters {
 public:
  explicit quarters(const double (&probability)[4]) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) until_[i] = static_cast<std::uint64_t>((sum += probability[i]) * 4294967296.0);
  }
  unsigned operator()(std::uint64_t bits) const {
    return unsigned{bits >= until_[0]} + unsigned{bits >= until_[1]} + unsigned{bits >= until_[2]};
  }

 private:
  std::uint64_t until_[3] = {};
};

/// Undirected edges that were drawn already: open addressing, since half the time of a hash set of nodes is allocation.
class edge_set {
 public:
  explicit edge_set(std::int64_t capacity) : slots_(std::bit_ceil(2 * static_cast<std::size_t>(capacity) + 1), empty) {}

  /// Whether the key was not there.
  bool insert(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (key * 0x9E3779B97F4A7C15u) >> 20 & mask;; at = (at + 1) & mask) {
      if (slots_[at] == key) return false;
      if (slots_[at] != empty) continue;
      slots_[at] = key;
      return true;
    }
  }

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  std::vector<std::uint64_t> slots_;
};

struct pair {
  std::int64_t from, to;
};

pair draw_rmat(random_bits& random, const quarters& quarter, int levels) {
  pair p{0, 0};
  std::uint64_t bits = 0;
  for (int level = 0; level < levels; ++level) {
    bits = level % 2 == 0 ? random() : bits >> 32;
    const unsigned q = quarter(bits & 0xFFFFFFFFu);
    p = {2 * p.from + q / 2, 2 * p.to + q % 2};
  }
  return p;
}

}  // namespace

stg::graph make(const recipe& r) {
  if (r.vertices < 0 || r.edges < r.uniform || r.edges > r.vertices * (r.vertices - 1) / 4)
    throw stg::error("graphs::make: " + std::to_string(r.edges) + " edges between " + std::to_string(r.vertices) +
                     " vertices; ask for at most half of all pairs");
  random_bits random(r.seed);
  const quarters quarter(r.quarter);
  const int levels = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(r.vertices - 1, 0)));
  std::vector<std::int32_t> id(static_cast<std::size_t>(r.vertices));
  std::iota(id.begin(), id.end(), 0);
  for (std::int64_t i = r.vertices - 1; i > 0; --i)
    std::swap(id[static_cast<std::size_t>(i)], id[static_cast<std::size_t>(below(random, i + 1))]);

  std::vector<std::int32_t> src, dst;
  src.reserve(static_cast<std::size_t>(r.edges + r.vertices));
  dst.reserve(src.capacity());
  edge_set drawn(r.edges);
  while (static_cast<std::int64_t>(src.size()) < r.edges) {
    const bool is_uniform = static_cast<std::int64_t>(src.size()) < r.uniform;
    pair p{};
    if (is_uniform) {
      p.from = below(random, r.vertices);
      p.to = below(random, r.vertices);
    } else {
      p = draw_rmat(random, quarter, levels);
    }
    if (p.from >= r.vertices || p.to >= r.vertices || p.from == p.to) continue;
    const auto low = static_cast<std::uint64_t>(std::min(p.from, p.to));
    if (!drawn.insert(low << 32 | static_cast<std::uint64_t>(std::max(p.from, p.to)))) continue;
    src.push_back(id[static_cast<std::size_t>(p.from)]);
    dst.push_back(id[static_cast<std::size_t>(p.to)]);
  }
  for (std::int32_t v = 0; v < r.vertices; ++v) {
    src.push_back(v);
    dst.push_back(v);
  }
  return stg::graph::from_edges(r.vertices, std::span<const std::int32_t>(src), std::span<const std::int32_t>(dst))
      .to_undirected();
}

stg::graph arxiv_like() {
  return make({.vertices = 169343, .edges = 1157799, .uniform = 578899, .quarter = {.57, .19, .19, .05}, .seed = 1});
}

stg::graph reddit_like() {
  return make({.vertices = 50000, .edges = 2500000, .uniform = 0, .quarter = {.5, .2, .2, .1}, .seed = 2});
}

std::optional<stg::node_classification> dataset(const std::string& name) {
  const stg::search_result found = stg::find_dataset(name);
  if (!found.folder.empty()) return stg::read_node_classification(found.folder, name);
  std::string places;
  for (const std::string& place : found.places) places += (places.empty() ? "" : ", ") + place;
  std::fprintf(stderr, "bench: NOT MEASURED: the data set '%s' is not here\nbench: looked in %s\n", name.c_str(),
               places.c_str());
  return std::nullopt;
}

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = {"arxiv_like", "reddit_like", "cora", "amazon_cs", "arxivai"};
  return all;
}

std::optional<stg::graph> named(const std::string& name) {
  if (name == "arxiv_like") return arxiv_like();
  if (name == "reddit_like") return reddit_like();
  if (std::find(names().begin(), names().end(), name) == names().end())
    throw stg::error("graphs::named: there is no graph '" + name + "'; write arxiv_like, reddit_like or a data set");
  if (auto data = dataset(name)) return data->graph.add_remaining_self_loops();
  return std::nullopt;
}

}  // namespace graphs
