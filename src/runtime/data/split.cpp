// Vertices in a random order, cut into parts.
#include "../tensor/shortest_text.hpp"  // shortest_text

#include <stg/base/error.hpp>             // error
#include <stg/data/split.hpp>             // random_split
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // min
#include <cmath>      // llround
#include <map>        // map
#include <random>     // mt19937_64
#include <string>     // to_string
#include <utility>    // swap
#include <vector>     // vector

namespace stg {

namespace {

using ids = std::vector<std::int64_t>;

/// A random order, the same on every machine: the generator is the standard's to the last bit, its distributions are
/// not.
void shuffle(ids& vertices, std::mt19937_64& random) {
  for (std::size_t i = vertices.size(); i > 1; --i) {
    const auto other = static_cast<std::size_t>((static_cast<unsigned __int128>(random()) * i) >> 64);
    std::swap(vertices[i - 1], vertices[other]);
  }
}

vertex_split none_of(std::int64_t vertices) {
  if (vertices < 0) throw error("random_split of " + std::to_string(vertices) + " vertices; give 0 or more");
  return {tensor<bool>({vertices}), tensor<bool>({vertices}), tensor<bool>({vertices})};
}

/// Marks vertices [from, from + count) of an order, and returns where the next begin.
std::size_t mark(tensor<bool>& mask, const ids& order, std::size_t from, std::int64_t count) {
  for (const std::size_t end = from + static_cast<std::size_t>(count); from < end; ++from) mask(order[from]) = true;
  return from;
}

void check(const split_fractions& f) {
  const double together = f.train + f.val + (f.test < 0 ? 0 : f.test);
  if (f.train >= 0 && f.val >= 0 && together <= 1 + 1e-9) return;  // false with a NaN
  throw error("random_split into shares " + detail::shortest_text(f.train) + ", " + detail::shortest_text(f.val) +
              ", " + (f.test < 0 ? "the rest" : detail::shortest_text(f.test)) +
              "; give shares of 0 or more, at most 1 together");
}

/// Cuts an order by shares.
void cut(vertex_split& split, const ids& order, const split_fractions& f) {
  const auto end = [&](double share) {
    return std::min(static_cast<std::int64_t>(order.size()),
                    static_cast<std::int64_t>(std::llround(static_cast<double>(order.size()) * share)));
  };
  const std::int64_t train = end(f.train), val = end(f.train + f.val);
  const std::int64_t test = f.test < 0 ? static_cast<std::int64_t>(order.size()) : end(f.train + f.val + f.test);
  std::size_t at = mark(split.train, order, 0, train);
  at = mark(split.val, order, at, val - train);
  mark(split.test, order, at, test - val);
}

void cut(vertex_split& split, const ids& order, std::size_t at, std::int64_t val, std::int64_t test) {
  at = mark(split.val, order, at, val);
  mark(split.test, order, at, test);
}

void check(const char* of, std::int64_t available, std::int64_t train, std::int64_t val, std::int64_t test) {
  if (train >= 0 && val >= 0 && test >= 0 && train <= available && val <= available - train &&
      test <= available - train - val)
    return;
  throw error("random_split into " + std::to_string(train) + ", " + std::to_string(val) + " and " +
              std::to_string(test) + " vertices; " + of + " " + std::to_string(available));
}

/// The vertices of each class, ascending.
std::map<std::int32_t, ids> by_class(const const_tensor<std::int32_t>& labels) {
  if (labels.rank() != 1)
    throw error("random_split: labels of shape " + to_string(labels.shape()) + "; give (vertices,)");
  std::map<std::int32_t, ids> classes;
  std::int64_t v = 0;
  for (const std::int32_t label : labels) {
    if (label >= 0) classes[label].push_back(v);
    ++v;
  }
  return classes;
}

ids all(std::int64_t vertices) {
  ids order;
  for (std::int64_t v = 0; v < vertices; ++v) order.push_back(v);
  return order;
}

}  // namespace

vertex_split random_split(std::int64_t vertices, const split_fractions& shares, std::uint64_t seed) try {
  check(shares);
  vertex_split split = none_of(vertices);
  std::mt19937_64 random(seed);
  ids order = all(vertices);
  shuffle(order, random);
  cut(split, order, shares);
  return split;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

vertex_split random_split(std::int64_t vertices, const split_counts& counts, std::uint64_t seed) try {
  vertex_split split = none_of(vertices);
  check("there are", vertices, counts.train, counts.val, counts.test);
  std::mt19937_64 random(seed);
  ids order = all(vertices);
  shuffle(order, random);
  cut(split, order, mark(split.train, order, 0, counts.train), counts.val, counts.test);
  return split;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

vertex_split random_split(const const_tensor<std::int32_t>& labels, const class_counts& counts,
                          std::uint64_t seed) try {
  std::map<std::int32_t, ids> classes = by_class(labels);
  vertex_split split = none_of(labels.size());
  std::mt19937_64 random(seed);
  ids rest;
  if (counts.train_per_class < 0)  // whatever classes there are
    check("there are", labels.size(), counts.train_per_class, counts.val, counts.test);
  for (auto& [label, vertices] : classes) {
    shuffle(vertices, random);
    const std::int64_t train = std::min(counts.train_per_class, static_cast<std::int64_t>(vertices.size()));
    const std::size_t at = mark(split.train, vertices, 0, train);
    rest.insert(rest.end(), vertices.begin() + static_cast<std::ptrdiff_t>(at), vertices.end());
  }
  check("left over are", static_cast<std::int64_t>(rest.size()), 0, counts.val, counts.test);
  shuffle(rest, random);
  cut(split, rest, 0, counts.val, counts.test);
  return split;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

vertex_split random_split(const const_tensor<std::int32_t>& labels, const split_fractions& shares,
                          std::uint64_t seed) try {
  check(shares);
  std::map<std::int32_t, ids> classes = by_class(labels);
  vertex_split split = none_of(labels.size());
  std::mt19937_64 random(seed);
  for (auto& [label, vertices] : classes) {
    shuffle(vertices, random);
    cut(split, vertices, shares);
  }
  return split;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
