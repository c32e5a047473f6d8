// test: draft sampling
// Many graphs with a set of the graphs: what they are made of, and programs that give each what it has alone.
#include "../expect_error.hpp"  // expect_error
#include "support.hpp"          // drawn_graph

#include <stg/sampling/gather.hpp>        // concatenate_rows
#include <stg/sampling/graphs_union.hpp>  // batch_graphs
#include <stg/stg.hpp>                    // vertex_set, relation

#include <gtest/gtest.h>  // TEST

#include <array>   // array
#include <vector>  // vector

namespace stg {
namespace {

using test::drawn_graph, test::expect_error;

constexpr auto atom = vertex_set<"atom">;
constexpr auto ring = vertex_set<"ring">;
constexpr auto molecule = vertex_set<"molecule">;
constexpr auto bond = relation<"bond", atom, atom>;
constexpr auto closes = relation<"closes", atom, ring>;
constexpr auto part_of = relation<"part of", atom, molecule>;
constexpr auto ring_of = relation<"ring of", ring, molecule>;

std::vector<std::int64_t> to_vector(std::span<const std::int64_t> all) { return {all.begin(), all.end()}; }

TEST(graphs_union, has_the_vertices_and_edges_of_each_graph) {
  const std::vector<graph> graphs = {graph::from_edges(3, {2, 0, 1}, {0, 1, 0}), graph(), graph::from_edges(1, {}, {}),
                                     graph::from_edges(2, {1, 1}, {0, 1})};
  const graphs_union all = batch_graphs(graphs, bond, part_of);
  EXPECT_EQ(all.graphs(), 4);
  EXPECT_EQ(all.graph.vertices(atom), 6);
  EXPECT_EQ(all.graph.vertices(molecule), 4);
  EXPECT_EQ(to_vector(all.offsets(atom)), (std::vector<std::int64_t>{0, 3, 3, 4, 6}));
  EXPECT_EQ(to_vector(all.offsets(bond)), (std::vector<std::int64_t>{0, 3, 3, 3, 5}));
  EXPECT_EQ(all.graph.relation(bond).edge_list(), (edge_list{{2, 0, 1, 5, 5}, {0, 1, 0, 4, 5}}));
  EXPECT_EQ(all.graph.relation(part_of).edge_list(), (edge_list{{0, 1, 2, 3, 4, 5}, {0, 0, 0, 2, 3, 3}}));
  EXPECT_EQ(batch_graphs(std::vector<graph>(), bond, part_of).graph.vertices(molecule), 0);
}

/// Graphs that are put side by side are those that sorting all edges would give.
TEST(graphs_union, is_the_graph_of_all_edges) {
  std::vector<graph> graphs;
  std::vector<std::int64_t> src, dst;
  std::int64_t before = 0;
  for (unsigned i = 0; i < 40; ++i) {
    graphs.push_back(drawn_graph(5 + i * 7 % 90, i * 53 % 400, i));
    if (i % 3 == 0) graphs.back() = graphs.back().to_undirected();
    const edge_list list = graphs.back().edge_list();
    for (std::size_t e = 0; e < list.src.size(); ++e)
      src.push_back(before + list.src[e]), dst.push_back(before + list.dst[e]);
    before += graphs.back().vertices();
  }
  const graph made = batch_graphs(graphs, bond, part_of).graph.relation(bond);
  const graph sorted = graph::from_edges(before, src, dst);
  EXPECT_EQ(made.edge_list(), sorted.edge_list());
  EXPECT_EQ(made.edge_identity(), sorted.edge_identity());
  const adjacency a = made.out_edges(), b = sorted.out_edges();
  ASSERT_EQ(a.rows(), b.rows());
  for (std::int64_t v = 0; v < a.rows(); ++v) {
    ASSERT_EQ(a.begin(v), b.begin(v));
    EXPECT_EQ(made.out_degrees()[static_cast<std::size_t>(v)], sorted.out_degrees()[static_cast<std::size_t>(v)]);
    for (auto k = a.begin(v); k < a.end(v); ++k) {
      EXPECT_EQ(a.neighbour(k), b.neighbour(k));
      EXPECT_EQ(a.edge_id(k), b.edge_id(k));
    }
  }
}

/// A molecule with as many atoms as `atoms`, some of which close rings.
graphs drawn_molecule(int atoms, int rings, unsigned seed) {
  graphs g;
  g.add_vertices(atom, atoms).add_vertices(ring, rings);
  g.add_edges(bond, drawn_graph(atoms, 3 * atoms, seed));
  std::vector<std::int64_t> src, dst;
  for (int r = 0; r < rings; ++r)
    for (int k = 0; k < 3; ++k) src.push_back((7 * k + r) % atoms), dst.push_back(r);
  return g.add_edges(closes, src, dst);
}

constexpr auto charge = atom.feature<"charge", f64, 3>;
constexpr auto order = bond.feature<"order", f64>;
constexpr auto size = ring.feature<"size", f64, 2>;
constexpr auto temperature = molecule.feature<"temperature", f64>;
constexpr auto kind = molecule.feature<"kind", i32>;
constexpr auto known = molecule.feature<"known", boolean>;
constexpr auto A = parameter<"A", f64, 3, 4>;
constexpr auto B = parameter<"B", f64, 3, 2>;
constexpr auto C = parameter<"C", f64, 6, 3>;

/// Three numbers of each molecule: from its atoms, its rings, and what is known of it itself.
constexpr auto scores = [](auto g) {
  auto e = g(atom).in_edges(bond);
  auto h = tanh(matmul(g(atom)(charge) + sum(e(order) * e.src(g(atom)(charge))), A));
  auto r = g(ring)(size) + sum(g(ring).in_edges(closes).src(matmul(g(atom)(charge), B)));
  auto m = g(molecule);
  auto pooled = concat<axis<0>>(mean(m.in_edges(part_of).src(h)), max(m.in_edges(ring_of).src(r)));
  return matmul(pooled * m(temperature), C);
};
constexpr auto loss = [](auto g) { return cross_entropy(scores(g), g(molecule)(kind), g(molecule)(known)); };

/// Molecules with what is known of each: of its atoms and bonds, in the order of the edge list.
struct molecules {
  std::vector<graphs> all;
  std::vector<tensor<double>> charges, orders, sizes;
  tensor<double> temperatures = tensor<double>({6});
  tensor<std::int32_t> kinds = tensor<std::int32_t>({6});
  tensor<bool> known = tensor<bool>({6});

  molecules() {
    for (int i = 0; i < 6; ++i) {
      all.push_back(drawn_molecule(5 + 5 * i, i % 4, static_cast<unsigned>(i)));
      charges.emplace_back(dimensions{5 + 5 * i, 3});
      sizes.emplace_back(dimensions{i % 4, 2});
      orders.emplace_back(dimensions{all.back().edges(bond)});
      for (auto* t : {&charges.back(), &sizes.back(), &orders.back()})
        uniform(*t, -1, 1, static_cast<std::uint64_t>(3 * i));
      kinds(i) = i % 3;
      known(i) = i != 2;
    }
    uniform(temperatures, 0.5, 2, 9);
  }
};

template <class T> tensor<T> one(const tensor<T>& of_graphs, std::int64_t i) {
  return of_graphs.rows(i, i + 1).clone();
}

TEST(graphs_union, gives_each_graph_what_it_has_alone) {
  const molecules data;
  const graphs_union all = batch_graphs(data.all, part_of, ring_of);
  const tensor<double> charges = concatenate_rows(data.charges), sizes = concatenate_rows(data.sizes);
  const auto orders = all.graph.edge_values(bond, concatenate_rows(data.orders));
  auto params = parameters<loss>();
  initialize(params, 4);
  const auto layer = compile<scores>(draft());
  const auto together =
      layer(all.graph, charge = charges, order = orders, size = sizes, temperature = data.temperatures, params);
  auto step = value_and_grad<loss>(draft());
  auto total = step(all.graph, charge = charges, order = orders, size = sizes, temperature = data.temperatures,
                    kind = data.kinds, known = data.known, params);
  double sum = 0;
  tensor<double> gradient({3, 4});
  auto single = value_and_grad<loss>(draft());
  for (std::int64_t i = 0; i < 6; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const graphs_union alone = batch_graphs(std::span(data.all).subspan(at, 1), part_of, ring_of);
    const auto w = alone.graph.edge_values(bond, data.orders[at]);
    const auto scores_alone = layer(alone.graph, charge = data.charges[at], order = w, size = data.sizes[at],
                                    temperature = one(data.temperatures, i), params);
    for (int c = 0; c < 3; ++c) EXPECT_EQ(scores_alone(0, c), together(i, c)) << "graph " << i;
    if (!data.known(i)) continue;
    auto now =
        single(alone.graph, charge = data.charges[at], order = w, size = data.sizes[at],
               temperature = one(data.temperatures, i), kind = one(data.kinds, i), known = one(data.known, i), params);
    sum += now.loss;
    for (std::int64_t k = 0; k < 12; ++k) gradient.data()[k] += now.gradients[A].data()[k] / 5;
  }
  EXPECT_NEAR(total.loss, sum / 5, 1e-13);
  for (std::int64_t k = 0; k < 12; ++k) EXPECT_NEAR(total.gradients[A].data()[k], gradient.data()[k], 1e-13);
}

// ---- normalisations of each graph by itself ----

constexpr auto xa = atom.feature<"xa", 3>;
constexpr auto xv = vertex_feature<"xa", 3>;
constexpr auto alpha = parameter<"alpha", 3>;
constexpr auto norms_of_each = [](auto g) {
  auto e = g(molecule).in_edges(part_of);
  auto y = g(atom)(xa);
  return outputs(nn::graph_norm(e, y, alpha), nn::pair_norm(e, y, 1.5), nn::pair_norm(e, y, 2, nn::lengths::alone),
                 nn::layer_norm(e, y, 1e-3));
};
constexpr auto norms_alone = [](auto v) {
  return outputs(nn::graph_norm(v(xv), alpha), nn::pair_norm(v(xv), 1.5), nn::pair_norm(v(xv), 2, nn::lengths::alone),
                 nn::layer_norm(v(xv), all_vertices, 1e-3));
};
/// The norms of a batch of graphs are those of each graph by itself.
TEST(graphs_union, is_normalised_graph_by_graph) {
  std::vector<graph> graphs;
  for (unsigned i = 0; i < 6; ++i) graphs.push_back(drawn_graph(5 + i * 7 % 13, 9, i));
  const graphs_union all = batch_graphs(graphs, bond, part_of);
  tensor<float> values({all.graph.vertices(atom), 3});
  normal(values, 0, 1, 1);
  for (std::int64_t g = 0; g < all.graphs(); ++g)  // graphs that lie far apart
    for (auto v = all.offsets(atom)[g]; v < all.offsets(atom)[g + 1]; ++v)
      for (int k = 0; k < 3; ++k) values(v, k) += static_cast<float>(100 * g);
  const auto shift = tensor<float>::from({3}, {1, 0.5, 0.9f});
  const auto together = compile<norms_of_each>()(all.graph, xa = values, alpha = shift);
  auto alone = compile<norms_alone>();
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const std::int64_t first = all.offsets(atom)[g], rows = graphs[g].vertices();
    tensor<float> mine({rows, 3});
    std::copy_n(values.data() + 3 * first, 3 * rows, mine.data());
    const auto expected = alone(graphs[g], xv = mine, alpha = shift);
    const auto compare = [&](const tensor<float>& y, const tensor<float>& wanted) {
      for (std::int64_t i = 0; i < wanted.size(); ++i)
        EXPECT_NEAR(y.data()[3 * first + i], wanted.data()[i], 2e-5) << g;
    };
    compare(together.get<0>(), expected.get<0>());
    compare(together.get<1>(), expected.get<1>());
    compare(together.get<2>(), expected.get<2>());
    compare(together.get<3>(), expected.get<3>());
  }
  // Two graphs of two atoms each, as GraphNorm(x, batch) gives them.
  const std::vector<graph> two(2, graph::from_edges(2, {0, 1}, {1, 0}));
  const auto of_two =
      compile<norms_of_each>()(batch_graphs(two, bond, part_of).graph,
                               xa = tensor<float>::from({4, 3}, {0, 0, 0, 2, 2, 2, 100, 100, 100, 104, 104, 104}),
                               alpha = tensor<float>::full({3}, 1));
  for (int v = 0; v < 4; ++v) EXPECT_NEAR(of_two.get<0>()(v, 0), v % 2 == 0 ? -1 : 1, 1e-5);
}

TEST(graphs_union, shows_what_each_graph_has) {
  const molecules data;
  const graphs_union all = batch_graphs(data.all, part_of, ring_of);
  const tensor<double> charges = concatenate_rows(data.charges);
  const auto orders = all.graph.edge_values(bond, concatenate_rows(data.orders));
  for (std::int64_t i = 0; i < 6; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto rows = all.rows(atom, i, charges);
    EXPECT_EQ(rows.shape(), data.charges[at].shape());
    EXPECT_TRUE(std::equal(rows.begin(), rows.end(), data.charges[at].begin()));
    EXPECT_EQ(rows.data(), charges.data() + 3 * all.offsets(atom)[at]) << "a view";
    const auto by_id = all.rows(bond, i, orders);
    const auto alone = data.all[at].edge_values(bond, data.orders[at]);
    EXPECT_TRUE(std::equal(by_id.begin(), by_id.end(), alone.values().begin(), alone.values().end()));
  }
  expect_error([&] { all.rows(atom, 6, charges); }, {"graph 6 of 6", "give 0 to 5"});
  expect_error([&] { all.rows(atom, -1, charges); }, {"graph -1 of 6"});
  expect_error([&] { all.rows(ring, 0, charges); }, {"'ring' has 7 rows in all graphs"});
  expect_error([&] { all.rows(molecule, 0, charges); }, {"no vertex set or relation 'molecule'"});
}

TEST(graphs_union, names_what_is_wrong_with_a_graph) {
  std::vector<graphs> all = {drawn_molecule(5, 1, 1), drawn_molecule(6, 2, 2)};
  expect_error([&] { batch_graphs(std::vector<graphs>(), part_of); }, {"batch_graphs: no graphs"});
  all.emplace_back().add_vertices(atom, 2);
  expect_error([&] { batch_graphs(all, part_of); }, {"graph 2 has no vertex set 'ring'"});
  all[2].add_vertices(ring, 0).add_edges(bond, {0}, {1});
  expect_error([&] { batch_graphs(all, part_of); }, {"graph 2 has no relation 'closes' from 'atom' to 'ring'"});
  all[2].add_edges(relation<"closes", ring, atom>, std::vector<int>(), std::vector<int>());
  expect_error([&] { batch_graphs(all, part_of); }, {"'closes'"});
  all[2] = drawn_molecule(7, 0, 3).add_vertices("solvent", 1);
  expect_error([&] { batch_graphs(all, part_of); }, {"graph 2 has vertex set 'solvent', which graph 0 has not"});
  all[2] = drawn_molecule(7, 0, 3).add_reverse("has", "closes");
  expect_error([&] { batch_graphs(all, part_of); }, {"graph 2 has relation 'has', which graph 0 has not"});
  for (graphs& g : all) g = drawn_molecule(7, 0, 3).add_vertices(molecule, 1);
  expect_error([&] { batch_graphs(all, part_of); }, {"vertex set 'molecule' has the name of one that is there"});
  expect_error([&] { batch_graphs(all, relation<"of", vertex_set<"solvent">, vertex_set<"flask">>); },
               {"no vertex set or relation 'solvent'"});
  const std::vector<graph> relations = {graph(), all[0].relation(closes)};
  expect_error([&] { batch_graphs(relations, bond, part_of); }, {"graph 1 is of several kinds"});
  const std::vector<graph> many(1 << 16, graph::from_edges(1 << 15, {}, {}));
  expect_error([&] { batch_graphs(many, bond, part_of); }, {"'atom' has 2147483648 vertices in all graphs"});
}

TEST(concatenate_rows, puts_rows_one_below_another) {
  const tensor<float> parts[] = {tensor<float>::from({2, 2}, {1, 2, 3, 4}), tensor<float>({0, 2}),
                                 tensor<float>::from({1, 2}, {5, 6})};
  const auto all = concatenate_rows<float>(parts);
  EXPECT_EQ(all.shape(), dimensions({3, 2}));
  for (int k = 0; k < 6; ++k) EXPECT_EQ(all.data()[k], static_cast<float>(k + 1));
  std::vector<const_tensor<float>> only_read;
  for (const tensor<float>& part : parts) only_read.push_back(part.view());
  EXPECT_TRUE(std::ranges::equal(concatenate_rows(only_read), all));
  expect_error([&] { concatenate_rows(std::vector<tensor<float>>()); }, {"concatenate_rows: no tensors"});
  const tensor<float> unlike[] = {tensor<float>({2, 2}), tensor<float>({2, 3})};
  expect_error([&] { concatenate_rows<float>(unlike); }, {"tensor 1 of shape (2, 3) beside tensor 0 of shape (2, 2)"});
  const tensor<float> scalar[] = {tensor<float>(dimensions())};
  expect_error([&] { concatenate_rows<float>(scalar); }, {"tensor 0 of shape () has no rows"});
}

}  // namespace
}  // namespace stg
