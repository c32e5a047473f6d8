// test: draft sampling, proof kernels 0, counted
// With all neighbours, the rows of the seeds and their gradients are those of the full graph.
#include "../expect_error.hpp"  // expect_error
#include "support.hpp"          // drawn_graph

#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/sampling/row_blocks.hpp>         // row_blocks
#include <stg/sampling/subgraph_sampler.hpp>   // subgraph_sampler
#include <stg/stg.hpp>                         // the language

#include <cmath>  // abs, sqrt

namespace stg {
namespace {

using test::drawn;

inline constexpr auto x = vertex_feature<"x", f64, 5>;
inline constexpr auto target = vertex_feature<"target", f64, 3>;
inline constexpr auto known = vertex_feature<"known", boolean>;
inline constexpr auto rows = vertex_feature<"rows", f64, 3>;
inline constexpr auto norm = edge_feature<"norm", f64>;
inline constexpr auto U1 = parameter<"U1", f64, 5, 4>;
inline constexpr auto V1 = parameter<"V1", f64, 5, 4>;
inline constexpr auto U2 = parameter<"U2", f64, 4, 3>;
inline constexpr auto V2 = parameter<"V2", f64, 4, 3>;

/// The mean of squared errors of the known vertices, whose number is the same in batch and graph.
template <class Y> constexpr auto loss_of(vertex_view v, Y y) {
  return sum(select(v(known), sum(square(y - v(target)), axis<0>), 0.0), all_vertices);
}

inline constexpr auto sage = [](auto v) {
  auto h = tanh(nn::sage_conv(v, v(x), U1, V1));
  return nn::sage_conv(v, h, U2, V2);
};
/// With coefficients that were gathered, and with degrees.
inline constexpr auto gcn = [](auto v) {
  auto e = v.in_edges();
  auto h = tanh(matmul(sum(e(norm) * e.src(x)), U1));
  return matmul(sum(e(norm) * e.src(h)), U2);
};
inline constexpr auto gcn_of_degrees = [](auto v) {
  return nn::gcn_conv(v, tanh(nn::gcn_conv(v, v(x), U1)), U2) + 0.0 * matmul(matmul(v(x), V1), V2);
};
inline constexpr auto degrees_loss = [](auto v) {
  return stg::outputs(loss_of(v, gcn_of_degrees(v)), rows = gcn_of_degrees(v));
};
inline constexpr auto sage_loss = [](auto v) { return stg::outputs(loss_of(v, sage(v)), rows = sage(v)); };
inline constexpr auto gcn_loss = [](auto v) { return stg::outputs(loss_of(v, gcn(v)), rows = gcn(v)); };

edge_values<double> coefficients(const graph& g) {
  tensor<double> w({g.edges()});
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    for (auto k = g.in_edges().begin(v); k != g.in_edges().end(v); ++k)
      w(k) = 1 / std::sqrt(static_cast<double>(g.in_degrees()[static_cast<std::size_t>(v)]) *
                           g.in_degrees()[static_cast<std::size_t>(g.in_edges().neighbour(k))]);
  return edge_values<double>::in_id_order(std::move(w), g.edge_identity());
}

void expect_equal(const const_tensor<double>& a, const const_tensor<double>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-12);
}

template <auto& Loss, bool Weighted> void expect_full_graph_values() {
  const graph g = test::drawn_graph(400, 2400, 8).add_remaining_self_loops();
  const auto X = drawn({400, 5}, 1), Y = drawn({400, 3}, 2);
  const auto W = coefficients(g);
  const std::vector<std::int32_t> seeds = {7, 3, 399, 120, 0, 55};
  auto params = parameters<Loss>();
  initialize(params, 3);

  const batch b = neighbour_sampler(g, {.fan_outs = {all_neighbours, all_neighbours}}).sample(seeds, 1);
  ASSERT_LT(b.graph.vertices(), 400);  // it is a part of the graph
  auto mask = tensor<bool>({400});
  for (const std::int32_t v : seeds) mask(v) = true;

  auto of_graph = value_and_grad<Loss>(draft());
  auto of_batch = value_and_grad<Loss>(draft());
  const auto run = [&](auto& step, const graph& on, const auto& features, const auto& targets, const auto& m,
                       const auto& weights) {
    if constexpr (Weighted) return step(on, x = features, target = targets, known = m, norm = weights, params);
    else return step(on, x = features, target = targets, known = m, params);
  };
  const auto bX = gather(X, b.vertices), bY = gather(Y, b.vertices);
  const auto bW = gather(W, b);
  const auto bm = b.seed_mask();
  auto full = run(of_graph, g, X, Y, mask, W);
  auto part = run(of_batch, b.graph, bX, bY, bm, bW);
  EXPECT_NEAR(full.loss, part.loss, 1e-12 * std::abs(full.loss));
  expect_equal(gather(full.outputs[rows], seeds), part.outputs[rows].rows(0, b.seeds));
  expect_equal(full.gradients[U1], part.gradients[U1]);
  expect_equal(full.gradients[U2], part.gradients[U2]);
  if constexpr (!Weighted) {
    expect_equal(full.gradients[V1], part.gradients[V1]);
    expect_equal(full.gradients[V2], part.gradients[V2]);
  }
}

TEST(all_neighbours, give_sage_the_values_and_gradients_of_the_full_graph) {
  expect_full_graph_values<sage_loss, false>();
}
TEST(all_neighbours, give_gcn_the_values_and_gradients_of_the_full_graph) {
  expect_full_graph_values<gcn_loss, true>();
}

TEST(all_neighbours, give_layers_that_read_degrees_the_values_and_gradients_of_the_full_graph) {
  expect_full_graph_values<degrees_loss, false>();
}

/// Degrees that are sums of weights read the edges of both ends: one hop more than there are layers.
inline constexpr auto gcn_of_weights = [](auto v) {
  const auto layer = [&](auto h, auto W) { return nn::gcn_conv(nn::weighted(v, norm), h, W); };
  return layer(tanh(layer(v(x), U1)), U2);
};
TEST(all_neighbours, of_one_hop_more_give_gcn_of_weights_the_values_of_the_full_graph) {
  const graph g = test::drawn_graph(400, 1600, 8).add_remaining_self_loops();
  const auto X = drawn({400, 5}, 1), A = drawn({5, 4}, 2), B = drawn({4, 3}, 3);
  const auto W = coefficients(g);
  const auto model = compile<gcn_of_weights>(draft());
  const std::vector<std::int32_t> seeds = {7, 399, 120};
  const auto full = model(g, x = X, norm = W, U1 = A, U2 = B);
  const batch b = neighbour_sampler(g, {.fan_outs = {all_neighbours, all_neighbours, all_neighbours}}).sample(seeds, 1);
  const auto bX = gather(X, b.vertices);
  const auto bW = gather(W, b);
  expect_equal(model(b.blocks(), x = bX, norm = bW, U1 = A, U2 = B), gather(full, seeds));
  expect_equal(model(b.graph, x = bX, norm = bW, U1 = A, U2 = B).rows(0, b.seeds), gather(full, seeds));
  const batch few = neighbour_sampler(g, {.fan_outs = {all_neighbours, all_neighbours}}).sample(seeds, 1);
  test::expect_error([&] { model(few.blocks(), x = gather(X, few.vertices), norm = gather(W, few), U1 = A, U2 = B); },
                     {"reads vertices 3 hops away"});
}

/// A program is given the degree of the sample where a hop looked into a vertex, the large graph's elsewhere.
inline constexpr auto degree_of_each = [](auto v) { return v.in_degree(); };
TEST(a_batch, knows_degrees_of_vertices_that_no_hop_looked_into) {
  const graph g = test::drawn_graph(400, 2400, 8);
  const auto degrees = compile<degree_of_each>(draft());
  batch b;
  const auto expect_degrees = [&](std::int64_t looked_into) {
    const auto known = degrees(b.graph);
    for (std::int64_t v = 0; v < b.graph.vertices(); ++v)
      EXPECT_EQ(known(v), v < looked_into ? b.graph.in_edges().degree(v)
                                          : g.in_edges().degree(b.vertices[static_cast<std::size_t>(v)]))
          << v;
    EXPECT_EQ(compile<degree_of_each>(draft())(b.blocks())(0), known(0)) << "and blocks say the same";
  };
  const neighbour_sampler sampler(g, {.fan_outs = {3, 2}});
  for (const std::int32_t seed : {9, 300}) {  // the second in the memory of the first
    sampler.sample_into(b, std::vector<std::int32_t>{seed, 70}, 1);
    ASSERT_LT(b.vertex_offsets[2], b.graph.vertices());
    expect_degrees(b.vertex_offsets[2]);
  }
  neighbour_sampler(g, {}).sample_into(b, std::vector<std::int32_t>{9, 300}, 1);
  expect_degrees(0);
  subgraph_sampler::by_vertices(g, 50).sample_into(b, {}, 1);
  expect_degrees(b.graph.vertices());
}

inline constexpr auto hidden = vertex_feature<"hidden", f64, 4>;
inline constexpr auto layer1 = [](auto v) { return tanh(nn::sage_conv(v, v(x), U1, V1)); };
inline constexpr auto layer2 = [](auto v) { return nn::sage_conv(v, v(hidden), U2, V2); };

/// The rows of a layer, block by block.
template <class Layer> tensor<double> in_blocks(const row_blocks& blocks, std::int64_t width, const Layer& layer) {
  tensor<double> out({blocks.first_row(blocks.count()), width});
  batch b;
  for (std::int64_t i = 0; i < blocks.count(); ++i) {
    blocks.block(i, b);
    out.rows(blocks.first_row(i), blocks.first_row(i + 1)).assign(layer(b).rows(0, b.seeds));
  }
  return out;
}

TEST(row_blocks, give_the_values_of_the_full_graph) {
  const graph g = test::drawn_graph(400, 2400, 8);
  const auto X = drawn({400, 5}, 1);
  auto params = parameters<sage_loss>();
  initialize(params, 3);
  const auto full = compile<sage>(draft())(g, x = X, params);
  auto first = compile<layer1>(draft());
  auto second = compile<layer2>(draft());
  const block_limit limit{.bytes = 40'000, .vertex_bytes = 8 * (5 + 4), .edge_bytes = 28};
  const row_blocks blocks(g, limit);
  EXPECT_GT(blocks.count(), 3);
  std::int64_t edges = 0;
  batch b;
  for (std::int64_t i = 0; i < blocks.count(); ++i) {
    blocks.block(i, b);
    EXPECT_LE(b.graph.vertices() * limit.vertex_bytes + b.graph.edges() * limit.edge_bytes, limit.bytes);
    edges += b.graph.edges();
    // It is full: the first row of the next one has no room.
    if (i + 1 == blocks.count()) break;
    EXPECT_GT(b.graph.vertices() * limit.vertex_bytes + b.graph.edges() * limit.edge_bytes, limit.bytes / 2);
  }
  EXPECT_EQ(edges, g.edges());
  const auto h = in_blocks(blocks, 4, [&](const batch& of) {
    return first(of.graph, x = gather(X, of.vertices), U1 = params[U1], V1 = params[V1]);
  });
  const auto y = in_blocks(blocks, 3, [&](const batch& of) {
    return second(of.graph, hidden = gather(h, of.vertices), U2 = params[U2], V2 = params[V2]);
  });
  for (std::int64_t i = 0; i < full.size(); ++i) EXPECT_NEAR(y.data()[i], full.data()[i], 1e-12) << i;
}

TEST(row_blocks, says_what_is_wrong) {
  const graph g = test::drawn_graph(40, 2400, 8);
  test::expect_error([&] { row_blocks(g, {.bytes = 0}); }, {"blocks of 0 bytes"});
  test::expect_error([&] { row_blocks(g, {.vertex_bytes = -1}); }, {"-1 a vertex"});
  const std::string needed = std::to_string(28 * g.in_edges().degree(0));
  test::expect_error([&] { row_blocks(g, {.bytes = 1000}); },
                     {"vertex 0 takes " + needed + " bytes", "in-edges", "1000"});
  batch b;
  test::expect_error([&] { row_blocks(g, {}).block(1, b); }, {"no block 1", "there are 1"});
  EXPECT_EQ(row_blocks(g, {}).first_row(1), g.vertices());
  test::expect_error([&] { row_blocks(g, {}).first_row(-1); }, {"no block -1", "there are 1"});
  test::expect_error([&] { row_blocks(g, {}).first_row(2); }, {"no block 2", "there are 1"});
  EXPECT_EQ(row_blocks(graph(), {}).count(), 0);
}

}  // namespace
}  // namespace stg
