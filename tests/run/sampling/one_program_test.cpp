// test: kernels 0
// One compiled program for the whole graph, for samples and for all neighbours: a step object that is called with a
// `const blocks&` at one line, over one kind of vertices and over several, by kernels and as a draft.
#include "support.hpp"  // drawn, drawn_graph, drawn_ids

#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/graphs_sampler.hpp>     // graphs_sampler
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <algorithm>  // max
#include <cmath>      // abs

namespace stg {
namespace {

using test::drawn, test::drawn_ids;
using ids = std::vector<std::int32_t>;

void expect_equal(std::string_view what, const const_tensor<double>& a, const const_tensor<double>& b) {
  ASSERT_EQ(a.shape(), b.shape()) << what;
  double largest = 1, apart = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b.data()[i]));
    apart = std::max(apart, std::abs(a.data()[i] - b.data()[i]));
  }
  EXPECT_LE(apart, 1e-12 * largest) << what;
}
/// Losses, rows of the first vertices, and all gradients are those of the plain program.
template <class Now, class Plain> void expect_same(const char* what, Now now, Plain plain, auto rows) {
  EXPECT_GT(std::abs(plain.loss), 0.01) << what;
  EXPECT_NEAR(now.loss, plain.loss, 1e-12 * std::abs(plain.loss)) << what;
  const auto& mine = now.outputs[rows];
  ASSERT_GT(mine.shape()[0], 0) << what;
  expect_equal(what, mine, plain.outputs[rows].rows(0, mine.shape()[0]));
  int compared = 0;
  for_each(now.gradients, [&](std::string_view name, auto& of_now) {
    for_each(plain.gradients, [&](std::string_view other, auto& of_plain) {
      if (name != other) return;
      expect_equal(name, of_now, of_plain);
      ++compared;
    });
  });
  EXPECT_GE(compared, 4) << what;
}

// ---- one kind: a GraphSAGE below attention, both of which read hops ----

inline constexpr auto x = vertex_feature<"x", f64, 5>;
inline constexpr auto target = vertex_feature<"target", f64, 3>;
inline constexpr auto known = vertex_feature<"known", boolean>;
inline constexpr auto rows = vertex_feature<"rows", f64, 3>;
inline constexpr auto w = edge_feature<"w", f64>;
inline constexpr auto U1 = parameter<"U1", f64, 5, 4>;
inline constexpr auto V1 = parameter<"V1", f64, 5, 4>;
inline constexpr auto U2 = parameter<"U2", f64, 4, 3>;
inline constexpr auto V2 = parameter<"V2", f64, 4, 3>;
inline constexpr auto a = parameter<"a", f64, 4>;
inline constexpr auto two_layers = [](auto v) {
  auto e = v.in_edges();
  auto h = tanh(nn::sage_conv(v, v(x), U1, V1) + sum(e(w) * e.src(matmul(v(x), V1))));
  auto score = leaky_relu(sum(e.src(h) * e.dst(h) * a, axis<0>) * e(w), 0.2);
  auto y = matmul(sum(softmax(score) * e.src(h)), U2) + matmul(h, V2);
  return outputs(sum(select(v(known), sum(square(y - v(target)), axis<0>), 0.0), over_batch), rows = y);
};

/// A graph, or a part of one, and what is bound for it.
struct data {
  graph g;
  blocks on;
  tensor<double> X, Y;
  edge_values<double> W;
  tensor<bool> mask;
};
data whole_of(std::int64_t vertices, std::int64_t edges, unsigned seed) {
  graph g = test::drawn_graph(vertices, edges, seed);
  auto W = g.edge_values(drawn({edges}, seed + 3));
  return {g,
          blocks(g),
          drawn({vertices, 5}, seed + 1),
          drawn({vertices, 3}, seed + 2),
          std::move(W),
          tensor<bool>::full({vertices}, true)};
}
data sample_of(const data& large, std::vector<std::int64_t> fan_outs, const ids& seeds, std::uint64_t number) {
  const batch b = neighbour_sampler(large.g, {.fan_outs = std::move(fan_outs)}).sample(seeds, number);
  return {b.graph,      b.blocks(), gather(large.X, b.vertices), gather(large.Y, b.vertices), gather(large.W, b),
          b.seed_mask()};
}

/// The one line that calls the step: which graph or sample it is bound to is known when it runs.
template <class Step, class Params> auto call(Step& step, const blocks& on, const data& of, Params& params) {
  return step(on, x = of.X, target = of.Y, known = of.mask, w = of.W, params);
}
template <class Step> void expect_one_program(Step step) {
  auto plain = value_and_grad<two_layers>();
  auto params = parameters<two_layers>();
  initialize(params, 3);
  data large = whole_of(300, 1500, 8);
  const data other = whole_of(60, 200, 5);
  const ids seeds = {7, 3, 299, 120, 0, 55};
  const auto plain_call = [&](const data& of) {
    return plain(of.g, x = of.X, target = of.Y, known = of.mask, w = of.W, params);
  };
  const auto expect_call = [&](const char* what, const data& of) {
    expect_same(what, call(step, of.on, of, params), plain_call(of), rows);
  };
  expect_call("the whole graph", large);
  expect_call("a sample", sample_of(large, {3, 2}, seeds, 1));
  const data everything = sample_of(large, {all_neighbours, all_neighbours}, seeds, 1);
  expect_call("all neighbours", everything);
  expect_call("another graph", other);
  expect_call("a sample of more hops", sample_of(large, {2, 2, 2}, {1}, 2));
  expect_call("the whole graph again", large);

  // All neighbours of some seeds are the whole graph's values and gradients under a loss of these.
  large.mask = tensor<bool>({300});
  for (const std::int32_t v : seeds) large.mask(v) = true;
  expect_call("a loss of some vertices", large);
  auto of_graph = plain_call(large);
  auto of_sample = call(step, everything.on, everything, params);
  EXPECT_NEAR(of_graph.loss, of_sample.loss, 1e-12 * std::abs(of_graph.loss));
  expect_equal("rows", of_sample.outputs[rows], gather(of_graph.outputs[rows], seeds));
  expect_equal("U1", of_sample.gradients[U1], of_graph.gradients[U1]);
  expect_equal("a", of_sample.gradients[a], of_graph.gradients[a]);
}

TEST(one_program, is_bound_to_a_graph_to_samples_and_to_all_neighbours) {
  expect_one_program(value_and_grad<two_layers>());
}
TEST(one_program, is_bound_to_them_as_a_draft) { expect_one_program(value_and_grad<two_layers>(draft())); }

// ---- several kinds ----

inline constexpr auto author = vertex_set<"author">;
inline constexpr auto paper = vertex_set<"paper">;
inline constexpr auto writes = relation<"writes", author, paper>;
inline constexpr auto written_by = relation<"written by", paper, author>;
inline constexpr auto cites = relation<"cites", paper, paper>;
inline constexpr auto K = author.feature<"K", f64, 3>;
inline constexpr auto N = paper.feature<"N", f64, 5>;
inline constexpr auto S = writes.feature<"S", f64>;
inline constexpr auto wanted = paper.feature<"wanted", f64, 3>;
inline constexpr auto seen = paper.feature<"seen", boolean>;
inline constexpr auto of_papers = paper.feature<"of_papers", f64, 3>;
inline constexpr auto A1 = parameter<"A1", f64, 3, 4>;
inline constexpr auto P1 = parameter<"P1", f64, 5, 4>;
inline constexpr auto A2 = parameter<"A2", f64, 4, 3>;
inline constexpr auto P2 = parameter<"P2", f64, 4, 3>;
inline constexpr auto over_kinds = [](auto g) {
  auto p = matmul(g(paper)(N), P1);
  auto of_authors = tanh(matmul(g(author)(K), A1) + mean(g(author).in_edges(written_by).src(p)));
  auto cited = g(paper).in_edges(cites);
  auto h = tanh(p + sum(softmax(sum(cited.src(p) * cited.dst(p), axis<0>)) * cited.src(p)));
  auto by = g(paper).in_edges(writes);
  auto y = matmul(h, P2) + sum(by(S) * by.src(matmul(of_authors, A2))) + max(cited.src(matmul(h, P2)));
  return outputs(sum(select(g(paper)(seen), sum(square(y - g(paper)(wanted)), axis<0>), 0.0), over_batch),
                 of_papers = y);
};

struct data_of_kinds {
  graphs g;
  blocks on;
  tensor<double> k, n, t;
  edge_values<double> s;
  tensor<bool> mask;
};
data_of_kinds whole_of_kinds(std::int64_t authors, std::int64_t papers, std::size_t edges, unsigned seed) {
  graphs g;
  g.add_vertices(author, authors).add_vertices(paper, papers);
  g.add_edges(writes, drawn_ids(edges, authors, seed), drawn_ids(edges, papers, seed + 1))
      .add_reverse(written_by, writes);
  g.add_edges(cites, drawn_ids(2 * edges, papers, seed + 2), drawn_ids(2 * edges, papers, seed + 3));
  auto s = g.edge_values(writes, drawn({static_cast<std::int64_t>(edges)}, seed + 4));
  return {g,
          blocks(g),
          drawn({authors, 3}, seed + 5),
          drawn({papers, 5}, seed + 6),
          drawn({papers, 3}, seed + 7),
          std::move(s),
          tensor<bool>::full({papers}, true)};
}
data_of_kinds sample_of(const data_of_kinds& large, std::vector<std::int64_t> fan_outs, const ids& seeds) {
  const graphs_batch b = graphs_sampler(large.g, {.fan_outs = std::move(fan_outs)}).sample(paper, seeds, 1);
  const auto& papers = b.vertices(paper);
  return {b.graph,
          b.blocks(),
          gather(large.k, b.vertices(author)),
          gather(large.n, papers),
          gather(large.t, papers),
          gather(large.s, b, writes),
          b.seed_mask()};
}

template <class Step, class Params> auto call(Step& step, const blocks& on, const data_of_kinds& of, Params& params) {
  return step(on, K = of.k, N = of.n, S = of.s, wanted = of.t, seen = of.mask, params);
}
template <class Step> void expect_one_program_over_kinds(Step step) {
  auto plain = value_and_grad<over_kinds>();
  auto params = parameters<over_kinds>();
  initialize(params, 3);
  const data_of_kinds large = whole_of_kinds(90, 250, 700, 8), other = whole_of_kinds(5, 20, 40, 5);
  const ids seeds = {7, 3, 249, 120, 0};
  const auto expect_call = [&](const char* what, const data_of_kinds& of) {
    expect_same(what, call(step, of.on, of, params),
                plain(of.g, K = of.k, N = of.n, S = of.s, wanted = of.t, seen = of.mask, params), of_papers);
  };
  expect_call("the whole graphs", large);
  expect_call("a sample", sample_of(large, {3, 2}, seeds));
  expect_call("all neighbours", sample_of(large, {all_neighbours, all_neighbours}, seeds));
  expect_call("other graphs", other);
  expect_call("the whole graphs again", large);
}

TEST(one_program, is_bound_to_graphs_of_several_kinds_and_their_samples) {
  expect_one_program_over_kinds(value_and_grad<over_kinds>());
}
TEST(one_program, is_bound_to_those_as_a_draft) { expect_one_program_over_kinds(value_and_grad<over_kinds>(draft())); }

}  // namespace
}  // namespace stg
