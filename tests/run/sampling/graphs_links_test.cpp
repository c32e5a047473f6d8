// test: draft sampling, proof kernels 0, counted
// Links of a relation between two vertex sets: which pairs a batch has, what it must not show, the values of the full
// graphs without these edges, and batches that a loader makes.
#include "../expect_error.hpp"  // expect_error
#include "support.hpp"          // drawn_graph, destinations_of

#include <stg/sampling/graphs_link_sampler.hpp>  // graphs_link_sampler
#include <stg/sampling/graphs_loader.hpp>        // graphs_loader
#include <stg/stg.hpp>                           // the language

#include <algorithm>  // count, count_if, equal, max
#include <cmath>      // abs
#include <random>     // mt19937
#include <set>        // set
#include <thread>     // thread

namespace stg {
namespace {

using test::destinations_of, test::drawn_graph, test::expect_error;

inline constexpr auto author = vertex_set<"author">;
inline constexpr auto paper = vertex_set<"paper">;
inline constexpr auto writes = relation<"writes", author, paper>;
inline constexpr auto reviews = relation<"reviews", author, paper>;
inline constexpr auto written_by = relation<"written by", paper, author>;
inline constexpr auto praised_by = relation<"praised by", paper, author>;
inline constexpr auto cites = relation<"cites", paper, paper>;
inline constexpr auto K = author.feature<"K", f64, 3>;
inline constexpr auto W = paper.feature<"W", f64, 4>;
inline constexpr auto A = parameter<"A", f64, 3, 4>;
inline constexpr auto P = parameter<"P", f64, 4, 4>;
inline constexpr auto M = parameter<"M", f64, 8, 1>;
inline constexpr auto of_authors = trainable(author.feature<"of_authors", f64, 4>);
inline constexpr auto of_papers = trainable(paper.feature<"of_papers", f64, 4>);
inline constexpr auto papers_rows = paper.feature<"papers_rows", f64, 4>;

/// An embedding of both sets, two hops far.
inline constexpr auto encoder = [](auto g) {
  auto a = g(author);
  auto p = g(paper);
  auto paper_1 = tanh(matmul(p(W), P) + sum(p.in_edges(writes).src(matmul(a(K), A))) + mean(p.in_edges(cites).src(W)));
  auto author_1 = tanh(matmul(a(K), A) + sum(a.in_edges(written_by).src(matmul(p(W), P))));
  auto author_2 = author_1 + sum(a.in_edges(written_by).src(paper_1));
  auto paper_2 = paper_1 + mean(p.in_edges(writes).src(author_1));
  return outputs(author_2, papers_rows = paper_2);
};
/// How like both ends are, beside what a network of one matrix makes of them.
inline constexpr auto scores = [](auto g) {
  auto pair = g(paper).in_edges(writes);
  return nn::dot_score(pair, g(author)(of_authors), g(paper)(of_papers)) +
         nn::distance_score(pair, g(author)(of_authors), g(paper)(of_papers)) +
         nn::network_score(pair, g(author)(of_authors), g(paper)(of_papers),
                           [](auto both) { return matmul(tanh(both), M); });
};

tensor<double> drawn(const dimensions& shape, unsigned seed) {
  std::mt19937 random(seed);
  auto t = tensor<double>::for_overwrite(shape);
  for (double& n : t) n = static_cast<double>(random() % 2001) / 1000 - 1;
  return t;
}

constexpr std::int64_t authors = 40, papers = 90;

struct academia {
  graphs g;
  std::vector<std::int64_t> src{}, dst{};
  academia() {
    std::mt19937 random(4);
    for (int e = 0; e < 500; ++e) {  // parallel edges among them
      src.push_back(random() % 3 == 0 ? random() % 4 : random() % authors);
      dst.push_back(random() % 3 == 0 ? random() % 4 : random() % papers);
    }
    g.add_vertices(author, authors).add_vertices(paper, papers);
    g.add_edges(writes, src, dst).add_reverse(written_by, writes);
    g.add_edges(cites, drawn_graph(papers, 300, 2));
    g.add_edges(praised_by, std::vector(dst.begin(), dst.begin() + 400), std::vector(src.begin(), src.begin() + 400));
  }
};

using ends = std::pair<std::int64_t, std::int64_t>;

/// Edges of a relation of a batch, by the ids of the large sets.
std::vector<ends> edges_in(const graphs_batch& b, std::string_view relation, std::string_view source,
                           std::string_view destination) {
  const graph& part = b.graph.relation(relation);
  const auto dst = destinations_of(part);
  std::vector<ends> all;
  for (std::int64_t e = 0; e < part.edges(); ++e)
    all.emplace_back(b.of_set(source).vertices[static_cast<std::size_t>(part.in_edges().neighbour(e))],
                     b.of_set(destination).vertices[static_cast<std::size_t>(dst[static_cast<std::size_t>(e)])]);
  return all;
}
/// Pairs by the ids of the large sets.
std::vector<ends> pairs_in(const graphs_batch& b) {
  std::vector<ends> all;
  for (std::size_t i = 0; i < b.pair_src.size(); ++i)
    all.emplace_back(b.of_set(b.pair_relation.source).vertices[static_cast<std::size_t>(b.pair_src[i])],
                     b.of_set(b.pair_relation.destination).vertices[static_cast<std::size_t>(b.pair_dst[i])]);
  return all;
}
std::vector<ends> edges_of(const graph& g) {
  const auto dst = destinations_of(g);
  std::vector<ends> all;
  for (std::int64_t e = 0; e < g.edges(); ++e)
    all.emplace_back(g.in_edges().neighbour(e), dst[static_cast<std::size_t>(e)]);
  return all;
}
ends turned(const ends& e) { return {e.second, e.first}; }

const std::vector<std::int64_t> asked = {3, 250, 17, 499, 18};

graphs_sampler everything(const graphs& g) { return {g, {.fan_outs = {all_neighbours, all_neighbours}}}; }

TEST(graphs_link_sampler, has_the_pairs_and_hides_the_edges_and_those_of_the_reverse_relation) {
  const academia all;
  const auto writing = edges_of(all.g.relation(writes));
  const std::set<ends> there(writing.begin(), writing.end());
  const graphs_link_sampler sampler(everything(all.g), writes, {.negatives = 3});
  const graphs_batch b = sampler.sample(asked, 8);
  const auto pairs = pairs_in(b);
  ASSERT_EQ(pairs.size(), 20u);
  EXPECT_EQ(b.true_pairs, 5);
  std::set<ends> hidden;
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(pairs[i], writing[static_cast<std::size_t>(asked[i])]);
    hidden.insert(pairs[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(pairs[5 + 3 * i + k].first, pairs[i].first);
      EXPECT_EQ(there.count(pairs[5 + 3 * i + k]), 0u);
    }
  }
  // Seeds are the ends of pairs, ascending, at the beginning of both sets.
  std::set<std::int64_t> of_pairs[2];
  for (const auto& [u, v] : pairs) of_pairs[0].insert(u), of_pairs[1].insert(v);
  for (const auto& [set, ids] : {std::pair("author", of_pairs[0]), std::pair("paper", of_pairs[1])}) {
    const auto& rows = b.of_set(set);
    ASSERT_EQ(rows.offsets[1], std::ssize(ids));
    EXPECT_TRUE(std::equal(ids.begin(), ids.end(), rows.vertices.begin()));
  }
  EXPECT_EQ(b.seed_set, "paper");
  EXPECT_EQ(b.seeds, std::ssize(of_pairs[1]));
  std::int64_t seen = 0;
  for (const ends& e : edges_in(b, "writes", "author", "paper")) {
    EXPECT_EQ(hidden.count(e), 0u);
    seen += there.count(e) > 0;
  }
  EXPECT_EQ(seen, b.graph.edges(writes));
  EXPECT_GT(seen, 100);
  for (const ends& e : edges_in(b, "written by", "paper", "author")) EXPECT_EQ(hidden.count(turned(e)), 0u);
  // Another relation between the sets may tell as well: it is named, or it is there.
  const auto praise = edges_in(b, "praised by", "paper", "author");
  const auto tells = [&](const ends& e) { return hidden.count(turned(e)) > 0; };
  EXPECT_GT(std::count_if(praise.begin(), praise.end(), tells), 0);
  const auto quiet = graphs_link_sampler(everything(all.g), writes, {.negatives = 3}).leaving_out(praised_by);
  const auto less = edges_in(quiet.sample(asked, 8), "praised by", "paper", "author");
  EXPECT_EQ(std::count_if(less.begin(), less.end(), tells), 0);
  EXPECT_GT(less.size(), 0u);

  const graphs_batch shown =
      graphs_link_sampler(everything(all.g), writes, {.leave_out_edges = false, .leave_out_reverse = false})
          .sample(asked, 8);
  for (const std::int64_t e : asked)
    EXPECT_EQ(std::count(shown.edges(writes).begin(), shown.edges(writes).end(), e), 1);
  const auto back = edges_in(shown, "written by", "paper", "author");
  EXPECT_GT(std::count_if(back.begin(), back.end(), tells), 0);
}

TEST(graphs_link_sampler, gives_the_same_batch_in_every_thread_and_memory) {
  const academia all;
  const graphs_link_sampler sampler(graphs_sampler(all.g, {.fan_outs = {4, 3}}), writes, {.negatives = 2});
  const graphs_batch first = sampler.sample(asked, 77);
  graphs_batch other, used = sampler.sample(std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7}, 1);
  std::thread thread([&] { sampler.sample_into(other, asked, 77); });
  sampler.sample_into(used, asked, 77);
  thread.join();
  for (const graphs_batch* b : {&other, &used}) {
    EXPECT_EQ(pairs_in(*b), pairs_in(first));
    EXPECT_EQ(b->edges(writes), first.edges(writes));
    EXPECT_EQ(b->edges(cites), first.edges(cites));
  }
  EXPECT_NE(pairs_in(sampler.sample(asked, 78)), pairs_in(first));
  // Of other seeds in the same memory there are no pairs.
  everything(all.g).sample_into(used, author, std::vector<std::int32_t>{7}, 1);
  EXPECT_TRUE(used.pair_src.empty());
  EXPECT_EQ(used.of_set("paper").offsets[1], 0);
  expect_error([&] { used.pairs(); }, {"a batch that is of no links"});
}

/// Of one relation of a set to itself it is what link_sampler gives, and so it is where that has a reverse beside it.
TEST(graphs_link_sampler, gives_of_one_relation_the_batch_of_the_plain_sampler) {
  const graph plain = drawn_graph(papers, 700, 6);
  graphs g;
  g.add_vertices(paper, papers).add_edges(cites, plain);
  for (const bool reverse : {false, true}) {
    const link_options options{.negatives = 2, .leave_out_reverse = reverse};
    const batch one = link_sampler(neighbour_sampler(plain, {.fan_outs = {7, 3}}), options).sample(asked, 5);
    const graphs_batch b =
        graphs_link_sampler(graphs_sampler(g, {.fan_outs = {7, 3}}), cites, options).sample(asked, 5);
    EXPECT_EQ(b.vertices(paper), one.vertices);
    EXPECT_EQ(b.edges(cites), one.edges);
    EXPECT_EQ(b.pair_src, one.pair_src);
    EXPECT_EQ(b.pair_dst, one.pair_dst);
    EXPECT_EQ(b.pairs().relation(cites).edge_list(), one.pairs().edge_list());
    EXPECT_EQ(b.seed_pairs().vertices(paper), one.seed_pairs().vertices());
    EXPECT_EQ(one.seed_pairs().edge_list(), one.pairs().edge_list());
  }
  g.add_reverse(relation<"cited by", paper, paper>, cites);
  const graphs_batch b = graphs_link_sampler(everything(g), cites, {}).sample(asked, 5);
  std::set<ends> hidden;
  for (const std::int64_t e : asked) {
    const ends of = edges_of(plain)[static_cast<std::size_t>(e)];
    hidden.insert(of), hidden.insert(turned(of));
  }
  for (const char* relation : {"cites", "cited by"})
    for (const ends& e : edges_in(b, relation, "paper", "paper")) EXPECT_EQ(hidden.count(e), 0u) << relation;
}

/// Embeddings, scores and gradients are those of the full graphs without the edges that are asked for, from the batch
/// and hop by hop.
TEST(graphs_link_sampler, with_all_neighbours_gives_the_scores_of_the_full_graphs_without_these_edges) {
  const academia all;
  const auto k = drawn({authors, 3}, 1), w = drawn({papers, 4}, 2);
  const graphs_batch b = graphs_link_sampler(everything(all.g), writes, {.negatives = 4}).sample(asked, 3);
  const auto writing = edges_of(all.g.relation(writes));
  std::set<ends> hidden;
  for (const std::int64_t e : asked) hidden.insert(writing[static_cast<std::size_t>(e)]);
  std::vector<std::int64_t> src, dst;
  for (std::size_t e = 0; e < all.src.size(); ++e)
    if (!hidden.count({all.src[e], all.dst[e]})) src.push_back(all.src[e]), dst.push_back(all.dst[e]);
  ASSERT_LT(src.size(), all.src.size());
  graphs rest;
  rest.add_vertices(author, authors).add_vertices(paper, papers);
  rest.add_edges(writes, src, dst).add_reverse(written_by, writes).add_edges(cites, all.g.relation(cites));
  graphs every_pair;  // over the full sets
  every_pair.add_vertices(author, authors).add_vertices(paper, papers);
  std::vector<std::int64_t> from, into;
  for (const auto& [u, v] : pairs_in(b)) from.push_back(u), into.push_back(v);
  every_pair.add_edges(writes, from, into);

  auto params = parameters<encoder>();
  initialize(params, 3);
  auto of_scores = parameters<scores>();
  initialize(of_scores, 4);
  auto encode = compile_for_training<encoder>();
  auto score = compile_for_training<scores>();
  // Scores in the order of pairs, and gradients of the encoder's parameters under a cotangent of each.
  const auto run = [&](const auto& graph, const graphs& pairs, const tensor<double>& of_k, const tensor<double>& of_w,
                       std::vector<tensor<double>>& found) {
    auto tape = encode.record(graph, K = of_k, W = of_w, params);
    auto scored =
        score.record(pairs, of_authors = tape.template output<0>(), of_papers = tape.template output<1>(), of_scores);
    const stg::graph& edges = pairs.relation(writes);
    found.push_back(edges.to_input_order(scored.output()));
    auto d = drawn({static_cast<std::int64_t>(from.size())}, 7);
    auto back = scored.backward(edges.edge_values(d));
    auto gradient = tape.backward(back[of_authors], back[of_papers]);
    found.push_back(back[M].clone());
    found.push_back(gradient[A].clone());
    found.push_back(gradient[P].clone());
  };
  std::vector<tensor<double>> full, part, hops;
  run(rest, every_pair, k, w, full);
  const auto bk = gather(k, b.vertices(author)), bw = gather(w, b.vertices(paper));
  run(b.graph, b.pairs(), bk, bw, part);
  run(b.blocks(), b.seed_pairs(), bk, bw, hops);
  for (std::size_t i = 0; i < full.size(); ++i)
    for (const auto* found : {&part, &hops}) {
      ASSERT_EQ((*found)[i].shape(), full[i].shape());
      for (std::int64_t n = 0; n < full[i].size(); ++n)
        EXPECT_NEAR((*found)[i].data()[n], full[i].data()[n], 1e-12 * std::max(1.0, std::abs(full[i].data()[n])));
    }
  EXPECT_EQ(b.seed_pairs().vertices(author), b.of_set("author").offsets[1]);
}

TEST(graphs_link_sampler, says_which_pairs_are_edges) {
  const academia all;
  const graphs_batch b = graphs_link_sampler(everything(all.g), writes, {.negatives = 2}).sample(asked, 3);
  const graphs pairs = b.pairs();
  const auto targets = pairs.relation(writes).to_input_order(b.pair_targets(pairs));
  ASSERT_EQ(targets.size(), 15);
  for (std::int64_t i = 0; i < 15; ++i) EXPECT_EQ(targets(i), i < 5 ? 1 : 0);
}

TEST(graphs_link_sampler, says_what_is_wrong) {
  const academia all;
  const graphs_link_sampler sampler(everything(all.g), writes, {});
  graphs_batch b = sampler.sample(asked, 1);
  expect_error([&] { sampler.sample_into(b, std::vector<std::int64_t>{3, 500}, 1); }, {"edge 1 is 500", "[0, 500)"});
  EXPECT_EQ(b.graph.vertex_sets().size(), 0u);
  EXPECT_TRUE(b.pair_src.empty());
  expect_error([&] { sampler.sample(std::vector<std::int64_t>{-1}, 1); }, {"edge 0 is -1"});
  expect_error([&] { graphs_link_sampler(everything(all.g), writes, {.negatives = -1}); }, {"-1 negatives"});
  expect_error([&] { graphs_link_sampler(everything(all.g), reviews, {}); }, {"reviews"});
  expect_error([&] { graphs_link_sampler(everything(all.g), writes, {}).leaving_out(reviews); }, {"reviews"});
  expect_error([&] { graphs_link_sampler(everything(all.g), writes, {}).leaving_out(cites); },
               {"'cites' from 'paper' to 'paper'", "links from 'author' to 'paper'"});
  const graphs_batch of_none = sampler.sample(std::vector<std::int64_t>{}, 1);
  EXPECT_EQ(of_none.graph.vertices(paper), 0);
  EXPECT_EQ(of_none.pairs().edges(writes), 0);

  const graphs_sampler plain = everything(all.g);
  const std::vector<std::int32_t> some = {1, 2};
  const std::vector<std::int64_t> beyond = {0, 500};
  const auto sample = [&](std::vector<set_seeds> seeds, std::vector<edges_left_out> without) {
    graphs_batch to;
    plain.sample_into(to, seeds, 1, without);
  };
  expect_error([&] { sample({{"paper", some}, {"paper", some}}, {}); }, {"'paper' are given twice"});
  expect_error([&] { sample({{"paper", some}, {"venue", some}}, {}); }, {"'venue', which is not there"});
  expect_error([&] { sample({}, {}); }, {"seeds of no vertex set"});
  expect_error([&] { sample({{"paper", some}}, {{"writes", beyond}}); }, {"edge 500 of 'writes'", "[0, 500)"});
  expect_error([&] { sample({{"paper", some}}, {{"likes", beyond}}); }, {"likes"});
}

/// A loader's batches of links are those of its sampler, whatever the threads, and blocks are of both sets.
TEST(graphs_loader, makes_batches_of_links) {
  const academia all;
  const auto w = drawn({papers, 4}, 2);
  std::vector<std::vector<ends>> seen;
  for (const int threads : {0, 3}) {
    const graphs_link_sampler links(graphs_sampler(all.g, {.fan_outs = {4, 3}}), writes, {.negatives = 2});
    graphs_loader loader(all.g, all.g.edges(writes),
                         [&](graphs_batch& to, std::span<const std::int32_t> edges, std::uint64_t number) {
                           links.sample_into(to, edges, number);
                         },
                         {.batch_size = 64, .seed = 2, .threads = threads, .blocks = true});
    const auto rows = loader.rows(paper, w);
    const auto cached = loader.rows(paper, w.view(), {.rows = 20});
    EXPECT_EQ(loader.batches(), 8);
    std::vector<ends> pairs;
    for (const loaded_graphs& b : loader.epoch(0)) {
      for (const ends& p : pairs_in(b)) pairs.push_back(p);
      EXPECT_EQ(b.known.size(), std::ssize(b.vertices(paper)));
      EXPECT_EQ(b.blocks().seeds(), b.seeds);
      for (std::int64_t v = 0; v < b[rows].shape()[0]; ++v) {
        const std::int64_t id = b.vertices(paper)[static_cast<std::size_t>(v)];
        EXPECT_EQ(b[rows](v, 3), w(id, 3));
        EXPECT_EQ(b[cached](v, 3), w(id, 3));
      }
    }
    seen.push_back(std::move(pairs));
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0].size(), 1500u);
  expect_error([&] { graphs_loader(all.g, -1, [](auto&&...) {}, {}); }, {"-1 items"});
  expect_error([&] { graphs_loader(all.g, 3, {}, {}); }, {"no function that makes batches"});
  graphs_loader none(all.g, 3, [](auto&&...) {}, {.threads = 0});
  expect_error([&] { none.epoch(0).begin(); }, {"no vertex set ''"});
}

/// Which rows a cache keeps: those of the vertices with most out-edges along all relations. Others are asked for.
TEST(graphs_loader, keeps_the_rows_that_are_reached_most_often) {
  graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 5);
  g.add_edges(writes, {0, 1, 2}, {0, 1, 2}).add_edges(cites, {4, 4, 3, 1}, {0, 1, 2, 3});
  g.add_edges(written_by, {3, 3, 2}, {0, 1, 2});
  std::vector<std::vector<std::int32_t>> calls;
  graphs_loader loader(graphs_sampler(g, {.fan_outs = {all_neighbours}}), paper, {0, 1, 2, 3, 4},
                       {.batch_size = 5, .shuffle = false, .threads = 0});
  const auto rows = loader.rows<double>(paper, {1},
                                        [&](std::span<const std::int32_t> vertices, tensor<double>& to) {
                                          calls.emplace_back(vertices.begin(), vertices.end());
                                          for (std::size_t i = 0; i < vertices.size(); ++i)
                                            to(static_cast<std::int64_t>(i), 0) = vertices[i];
                                        },
                                        {.rows = 2});
  for (const loaded_graphs& b : loader.epoch(0))
    for (std::int64_t v = 0; v < 5; ++v) EXPECT_EQ(b[rows](v, 0), b.vertices(paper)[static_cast<std::size_t>(v)]);
  EXPECT_EQ(calls, (std::vector<std::vector<std::int32_t>>{{3, 4}, {0, 1, 2}}));
  expect_error([&] { loader.rows<double>(paper, {1}, {}, {.rows = 1}); }, {"asked for after the first epoch"});
}

}  // namespace
}  // namespace stg
