// test: calls
// Blocks on a GPU: steps over a sequence of sampled batches, hop by hop, from stg::cuda() to gradients on the host.
#include "../run/expect_error.hpp"      // expect_error
#include "../run/sampling/support.hpp"  // drawn_graph
#include "drawn.hpp"                    // drawn_floats, expect_near
#include "gpu_under_test.hpp"           // on_gpu

#include <stg/sampling/gather.hpp>               // gather
#include <stg/sampling/graphs_link_sampler.hpp>  // graphs_link_sampler
#include <stg/sampling/neighbour_sampler.hpp>    // neighbour_sampler
#include <stg/stg.hpp>                           // the language

#include <gtest/gtest.h>  // TEST

#include <cmath>    // abs
#include <cstdint>  // int32_t, int64_t
#include <vector>   // vector

namespace stg {
namespace {

using test::drawn_floats, test::expect_near, test::on_gpu;

struct blocks_on_a_gpu : test::gpu_under_test {};

constexpr auto x = vertex_feature<"x", 5>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto w = edge_feature<"w">;
constexpr auto E = trainable(vertex_feature<"E", 4>);
constexpr auto U = parameter<"U", 5, 4>;
constexpr auto V = parameter<"V", 4, 3>;

/// Degrees of vertices that no hop looked into, an edge value that two hops read, a residual, and draws by global ids.
constexpr auto loss = [](auto v) {
  auto norm = nn::inverse_sqrt_degree<f32>(v);
  auto e = v.in_edges();
  auto c = e.src(norm) * e.dst(norm) * dropout(sigmoid(e(w)), 0.3);
  auto first = matmul(dropout(v(x), 0.2), U) + v(E);
  auto h = tanh(sum(c * e.src(first))) + first;
  return cross_entropy(matmul(sum(c * e.src(h)) + max(e.src(h)), V), v(label), v(known));
};
using step_on_gpu = training_step<ref<loss>, detail::trainable_entries<ref<loss>>, on_gpu>;

struct data {
  graph g = test::drawn_graph(300, 1200, 8).add_remaining_self_loops();
  tensor<float> X = drawn_floats({300, 5}, 1), embedded = drawn_floats({300, 4}, 2);
  edge_values<float> W = g.edge_values(drawn_floats({g.edges()}, 4));
  tensor<std::int32_t> Y{{300}};
  decltype(parameters<loss>()) weights = parameters<loss>();
  data() {
    initialize(weights, 5);
    for (std::int64_t v = 0; v < 300; ++v) Y(v) = static_cast<std::int32_t>(v * 7 % 3);
  }
};

/// What a step binds of a batch.
struct bound {
  tensor<float> X, embedded;
  edge_values<float> W;
  tensor<std::int32_t> Y;
  tensor<bool> mask;
  bound(const data& d, const batch& b)
      : X(gather(d.X, b.vertices)),
        embedded(gather(d.embedded, b.vertices)),
        W(gather(d.W, b)),
        Y(gather(d.Y, b.vertices)),
        mask(b.seed_mask()) {}
};

TEST_F(blocks_on_a_gpu, train_as_on_the_cpu) {
  const data d;
  const neighbour_sampler sampler(d.g, {.fan_outs = {4, 3, 2}});
  const auto far = d.weights.to(cuda());
  step_on_gpu step;
  auto here = value_and_grad<loss>(draft());
  batch b;
  std::int32_t first = 0;
  for (const std::int32_t seeds : {6, 11, 1, 9}) {  // batches that grow and shrink, in the memory of one another
    std::vector<std::int32_t> ids;
    while (seeds > static_cast<std::int32_t>(ids.size())) ids.push_back(first++);
    sampler.sample_into(b, ids, static_cast<std::uint64_t>(seeds));
    const bound of(d, b);
    const blocks near = b.blocks(), there = near.to(cuda());
    ASSERT_EQ(there.place(), location(cuda()));
    ASSERT_EQ(there.seeds(), seeds);
    const auto X = of.X.to(cuda()), embedded = of.embedded.to(cuda());
    const auto W = of.W.to(cuda());
    const auto Y = of.Y.to(cuda());
    const auto mask = of.mask.to(cuda());
    auto on_device = step(there, x = X, E = embedded, w = W, label = Y, known = mask, far);
    auto on_cpu = here(near, x = of.X, E = of.embedded, w = of.W, label = of.Y, known = of.mask, d.weights);
    EXPECT_NEAR(on_device.loss, on_cpu.loss, 1e-5 * std::abs(on_cpu.loss));
    expect_near(on_device.gradients[U].to(host), on_cpu.gradients[U]);
    expect_near(on_device.gradients[V].to(host), on_cpu.gradients[V]);
    expect_near(on_device.gradients[E].to(host), on_cpu.gradients[E]);
  }
}

/// On a batch's graph, too, vertices that no hop looked into have their degrees in the large one.
constexpr auto degree_of_each = [](auto v) { return v.in_degree(); };
TEST_F(blocks_on_a_gpu, know_degrees_beyond_the_sample) {
  const graph g = test::drawn_graph(300, 1200, 8);
  const batch b = neighbour_sampler(g, {.fan_outs = {4, 3}}).sample(std::vector<std::int32_t>{7, 3, 299}, 1);
  ASSERT_LT(b.vertex_offsets[2], b.graph.vertices());
  const auto there = model<ref<degree_of_each>, on_gpu>()(b.graph.to(cuda())).to(host);
  for (std::int64_t v = 0; v < b.graph.vertices(); ++v)
    EXPECT_EQ(there(v), v < b.vertex_offsets[2] ? b.graph.in_edges().degree(v)
                                                : g.in_edges().degree(b.vertices[static_cast<std::size_t>(v)]))
        << v;
}

/// All neighbours on the device are the full graph on the CPU; a whole graph is blocks there, too.
TEST_F(blocks_on_a_gpu, give_the_full_graph) {
  const data d;
  const std::vector<std::int32_t> seeds = {7, 3, 299, 120};
  const batch b = neighbour_sampler(d.g, {.fan_outs = {all_neighbours, all_neighbours}}).sample(seeds, 1);
  const bound of(d, b);
  tensor<bool> mask({300});
  for (const std::int32_t v : seeds) mask(v) = true;
  const auto far = d.weights.to(cuda());
  step_on_gpu step;
  auto full =
      value_and_grad<loss>(draft())(d.g, x = d.X, E = d.embedded, w = d.W, label = d.Y, known = mask, d.weights);
  const auto X = of.X.to(cuda()), embedded = of.embedded.to(cuda());
  const auto W = of.W.to(cuda());
  const auto Y = of.Y.to(cuda());
  const auto m = of.mask.to(cuda());
  auto part = step(b.blocks().to(cuda()), x = X, E = embedded, w = W, label = Y, known = m, far);
  EXPECT_NEAR(part.loss, full.loss, 1e-5 * std::abs(full.loss));
  expect_near(part.gradients[U].to(host), full.gradients[U]);
  expect_near(part.gradients[E].to(host), gather(full.gradients[E], b.vertices));

  step.seed(0);  // draws the same again
  const graph there = d.g.to(cuda());
  const auto all = d.X.to(cuda()), all_embedded = d.embedded.to(cuda());
  const auto all_W = d.W.to(cuda());
  const auto all_Y = d.Y.to(cuda());
  const auto all_m = mask.to(cuda());
  auto again = step(blocks(there), x = all, E = all_embedded, w = all_W, label = all_Y, known = all_m, far);
  EXPECT_NEAR(again.loss, full.loss, 1e-5 * std::abs(full.loss));
  expect_near(again.gradients[V].to(host), full.gradients[V]);
}

#ifndef STG_ON_DEVICE
TEST_F(blocks_on_a_gpu, say_where_they_lie) {
  const data d;
  const batch b = neighbour_sampler(d.g, {.fan_outs = {4, 3}}).sample(std::vector<std::int32_t>{3, 5}, 1);
  const bound of(d, b);
  const blocks near = b.blocks(), there = near.to(cuda());
  const graph back = there.to(host).whole();
  EXPECT_EQ(back.in_edges().offsets(), b.graph.in_edges().offsets());
  EXPECT_EQ(there.to(cuda(1)).place(), location(cuda(1)));
  EXPECT_EQ(near.to(host).place(), host);
  step_on_gpu step;
  test::expect_error([&] { step(near, x = of.X, E = of.embedded, w = of.W, label = of.Y, known = of.mask, d.weights); },
                     {"graph lies on the host", "graph.to(stg::cuda())"});
  test::expect_error([&] { blocks(b.graph.to(cuda()), b.vertex_offsets, b.vertices, d.g.in_degrees()); },
                     {"blocks: the sample lies on CUDA device 0"});
}

TEST_F(blocks_on_a_gpu, survive_every_failing_call) {
  const test::without_checks hundreds_of_steps;
  const data d;
  const batch b = neighbour_sampler(d.g, {.fan_outs = {4, 3}}).sample(std::vector<std::int32_t>{3, 5, 8}, 1);
  const bound of(d, b);
  const int calls = test::fail_each_call("a training step on blocks", [&](test::fake_cuda& other) {
    test::emulated_launcher::on = &other;
    step_on_gpu step;
    auto now = step(b.blocks().to(cuda()), x = of.X.to(cuda()), E = of.embedded.to(cuda()), w = of.W.to(cuda()),
                    label = of.Y.to(cuda()), known = of.mask.to(cuda()), d.weights.to(cuda()));
    ASSERT_EQ(now.gradients[U].to(host).extent(0), 5);
  });
  EXPECT_GT(calls, 50);
}
#endif

// ---- seeds of two sets ----

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto written_by = relation<"written by", paper, author>;
constexpr auto K = author.feature<"K", 3>;
constexpr auto W = paper.feature<"W", 5>;
constexpr auto of_author = author.feature<"of_author", 4>;
constexpr auto of_paper = paper.feature<"of_paper", 4>;
constexpr auto A = parameter<"A", 3, 4>;
constexpr auto P = parameter<"P", 5, 4>;
/// Both ends of links, two hops far, each with a loss of its own.
constexpr auto of_both = [](auto g) {
  auto a = g(author);
  auto p = g(paper);
  auto by = p.in_edges(writes);
  auto of = a.in_edges(written_by);
  auto authors = tanh(matmul(dropout(a(K), 0.2), A) + mean(of.src(matmul(p(W), P))));
  auto papers = tanh(matmul(p(W), P) + max(by.src(matmul(a(K), A))));
  return mse(authors + sum(of.src(papers)), a(of_author)) + mse(papers + mean(by.src(authors)), p(of_paper));
};
using step_of_both = training_step<ref<of_both>, detail::trainable_entries<ref<of_both>>, on_gpu>;

TEST_F(blocks_on_a_gpu, of_seeds_of_two_sets_train_as_on_the_cpu) {
  edge_list writing = test::drawn_graph(60, 240, 3).edge_list();
  for (std::int32_t& u : writing.src) u %= 40;
  graphs g;
  g.add_vertices(author, 40).add_vertices(paper, 60).add_edges(writes, writing.src, writing.dst);
  g.add_reverse(written_by, writes);
  const auto known_of = drawn_floats({40, 3}, 1), words_of = drawn_floats({60, 5}, 2), ya = drawn_floats({40, 4}, 3),
             yp = drawn_floats({60, 4}, 4);
  auto weights = parameters<of_both>();
  initialize(weights, 5);
  const auto far = weights.to(cuda());
  const graphs_link_sampler sampler(graphs_sampler(g, {.fan_outs = {3, 2}}), writes, {.negatives = 2});
  step_of_both step;
  auto here = value_and_grad<of_both>(draft());
  graphs_batch b;
  for (const std::vector<std::int64_t>& edges : {std::vector<std::int64_t>{3, 77, 200}, {9}, {5, 6, 7, 8, 120}}) {
    sampler.sample_into(b, edges, 4);
    ASSERT_GT(b.of_set("author").offsets[1], 0);
    ASSERT_GT(b.of_set("paper").offsets[1], 0);
    const auto bk = gather(known_of, b.vertices(author)), bw = gather(words_of, b.vertices(paper));
    const auto ba = gather(ya, b.vertices(author)), bp = gather(yp, b.vertices(paper));
    const blocks near = b.blocks();
    auto on_device = step(near.to(cuda()), K = bk.to(cuda()), W = bw.to(cuda()), of_author = ba.to(cuda()),
                          of_paper = bp.to(cuda()), far);
    auto on_cpu = here(near, K = bk, W = bw, of_author = ba, of_paper = bp, weights);
    EXPECT_NEAR(on_device.loss, on_cpu.loss, 1e-5 * std::abs(on_cpu.loss));
    expect_near(on_device.gradients[A].to(host), on_cpu.gradients[A]);
    expect_near(on_device.gradients[P].to(host), on_cpu.gradients[P]);
  }
}

}  // namespace
}  // namespace stg
