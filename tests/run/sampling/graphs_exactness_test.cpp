// test: draft sampling, proof kernels 0, counted
// Programs over several sets, computed in blocks of rows and on samples of what is earlier: the values of the full
// program. By drafts in `make test`, by kernels in the proof.
#include "support.hpp"  // drawn, drawn_ids, drawn_graph

#include <stg/sampling/graphs_layer_sampler.hpp>     // graphs_layer_sampler
#include <stg/sampling/graphs_row_blocks.hpp>        // graphs_row_blocks
#include <stg/sampling/graphs_temporal_sampler.hpp>  // graphs_temporal_sampler
#include <stg/stg.hpp>                               // the language

#include <algorithm>  // max
#include <cmath>      // abs

namespace stg {
namespace {

using test::drawn, test::drawn_ids;

inline constexpr auto author = vertex_set<"author">;
inline constexpr auto paper = vertex_set<"paper">;
inline constexpr auto venue = vertex_set<"venue">;
inline constexpr auto writes = relation<"writes", author, paper>;
inline constexpr auto written_by = relation<"written by", paper, author>;
inline constexpr auto cites = relation<"cites", paper, paper>;
inline constexpr auto appears = relation<"appears", paper, venue>;
inline constexpr auto K = author.feature<"K", f64, 3>;
inline constexpr auto W = paper.feature<"W", f64, 5>;
inline constexpr auto N = venue.feature<"N", f64, 2>;
inline constexpr auto S = writes.feature<"S", f64>;
inline constexpr auto A1 = parameter<"A1", f64, 3, 4>;
inline constexpr auto P1 = parameter<"P1", f64, 5, 4>;
inline constexpr auto N1 = parameter<"N1", f64, 2, 4>;
inline constexpr auto A2 = parameter<"A2", f64, 4, 3>;
inline constexpr auto P2 = parameter<"P2", f64, 4, 3>;

void expect_equal(const const_tensor<double>& a, const const_tensor<double>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a.data()[i], b.data()[i], 1e-12 * std::max(1.0, std::abs(b.data()[i]))) << i;
}

// ---- layers one after another ----

// What a layer makes of a set, of what is known of all: attention, a maximum, a share of both ends' degrees.
inline constexpr auto papers_1 = [](auto g, auto a, auto p) {
  auto by = g(paper).in_edges(writes);
  auto h = matmul(a, A1);
  auto attention = softmax(sum(by.src(h), axis<0>) * by(S));
  auto seen = g(paper).in_edges(cites);
  auto c = rsqrt(1.0 + g(paper).template in_degree<f64>(cites));
  auto near = sum(seen.src(c * matmul(p, P1))) * c;
  return tanh(sum(attention * by.src(h)) + near + matmul(p, P1));
};
inline constexpr auto authors_1 = [](auto g, auto a, auto p) {
  return tanh(matmul(a, A1) + max(g(author).in_edges(written_by).src(matmul(p, P1))));
};
inline constexpr auto venues_1 = [](auto g, auto p, auto v) {
  return tanh(matmul(v, N1) + mean(g(venue).in_edges(appears).src(matmul(p, P1))));
};
inline constexpr auto papers_2 = [](auto g, auto a, auto p) {
  return matmul(p, P2) + sum(g(paper).in_edges(writes).src(matmul(a, A2))) +
         mean(g(paper).in_edges(cites).src(matmul(p, P2)));
};
inline constexpr auto venues_2 = [](auto g, auto p, auto v) {
  return matmul(v, A2) + mean(g(venue).in_edges(appears).src(matmul(p, P2)));
};

inline constexpr auto of_venues = venue.feature<"of_venues", f64, 3>;
inline constexpr auto whole = [](auto g) {
  auto a = g(author)(K);
  auto p = g(paper)(W);
  auto p1 = papers_1(g, a, p);
  return outputs(papers_2(g, authors_1(g, a, p), p1), of_venues = venues_2(g, p1, venues_1(g, p, g(venue)(N))));
};
inline constexpr auto Ka = author.feature<"Ka", f64, 4>;
inline constexpr auto Wa = paper.feature<"Wa", f64, 4>;
inline constexpr auto Na = venue.feature<"Na", f64, 4>;
inline constexpr auto first_of_papers = [](auto g) { return papers_1(g, g(author)(K), g(paper)(W)); };
inline constexpr auto first_of_authors = [](auto g) { return authors_1(g, g(author)(K), g(paper)(W)); };
inline constexpr auto first_of_venues = [](auto g) { return venues_1(g, g(paper)(W), g(venue)(N)); };
inline constexpr auto second_of_papers = [](auto g) { return papers_2(g, g(author)(Ka), g(paper)(Wa)); };
inline constexpr auto second_of_venues = [](auto g) { return venues_2(g, g(paper)(Wa), g(venue)(Na)); };

struct library {
  graphs g;
  tensor<double> k = drawn({150, 3}, 1), w = drawn({400, 5}, 2), n = drawn({7, 2}, 3);
  edge_values<double> s;
  library() {
    g.add_vertices(author, 150).add_vertices(paper, 400).add_vertices(venue, 7);
    g.add_edges(writes, drawn_ids(1500, 150, 5), drawn_ids(1500, 400, 6)).add_reverse(written_by, writes);
    g.add_edges(cites, drawn_ids(1800, 400, 7), drawn_ids(1800, 400, 8))
        .add_edges(appears, drawn_ids(390, 400, 9), drawn_ids(390, 7, 10));
    s = g.edge_values(writes, drawn({1500}, 4));
  }
};

/// The rows of a set that a layer makes, block by block.
template <class Set, class Layer>
tensor<double> in_blocks(const library& all, Set set, std::int64_t bytes, std::int64_t width, const Layer& layer) {
  const graphs_row_blocks blocks(
      all.g, set,
      {.bytes = bytes,
       .vertex_bytes = {vertex_bytes(author, 60), vertex_bytes(paper, 80), vertex_bytes(venue, 40)},
       .edge_bytes = {edge_bytes(writes, 36)}});
  EXPECT_GT(blocks.count(), 1);
  tensor<double> out({all.g.vertices(set), width});
  graphs_batch b;
  for (std::int64_t i = 0; i < blocks.count(); ++i) {
    blocks.block(i, b);
    out.rows(blocks.first_row(i), blocks.first_row(i + 1)).assign(layer(b));
  }
  return out;
}

TEST(graphs_row_blocks, give_the_values_of_the_full_graphs) {
  const library all;
  auto params = parameters<whole>();
  initialize(params, 3);
  auto full = compile<whole>()(all.g, K = all.k, W = all.w, N = all.n, S = all.s, params);

  const auto p1 = compile<first_of_papers>();
  const auto p2 = compile<second_of_papers>();
  const auto a1 = compile<first_of_authors>();
  const auto v1 = compile<first_of_venues>();
  const auto v2 = compile<second_of_venues>();
  // A block knows the degrees of all its vertices in the large graphs; its `blocks` give the rows of the block alone.
  const auto of_papers = in_blocks(all, paper, 50'000, 4, [&](const graphs_batch& b) {
    const auto run = [&](const auto& on) {
      return p1(on, K = gather(all.k, b.vertices(author)), W = gather(all.w, b.vertices(paper)),
                S = gather(all.s, b, writes), A1 = params[A1], P1 = params[P1]);
    };
    auto rows = run(b.blocks());
    expect_equal(run(b.graph).rows(0, b.seeds), rows);
    return rows;
  });
  const auto of_authors =
      in_blocks(all, author, 50'000, 4, [&](const graphs_batch& b) {  // and the batch's graph all rows
        return a1(b.graph, K = gather(all.k, b.vertices(author)), W = gather(all.w, b.vertices(paper)), A1 = params[A1],
                  P1 = params[P1])
            .rows(0, b.seeds)
            .clone();
      });
  const auto of_venues_1 = in_blocks(all, venue, 20'000, 4, [&](const graphs_batch& b) {
    return v1(b.blocks(), W = gather(all.w, b.vertices(paper)), N = gather(all.n, b.vertices(venue)), P1 = params[P1],
              N1 = params[N1]);
  });
  const auto papers = in_blocks(all, paper, 40'000, 3, [&](const graphs_batch& b) {
    return p2(b.blocks(), Ka = gather(of_authors, b.vertices(author)), Wa = gather(of_papers, b.vertices(paper)),
              A2 = params[A2], P2 = params[P2]);
  });
  const auto venues = in_blocks(all, venue, 20'000, 3, [&](const graphs_batch& b) {
    return v2(b.blocks(), Wa = gather(of_papers, b.vertices(paper)), Na = gather(of_venues_1, b.vertices(venue)),
              A2 = params[A2], P2 = params[P2]);
  });
  expect_equal(papers, full.template get<0>());
  expect_equal(venues, full[of_venues]);
}

// ---- time ----

inline constexpr auto two_hops = [](auto g) {
  auto p = g(paper);
  auto h = tanh(matmul(p(W), P1) + sum(p.in_edges(writes).src(matmul(g(author)(K), A1))) +
                max(p.in_edges(cites).src(rsqrt(1.0 + p.template in_degree<f64>(cites)) * matmul(p(W), P1))));
  auto of_author = mean(g(author).in_edges(written_by).src(h));
  return matmul(h, P2) + mean(p.in_edges(writes).src(matmul(of_author, A2))) +
         sum(p.in_edges(cites).src(matmul(h, P2)));
};

/// Edges of a relation whose time is smaller.
void add_earlier(graphs& to, const auto& of, const graph& edges, const tensor<double>& times, double before) {
  const edge_list list = edges.edge_list();
  std::vector<std::int64_t> src, dst;
  for (std::size_t e = 0; e < list.src.size(); ++e)
    if (times(static_cast<std::int64_t>(e)) < before) src.push_back(list.src[e]), dst.push_back(list.dst[e]);
  to.add_edges(of, src, dst);
}

/// Each seed's row is that of the full graphs without what is not earlier than the seed's time.
TEST(graphs_temporal_sampler, with_all_earlier_edges_gives_the_values_of_the_graphs_as_they_were) {
  const library all;
  auto params = parameters<two_hops>();
  initialize(params, 3);
  const auto when_written = drawn({1500}, 11), when_cited = drawn({1800}, 12);
  const auto sampler = graphs_temporal_sampler(all.g, {.fan_outs = {all_neighbours, all_neighbours, all_neighbours}})
                           .by_time(writes, all.g.edge_values(writes, when_written))
                           .by_time(written_by, all.g.edge_values(written_by, when_written))
                           .by_time(cites, all.g.edge_values(cites, when_cited));
  const std::vector<std::int32_t> seeds = {2, 1, 399, 2, 120};
  const std::vector<double> times = {0.3, -0.5, 0.9, -0.2, -2};
  const graphs_batch b = sampler.sample(paper, seeds, times, 1);
  const auto model = compile<two_hops>();
  const auto bk = gather(all.k, b.vertices(author)), bw = gather(all.w, b.vertices(paper));
  // Vertices that no hop looked into have as many in-edges as there were, on blocks and on the batch's graph.
  const auto of_blocks = model(b.blocks(), K = bk, W = bw, params);
  const auto of_graph = model(b.graph, K = bk, W = bw, params);
  expect_equal(of_graph.rows(0, b.seeds), of_blocks);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    graphs before;
    before.add_vertices(author, 150).add_vertices(paper, 400);
    add_earlier(before, writes, all.g.relation(writes), when_written, times[i]);
    add_earlier(before, written_by, all.g.relation(written_by), when_written, times[i]);
    add_earlier(before, cites, all.g.relation(cites), when_cited, times[i]);
    const auto full = model(before, K = all.k, W = all.w, params);
    expect_equal(of_blocks.rows(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i) + 1),
                 full.rows(seeds[i], seeds[i] + 1));
  }
}

// ---- layers drawn ----

inline constexpr auto V = writes.feature<"V">;
inline constexpr auto C = cites.feature<"C">;
inline constexpr auto X = author.feature<"X", 3>;
inline constexpr auto Z = paper.feature<"Z", 3>;
inline constexpr auto weighed = [](auto g) {
  auto by = g(paper).in_edges(writes);
  auto seen = g(paper).in_edges(cites);
  return sum(by(V) * by.src(X)) + sum(seen(C) * seen.src(Z));
};

/// Drawn often enough that all come, a sum with the weights is that of the means over all neighbours.
TEST(graphs_layer_sampler, weighs_edges_as_programs_bind_them) {
  const library all;
  const graphs_layer_sampler sampler(all.g, {.draws = {400'000}});
  const graphs_batch b = sampler.sample(paper, std::vector<std::int32_t>{0, 1, 2, 3}, 1);
  const auto k = tensor<float>::full({b.graph.vertices(author), 3}, 2),
             w = tensor<float>::full({b.graph.vertices(paper), 3}, 3);
  const auto rows = compile<weighed>()(b.blocks(), V = b.weights(writes), X = k, C = b.weights(cites), Z = w);
  ASSERT_EQ(rows.shape(), (dimensions{4, 3}));
  for (std::int64_t i = 0; i < 4; ++i) {
    ASSERT_GT(all.g.relation(writes).in_edges().degree(i), 0);
    EXPECT_NEAR(rows(i, 0), 5, 0.2);
  }
}

}  // namespace
}  // namespace stg
