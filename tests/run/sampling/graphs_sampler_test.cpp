// test: draft sampling
// Sampling of graphs of several kinds: what is taken by relation, the values of the full graphs from all neighbours,
// and batches of whole graphs.
#include "../expect_error.hpp"               // expect_error
#include "../support/count_allocations.hpp"  // allocations
#include "support.hpp"                       // drawn, drawn_ids

#include <stg/sampling/graphs_sampler.hpp>     // graphs_sampler
#include <stg/sampling/graphs_union.hpp>       // batch_graphs
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <algorithm>  // min
#include <thread>     // thread

namespace stg {
namespace {

using test::drawn, test::drawn_ids, test::expect_error;

inline constexpr auto author = vertex_set<"author">;
inline constexpr auto paper = vertex_set<"paper">;
inline constexpr auto writes = relation<"writes", author, paper>;
inline constexpr auto written_by = relation<"written by", paper, author>;
inline constexpr auto cites = relation<"cites", paper, paper>;
inline constexpr auto K = author.feature<"K", f64, 3>;
inline constexpr auto W = paper.feature<"W", f64, 4>;
inline constexpr auto S = trainable(writes.feature<"S", f64>);
inline constexpr auto E = trainable(author.feature<"E", f64, 4>);
inline constexpr auto target = paper.feature<"target", f64, 2>;
inline constexpr auto known = paper.feature<"known", boolean>;
inline constexpr auto rows = paper.feature<"rows", f64, 2>;
inline constexpr auto A = parameter<"A", f64, 3, 4>;
inline constexpr auto P = parameter<"P", f64, 4, 4>;
inline constexpr auto L = parameter<"L", f64, 4, 2>;

/// Two hops over three relations, with draws by global ids; the loss is the seeds' own.
inline constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto a = g(author);
  auto by = p.in_edges(writes);
  auto of_paper = tanh(matmul(dropout(p(W), 0.2), P) + sum(dropout(by(S), 0.3) * by.src(a(E))));
  auto of_author = matmul(dropout(a(K), 0.3), A) + mean(a.in_edges(written_by).src(of_paper)) + a(E);
  auto h = of_paper + max(p.in_edges(cites).src(of_paper)) + sum(by(S) * by.src(of_author));
  auto y = matmul(h, L);
  return outputs(sum(select(p(known), sum(square(y - p(target)), axis<0>), 0.0), over_batch), rows = y);
};

inline constexpr auto averaged = [](auto g) {
  auto h = mean(g(author).in_edges(written_by).src(W));
  return concat<axis<0>>(g(paper)(W), mean(g(paper).in_edges(writes).src(h)));
};
/// Of those that one hop reaches, in a relation that it does not go along.
inline constexpr auto degrees = [](auto g) {
  auto p = g(paper);
  return sum(p.in_edges(cites).src(p.in_degree(writes) * p(W)));
};

void expect_equal(const const_tensor<double>& a, const const_tensor<double>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-12) << i;
}

struct academia {
  graphs g;
  tensor<double> k = drawn({200, 3}, 1), w = drawn({300, 4}, 2), t = drawn({300, 2}, 3), e = drawn({200, 4}, 4);
  tensor<bool> mask = tensor<bool>({300});
  std::vector<std::int32_t> seeds = {7, 3, 299, 120, 0, 55};
  academia() {
    g.add_vertices(author, 200).add_vertices(paper, 300);
    g.add_edges(writes, drawn_ids(700, 200, 5), drawn_ids(700, 300, 6)).add_reverse(written_by, writes);
    g.add_edges(cites, drawn_ids(900, 300, 7), drawn_ids(900, 300, 8));
    for (const std::int32_t v : seeds) mask(v) = true;
  }
};

/// What holds of every batch: each relation's rows are the large one's edges, both ways, and offsets fit.
void expect_sound(const graphs_batch& b, const graphs& large) {
  for (const graphs_batch::set_rows& s : b.sets) {
    ASSERT_EQ(b.graph.vertices(s.name), std::ssize(s.vertices));
    ASSERT_EQ(s.offsets.back(), std::ssize(s.vertices));
    ASSERT_EQ(std::ssize(s.offsets), b.hops() + 2);
  }
  for (const relation_names& r : large.relations()) {
    const graphs_batch::relation_rows& rows_of = b.of_relation(r.name);
    const graph &part = b.graph.relation(r.name), &all = large.relation(r.name);
    const std::vector<std::int32_t>&from = b.of_set(r.source).vertices, &into = b.of_set(r.destination).vertices;
    ASSERT_EQ(part.edges(), std::ssize(rows_of.edges));
    ASSERT_EQ(rows_of.offsets.back(), part.edges());
    const auto dst = test::destinations_of(part), large_dst = test::destinations_of(all);
    for (std::int64_t e = 0; e < part.edges(); ++e) {
      const auto id = static_cast<std::size_t>(rows_of.edges[static_cast<std::size_t>(e)]);
      ASSERT_EQ(from[static_cast<std::size_t>(part.in_edges().neighbour(e))],
                all.in_edges().neighbour(static_cast<std::int64_t>(id)));
      ASSERT_EQ(into[static_cast<std::size_t>(dst[static_cast<std::size_t>(e)])], large_dst[id]);
    }
    // Graphs of the same edges that are made by sorting have the same rows.
    graphs again;
    again.add_vertices(r.source, std::ssize(from));
    if (r.source != r.destination) again.add_vertices(r.destination, std::ssize(into));
    const std::vector<std::int64_t> src(part.in_edges().neighbours(), part.in_edges().neighbours() + part.edges());
    again.add_edges(r.name, r.source, r.destination, src, std::vector<std::int64_t>(dst.begin(), dst.end()));
    const adjacency out = part.out_edges(), wanted = again.relation(r.name).out_edges();
    for (std::int64_t v = 0; v <= wanted.rows(); ++v) ASSERT_EQ(out.begin(v), wanted.begin(v));
    for (std::int64_t e = 0; e < part.edges(); ++e) {
      ASSERT_EQ(out.neighbour(e), wanted.neighbour(e));
      ASSERT_EQ(out.edge_id(e), wanted.edge_id(e));
    }
    ASSERT_EQ(part.edge_identity(), again.relation(r.name).edge_identity());
  }
}

TEST(graphs_sampler, takes_as_many_edges_of_each_relation_as_its_fan_out_says) {
  const academia all;
  const graphs_sampler sampler(all.g, {.fan_outs = {3, 2}, .of = {fan_outs(cites, {5, 0})}});
  const graphs_batch b = sampler.sample(paper, all.seeds, 9);
  expect_sound(b, all.g);
  EXPECT_EQ(b.hops(), 2);
  EXPECT_EQ(b.seeds, 6);
  EXPECT_TRUE(std::equal(all.seeds.begin(), all.seeds.end(), b.vertices(paper).begin()));
  const auto expect_degrees = [&](auto relation, const graphs_batch::set_rows& into, std::vector<std::int64_t> most) {
    const adjacency in = b.graph.relation(relation).in_edges(), large = all.g.relation(relation).in_edges();
    for (std::int64_t v = 0; v < std::ssize(into.vertices); ++v) {
      std::size_t hop = 0;
      while (v >= into.offsets[hop + 1]) ++hop;
      EXPECT_EQ(in.degree(v),
                std::min(hop < 2 ? most[hop] : 0, large.degree(into.vertices[static_cast<std::size_t>(v)])));
    }
  };
  expect_degrees(writes, b.of_set("paper"), {3, 2});
  expect_degrees(cites, b.of_set("paper"), {5, 0});
  expect_degrees(written_by, b.of_set("author"), {3, 2});
  const graphs_batch few = graphs_sampler(all.g, {.of = {fan_outs(cites, {4})}}).sample(paper, all.seeds, 9);
  expect_sound(few, all.g);
  EXPECT_EQ(few.graph.edges(writes) + few.graph.vertices(author), 0);
}

TEST(graphs_sampler, gives_of_one_relation_the_batch_of_the_plain_sampler) {
  const graph plain = test::drawn_graph(300, 3000, 1);
  graphs g;
  g.add_vertices(paper, 300).add_edges(cites, plain);
  const std::vector<std::int32_t> seeds = {4, 290, 17};
  for (const bool again : {false, true}) {
    const batch one = neighbour_sampler(plain, {.fan_outs = {7, 3}, .with_replacement = again}).sample(seeds, 5);
    const graphs_batch b = graphs_sampler(g, {.fan_outs = {7, 3}, .with_replacement = again}).sample(paper, seeds, 5);
    EXPECT_EQ(b.vertices(paper), one.vertices);
    EXPECT_EQ(b.edges(cites), one.edges);
    EXPECT_EQ(b.graph.relation(cites).edge_identity(), one.graph.edge_identity());
    EXPECT_EQ(b.of_set("paper").offsets, one.vertex_offsets);
    EXPECT_EQ(b.of_relation("cites").offsets, one.edge_offsets);
  }
}

TEST(graphs_sampler, draws_by_weight) {
  const academia all;
  tensor<float> share({700});
  for (std::int64_t e = 0; e < 700; ++e) share(e) = e % 2 == 0 ? 0 : 1;
  const auto weights = all.g.edge_values(writes, share);
  const auto sampler = graphs_sampler(all.g, {.fan_outs = {2}}).by_weight(writes, weights);
  const graphs_batch b = sampler.sample(paper, all.seeds, 3);
  EXPECT_GT(b.edges(writes).size(), 3u);
  for (const std::int64_t e : b.edges(writes)) EXPECT_EQ(weights.values()(e), 1);
  expect_sound(b, all.g);
}

TEST(graphs_sampler, gives_one_batch_for_seeds_and_number_in_every_thread_and_memory) {
  const academia all;
  const graphs_sampler sampler(all.g, {.fan_outs = {4, 4}});
  const graphs_batch first = sampler.sample(paper, all.seeds, 77);
  graphs_batch other, used = sampler.sample(author, std::vector<std::int32_t>{7, 8, 9}, 1);
  std::thread thread([&] { sampler.sample_into(other, paper, all.seeds, 77); });
  sampler.sample_into(used, paper, all.seeds, 77);
  thread.join();
  for (const graphs_batch* b : {&other, &used}) {
    expect_sound(*b, all.g);
    EXPECT_EQ(b->vertices(author), first.vertices(author));
    EXPECT_EQ(b->edges(writes), first.edges(writes));
    EXPECT_EQ(b->edges(cites), first.edges(cites));
  }
  EXPECT_NE(sampler.sample(paper, all.seeds, 78).edges(cites), first.edges(cites));
}

/// The values, gradients and draws of the full graphs, from a batch.
TEST(graphs_sampler, with_all_neighbours_gives_the_values_and_gradients_of_the_full_graphs) {
  const academia all;
  const auto s = all.g.edge_values(writes, drawn({700}, 9));
  auto params = parameters<model>();
  initialize(params, 3);
  auto of_graphs = value_and_grad<model>(), of_batch = value_and_grad<model>();
  auto full = of_graphs(all.g, K = all.k, W = all.w, S = s, E = all.e, target = all.t, known = all.mask, params);
  const std::vector<std::int64_t> every(3, all_neighbours);
  const graphs_batch b = graphs_sampler(all.g, {.fan_outs = every}).sample(paper, all.seeds, 1);
  EXPECT_LT(b.graph.vertices(paper), 300);
  const auto bk = gather(all.k, b.vertices(author)), be = gather(all.e, b.vertices(author));
  const auto bw = gather(all.w, b.vertices(paper)), bt = gather(all.t, b.vertices(paper));
  const auto bs = gather(s, b, writes);
  const auto seen = b.seed_mask();
  auto part = of_batch(b.graph, K = bk, W = bw, S = bs, E = be, target = bt, known = seen, params);
  EXPECT_NEAR(full.loss, part.loss, 1e-12 * std::abs(full.loss));
  expect_equal(gather(full.outputs[rows], all.seeds), part.outputs[rows].rows(0, b.seeds));
  expect_equal(full.gradients[A], part.gradients[A]);
  expect_equal(full.gradients[P], part.gradients[P]);
  expect_equal(full.gradients[L], part.gradients[L]);
  expect_equal(gather(full.gradients[E], b.vertices(author)), part.gradients[E]);
  expect_equal(gather(full.gradients[S], b, writes).values(), part.gradients[S].values());
}

/// The same hop by hop, where each value has the rows alone that the seeds need; and of whole graphs.
TEST(graphs_sampler, has_blocks_that_give_the_values_and_gradients_of_the_full_graphs) {
  const academia all;
  const auto s = all.g.edge_values(writes, drawn({700}, 9));
  auto params = parameters<model>();
  initialize(params, 3);
  auto of_graphs = value_and_grad<model, A, P, L, E>(), of_batch = value_and_grad<model, A, P, L, E>();
  auto full = of_graphs(all.g, K = all.k, W = all.w, S = s, E = all.e, target = all.t, known = all.mask, params);
  graphs_batch b;
  for (const std::size_t hops : {3, 4, 3}) {  // in the memory of one another
    const std::vector<std::int64_t> every(hops, all_neighbours);
    graphs_sampler(all.g, {.fan_outs = every}).sample_into(b, paper, all.seeds, 1);
    const auto bk = gather(all.k, b.vertices(author)), be = gather(all.e, b.vertices(author));
    const auto bw = gather(all.w, b.vertices(paper)), bt = gather(all.t, b.vertices(paper));
    const auto bs = gather(s, b, writes);
    const auto seen = b.seed_mask();
    of_batch.seed(0);
    auto part = of_batch(b.blocks(), K = bk, W = bw, S = bs, E = be, target = bt, known = seen, params);
    EXPECT_NEAR(full.loss, part.loss, 1e-12 * std::abs(full.loss));
    expect_equal(gather(full.outputs[rows], all.seeds), part.outputs[rows]);
    expect_equal(full.gradients[A], part.gradients[A]);
    expect_equal(full.gradients[P], part.gradients[P]);
    expect_equal(full.gradients[L], part.gradients[L]);
    expect_equal(gather(full.gradients[E], b.vertices(author)), part.gradients[E]);
  }
  of_batch.seed(0);
  auto again =
      of_batch(blocks(all.g), K = all.k, W = all.w, S = s, E = all.e, target = all.t, known = all.mask, params);
  EXPECT_NEAR(full.loss, again.loss, 1e-12 * std::abs(full.loss));
  expect_equal(full.outputs[rows], again.outputs[rows]);
  expect_equal(full.gradients[E], again.gradients[E]);

  // What is sampled is the batch's graph; degrees of what no hop looked into are the large graph's.
  const graphs_batch few = graphs_sampler(all.g, {.fan_outs = {3, 2}}).sample(paper, all.seeds, 2);
  auto plain = compile<averaged>();
  const auto fw = gather(all.w, few.vertices(paper));
  expect_equal(plain(few.blocks(), W = fw), plain(few.graph, W = fw).rows(0, few.seeds));
  const graphs_batch every = graphs_sampler(all.g, {.fan_outs = {all_neighbours}}).sample(paper, all.seeds, 2);
  expect_equal(compile<degrees>()(every.blocks(), W = gather(all.w, every.vertices(paper))),
               gather(compile<degrees>()(all.g, W = all.w), all.seeds));
}

TEST(graphs_sampler, has_blocks_that_say_what_is_wrong) {
  const academia all;
  const graphs_batch of_papers = graphs_sampler(all.g, {.fan_outs = {3}}).sample(paper, all.seeds, 2);
  const graphs_batch of_authors =
      graphs_sampler(all.g, {.fan_outs = {3, 2}}).sample(author, std::vector<std::int32_t>{4}, 2);
  auto plain = compile<averaged>();
  expect_error([&] { plain(of_papers.blocks(), W = gather(all.w, of_papers.vertices(paper))); },
               {"2 hops away", "blocks have 1"});
  expect_error([&] { plain(of_authors.blocks(), W = gather(all.w, of_authors.vertices(paper))); },
               {"of vertex set 'paper', the seeds of 'author'"});
  std::shared_ptr<blocks::state> memory;
  const std::vector<std::int64_t> offsets = {0, 6, of_papers.graph.vertices(paper)};
  const blocks::sampled_set papers{"paper", offsets, of_papers.vertices(paper)};
  expect_error([&] { blocks(of_papers.graph, "paper", std::vector{papers}, all.g, memory); },
               {"nothing is given of vertex set 'author'"});
  expect_error([&] { blocks(of_papers.graph, "venue", std::vector{papers}, all.g, memory); },
               {"nothing is given of vertex set 'venue'"});
}

TEST(graphs_sampler, allocates_nothing_once_it_has_seen_the_largest_batch) {
  const academia all;
  const graphs_sampler sampler(all.g, {.fan_outs = {4, 3}});
  graphs_batch b;
  for (std::uint64_t number = 0; number < 40; ++number) sampler.sample_into(b, paper, all.seeds, number);
  const auto before = test::allocations();
  for (std::uint64_t number = 0; number < 40; ++number) sampler.sample_into(b, paper, all.seeds, number);
  EXPECT_EQ(test::allocations(), before);
}

TEST(graphs_sampler, keeps_what_others_hold) {
  const academia all;
  const graphs_sampler sampler(all.g, {.fan_outs = {4, 3}});
  graphs_batch b = sampler.sample(paper, all.seeds, 1);
  const graphs_batch first = sampler.sample(paper, all.seeds, 1);
  const auto expect_kept = [&](const auto& now) {
    EXPECT_EQ(now.relation("writes").edge_list(), first.graph.relation(writes).edge_list());
    EXPECT_EQ(now.relation("cites").edge_list(), first.graph.relation(cites).edge_list());
    EXPECT_EQ(now.vertices("author"), first.graph.vertices(author));
  };
  {
    const graphs held = b.graph;
    sampler.sample_into(b, paper, std::vector<std::int32_t>{9, 100}, 2);
    expect_kept(held);
    expect_sound(b, all.g);
  }
  sampler.sample_into(b, paper, all.seeds, 1);
  {
    const graph held = b.graph.relation(writes);
    sampler.sample_into(b, paper, std::vector<std::int32_t>{9, 100}, 2);
    EXPECT_EQ(held.edge_list(), first.graph.relation(writes).edge_list());
    expect_sound(b, all.g);
  }
  sampler.sample_into(b, paper, all.seeds, 1);
  graphs grown = b.graph;
  grown.add_vertices("venue", 2);  // a table of its own, with the same kinds
  sampler.sample_into(b, paper, std::vector<std::int32_t>{9, 100}, 2);
  expect_kept(grown);
  // Another sampler's batch in the same memory.
  graphs other;
  other.add_vertices(paper, 300).add_edges(cites, all.g.relation(cites));
  graphs_sampler(other, {.fan_outs = {2}}).sample_into(b, paper, all.seeds, 1);
  EXPECT_EQ(b.graph.vertex_sets(), std::vector<std::string>{"paper"});
  expect_sound(b, other);
}

/// Of a batch of graphs the readout and one hop more are whole graphs, as batch_graphs has them.
TEST(graphs_sampler, gives_whole_graphs_of_a_union) {
  constexpr auto atom = vertex_set<"atom">;
  constexpr auto molecule = vertex_set<"molecule">;
  constexpr auto bond = relation<"bond", atom, atom>;
  constexpr auto part_of = relation<"part of", atom, molecule>;
  std::vector<graph> molecules;
  for (unsigned i = 0; i < 12; ++i) molecules.push_back(test::drawn_graph(5 + i, 12, i));
  const graphs_union all = batch_graphs(molecules, bond, part_of);
  const std::vector<std::int32_t> some_of = {7, 2, 11};
  const graphs_batch b =
      graphs_sampler(all.graph, {.fan_outs = {all_neighbours, all_neighbours}}).sample(molecule, some_of, 1);
  const graphs_union alone = batch_graphs(std::vector{molecules[7], molecules[2], molecules[11]}, bond, part_of);
  EXPECT_EQ(b.graph.relation(part_of).edge_list(), alone.graph.relation(part_of).edge_list());
  EXPECT_EQ(b.graph.relation(bond).edge_identity(), alone.graph.relation(bond).edge_identity());
  EXPECT_EQ(b.graph.vertices(molecule), 3);
}

TEST(graphs_sampler, takes_graphs_of_nothing) {
  graphs g;
  g.add_vertices(author, 0).add_vertices(paper, 2).add_edges(writes, {}, {});
  const graphs_sampler sampler(g, {.fan_outs = {2, 2}});
  const graphs_batch b = sampler.sample(paper, std::vector<std::int32_t>{1}, 1);
  expect_sound(b, g);
  EXPECT_EQ(b.vertices(paper), std::vector<std::int32_t>{1});
  const graphs_batch none = sampler.sample(author, std::vector<std::int32_t>(), 1);
  EXPECT_EQ(none.seeds + none.graph.vertices(author) + none.graph.vertices(paper), 0);
  const graphs_batch no_hops = graphs_sampler(g, {}).sample(paper, std::vector<std::int32_t>{0}, 1);
  EXPECT_EQ(no_hops.hops(), 0);
}

/// Weights of all edges but one.
edge_values<float> drawn_weights(const graphs& g, float of_edge_3) {
  auto weights = tensor<float>::full({g.edges(writes)}, 1);
  weights(3) = of_edge_3;
  return g.edge_values(writes, weights);
}

TEST(graphs_sampler, says_what_is_wrong) {
  const academia all;
  const auto of = [&](graphs_options options) { return graphs_sampler(all.g, std::move(options)); };
  expect_error([&] { of({.fan_outs = {3, -2}}); }, {"fan-out -2 of hop 2"});
  expect_error([&] { of({.fan_outs = {all_neighbours}, .with_replacement = true}); }, {"with replacement"});
  expect_error([&] { of({.of = {{"reviews", {3}}}}); }, {"relation 'reviews', which the graphs do not have"});
  expect_error([&] { of({.of = {fan_outs(cites, {-3})}}); }, {"relation 'cites': fan-out -3"});
  expect_error([&] { of({.of = {fan_outs(cites, {3}), fan_outs(cites, {4})}}); }, {"'cites' are given twice"});
  expect_error([&] { of({.fan_outs = {3, 2}, .of = {fan_outs(cites, {3})}}); }, {"'cites' are of 1 hops, others of 2"});
  expect_error([&] { of({.fan_outs = {1}}).by_weight(writes, drawn_weights(all.g, -1)); }, {"weight of edge 3 is -1"});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expect_error([&] { of({.fan_outs = {1}}).by_weight(writes, drawn_weights(all.g, nan)); }, {"weight of edge 3 is"});
  const auto sampler = of({.fan_outs = {3}});
  graphs_batch b;
  const auto sample = [&](std::string_view set, std::vector<std::int32_t> seeds) {
    sampler.sample_into(b, paper, all.seeds, 1);
    sampler.sample_into(b, set, seeds, 1);
  };
  expect_error([&] { sample("paper", {4, 300}); }, {"seed 1 is vertex 300 of 'paper'", "[0, 300)"});
  EXPECT_TRUE(b.sets.empty() && b.graph.vertex_sets().empty());
  expect_error([&] { sample("author", {-1}); }, {"seed 0 is vertex -1 of 'author'"});
  expect_error([&] { sample("paper", {4, 5, 4}); }, {"seeds 0 and 2 are both vertex 4 of 'paper'"});
  expect_error([&] { sample("venue", {0}); }, {"vertex set 'venue', which is not there"});
  sampler.sample_into(b, paper, all.seeds, 1);
  expect_error([&] { b.of_set("venue"); }, {"no vertex set 'venue'"});
  expect_error([&] { b.of_relation("reviews"); }, {"no relation 'reviews'"});
  expect_error([&] { neighbour_sampler(all.g, {.fan_outs = {3}}); }, {"several kinds of vertices", "graphs_sampler"});
  expect_error([&] { neighbour_sampler(all.g.relation(writes), {.fan_outs = {3}}); }, {"several kinds of vertices"});
}

}  // namespace
}  // namespace stg
