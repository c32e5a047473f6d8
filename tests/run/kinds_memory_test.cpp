// test: draft calls, proof kernels 0, counted
// What explain and peak_bytes count by vertex set and relation is what calls take, on graphs and on blocks.
#include "expect_error.hpp"  // expect_error

#include <stg/call/explain.hpp>             // explain, peak_bytes
#include <stg/runtime/arena.hpp>            // arena
#include <stg/sampling/graphs_sampler.hpp>  // graphs_sampler
#include <stg/stg.hpp>                      // the language

#include <gmock/gmock.h>  // HasSubstr

#include <cstdint>  // int64_t
#include <random>   // mt19937
#include <string>   // to_string
#include <vector>   // vector

namespace stg {
namespace {

using testing::HasSubstr;

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto written_by = relation<"written by", paper, author>;
constexpr auto cites = relation<"cites", paper, paper>;
constexpr auto known = author.feature<"known", 3>;
constexpr auto words = paper.feature<"words", 5>;
constexpr auto share = writes.feature<"share">;
constexpr auto wanted = paper.feature<"wanted", 4>;
constexpr auto A = parameter<"A", 3, 8>;
constexpr auto P = parameter<"P", 5, 8>;
constexpr auto Q = parameter<"Q", 8, 4>;

constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto by = p.in_edges(writes);
  auto h = relu(matmul(p(words), P) + sum(by(share) * by.src(matmul(g(author)(known), A))));
  auto of_authors = matmul(mean(g(author).in_edges(written_by).src(h)), Q);
  return mean(by.src(of_authors)) + matmul(mean(p.in_edges(cites).src(h)), Q);
};
constexpr auto loss = [](auto g) { return mse(model(g), g(paper)(wanted)); };

struct counts {
  std::int64_t authors = 0, papers = 0, writing = 0, citing = 0;
  sizes of() const {
    return {.kinds = {sized<"author">(authors), sized<"paper">(papers), sized<"writes">(writing),
                      sized<"written by">(writing), sized<"cites">(citing)}};
  }
  graphs made() const {
    graphs g;
    const auto ends = [](std::int64_t edges, std::int64_t below, unsigned seed) {
      std::mt19937 random(seed);
      std::vector<std::int64_t> all;
      for (std::int64_t e = 0; e < edges; ++e) all.push_back(static_cast<std::int64_t>(random()) % below);
      return all;
    };
    g.add_vertices(author, authors).add_vertices(paper, papers);
    g.add_edges(writes, ends(writing, authors, 7), ends(writing, papers, 3)).add_reverse(written_by, writes);
    return g.add_edges(cites, ends(citing, papers, 5), ends(citing, papers, 11));
  }
};

struct measured {
  std::int64_t planned = 0, allocated = 0;
};
template <class On> measured step_on(const On& on, const graphs& sizes_of) {
  tensor<float> k({sizes_of.vertices(author), 3}), w({sizes_of.vertices(paper), 5}), y({sizes_of.vertices(paper), 4});
  uniform(k, -1, 1, 1), uniform(w, -1, 1, 2);
  const auto s = sizes_of.edge_values(writes, tensor<float>::full({sizes_of.edges(writes)}, 0.5f));
  auto params = parameters<loss>();
  initialize(params, 3);
  const std::uint64_t before = arena::total_allocated();
  auto step = value_and_grad<loss>();
  step(on, known = k, words = w, share = s, wanted = y, params);
  return {step.bytes(), static_cast<std::int64_t>(arena::total_allocated() - before)};
}
std::int64_t in_whole_lines(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

const counts few{.authors = 40, .papers = 300, .writing = 500, .citing = 700};

TEST(peak_bytes, are_those_of_a_call_over_sets_of_any_sizes) {
  const int before = threads();
  for (const counts& n :
       {few, counts{300, 40, 500, 700}, counts{300, 40, 5000, 10}, counts{1, 700, 0, 0}, counts{0, 9, 0, 20}})
    for (const int t : {1, 3}) {
      set_threads(t);
      const graphs g = n.made();
      const measured now = step_on(g, g);
      EXPECT_EQ(peak_bytes<loss>(n.of()).training, now.planned) << n.authors << ' ' << n.papers;
      EXPECT_EQ(in_whole_lines(now.planned), now.allocated) << n.authors << ' ' << n.papers;
    }
  set_threads(before);
}

/// What a set or relation has more of is counted by its own coefficient; nothing is stored by edge.
TEST(peak_bytes, grow_with_the_set_whose_rows_they_are) {
  const int before = threads();
  set_threads(1);
  const std::int64_t bytes = peak_bytes<model>(few.of()).inference;
  counts n = few;
  n.authors += 64;
  EXPECT_EQ(peak_bytes<model>(n.of()).inference - bytes, 64 * 4 * 4);  // of_authors, of 4 numbers
  n = few;
  n.writing *= 10, n.citing *= 10;
  EXPECT_EQ(peak_bytes<model>(n.of()).inference, bytes);
  n = few;
  n.papers += 64;
  EXPECT_GE(peak_bytes<model>(n.of()).inference - bytes, 64 * 4 * 8);  // h, of 8
  set_threads(before);
}

constexpr auto sums = [](auto g) {
  auto by = g(paper).in_edges(writes);
  return sum(by(share) * by.src(known));
};
/// Counted by hand: an edge's share, the number of its author and that author's row; a paper's offset and its row.
TEST(explain, counts_traffic_by_set_and_relation) {
  EXPECT_THAT(explain<sums>(), HasSubstr("bytes moved  20*|paper| + 20*|writes|\n"));
  constexpr std::int64_t of_edge = 4 + 4 + 3 * 4, of_paper = 8 + 3 * 4;
  for (const counts& n : {few, counts{300, 40, 5000, 10}})
    EXPECT_THAT(explain<sums>(n.of()),
                HasSubstr("20*|paper| + 20*|writes| = " + std::to_string(of_edge * n.writing + of_paper * n.papers)));
  EXPECT_THAT(explain<model>(), HasSubstr("16*|author| + 80*|paper| bytes in unit"));
  test::expect_error([] { peak_bytes<model>({.kinds = {sized<"author">(3)}}); }, {"'paper'", "sized<\"paper\">(n)"});
}

/// Papers two hops away, their authors one hop away, and the seeds' rows, which are the caller's.
constexpr auto chain = [](auto g) {
  auto of_authors = matmul(mean(g(author).in_edges(written_by).src(tanh(matmul(g(paper)(words), P)))), Q);
  return mean(g(paper).in_edges(writes).src(of_authors));
};
template <class On> std::int64_t allocated_by_chain(const On& on, const graphs& of) {
  tensor<float> w({of.vertices(paper), 5});
  auto params = parameters<chain>();
  initialize(params, 3);
  const auto run = compile<chain>();
  const std::uint64_t before = arena::total_allocated();
  run(on, words = w, params);
  return static_cast<std::int64_t>(arena::total_allocated() - before);
}
/// On blocks a set has as many rows as its hop, of which the same formulas are.
TEST(peak_bytes, are_on_blocks_those_of_the_rows_of_each_hop) {
  const int before = threads();
  set_threads(1);
  const graphs g = counts{.authors = 700, .papers = 900, .writing = 6000, .citing = 0}.made();
  for (const std::int64_t seeds : {25, 40, 333}) {
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < seeds; ++i) ids.push_back(static_cast<std::int32_t>(i * 2));
    const graphs_batch b = graphs_sampler(g, {.fan_outs = {2, 3, 2, 2}}).sample(paper, ids, 1);
    const auto rows_of = [&](std::int64_t authors, std::int64_t papers) {
      return in_whole_lines(peak_bytes<chain>(counts{authors, papers, 1, 1}.of()).inference);
    };
    const auto &authors = b.of_set("author").offsets, &papers = b.of_set("paper").offsets;
    ASSERT_LT(authors[2], authors.back());
    ASSERT_LT(papers[3], papers.back());
    EXPECT_EQ(allocated_by_chain(b.graph, b.graph), rows_of(authors.back(), papers.back())) << seeds;
    EXPECT_EQ(allocated_by_chain(b.blocks(), b.graph), rows_of(authors[2], papers[3])) << seeds;
    const measured of_hops = step_on(b.blocks(), b.graph), of_batch = step_on(b.graph, b.graph);
    EXPECT_EQ(of_hops.allocated, in_whole_lines(of_hops.planned));
    EXPECT_LT(of_hops.planned, of_batch.planned);
  }
  set_threads(before);
}

}  // namespace
}  // namespace stg
