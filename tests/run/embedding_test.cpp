// test: draft calls
// Tables that vertices or edges pick rows from, E[v(id)]: gradients against sums by hand, in scans, on blocks and twice
// derived; the same bits for any number of threads; time and memory of the rows that are read and those that there are.
#include "support/families.hpp"  // power_law
#include "support/hubs.hpp"      // keep_threads
#include "expect_error.hpp"      // expect_error
#include "sampling/support.hpp"  // drawn

#include <stg/call/explain.hpp>                // peak_bytes
#include <stg/runtime/scatter_sum.hpp>         // check_scattered
#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // max
#include <cmath>      // abs
#include <cstdint>    // int32_t, int64_t
#include <cstring>    // memcmp
#include <random>     // mt19937
#include <vector>     // vector

namespace stg {
namespace {

using test::drawn;

constexpr auto id = vertex_feature<"id", i32>;
constexpr auto y = vertex_feature<"y", f64, 3>;
constexpr auto E = embedding<"E", f64, extent<"N">, 3>;

/// Labels of which every third is `often`, and some never drawn.
tensor<std::int32_t> labels(const dimensions& shape, std::int64_t entries, std::int32_t often, unsigned seed) {
  std::mt19937 random(seed);
  tensor<std::int32_t> all(shape);
  for (std::int64_t k = 0; k < all.size(); ++k)
    all.data()[k] = k % 3 == 0 ? often : static_cast<std::int32_t>(random() % static_cast<unsigned>(entries));
  return all;
}
template <class T> bool same_bits(const const_tensor<T>& a, const const_tensor<T>& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

/// Sums of rows by entry, as one writes them.
struct sums_by_hand {
  std::int64_t width;
  std::vector<long double> of, size;
  sums_by_hand(std::int64_t entries, std::int64_t wide)
      : width(wide), of(static_cast<std::size_t>(entries * wide)), size(of.size()) {}
  void add(std::int64_t entry, std::int64_t f, long double value) {
    of[static_cast<std::size_t>(entry * width + f)] += value;
    size[static_cast<std::size_t>(entry * width + f)] += std::abs(value);
  }
  void expect(const const_tensor<double>& gradient) const {
    ASSERT_EQ(gradient.size(), static_cast<std::int64_t>(of.size()));
    for (std::size_t k = 0; k < of.size(); ++k) {
      const double got = gradient.data()[k], wanted = static_cast<double>(of[k]);
      if (size[k] == 0) ASSERT_EQ(got, 0) << "entry " << k / static_cast<std::size_t>(width) << ", which nobody reads";
      else ASSERT_NEAR(got, wanted, 1e-12 * static_cast<double>(size[k])) << k;
    }
  }
};

// ---- against sums by hand ----

constexpr auto by_vertex = [](auto v) { return sum(sum(square(E[v(id)] - v(y)), axis<0>), all_vertices); };
TEST(embedding, gets_the_sum_over_the_vertices_that_read_a_row) {
  const std::int64_t V = 20'000;
  for (const std::int64_t entries : {1, 7, 5'000, 30'000}) {
    SCOPED_TRACE(entries);
    const auto ids = labels({V}, entries, static_cast<std::int32_t>(entries / 2), 1);
    const auto wanted = drawn({V, 3}, 2);
    auto params = parameters<by_vertex>(sized<"N">(entries));
    initialize(params, 3);
    sums_by_hand expected(entries, 3);
    for (std::int64_t v = 0; v < V; ++v)
      for (std::int64_t f = 0; f < 3; ++f)
        expected.add(ids(v), f, 2 * (static_cast<long double>(params[E](ids(v), f)) - wanted(v, f)));
    auto now = value_and_grad<by_vertex>()(graph::from_edges(V, {0}, {1}), id = ids, y = wanted, params);
    expected.expect(now.gradients[E]);
  }
}

constexpr auto relation = edge_feature<"relation", i32>;
constexpr auto x = vertex_feature<"x", f64, 2>;
constexpr auto M = parameter<"M", f64, extent<"R">, 2, 3>;
constexpr auto M3 = parameter<"M3", f64, 3, 2, 3>;  // few: summed by vertex
constexpr auto b = parameter<"b", f64, extent<"R">, 3>;
/// A matrix and a bias for each relation.
constexpr auto by_edge = [](auto v) {
  auto e = v.in_edges();
  return sum(sum((sum(matmul(e.src(x), M[e(relation)]) + b[e(relation)])) * v(y), axis<0>), all_vertices);
};
constexpr auto by_few = [](auto v) {
  auto e = v.in_edges();
  return sum(sum((sum(matmul(e.src(x), M3[e(relation)]))) * v(y), axis<0>), all_vertices);
};
TEST(embedding, gets_the_sum_over_the_edges_that_read_a_row) {
  const graph g = test::power_law(500, 4'000, 4);
  const auto X = drawn({500, 2}, 1), wanted = drawn({500, 3}, 2);
  for (const std::int64_t relations : {3, 40}) {
    const auto of_edge = labels({g.edges()}, relations, 1, 5);
    auto params = parameters<by_edge>(sized<"R">(relations));
    initialize(params, 3);
    auto few = parameters<by_few>();
    initialize(few, 4);
    sums_by_hand matrices(relations, 6), biases(relations, 3);
    const edge_list ends = g.edge_list();
    for (std::int64_t k = 0; k < g.edges(); ++k)
      for (std::int64_t f = 0; f < 3; ++f) {
        const auto at = static_cast<std::size_t>(k);
        biases.add(of_edge(k), f, wanted(ends.dst[at], f));
        for (std::int64_t i = 0; i < 2; ++i)
          matrices.add(of_edge(k), 3 * i + f, static_cast<long double>(X(ends.src[at], i)) * wanted(ends.dst[at], f));
      }
    const auto bound = g.edge_values(of_edge.clone());
    auto now = value_and_grad<by_edge>()(g, x = X, y = wanted, relation = bound, params);
    matrices.expect(now.gradients[M]);
    biases.expect(now.gradients[b]);
    if (relations == 3)
      matrices.expect(value_and_grad<by_few>()(g, x = X, y = wanted, relation = bound, few).gradients[M3]);
  }
}

// ---- scans, blocks, derivatives of derivatives ----

constexpr auto words = over<"T">(vertex_feature<"words", i32>);
constexpr auto in_turn = [](auto v) {
  auto [last, errors] = scan<"T">(
      v,
      [](auto v, auto state) {
        auto n = 0.5 * state + E[v(words)] + 0.1 * mean(v.in_edges().src(state));
        return next(n).gives(sum(sum(square(n - v(y)), axis<0>), all_vertices));
      },
      0.0 * v(y));
  return sum(stacked(errors), axis<0>);
};
constexpr auto first = vertex_feature<"first", i32>;
constexpr auto second = vertex_feature<"second", i32>;
constexpr auto third = vertex_feature<"third", i32>;
constexpr auto written_out = [](auto v) {
  auto error = [&](auto n) { return sum(sum(square(n - v(y)), axis<0>), all_vertices); };
  auto step = [&](auto state, auto row) { return 0.5 * state + row + 0.1 * mean(v.in_edges().src(state)); };
  auto one = step(0.0 * v(y), E[v(first)]);
  auto two = step(one, E[v(second)]);
  auto three = step(two, E[v(third)]);
  return error(one) + error(two) + error(three);
};
TEST(embedding, is_read_step_by_step) {
  const std::int64_t V = 300, entries = 40;
  const graph g = test::power_law(V, 900, 4);
  const auto read = labels({3, V}, entries, 7, 3);
  const auto wanted = drawn({V, 3}, 2);
  auto params = parameters<in_turn>(sized<"N">(entries));
  initialize(params, 3);
  auto now = value_and_grad<in_turn>()(g, words = read, y = wanted, params);
  const auto of_step = [&](std::int64_t t) {
    tensor<std::int32_t> one({V});
    for (std::int64_t v = 0; v < V; ++v) one(v) = read(t, v);
    return one;
  };
  const auto a = of_step(0), b = of_step(1), c = of_step(2);
  auto expected = value_and_grad<written_out>()(g, first = a, second = b, third = c, y = wanted, params);
  EXPECT_NEAR(now.loss, expected.loss, 1e-12 * expected.loss);
  const auto &got = now.gradients[E], &by_hand = expected.gradients[E];
  double size = 0;
  for (std::int64_t k = 0; k < by_hand.size(); ++k) size = std::max(size, std::abs(by_hand.data()[k]));
  for (std::int64_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got.data()[k], by_hand.data()[k], 1e-12 * size) << k;
}

constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto around = [](auto v) {
  auto e = v.in_edges();
  auto h = E[v(id)];
  auto n = tanh(h + sum(e.src(h) * b[e(relation)]));
  return sum(select(v(known), sum(square(n - v(y)), axis<0>), 0.0), over_batch);
};
TEST(embedding, gets_on_blocks_what_the_graph_gives) {
  const std::int64_t V = 400, entries = 60, relations = 9;
  const graph g = test::drawn_graph(V, 2400, 8);
  const auto ids = labels({V}, entries, 7, 3);
  const auto of_edge = labels({g.edges()}, relations, 2, 4);
  const auto kinds = g.edge_values(of_edge.clone());
  const auto wanted = drawn({V, 3}, 2);
  auto params = parameters<around>(sized<"N">(entries), sized<"R">(relations));
  initialize(params, 3);
  const std::vector<std::int32_t> seeds = {7, 3, 399, 120};
  tensor<bool> mask({V});
  for (const std::int32_t v : seeds) mask(v) = true;
  auto whole = value_and_grad<around>()(g, id = ids, relation = kinds, y = wanted, known = mask, params);

  const batch sampled = neighbour_sampler(g, {.fan_outs = {all_neighbours}}).sample(seeds, 1);
  const auto near_ids = gather(ids, sampled.vertices);
  const auto near_kinds = gather(kinds, sampled);
  const auto near_wanted = gather(wanted, sampled.vertices);
  const auto near_mask = sampled.seed_mask();
  auto part = value_and_grad<around>()(sampled.blocks(), id = near_ids, relation = near_kinds, y = near_wanted,
                                       known = near_mask, params);
  EXPECT_NEAR(part.loss, whole.loss, 1e-12 * whole.loss);
  for (std::int64_t k = 0; k < whole.gradients[E].size(); ++k)
    EXPECT_NEAR(part.gradients[E].data()[k], whole.gradients[E].data()[k], 1e-12) << k;
  for (std::int64_t k = 0; k < whole.gradients[b].size(); ++k)
    EXPECT_NEAR(part.gradients[b].data()[k], whole.gradients[b].data()[k], 1e-12) << k;
}

constexpr auto a = vertex_feature<"a", f64>;
/// Of Σ a E² the derivative is 2 A E, A being the sum of a over those who read a row; of its square 8 A² E.
constexpr auto of_slope = [](auto v) {
  auto slope = gradient(sum(sum(v(a) * square(E[v(id)]), axis<0>), all_vertices), E);
  return sum(sum(square(slope), axis<1>), axis<0>);
};
TEST(embedding, is_derived_twice) {
  const std::int64_t V = 700, entries = 50;
  const auto ids = labels({V}, entries, 7, 3);
  const auto A = drawn({V}, 2);
  auto params = parameters<of_slope>(sized<"N">(entries));
  initialize(params, 3);
  std::vector<double> sums(static_cast<std::size_t>(entries));
  for (std::int64_t v = 0; v < V; ++v) sums[static_cast<std::size_t>(ids(v))] += A(v);
  auto now = value_and_grad<of_slope>()(graph::from_edges(V, {0}, {1}), id = ids, a = A, params);
  for (std::int64_t i = 0; i < entries; ++i)
    for (std::int64_t f = 0; f < 3; ++f) {
      const double of = sums[static_cast<std::size_t>(i)];
      EXPECT_NEAR(now.gradients[E](i, f), 8 * of * of * params[E](i, f), 1e-10) << i;
    }
}

// ---- threads, memory, mistakes ----

constexpr auto Ef = embedding<"E", extent<"N">, 8>;
constexpr auto yf = vertex_feature<"y", 8>;
constexpr auto bf = parameter<"b", extent<"R">, 8>;
constexpr auto in_floats = [](auto v) {
  auto e = v.in_edges();
  return mse(Ef[v(id)] + mean(bf[e(relation)] * e.src(Ef[v(id)])), v(yf));
};
TEST(embedding, has_the_same_bits_for_any_number_of_threads) {
  const test::keep_threads keep;
  const std::int64_t V = 150'000, entries = 20'000, relations = 12;
  const graph g = test::power_law(V, 2 * V, 4);
  const auto ids = labels({V}, entries, 7, 3);
  const auto kinds = g.edge_values(labels({g.edges()}, relations, 2, 4));
  tensor<float> wanted({V, 8});
  uniform(wanted, -1, 1, 5);
  auto params = parameters<in_floats>(sized<"N">(entries), sized<"R">(relations));
  initialize(params, 3);
  auto step = value_and_grad<in_floats>();
  tensor<float> table, by_relation;
  for (const int n : {1, 2, 3, 7}) {
    set_threads(n);
    auto now = step(g, id = ids, relation = kinds, yf = wanted, params);
    if (n == 1) table = now.gradients[Ef].clone(), by_relation = now.gradients[bf].clone();
    EXPECT_TRUE(same_bits<float>(now.gradients[Ef], table)) << n << " threads";
    EXPECT_TRUE(same_bits<float>(now.gradients[bf], by_relation)) << n << " threads";
  }
}

constexpr auto of_rows = [](auto v) { return mse(Ef[v(id)], v(yf)); };
TEST(embedding, takes_memory_of_its_rows_and_of_those_who_read_them) {
  const auto bytes = [](std::int64_t vertices, std::int64_t rows) {
    return peak_bytes<of_rows>({.vertices = vertices, .edges = 1, .extents = {sized<"N">(rows)}}).training;
  };
  constexpr std::int64_t million = 1'000'000, row = 8 * 4;
  EXPECT_LT(bytes(million, 10), 2 * million * row);  // cotangents, and what sorts them
  EXPECT_LT(bytes(10, million), 2 * million * row);  // the gradient, and where the rows of each begin
  EXPECT_LT(bytes(million, million), 3 * million * row);
}

TEST(embedding, begins_with_gaussian_numbers) {
  auto params = parameters<by_vertex>(sized<"N">(20'000));
  initialize(params, 9);
  double mean = 0, squares = 0;
  for (std::int64_t k = 0; k < params[E].size(); ++k)
    mean += params[E].data()[k], squares += params[E].data()[k] * params[E].data()[k];
  const auto n = static_cast<double>(params[E].size());
  EXPECT_NEAR(mean / n, 0, 0.02);
  EXPECT_NEAR(squares / n, 1, 0.03);
}

constexpr auto place = trainable(vertex_feature<"place", 4>);
constexpr auto gate = trainable(edge_feature<"gate">);
constexpr auto W = parameter<"W", extent<"N">, 4>;
constexpr auto pulled = [](auto v) {
  auto e = v.in_edges();
  return mse(v(place) + sum(e(gate) * e.src(v(place))), W[v(id)]);
};
TEST(embedding, may_be_rows_of_the_vertices_of_a_graph) {
  const graph g = test::power_law(100, 300, 4);
  const auto ids = labels({100}, 9, 2, 1);
  auto params = parameters<pulled>(g, sized<"N">(9));
  EXPECT_EQ(params[place].shape(), dimensions({100, 4}));
  EXPECT_EQ(params[gate].values().shape(), dimensions({g.edges()}));
  EXPECT_EQ(params[W].shape(), dimensions({9, 4}));
  initialize(params, 3);
  EXPECT_NE(params[place](7, 2), 0);
  EXPECT_EQ(params[gate].values()(5), 0);  // of one axis
  auto step = value_and_grad<pulled>();
  sgd optimizer(params, {.learning_rate = 0.5});
  const double before = step(g, id = ids, params).loss;
  for (int epoch = 0; epoch < 20; ++epoch) optimizer.step(step(g, id = ids, params).gradients);
  EXPECT_LT(step(g, id = ids, params).loss, 0.5 * before);
  EXPECT_NE(params[gate].values()(5), 0);
}

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto of_author = trainable(author.feature<"of_author", 2>);
constexpr auto share = trainable(writes.feature<"share">);
constexpr auto wanted_of = paper.feature<"wanted_of", 2>;
constexpr auto by_authors = [](auto g) {
  auto e = g(paper).in_edges(writes);
  return mse(sum(e(share) * e.src(g(author)(of_author))), g(paper)(wanted_of));
};
TEST(embedding, may_be_rows_of_a_vertex_set) {
  graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 2).add_edges(writes, {0, 1, 2, 2}, {0, 1, 0, 1});
  auto params = parameters<by_authors>(g);
  EXPECT_EQ(params[of_author].shape(), dimensions({3, 2}));
  EXPECT_EQ(params[share].values().shape(), dimensions({4}));
  initialize(params, 3);
  sgd optimizer(params, {.learning_rate = 0.1});
  auto step = value_and_grad<by_authors>();
  const auto ones = tensor<float>::full({2, 2}, 1);
  for (int epoch = 0; epoch < 3; ++epoch) optimizer.step(step(g, wanted_of = ones, params).gradients);
  EXPECT_NE(params[share].values()(1), 0);
  test::expect_error([] { parameters<by_authors>(graph::from_edges(2, {0}, {1})); }, {"'author'"});
}

TEST(embedding, says_which_row_there_is_not) {
  const auto g = graph::from_edges(3, {0}, {1});
  auto params = parameters<by_vertex>(sized<"N">(5));
  initialize(params, 1);
  tensor<std::int32_t> ids({3});
  ids(1) = 5;
  const tensor<double> wanted({3, 3});
  test::expect_error([&] { value_and_grad<by_vertex>()(g, id = ids, y = wanted, params); }, {"'id'", "vertex 1", "5"});
  test::expect_error([] { check_scattered(std::int64_t{1} << 31, 5); }, {"2147483648 rows", "at most 2147483646"});
  test::expect_error([] { check_scattered(5, std::int64_t{1} << 31); }, {"2147483648 entries"});
}

}  // namespace
}  // namespace stg
