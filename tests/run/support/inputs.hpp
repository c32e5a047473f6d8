// Random numbers for every input of a program, of the kind that its name and type ask for.
#pragma once

#include <stg/codegen/interpreter.hpp>  // environment

#include <algorithm>  // any_of, min
#include <cmath>      // abs
#include <cstdint>    // int64_t
#include <map>        // map
#include <random>     // mt19937
#include <string>     // string

namespace stg::test {

/// Sizes of the run-time extents that samples use.
inline const std::map<std::string, std::int64_t> extents_of_samples = {{"F", 3}, {"G", 2}, {"T", 3}, {"L", 2}};

/// n numbers in [-2, 2] away from 0, exact in f32 as well.
inline oracle::array random_array(std::mt19937& random, std::int64_t n, double low = 0.1) {
  std::uniform_real_distribution<double> size(low, 2);
  oracle::array numbers;
  for (std::int64_t i = 0; i < n; ++i)
    numbers.push_back(static_cast<float>(random() % 2 == 0 ? size(random) : -size(random)));
  return numbers;
}

using extent_sizes = std::map<std::string, std::int64_t>;

/// Rows of a value: vertices, edges, those of a vertex set or relation, or one.
inline std::int64_t rows_of(const ir::program& p, const ir::domain& where, const graph& g) {
  if (where.set != 0) return rows_of_kind(p.kinds[where.set - 1], g);
  return where == ir::space::vertex ? g.vertices() : where == ir::space::edge ? g.edges() : 1;
}

/// Numbers of one value of a program on a graph.
inline std::int64_t count_of(const ir::program& p, const ir::statement& s, const graph& g,
                             const extent_sizes& extents = extents_of_samples) {
  const std::int64_t rows = rows_of(p, s.where, g);
  const auto size = [&](const text& name) { return extents.at(std::string(name.view())); };
  const std::int64_t steps = s.is_sequence() ? ir::evaluate(p.polynomial_of(s.over), size) : 1;
  return steps * rows * ir::evaluate(p.size_of(s.dims), size);
}

/// How many labels a statement may take: 5, or as few as its checks ask for.
inline std::uint_fast32_t labels_of(const ir::program& p, ir::value_id labels, const extent_sizes& extents) {
  std::int64_t most = 5;
  for (const ir::label_range& c : p.checks)
    if (c.labels == labels)
      most = std::min(most, ir::evaluate(p.polynomial_of(c.classes),
                                         [&](const text& name) { return extents.at(std::string(name.view())); }));
  return static_cast<std::uint_fast32_t>(most);
}

inline bool labels_are_checked(const ir::program& p, ir::value_id labels) {
  return std::any_of(p.checks.begin(), p.checks.end(), [&](const ir::label_range& c) { return c.labels == labels; });
}

/// Real inputs away from 0 (above 0 where the name begins with "positive", every other
/// number of a sparse one 0), labels in the range that is checked, masks at random; those that are to name a vertex
/// name the first.
inline oracle::environment random_inputs(const ir::program& p, const graph& g, unsigned seed,
                                         const extent_sizes& extents = extents_of_samples) {
  std::mt19937 random(seed);
  oracle::environment env;
  env.extents = extents;
  env.seed = 0x123456789abcdefull + seed;
  env.call = 3;
  for (ir::value_id at = 0; at < p.size(); ++at) {
    const ir::statement& s = p[at];
    if (s.code != ir::opcode::input) continue;
    const std::string name(p.inputs[s.entry()].name.view());
    oracle::array numbers = random_array(random, count_of(p, s, g, extents));
    for (double& x : numbers) {
      if (s.type == scalar_type::i32) x = static_cast<double>(random() % labels_of(p, at, extents));
      else if (s.type == scalar_type::boolean) x = static_cast<double>(random() % 2);
      else if (name.starts_with("positive")) x = std::abs(x) + 0.5;
      else if (p.inputs[s.entry()].sparse && random() % 2 == 0) x = 0;
    }
    if (s.type == scalar_type::boolean && labels_are_checked(p, at) && !numbers.empty()) numbers[0] = 1;
    env.inputs[name] = numbers;
  }
  return env;
}

}  // namespace stg::test
