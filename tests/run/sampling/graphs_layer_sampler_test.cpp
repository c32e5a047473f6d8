// test: draft sampling
// Graphs of several kinds sampled layer by layer: what is taken, how often, and with what weights.
#include "../expect_error.hpp"               // expect_error
#include "../support/count_allocations.hpp"  // allocations
#include "academia.hpp"                      // academia, expect_sound

#include <stg/sampling/graphs_layer_sampler.hpp>  // graphs_layer_sampler
#include <stg/sampling/layer_sampler.hpp>         // layer_sampler

#include <set>     // set
#include <thread>  // thread

namespace stg {
namespace {

using test::academia, test::at, test::author, test::cites, test::drawn_graph, test::drawn_ids, test::expect_error,
    test::expect_sound, test::paper, test::reviews, test::venue, test::writes;
using ids = std::vector<std::int32_t>;

edge_values<float> weights_of(const graphs& g, const auto& relation, std::int64_t modulus) {
  auto t = tensor<float>::for_overwrite({g.edges(relation)});
  for (std::int64_t e = 0; e < t.size(); ++e) t(e) = static_cast<float>(e % modulus);
  return g.edge_values(relation, t);
}

TEST(graphs_layer_sampler, gives_of_one_relation_the_batch_of_the_plain_sampler) {
  const graph plain = drawn_graph(200, 3000, 7);
  graphs g;
  g.add_vertices(paper, 200).add_edges(cites, plain);
  const auto w = weights_of(g, cites, 5);
  const ids seeds = {1, 2, 3, 4, 5, 6};
  const batch one = layer_sampler(plain, {20, 10}, w).sample(seeds, 3);
  const graphs_batch b = graphs_layer_sampler(g, {.draws = {20, 10}}).by_weight(cites, w).sample(paper, seeds, 3);
  expect_sound(b, g);
  EXPECT_EQ(b.vertices(paper), one.vertices);
  EXPECT_EQ(b.edges(cites), one.edges);
  EXPECT_EQ(b.of_relation("cites").edge_weights, one.edge_weights);
  EXPECT_EQ(b.graph.relation(cites).edge_identity(), one.graph.edge_identity());
  EXPECT_EQ(b.weights(cites).values().size(), one.graph.edges());
}

/// Two relations from one set share its draws, and of each the sum has the mean of the sum over all neighbours.
TEST(graphs_layer_sampler, gives_sums_over_all_neighbours_of_each_relation_on_the_average) {
  graphs g;
  g.add_vertices(author, 40).add_vertices(paper, 60);
  g.add_edges(writes, drawn_ids(300, 40, 5), drawn_ids(300, 60, 6))
      .add_edges(reviews, drawn_ids(200, 40, 9), drawn_ids(200, 60, 10));
  g.add_edges(cites, drawn_graph(60, 500, 6));
  const ids seeds = {0, 30, 59};
  const auto of_reviews = weights_of(g, reviews, 4);
  const auto sampler =
      graphs_layer_sampler(g, {.draws = {12}, .of = {draws(author, {9})}}).by_weight(reviews, of_reviews);
  const auto x = [](std::int32_t u) { return 1 + static_cast<double>(u % 7); };
  constexpr int rounds = 20000;
  const char* relations[] = {"writes", "reviews", "cites"};
  double sum[3][3]{}, squares[3][3]{}, exact[3][3]{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t i = 0; i < 3; ++i) {
      const adjacency in = g.relation(relations[r]).in_edges();
      for (auto k = in.begin(seeds[i]); k < in.end(seeds[i]); ++k)
        exact[r][i] +=
            (r == 1 ? static_cast<double>(of_reviews.values()(k)) : 1.0 / static_cast<double>(in.degree(seeds[i]))) *
            x(in.neighbour(k));
    }
  graphs_batch b;
  for (int round = 0; round < rounds; ++round) {
    sampler.sample_into(b, paper, seeds, static_cast<std::uint64_t>(round));
    if (round == 0) expect_sound(b, g);
    EXPECT_LE(b.graph.vertices(author), 9);
    EXPECT_LE(b.graph.vertices(paper), 3 + 12);
    for (std::size_t r = 0; r < 3; ++r) {
      const adjacency in = b.graph.relation(relations[r]).in_edges();
      const ids& of = r == 2 ? b.vertices(paper) : b.vertices(author);
      const std::vector<float>& w = b.of_relation(relations[r]).edge_weights;
      for (std::size_t i = 0; i < 3; ++i) {
        double s = 0;
        for (auto k = in.begin(static_cast<std::int64_t>(i)); k < in.end(static_cast<std::int64_t>(i)); ++k)
          s += static_cast<double>(w[at(k)]) * x(of[at(in.neighbour(k))]);
        sum[r][i] += s;
        squares[r][i] += s * s;
      }
    }
  }
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t i = 0; i < 3; ++i) {
      const double mean = sum[r][i] / rounds, variance = squares[r][i] / rounds - mean * mean;
      EXPECT_LT(std::abs(mean - exact[r][i]), 5 * std::sqrt(variance / rounds)) << r << ' ' << i;
      EXPECT_GT(variance, 0);
    }
}

TEST(graphs_layer_sampler, takes_all_edges_of_what_it_drew) {
  const academia all;
  const graphs_layer_sampler sampler(all.g, {.draws = {15, 10, 5}, .of = {draws(author, {6, 0, 5})}});
  const graphs_batch b = sampler.sample(paper, ids{1, 2, 3, 199}, 3);
  expect_sound(b, all.g);
  EXPECT_EQ(b.hops(), 3);
  for (const char* relation : {"writes", "cites"}) {  // of the first hop
    const graphs_batch::relation_rows& rows = b.of_relation(relation);
    const adjacency in = b.graph.relation(relation).in_edges(), large = all.g.relation(relation).in_edges();
    const ids& of = b.of_set(relation == std::string_view("writes") ? "author" : "paper").vertices;
    std::set<std::int32_t> drawn;
    for (std::int64_t k = 0; k < rows.offsets[1]; ++k) drawn.insert(of[at(in.neighbour(k))]);
    std::int64_t edges = 0;
    for (const std::int32_t v : {1, 2, 3, 199})
      for (auto k = large.begin(v); k < large.end(v); ++k) edges += drawn.count(large.neighbour(k)) > 0;
    EXPECT_EQ(edges, rows.offsets[1]);
    EXPECT_GT(edges, 0);
  }
  EXPECT_EQ(b.of_relation("writes").offsets[2], b.of_relation("writes").offsets[1]);  // no authors in the second hop
  EXPECT_EQ(b.of_set("author").offsets[3], b.of_set("author").offsets[2]);

  graphs_batch again;
  std::thread([&] { sampler.sample_into(again, paper, ids{1, 2, 3, 199}, 3); }).join();
  EXPECT_EQ(again.edges(cites), b.edges(cites));
  EXPECT_EQ(again.of_relation("cites").edge_weights, b.of_relation("cites").edge_weights);
  const ids two = {1, 2};
  for (std::uint64_t number = 0; number < 40; ++number) sampler.sample_into(again, paper, two, number);
  const auto before = test::allocations();
  for (std::uint64_t number = 0; number < 40; ++number) sampler.sample_into(again, paper, two, number);
  EXPECT_EQ(test::allocations(), before);
  graphs_sampler(all.g, {.fan_outs = {2}}).sample_into(again, paper, ids{1}, 1);
  EXPECT_TRUE(again.of_relation("cites").edge_weights.empty());
}

TEST(graphs_layer_sampler, says_what_is_wrong_and_takes_graphs_of_nothing) {
  const academia all;
  const auto of = [&](graphs_layer_options options) { return graphs_layer_sampler(all.g, options); };
  expect_error([&] { of({.draws = {3, -1}}); }, {"graphs_layer_sampler: -1 draws in hop 2"});
  expect_error([&] { of({.of = {draws(author, {-2})}}); }, {"-2 draws of vertex set 'author' in hop 1"});
  constexpr std::int64_t many = std::int64_t{1} << 31;
  expect_error([&] { of({.draws = {3, many}}); }, {"graphs_layer_sampler: 2147483648 draws in hop 2", "2147483647"});
  expect_error([&] { layer_sampler(drawn_graph(9, 20, 1), {many}); }, {"layer_sampler: 2147483648 draws in hop 1"});
  expect_error([&] { of({.of = {{"book", {2}}}}); }, {"draws of vertex set 'book', which the graphs do not have"});
  expect_error([&] { of({.of = {draws(paper, {2}), draws(paper, {3})}}); }, {"'paper' are given twice"});
  expect_error([&] { of({.draws = {2}, .of = {draws(paper, {2, 3})}}); }, {"'paper' are of 2 hops, others of 1"});
  auto w = tensor<float>::full({900}, 1);
  w(3) = -1;
  expect_error([&] { of({.draws = {2}}).by_weight(cites, all.g.edge_values(cites, w)); }, {"weight of edge 3 is -1"});
  expect_error([&] { of({.draws = {2}}).sample(paper, ids{4, 4}, 1); }, {"both vertex 4 of 'paper'"});
  expect_error([&] { layer_sampler(all.g, {2}); }, {"several kinds", "graphs_layer_sampler"});
  const graphs_batch none =
      of({.draws = {4, 4}}).by_weight(cites, all.g.edge_values(cites, tensor<float>({900}))).sample(paper, ids{1}, 1);
  expect_sound(none, all.g);
  EXPECT_EQ(none.graph.edges(cites), 0);
  EXPECT_EQ(of({.draws = {0}}).sample(paper, ids{1}, 1).graph.edges(writes), 0);
  EXPECT_EQ(of({.draws = {3}}).sample(venue, ids(), 1).graph.vertices(author), 0);
  EXPECT_EQ(of({}).sample(paper, ids{1}, 1).hops(), 0);
}

}  // namespace
}  // namespace stg
