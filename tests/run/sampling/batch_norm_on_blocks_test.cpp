// test: draft sampling
// Batch norm on blocks: statistics of each hop's rows in a step, running ones in a plain call.
#include "support.hpp"  // drawn_graph

#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/graphs_sampler.hpp>     // graphs_sampler
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <algorithm>  // fill
#include <cmath>      // abs
#include <random>     // mt19937

namespace stg {
namespace {

inline constexpr auto x = vertex_feature<"x", f64, 5>;
inline constexpr auto target = vertex_feature<"target", f64, 3>;
inline constexpr auto near = vertex_feature<"near", f64>;    // 1 for a seed and what one hop reaches
inline constexpr auto seed = vertex_feature<"seed", f64>;    // 1 for a seed
inline constexpr auto nears = scalar<"nears", f64>;          // how many these are
inline constexpr auto seeds_are = scalar<"seeds_are", f64>;  // and these
inline constexpr auto m1 = graph_feature<"m1", f64, 4>;
inline constexpr auto s1 = graph_feature<"s1", f64, 4>;
inline constexpr auto m2 = graph_feature<"m2", f64, 3>;
inline constexpr auto s2 = graph_feature<"s2", f64, 3>;
inline constexpr auto U1 = parameter<"U1", f64, 5, 4>;
inline constexpr auto V1 = parameter<"V1", f64, 5, 4>;
inline constexpr auto U2 = parameter<"U2", f64, 4, 3>;
inline constexpr auto V2 = parameter<"V2", f64, 4, 3>;

inline constexpr auto net = [](auto v) {
  auto [y, m, s] = nn::batch_norm(nn::sage_conv(v, v(x), U1, V1), m1, s1);
  auto [z, n, t] = nn::batch_norm(nn::sage_conv(v, tanh(y), U2, V2), m2, s2);
  return outputs(sum(sum(square(z - v(target)), axis<0>), over_batch), m1 = m, s1 = s, m2 = n, s2 = t, z);
};

/// The same on the batch's graph, its statistics written out over the rows that count.
struct normalised_by_hand {
  template <class Y, class M, class S> static constexpr auto of(vertex_view v, Y y, M m, S s, auto counts, auto n) {
    auto mean_of = sum(v(counts) * y, all_vertices) / v(n);
    auto variance = sum(v(counts) * square(y - mean_of), all_vertices) / v(n);
    return std::tuple((y - mean_of) * rsqrt(variance + 1e-5), 0.1 * mean_of + 0.9 * v(m),
                      0.1 * (variance * v(n) / (v(n) - 1.0)) + 0.9 * v(s));
  }
};
inline constexpr auto by_hand = [](auto v) {
  auto [y, m, s] = normalised_by_hand::of(v, nn::sage_conv(v, v(x), U1, V1), m1, s1, near, nears);
  auto [z, n, t] = normalised_by_hand::of(v, nn::sage_conv(v, tanh(y), U2, V2), m2, s2, seed, seeds_are);
  return outputs(sum(v(seed) * sum(square(z - v(target)), axis<0>), all_vertices), m1 = m, s1 = s, m2 = n, s2 = t, z);
};

void expect_equal(const const_tensor<double>& a, const const_tensor<double>& b, std::string_view of) {
  ASSERT_EQ(a.shape(), b.shape()) << of;
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-11) << of << ' ' << i;
}
tensor<double> first_rows(std::int64_t rows, std::int64_t of) {
  tensor<double> t({of});
  std::fill(t.data(), t.data() + rows, 1.0);
  return t;
}

struct sampled {
  graph g = test::drawn_graph(300, 900, 8).add_remaining_self_loops();
  tensor<double> X = test::drawn({300, 5}, 1), Y = test::drawn({300, 3}, 2);
  tensor<double> M1 = test::drawn({4}, 3), M2 = test::drawn({3}, 5);
  tensor<double> S1 = tensor<double>::full({4}, 1.5), S2 = tensor<double>::full({3}, 0.5);
  batch b = neighbour_sampler(g, {.fan_outs = {3, 4}}).sample(std::vector<std::int32_t>{7, 3, 299, 120, 0, 55}, 1);
  tensor<double> bX = gather(X, b.vertices), bY = gather(Y, b.vertices);
};

TEST(batch_norm_on_blocks, is_over_the_rows_of_each_hop) {
  const sampled all;
  auto params = parameters<net>();
  initialize(params, 3);
  const std::int64_t reached = all.b.vertex_offsets[2], rows = all.b.graph.vertices();
  ASSERT_LT(reached, rows);
  ASSERT_LT(all.b.seeds, reached);
  auto step = value_and_grad<net>();
  const auto now =
      step(all.b.blocks(), x = all.bX, target = all.bY, m1 = all.M1, s1 = all.S1, m2 = all.M2, s2 = all.S2, params);
  auto whole = value_and_grad<by_hand>();
  const auto want =
      whole(all.b.graph, x = all.bX, target = all.bY, near = first_rows(reached, rows),
            seed = first_rows(all.b.seeds, rows), nears = static_cast<double>(reached),
            seeds_are = static_cast<double>(all.b.seeds), m1 = all.M1, s1 = all.S1, m2 = all.M2, s2 = all.S2, params);
  EXPECT_NEAR(now.loss, want.loss, 1e-11 * std::abs(want.loss));
  expect_equal(now.outputs[m1], want.outputs[m1], "m1");
  expect_equal(now.outputs[s1], want.outputs[s1], "s1");
  expect_equal(now.outputs[m2], want.outputs[m2], "m2");
  expect_equal(now.outputs[s2], want.outputs[s2], "s2");
  for_each(want.gradients, [&](std::string_view name, const auto& of_whole) {
    for_each(now.gradients, [&](std::string_view other, const auto& of_blocks) {
      if (name == other) expect_equal(of_blocks, of_whole, name);
    });
  });
}

TEST(batch_norm_on_blocks, called_plainly_reads_what_was_learnt) {
  const sampled all;
  auto params = parameters<net>();
  initialize(params, 3);
  const auto model = compile<net>();
  const std::vector<std::int32_t> seeds = {7, 3, 299};
  const batch every = neighbour_sampler(all.g, {.fan_outs = {all_neighbours, all_neighbours}}).sample(seeds, 1);
  const auto part = model(every.blocks(), x = gather(all.X, every.vertices), target = gather(all.Y, every.vertices),
                          m1 = all.M1, s1 = all.S1, m2 = all.M2, s2 = all.S2, params);
  const auto full = model(all.g, x = all.X, target = all.Y, m1 = all.M1, s1 = all.S1, m2 = all.M2, s2 = all.S2, params);
  expect_equal(part.get<5>(), gather(full.get<5>(), seeds), "z");
  expect_equal(part[m1], all.M1, "m1");
  expect_equal(part[s2], all.S2, "s2");
}

/// A graph is blocks of one batch: statistics are those of all vertices, in a program of either kind.
TEST(batch_norm_on_blocks, of_a_whole_graph_is_over_all_vertices) {
  const sampled all;
  auto params = parameters<net>();
  initialize(params, 3);
  auto step = value_and_grad<net>();
  const auto run = [&](const auto& on) {
    return step(on, x = all.X, target = all.Y, m1 = all.M1, s1 = all.S1, m2 = all.M2, s2 = all.S2, params);
  };
  const auto kept = run(all.g);
  const double loss = kept.loss;
  const auto outputs = kept.outputs.clone();
  const auto gradients = kept.gradients.clone();
  const auto again = run(blocks(all.g));
  EXPECT_NEAR(again.loss, loss, 1e-11 * std::abs(loss));
  expect_equal(again.outputs[s1], outputs[s1], "s1");
  expect_equal(again.outputs[m2], outputs[m2], "m2");
  expect_equal(again.gradients[U1], gradients[U1], "U1");
}

// ---- of two vertex sets ----

inline constexpr auto author = vertex_set<"author">;
inline constexpr auto paper = vertex_set<"paper">;
inline constexpr auto writes = relation<"writes", author, paper>;
inline constexpr auto written_by = relation<"written by", paper, author>;
inline constexpr auto K = author.feature<"K", f64, 2>;
inline constexpr auto mean_of_authors = graph_feature<"mean_of_authors", f64, 2>;
inline constexpr auto of_papers = [](auto g) {
  auto by = g(paper).in_edges(writes);
  auto h = mean(g(author).in_edges(written_by).src(mean(by.src(K)))) + g(author)(K);
  auto m = mean(h, over_batch);
  return outputs(sum(by.src(h - m)), mean_of_authors = m);
};
/// All authors that one hop reaches, and no more of those whose rows are there.
inline constexpr auto of_authors = [](auto g) {
  return mean(g(author).in_edges(written_by).src(mean(g(paper).in_edges(writes).src(K)))) + g(author)(K);
};

TEST(batch_norm_on_blocks, is_over_the_rows_of_a_set) {
  graphs g;
  std::vector<std::int32_t> src, dst;
  std::mt19937 random(4);
  for (int e = 0; e < 400; ++e)
    src.push_back(static_cast<std::int32_t>(random() % 120)), dst.push_back(static_cast<std::int32_t>(random() % 200));
  g.add_vertices(author, 120).add_vertices(paper, 200);
  g.add_edges(writes, src, dst).add_reverse(written_by, writes);
  const auto features = test::drawn({120, 2}, 9);
  const graphs_batch b =
      graphs_sampler(g, {.fan_outs = {2, 2, 2}}).sample(paper, std::vector<std::int32_t>{3, 8, 100}, 1);
  const auto bK = gather(features, b.vertices(author));
  const auto got = compile<of_papers>()(b.blocks(), K = bK);
  const auto h = compile<of_authors>()(b.graph, K = bK);
  const std::int64_t reached = b.of_set("author").offsets[2];
  ASSERT_LT(reached, h.extent(0));
  for (int c = 0; c < 2; ++c) {
    double sum = 0;
    for (std::int64_t v = 0; v < reached; ++v) sum += h(v, c);
    EXPECT_NEAR(got[mean_of_authors](c), sum / static_cast<double>(reached), 1e-12);
  }
}

}  // namespace
}  // namespace stg
