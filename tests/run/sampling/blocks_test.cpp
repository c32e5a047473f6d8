// test: draft sampling, proof kernels 0, counted
// Programs on blocks: the values and gradients of the full graph, from the rows of each hop alone. By drafts in `make
// test`, by kernels in the proof.
#include "../expect_error.hpp"               // expect_error
#include "../support/count_allocations.hpp"  // allocations
#include "support.hpp"                       // drawn_graph

#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/sampling/subgraph_sampler.hpp>   // subgraph_sampler
#include <stg/sampling/temporal_sampler.hpp>   // temporal_sampler
#include <stg/stg.hpp>                         // the language

#include <cmath>  // abs

namespace stg {
namespace {

inline constexpr auto x = vertex_feature<"x", f64, 5>;
inline constexpr auto target = vertex_feature<"target", f64, 3>;
inline constexpr auto known = vertex_feature<"known", boolean>;
inline constexpr auto rows = vertex_feature<"rows", f64, 3>;
inline constexpr auto w = edge_feature<"w", f64>;
inline constexpr auto E = trainable(vertex_feature<"E", f64, 4>);
inline constexpr auto S = sparse_feature<"S", f64, 5>;
inline constexpr auto U1 = parameter<"U1", f64, 5, 4>;
inline constexpr auto V1 = parameter<"V1", f64, 5, 4>;
inline constexpr auto U2 = parameter<"U2", f64, 4, 3>;
inline constexpr auto V2 = parameter<"V2", f64, 4, 3>;
inline constexpr auto W4 = parameter<"W4", f64, 4, 4>;
inline constexpr auto a = parameter<"a", f64, 4>;

/// What is under test is the hops, so the loss is the seeds' own: their number is the same in batch and graph.
template <class Y> constexpr auto loss_of(vertex_view v, Y y) {
  return outputs(sum(select(v(known), sum(square(y - v(target)), axis<0>), 0.0), over_batch), rows = y);
}

inline constexpr auto sage = [](auto v) {
  return loss_of(v, nn::sage_conv(v, tanh(nn::sage_conv(v, v(x), U1, V1)), U2, V2));
};
/// Degrees of vertices that were not looked into are the large graph's; an edge value that both layers read; a residual
/// over two hops.
inline constexpr auto gcn = [](auto v) {
  auto norm = nn::inverse_sqrt_degree<f64>(v);
  auto e = v.in_edges();
  auto c = e.src(norm) * e.dst(norm) * sigmoid(e(w));
  auto first = matmul(v(x), U1);
  auto h = tanh(sum(c * e.src(first))) + first;
  return loss_of(v, matmul(sum(c * e.src(h)), U2) + matmul(first, V2));
};
inline constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  auto h = matmul(v(x), U1);
  auto s = leaky_relu(sum(e.src(h) * e.dst(h) * a, axis<0>), 0.2);
  auto y = tanh(sum(softmax(s) * e.src(h)));
  return loss_of(v, matmul(max(e.src(y)), U2) + matmul(y, V2));
};
/// A gradient for every vertex of the batch; a truth and a sum of three hops' reading.
inline constexpr auto embedded = [](auto v) {
  auto e = v.in_edges();
  auto h = v(E) + mean(e.src(E));
  auto y = select(h > 0.0, h, 0.5 * h) * mean(e.src(h));
  return loss_of(v, matmul(mean(e.src(y)), U2) + matmul(v(E), V2));
};
inline constexpr auto of_sparse = [](auto v) {
  return loss_of(v, nn::sage_conv(v, tanh(matmul(v(S), U1) + mean(v.in_edges().src(matmul(v(S), V1)))), U2, V2));
};
inline constexpr auto dropped = [](auto v) {
  auto e = v.in_edges();
  auto h = tanh(matmul(dropout(v(x), 0.4), U1) + matmul(sum(dropout(e(w), 0.3) * e.src(dropout(v(x), 0.2))), V1));
  return loss_of(v, nn::sage_conv(v, dropout(h, 0.5), U2, V2));
};
inline constexpr auto dropped_sparse = [](auto v) {
  return loss_of(v, nn::sage_conv(v, tanh(matmul(dropout(v(S), 0.5), U1)), U2, V2));
};
/// Layers that are programs of their own.
inline constexpr auto layer = [](auto v, auto h, auto W) { return tanh(matmul(h + mean(v.in_edges().src(h)), W)); };
inline constexpr auto called = [](auto v) {
  return loss_of(v, call(layer, v, call(layer, v, v(x), U1), U2) + call(layer, v, matmul(v(x), V1), V2));
};
/// Layers with gradients of their own: on a row alone; a hop out along edges, with a parameter; of edge values, which
/// are had at each hop; and a value of edges, whose gradient is not what the layer's would be.
inline constexpr auto stepped =
    custom_gradient([](auto, auto h) { return round(4.0 * h) / 4.0; }, [](auto, auto d, auto) { return d; });
inline constexpr auto mixed =
    custom_gradient([](auto v, auto h, auto by) { return h * by + 0.2 * sum(v.in_edges().src(h)); },
                    [](auto v, auto d, auto h, auto by) {
                      return std::tuple(d * by + 0.2 * sum(v.out_edges().dst(d)), sum(d * h, all_vertices));
                    });
inline constexpr auto scaled = custom_gradient([](auto v, auto h, auto s) { return h + sum(s * v.in_edges().src(h)); },
                                               [](auto v, auto d, auto h, auto) {
                                                 auto e = v.in_edges();
                                                 return std::tuple(0.5 * d, 0.1 * sum(e.dst(d) * e.src(h), axis<0>));
                                               });
inline constexpr auto scored = custom_gradient(
    [](auto v, auto h) {
      auto e = v.in_edges();
      return sum(e.src(h) * e.dst(h), axis<0>);
    },
    [](auto, auto d, auto h) { return 0.3 * sum(d) * h; });
inline constexpr auto owned = [](auto v) {
  auto e = v.in_edges();
  auto h = tanh(mixed(v, stepped(v, matmul(v(x), U1)), a));
  auto y = tanh(scaled(v, tanh(mixed(v, h, a)), tanh(scored(v, h))));
  return loss_of(v, matmul(y + mean(e.src(y)), U2) + matmul(h, V2));
};
/// Steps of which each reads a hop further, with a parameter that all of them read.
inline constexpr auto repeated = [](auto v) {
  const auto step = [](auto v, auto h) { return tanh(mean(v.in_edges().src(matmul(h, W4))) + 0.5 * h); };
  return loss_of(v, matmul(scan<3>(v, step, matmul(v(x), U1)), U2));
};
/// Scores of edges two hops from what they read, of which the edges into the seeds have some.
inline constexpr auto attention_scores = [](auto v) {
  auto e = v.in_edges();
  auto h = tanh(mean(e.src(matmul(v(x), U1))));
  return softmax(sum(e.src(h) * e.dst(h) * a, axis<0>));
};
/// No hop, and one.
inline constexpr auto alone = [](auto v) { return loss_of(v, matmul(tanh(matmul(v(x), U1)), U2)); };
inline constexpr auto of_degrees = [](auto v) { return v(x) * cast<f64>(v.in_degree()); };
inline constexpr auto of_their_degrees = [](auto v) { return sum(v.in_edges().src(of_degrees(v))); };
inline constexpr auto single = [](auto v) { return loss_of(v, matmul(matmul(mean(v.in_edges().src(x)), U1), U2)); };

tensor<double> drawn(const dimensions& shape, unsigned seed) {
  std::mt19937 random(seed);
  auto t = tensor<double>::for_overwrite(shape);
  for (double& n : t) n = static_cast<double>(random() % 2001) / 1000 - 1;
  return t;
}
void expect_equal(const const_tensor<double>& a, const const_tensor<double>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-12) << i;
}

/// A graph with loops, and all that programs read of it.
struct large {
  graph g = test::drawn_graph(400, 1600, 8).add_remaining_self_loops();
  tensor<double> X = drawn({400, 5}, 1), Y = drawn({400, 3}, 2), Z = drawn({400, 4}, 5);
  edge_values<double> W = g.edge_values(drawn({g.edges()}, 4));
  tensor<bool> mask = tensor<bool>({400});
  std::vector<std::int32_t> seeds = {7, 3, 399, 120, 0, 55};
  large() {
    for (const std::int32_t v : seeds) mask(v) = true;
  }
};

/// Losses, rows of seeds, and gradients of parameters and of vertices are those of the full graph.
template <auto& Loss, class Bind> void expect_full_graph_values(int hops, const Bind& bind) {
  const large all;
  auto params = parameters<Loss>();
  initialize(params, 3);
  const std::vector<std::int64_t> every(static_cast<std::size_t>(hops), all_neighbours);
  const batch b = neighbour_sampler(all.g, {.fan_outs = every}).sample(all.seeds, 1);
  auto of_graph = value_and_grad<Loss>();
  auto of_batch = value_and_grad<Loss>();
  auto full = bind(of_graph, all.g, all, all.X, all.Y, all.mask, all.W, all.Z, params);
  const auto bX = gather(all.X, b.vertices), bY = gather(all.Y, b.vertices), bZ = gather(all.Z, b.vertices);
  const auto bW = gather(all.W, b);
  const auto bm = b.seed_mask();
  const blocks hop_by_hop = b.blocks();
  auto part = bind(of_batch, hop_by_hop, all, bX, bY, bm, bW, bZ, params);
  EXPECT_NEAR(full.loss, part.loss, 1e-12 * std::abs(full.loss));
  ASSERT_EQ(part.outputs[rows].shape()[0], b.seeds);
  expect_equal(gather(full.outputs[rows], all.seeds), part.outputs[rows]);
  for_each(full.gradients, [&](std::string_view name, auto& of_full) {
    for_each(part.gradients, [&](std::string_view other, auto& of_part) {
      if (name != other) return;
      if (name == "E") expect_equal(gather(of_full, b.vertices), of_part);
      else expect_equal(of_full, of_part);
    });
  });
  of_batch.seed(0);  // draws the same again
  // A whole graph is blocks, too.
  auto again = bind(of_batch, blocks(all.g), all, all.X, all.Y, all.mask, all.W, all.Z, params);
  EXPECT_NEAR(full.loss, again.loss, 1e-12 * std::abs(full.loss));
  expect_equal(full.outputs[rows], again.outputs[rows]);
}

#define STG_BIND(...)                                                                                              \
  [](auto& step, const auto& on, [[maybe_unused]] const large& all, [[maybe_unused]] const auto& X, const auto& Y, \
     const auto& m, [[maybe_unused]] const auto& W, [[maybe_unused]] const auto& Z,                                \
     auto& params) { return step(on, __VA_ARGS__, target = Y, known = m, params); }

TEST(blocks, give_sage_the_values_and_gradients_of_the_full_graph) {
  expect_full_graph_values<sage>(2, STG_BIND(x = X));
}
TEST(blocks, give_gcn_the_values_and_gradients_of_the_full_graph) {
  expect_full_graph_values<gcn>(2, STG_BIND(x = X, w = W));
  expect_full_graph_values<gcn>(3, STG_BIND(x = X, w = W));
}
TEST(blocks, give_attention_the_values_and_gradients_of_the_full_graph) {
  expect_full_graph_values<attention>(2, STG_BIND(x = X));
}
TEST(blocks, draw_what_the_full_graph_draws) { expect_full_graph_values<dropped>(2, STG_BIND(x = X, w = W)); }
/// One step object on a graph and on blocks in turn: calls count its draws whatever they are on.
TEST(blocks, and_graphs_are_taken_by_one_step_in_turn) {
  const large all;
  auto params = parameters<dropped>();
  initialize(params, 3);
  const batch b = neighbour_sampler(all.g, {.fan_outs = {all_neighbours, all_neighbours}}).sample(all.seeds, 1);
  const auto bX = gather(all.X, b.vertices), bY = gather(all.Y, b.vertices);
  const auto bW = gather(all.W, b);
  const auto bm = b.seed_mask();
  double losses[2][4];
  for (const int first : {0, 1}) {
    auto step = value_and_grad<dropped>();
    for (int call = 0; call < 4; ++call)
      losses[first][call] = call % 2 == first
                                ? step(all.g, x = all.X, w = all.W, target = all.Y, known = all.mask, params).loss
                                : step(b.blocks(), x = bX, w = bW, target = bY, known = bm, params).loss;
  }
  for (int call = 0; call < 4; ++call)
    EXPECT_NEAR(losses[0][call], losses[1][call], 1e-12 * std::abs(losses[0][call])) << call;
  EXPECT_NE(losses[0][0], losses[0][1]);
  // Which of them is the program's to choose when it runs.
  auto step = value_and_grad<dropped>();
  const auto of = [&](bool whole) {
    const blocks on = whole ? blocks(all.g) : b.blocks();
    step.seed(0);
    return step(on, x = whole ? all.X : bX, w = whole ? all.W : bW, target = whole ? all.Y : bY,
                known = whole ? all.mask : bm, params)
        .loss;
  };
  EXPECT_NEAR(of(true), of(false), 1e-12 * std::abs(of(true)));
}
TEST(blocks, write_called_layers_in_their_places) { expect_full_graph_values<called>(2, STG_BIND(x = X)); }
TEST(blocks, write_the_steps_of_scans_one_after_another) { expect_full_graph_values<repeated>(3, STG_BIND(x = X)); }
/// Without a hop nothing is looked into, also where all vertices are seeds: their degrees are the large graph's.
TEST(blocks, of_no_hop_know_the_degrees_of_the_graph) {
  const large all;
  const batch b = neighbour_sampler(all.g, {}).sample(all.seeds, 1);
  auto model = compile<of_degrees>();
  expect_equal(gather(model(all.g, x = all.X), all.seeds), model(b.blocks(), x = gather(all.X, b.vertices)));
}
/// Of a sample by time they are those of the edges that were there, not the large graph's.
TEST(blocks, of_earlier_edges_know_no_later_ones) {
  const graph g = graph::from_edges(3, {1, 2, 1, 0}, {0, 0, 0, 1});
  const auto times = g.edge_values(tensor<double>::from({4}, {10, 20, 30, 5}));
  const auto ones = [](const batch& b) { return tensor<double>::full({b.graph.vertices(), 5}, 1); };
  const std::vector<std::int32_t> seeds = {0, 0, 1};
  const std::vector<double> of_seeds = {5, 25, 30};
  const batch alone = temporal_sampler(g, {}, times).sample(seeds, of_seeds, 1);
  const auto degrees = compile<of_degrees>()(alone.blocks(), x = ones(alone));
  for (std::int64_t i = 0; i < 3; ++i) EXPECT_EQ(degrees(i, 0), i == 1 ? 2 : i == 2 ? 1 : 0) << i;
  const batch near = temporal_sampler(g, {.fan_outs = {all_neighbours}}, times).sample(seeds, of_seeds, 1);
  const auto of_sources = compile<of_their_degrees>()(near.blocks(), x = ones(near));
  for (std::int64_t i = 0; i < 3; ++i) EXPECT_EQ(of_sources(i, 0), i == 0 ? 0 : i == 1 ? 1 : 2) << i;
  const batch any = temporal_sampler(g, {}, times).sample(seeds, 1);  // without times all are earlier
  EXPECT_EQ(compile<of_degrees>()(any.blocks(), x = ones(any))(0, 0), 3);
  std::shared_ptr<blocks::state> memory;
  const std::int32_t few[] = {1, 2};
  test::expect_error([&] { blocks(near.graph, near.vertex_offsets, near.vertices, g.in_degrees(), memory, few); },
                     {"blocks: 2 degrees of 6 vertices"});
}
TEST(blocks, run_layers_with_gradients_of_their_own) {
  expect_full_graph_values<owned>(4, STG_BIND(x = X));
  expect_full_graph_values<owned>(5, STG_BIND(x = X));
}
TEST(blocks, run_layers_with_gradients_of_their_own_plainly) {
  const large all;
  const batch b = neighbour_sampler(all.g, {.fan_outs = {3, 2, 3, 2}}).sample(all.seeds, 5);
  auto params = parameters<owned>();
  initialize(params, 3);
  const auto bX = gather(all.X, b.vertices), bY = gather(all.Y, b.vertices);
  auto model = compile<owned>();
  auto part = model(b.blocks(), x = bX, target = bY, known = b.seed_mask(), params);
  auto of_graph = model(b.graph, x = bX, target = bY, known = b.seed_mask(), params);
  expect_equal(part[rows], of_graph[rows].rows(0, b.seeds));
}

/// A row for each edge into the seeds, in the order of the batch's edges.
TEST(blocks, give_values_of_the_edges_into_the_seeds) {
  const large all;
  auto params = parameters<attention_scores>();
  initialize(params, 3);
  const batch b = neighbour_sampler(all.g, {.fan_outs = {all_neighbours, all_neighbours}}).sample(all.seeds, 1);
  const auto bX = gather(all.X, b.vertices);
  const std::int64_t edges = b.graph.in_edges().end(b.seeds - 1);
  ASSERT_LT(edges, b.graph.edges());

  auto training = compile_for_training<attention_scores>();
  auto of_graph = training.record(all.g, x = all.X, params);
  auto of_batch = training.record(b.blocks(), x = bX, params);
  const auto of_edges = gather(of_graph.output(), b);
  const auto expected = of_edges.values().rows(0, edges);
  expect_equal(expected, of_batch.output().values());
  auto scores = compile<attention_scores>()(b.blocks(), x = bX, params);
  expect_equal(expected, scores.values());
  compile<attention_scores>().into(scores, b.blocks(), x = bX, params);
  expect_equal(expected, scores.values());

  tensor<double> of_all({all.g.edges()}), of_seeds({edges});
  for (std::int64_t e = 0; e < edges; ++e)
    of_all(b.edges[static_cast<std::size_t>(e)]) = of_seeds(e) = static_cast<double>(e % 7) - 3;
  const auto full = of_graph.backward(edge_values<double>::in_id_order(std::move(of_all)));
  const auto part = of_batch.backward(edge_values<double>::in_id_order(std::move(of_seeds)));
  expect_equal(full[U1], part[U1]);
  expect_equal(full[a], part[a]);
}
TEST(blocks, are_of_any_number_of_hops) {
  expect_full_graph_values<alone>(1, STG_BIND(x = X));
  expect_full_graph_values<single>(1, STG_BIND(x = X));
  expect_full_graph_values<single>(3, STG_BIND(x = X));
}

template <auto& Loss> void expect_sparse_values() {
  const large all;
  auto params = parameters<Loss>();
  initialize(params, 3);
  auto X = all.X.clone();
  for (std::int64_t i = 0; i < X.size(); ++i)
    if (i % 3 != 0) X.data()[i] = 0;
  const batch b = neighbour_sampler(all.g, {.fan_outs = {all_neighbours, all_neighbours}}).sample(all.seeds, 1);
  auto of_graph = value_and_grad<Loss>(), of_batch = value_and_grad<Loss>();
  auto full = of_graph(all.g, S = sparse(X), target = all.Y, known = all.mask, params);
  auto part = of_batch(b.blocks(), S = sparse(gather(X, b.vertices)), target = gather(all.Y, b.vertices),
                       known = b.seed_mask(), params);
  EXPECT_NEAR(full.loss, part.loss, 1e-12 * std::abs(full.loss));
  expect_equal(full.gradients[U1], part.gradients[U1]);
  expect_equal(full.gradients[V2], part.gradients[V2]);
}
TEST(blocks, take_sparse_features) {
  expect_sparse_values<of_sparse>();
  expect_sparse_values<dropped_sparse>();
}

TEST(blocks, make_gradients_for_all_vertices) {
  const large all;
  auto params = parameters<embedded>();
  initialize(params, 3);
  const batch b =
      neighbour_sampler(all.g, {.fan_outs = {all_neighbours, all_neighbours, all_neighbours, 2}}).sample(all.seeds, 1);
  auto of_graph = value_and_grad<embedded, E, U2, V2>(), of_batch = value_and_grad<embedded, E, U2, V2>();
  auto full = of_graph(all.g, E = all.Z, target = all.Y, known = all.mask, U2 = params[U2], V2 = params[V2]);
  const auto bZ = gather(all.Z, b.vertices), bY = gather(all.Y, b.vertices);
  auto part = of_batch(b.blocks(), E = bZ, target = bY, known = b.seed_mask(), U2 = params[U2], V2 = params[V2]);
  EXPECT_NEAR(full.loss, part.loss, 1e-12 * std::abs(full.loss));
  expect_equal(full.gradients[U2], part.gradients[U2]);
  expect_equal(full.gradients[V2], part.gradients[V2]);
  expect_equal(gather(full.gradients[E], b.vertices), part.gradients[E]);
}

TEST(blocks, are_recorded_and_called_plainly) {
  const large all;
  const batch b = neighbour_sampler(all.g, {.fan_outs = {3, 2}}).sample(all.seeds, 5);
  auto params = parameters<sage>();
  initialize(params, 3);
  const auto bX = gather(all.X, b.vertices), bY = gather(all.Y, b.vertices);
  const auto bm = b.seed_mask();
  auto tape = compile_for_training<sage>().record(b.blocks(), x = bX, target = bY, known = bm, params);
  auto model = compile<sage>();
  auto now = model(b.blocks(), x = bX, target = bY, known = bm, params);
  auto of_graph = model(b.graph, x = bX, target = bY, known = bm, params);
  expect_equal(now[rows], of_graph[rows].rows(0, b.seeds));
  expect_equal(tape.outputs()[rows], now[rows]);
  auto gradients = tape.backward(none, tensor<double>::full({b.seeds, 3}, 1.0));
  EXPECT_EQ(gradients[U1].shape(), (dimensions{5, 4}));
  model.into(now, b.blocks(), x = bX, target = bY, known = bm, params);
  expect_equal(now[rows], of_graph[rows].rows(0, b.seeds));
}

TEST(blocks, say_what_is_wrong) {
  const large all;
  auto params = parameters<sage>();
  const batch b = neighbour_sampler(all.g, {.fan_outs = {3}}).sample(all.seeds, 5);
  const auto bX = gather(all.X, b.vertices), bY = gather(all.Y, b.vertices);
  auto model = compile<sage>();
  test::expect_error([&] { model(b.blocks(), x = bX, target = bY, known = b.seed_mask(), params); },
                     {"2 hops away", "blocks have 1"});
  test::expect_error([&] { model(b.blocks(), x = all.X, target = bY, known = b.seed_mask(), params); },
                     {"input 'x' has 400 rows"});
  const auto degrees = all.g.in_degrees();
  const std::int64_t down[] = {0, 9, 6, b.graph.vertices()}, few[] = {0, 6};
  const std::vector<std::int32_t> elsewhere(b.vertices.size(), 400);
  test::expect_error([&] { blocks(b.graph, down, b.vertices, degrees); }, {"offset 2 is 6"});
  test::expect_error([&] { blocks(b.graph, few, b.vertices, degrees); }, {"from 0 to the sample's"});
  test::expect_error([&] { blocks(b.graph, b.vertex_offsets, {}, degrees); }, {"0 ids of"});
  test::expect_error([&] { blocks(b.graph, b.vertex_offsets, elsewhere, degrees); },
                     {"vertex 0 is vertex 400 of the large graph, which has 400"});
}

/// Larger and smaller ones in the memory of each other, and beside one that is held.
TEST(blocks, use_their_memory_again) {
  const large all;
  auto params = parameters<sage>();
  initialize(params, 3);
  auto model = compile<sage>();
  const neighbour_sampler sampler(all.g, {.fan_outs = {6, 4}});
  batch b;
  for (const std::int64_t seeds : {3, 6, 1, 5}) {
    sampler.sample_into(b, std::span(all.seeds).first(static_cast<std::size_t>(seeds)), 2);
    const auto bX = gather(all.X, b.vertices), bY = gather(all.Y, b.vertices);
    const auto bm = b.seed_mask();
    const blocks held = seeds == 6 ? b.blocks() : blocks(all.g);
    auto first = model(b.blocks(), x = bX, target = bY, known = bm, params);
    const auto before = test::allocations();
    const blocks again = b.blocks();
    if (seeds == 1) {
      EXPECT_EQ(test::allocations(), before);
    }
    auto second = model(again, x = bX, target = bY, known = bm, params);
    auto of_graph = model(b.graph, x = bX, target = bY, known = bm, params);
    expect_equal(first[rows], of_graph[rows].rows(0, b.seeds));
    expect_equal(second[rows], of_graph[rows].rows(0, b.seeds));
    if (seeds != 6) continue;
    expect_equal(model(held, x = bX, target = bY, known = bm, params)[rows], of_graph[rows].rows(0, b.seeds));
  }
}

TEST(blocks, of_a_subgraph_have_all_its_rows) {
  const large all;
  const batch b = subgraph_sampler::by_walks(all.g, 5, 3).sample({}, 3);
  auto params = parameters<sage>();
  initialize(params, 3);
  const auto bX = gather(all.X, b.vertices), bY = gather(all.Y, b.vertices);
  auto model = compile<sage>();
  auto one = model(b.blocks(), x = bX, target = bY, known = b.seed_mask(), params);
  auto other = model(b.graph, x = bX, target = bY, known = b.seed_mask(), params);
  expect_equal(one[rows], other[rows]);
}

}  // namespace
}  // namespace stg

#undef STG_BIND
