// Aggregates and attention at one width after another: the compiled forward program against the oracle. What a test has
// checked it prints, for tests/proof/stages.py to count.
#pragma once

#include "backend.hpp"   // compiled
#include "bind.hpp"      // bind_all, numbers_of
#include "families.hpp"  // from_pairs
#include "inputs.hpp"    // random_inputs
#include "near.hpp"      // is_near

#include <stg/pass/inference.hpp>  // inference

#include <gtest/gtest.h>  // EXPECT_TRUE

#include <iostream>  // cout
#include <utility>   // integer_sequence
#include <vector>    // vector

namespace stg::test {

/// Vertices with 0, 1, 7, 255, 256, 257, 1000 and 2500 in-edges: around the edges of a chunk, and several chunks.
inline const graph& rows_of_all_lengths() {
  static const graph g = [] {
    std::mt19937 random(1);
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    std::int64_t to = 0;
    for (const int edges : {0, 1, 7, 255, 256, 257, 1000, 2500}) {
      for (int e = 0; e < edges; ++e) pairs.push_back({static_cast<std::int64_t>(random() % 20), to});
      ++to;
    }
    return from_pairs(20, pairs);
  }();
  return g;
}

/// Vertices with 0, 1, 2, 5 and 17 in-edges: for tests of many widths, whose rows are then the longer side.
inline const graph& short_rows() {
  static const graph g = from_pairs(
      6, {{1, 1}, {0, 2}, {5, 2}, {0, 3}, {1, 3}, {2, 3}, {2, 3}, {4, 3}, {0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 4},
          {5, 4}, {0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 4}, {5, 4}, {0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 4}});
  return g;
}

/// |a - b| <= tolerance × (the sum of the absolute terms).
template <scalar_type T> inline constexpr double forward_tolerance = T == f64 ? 1e-12 : 1e-5;

/// The nearest number that a type has: the oracle reads what it is given.
template <scalar_type T> double as_stored(double x) {
  return static_cast<double>(static_cast<float>(element_t<T>(static_cast<float>(x))));
}

/// Every output of a program against the oracle, by magnitude. Run-time extents are as given.
template <const auto& Program, scalar_type T>
void check_forward(const extent_sizes& extents = {}, const graph& g = rows_of_all_lengths()) {
  using Ref = ref<Program>;
  using results_type = stg::detail::outputs_t<Ref>;
  static const auto layer = compiled<Program>();
  const ir::program p = canonical<Ref>::value.thaw();
  oracle::environment env = random_inputs(p, g, 3, extents);
  if constexpr (is_storage(T))
    for (auto& [name, numbers] : env.inputs)
      for (double& x : numbers) x = as_stored<T>(x);
  all_inputs<Ref> inputs = bind_all<Ref>(p, g, env);
  std::vector<oracle::array> magnitudes;
  const std::vector<oracle::array> expected = oracle::interpret(pass::inference(p), g, env, &magnitudes);
  for_each_cut(17, [&] {
    auto given = layer(g, inputs);
    std::size_t k = 0;
    const auto compare = [&](auto& actual) {
      EXPECT_TRUE(is_near(numbers_of(actual), expected[k], magnitudes[k], forward_tolerance<T>)) << "output " << k;
      ++k;
    };
    if constexpr (results_type::count == 1) compare(given);
    else for_each(given, [&](std::string_view, auto& t) { compare(t); });
  });
}

/// Weighted sum, mean and maximum of a value of shape E…
template <scalar_type T, auto... E> struct aggregates {
  static constexpr auto x = vertex_feature<"x", T, E...>;
  static constexpr auto w = edge_feature<"w", T>;
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    return outputs(sum(e.src(x) * e(w)), mean(e.src(x)), max(e.src(x) * e(w)));
  };
};

/// Every aggregate over edges of a value of shape E…
template <scalar_type T, auto... E> struct every_aggregate {
  static constexpr auto x = vertex_feature<"x", T, E...>;
  static constexpr auto w = edge_feature<"w", T>;
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    auto m = e.src(x) * e(w);
    return outputs(sum(m), mean(m), max(m), min(m), prod(m), var(m), stddev(m), count(m > 0.25), softmax(m),
                   log_sum_exp(m), argmax(m), argmin(m));
  };
};

/// Attention with a score per head; x has the shape heads × dim.
template <scalar_type T, auto Heads, auto Dim> struct attention {
  static constexpr auto x = vertex_feature<"x", T, Heads, Dim>;
  static constexpr auto left = vertex_feature<"left", T, Heads, 1>;
  static constexpr auto right = vertex_feature<"right", T, Heads, 1>;
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    return sum(softmax(leaky_relu(e.src(left) + v(right), 0.2)) * e.src(x));
  };
};

/// 1 to 130, and some that are larger: for extents that are known at run time.
inline std::vector<std::int64_t> every_extent() {
  std::vector<std::int64_t> sizes = {256, 300, 1433};
  for (std::int64_t n = 1; n <= 130; ++n) sizes.push_back(n);
  return sizes;
}

// Every width costs the compiler a program: a few that meet each kind of tail and block, or many (STG_PROOF).
#if defined(STG_PROOF)
using one_register = std::integer_sequence<int, 1, 2, 3, 5, 6, 7, 8, 15, 16, 17>;
using many_registers = std::integer_sequence<int, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 300>;
#else
using one_register = std::integer_sequence<int, 1, 7, 16>;
using many_registers = std::integer_sequence<int, 33, 100, 300>;
#endif

/// What has been checked, once for each scalar type.
inline void print_count(std::size_t n, const char* what) { std::cout << n << ' ' << what << '\n'; }

/// Checks at every width of a list, known at compile time.
template <int... Width, class Check> void at_each_width(std::integer_sequence<int, Width...>, Check check) {
  (([&] {
     SCOPED_TRACE("width " + std::to_string(Width));
     check.template operator()<Width>();
   }()),
   ...);
  print_count(sizeof...(Width), "widths at compile time");
}
template <scalar_type T, class Widths> void check_aggregates(Widths widths) {
  at_each_width(widths, []<int Width> { check_forward<aggregates<T, Width>::program, T>(); });
}
template <scalar_type T, class Widths> void check_every_aggregate(Widths widths) {
  at_each_width(widths, []<int Width> { check_forward<every_aggregate<T, Width>::program, T>({}, short_rows()); });
}
template <scalar_type T, class Widths> void check_attention(Widths widths) {
  at_each_width(widths, []<int Width> { check_forward<attention<T, 1, Width>::program, T>(); });
}
template <scalar_type T, int Heads, int Dim> void check_heads() {
  SCOPED_TRACE(std::to_string(Heads) + " heads of " + std::to_string(Dim));
  check_forward<attention<T, Heads, Dim>::program, T>();
  print_count(1, "widths at compile time");
}

/// One program, at every size of its extent.
template <scalar_type T> void check_every_aggregate_at_run_time() {
  for (const std::int64_t n : every_extent()) {
    SCOPED_TRACE("F = " + std::to_string(n));
    check_forward<every_aggregate<T, extent<"F">>::program, T>({{"F", n}}, short_rows());
  }
  print_count(every_extent().size(), "extents at run time");
}

}  // namespace stg::test
