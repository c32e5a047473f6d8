// test: draft ranks, proof kernels 0, counted
// Training on cut graphs of several vertex sets: any number of ranks gives the bits of one, and what the whole graphs
// give but for rounding.
#include "support/on_ranks.hpp"  // bytes_in

#include <stg/data/graphs_folder.hpp>              // write_graphs
#include <stg/distributed/cut.hpp>                 // cut
#include <stg/distributed/distributed_graph.hpp>   // distributed_graph
#include <stg/distributed/distributed_graphs.hpp>  // distributed_graphs
#include <stg/distributed/thread_ranks.hpp>        // run_ranks
#include <stg/sampling/clusters.hpp>               // has_partition
#include <stg/sampling/graphs_union.hpp>           // batch_graphs
#include <stg/sampling/neighbour_sampler.hpp>      // neighbour_sampler
#include <stg/stg.hpp>                             // the language

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <cmath>    // abs
#include <cstddef>  // byte
#include <random>   // mt19937
#include <span>     // span
#include <sstream>  // ostringstream
#include <string>   // string
#include <vector>   // vector

namespace stg {
namespace {

using testing::HasSubstr;

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto cites = relation<"cites", paper, paper>;
constexpr auto reviews = relation<"reviews", paper, author>;  // a paper's reviewers

constexpr auto a = trainable(author.feature<"a", f64, 6>);
constexpr auto p = trainable(paper.feature<"p", f64, 8>);
constexpr auto s = paper.feature<"series", f64, 3>;
constexpr auto series = over<"T">(s);
constexpr auto label = author.feature<"label", i32>;
constexpr auto known = author.feature<"known", boolean>;
constexpr auto w = trainable(writes.feature<"w", f64>);
constexpr auto A = parameter<"A", f64, 6, 8>;
constexpr auto P = parameter<"P", f64, 8, 8>;
constexpr auto Q = parameter<"Q", f64, 8, 8>;
constexpr auto S = parameter<"S", f64, 11, 8>;
constexpr auto V = parameter<"V", f64, 8, 4>;
constexpr auto l = parameter<"l", f64, 8>;
constexpr auto r = parameter<"r", f64, 8>;

/// Of a value of papers, what their authors hear of it.
constexpr auto of_authors = [](auto g, auto h) {
  return cross_entropy(matmul(mean(g(author).out_edges(writes).dst(h)), V), g(author)(label), g(author)(known));
};

/// Two layers over three relations of both sets, dropout between them.
constexpr auto rgcn = [](auto g) {
  auto papers = g(paper);
  auto authors = g(author);
  auto h = dropout(relu(nn::rgcn_conv(papers(p), P, nn::mean_over(papers.in_edges(writes), authors(a), A),
                                      nn::mean_over(papers.in_edges(cites), papers(p), Q))),
                   0.3);
  auto u = relu(matmul(authors(a), A) + mean(authors.in_edges(reviews).src(matmul(h, Q))));
  return of_authors(g, h + sum(papers.in_edges(writes).src(u)));
};
/// Attention between the sets, a sum along each direction of edges with weights, degrees, and numbers of vertices.
constexpr auto bipartite = [](auto g) {
  auto papers = g(paper);
  auto authors = g(author);
  auto z = matmul(dropout(authors(a), 0.2), A);
  auto e = papers.in_edges(writes);
  auto score = leaky_relu(sum(e.src(z) * l + e.dst(papers(p)) * r, axis<0>), 0.2) * e(w);
  auto h = sum(dropout(softmax(score), 0.1) * e.src(z)) / (1.0 + papers.template out_degree<f64>(reviews));
  auto out = authors.out_edges(writes);
  auto back = sum(tanh(out.dst(h) * out(w))) * (1.0 / authors.template vertex_count<f64>());
  auto near = max(papers.in_edges(cites).src(h)) + sum(papers.out_edges(reviews).dst(dropout(back, 0.3)));
  return of_authors(g, near) + max(sum(back, axis<0>), all_vertices) * 0.01 +
         mean(sum(papers.in_edges(cites).src(h), axis<0>), all_edges) * 0.01 + mean(e(w), all_edges) * 0.01;
};
/// Products of edges that join the two sets, and a mean of them.
constexpr auto of_edges = [](auto g) {
  auto e = g(paper).in_edges(writes);
  auto m = matmul(tanh(e.src(matmul(g(author)(a), A)) + e.dst(g(paper)(p))), Q) * e(w);
  return of_authors(g, sum(relu(m))) + mean(sum(m * m, axis<0>), all_edges) * 0.01;
};
/// Rows of both sets less their means, by their variances.
constexpr auto normed = [](auto g) {
  auto h = matmul(g(paper)(p), P) + sum(g(paper).in_edges(writes).src(matmul(g(author)(a), A)));
  auto d = h - mean(h, all_vertices);
  return of_authors(g, d * rsqrt(mean(d * d, all_vertices) + 1e-3) * l + r);
};
constexpr auto over_time = [](auto g) {
  auto h = scan<"T">(
      g,
      [](auto g, auto h) {
        auto m = matmul(concat<axis<0>>(g(paper)(series), h), S);
        auto heard = mean(g(author).in_edges(reviews).src(m)) + matmul(dropout(g(author)(a), 0.2), A);
        auto e = g(paper).in_edges(writes);
        return tanh(sum(e.src(heard) * e(w)) * 0.3 + mean(g(paper).in_edges(cites).src(h)) + h);
      },
      g(paper)(p));
  return of_authors(g, h);
};

struct task {
  graphs on;
  tensor<double> authors, papers, sequence;
  tensor<std::int32_t> labels;
  tensor<bool> mask;
  edge_values<double> weights;
};

/// An author has written half of the papers' edges; no paper cites where there are no citations.
task drawn(std::int64_t authors, std::int64_t papers, std::int64_t edges, bool citations, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  const auto number = [&] { return static_cast<double>(below(2001) - 1000) / 1000; };
  task t;
  t.on.add_vertices(author, authors).add_vertices(paper, papers);
  const auto drawn_ends = [&](std::int64_t n, std::int64_t count, bool hub) {
    std::vector<std::int64_t> ends;
    for (std::int64_t k = 0; k < count; ++k) ends.push_back(hub && k % 2 == 0 ? n / 3 : below(n));
    return ends;
  };
  t.on.add_edges(writes, drawn_ends(authors, edges, true), drawn_ends(papers, edges, false));
  const std::int64_t cited = citations ? edges / 2 : 0;
  t.on.add_edges(cites, drawn_ends(papers, cited, false), drawn_ends(papers, cited, false));
  t.on.add_edges(reviews, drawn_ends(papers, edges / 3, false), drawn_ends(authors, edges / 3, false));
  t.authors = tensor<double>({authors, 6});
  t.papers = tensor<double>({papers, 8});
  t.sequence = tensor<double>({3, papers, 3});
  t.labels = tensor<std::int32_t>({authors});
  t.mask = tensor<bool>({authors});
  for (tensor<double>* x : {&t.authors, &t.papers, &t.sequence})
    for (std::int64_t k = 0; k < x->size(); ++k) x->data()[k] = number();
  for (std::int64_t v = 0; v < authors; ++v) {
    t.labels(v) = static_cast<std::int32_t>(below(4));
    t.mask(v) = v == 0 || below(3) != 0;
  }
  tensor<double> of_edges({edges});
  for (std::int64_t k = 0; k < edges; ++k) of_edges(k) = 0.5 + 0.3 * number();
  t.weights = t.on.edge_values(writes, of_edges);
  return t;
}
task drawn(unsigned seed) { return drawn(60, 90, 500, true, seed); }

using test::bytes;
using test::bytes_in;

/// All that some steps of training gave; gradients are of authors' and papers' rows, in the last step.
struct outcome {
  std::vector<double> losses{};
  std::vector<bytes> parameters{};
  std::vector<tensor<double>> gradients{};
  bool operator==(const outcome& other) const {
    for (std::size_t k = 0; k < gradients.size(); ++k)
      if (bytes_in(gradients[k]) != bytes_in(other.gradients[k])) return false;
    return losses == other.losses && parameters == other.parameters;
  }
};

/// A task as it is on the whole graphs, and on a part.
struct on_all {
  const task& t;
  const graphs& on() const { return t.on; }
  template <class Set, class X> const X& rows(Set, const X& x) const { return x; }
  template <class Set, class X> const X& step_rows(Set, const X& x) const { return x; }
  template <class Relation, class X> const X& edge_rows(Relation, const X& x) const { return x; }
  template <class Set> tensor<double> gathered(Set, const tensor<double>& x) const { return x.clone(); }
};
struct on_part : distributed_graphs {
  on_part(const cut& of, communicator& ranks) : distributed_graphs(of, ranks) {}
  const distributed_graphs& on() const { return *this; }
};

/// Calls a step on a task.
constexpr auto bound = [](auto& step, const auto& here, const task& t, auto& params) {
  return step(here.on(), a = here.rows(author, t.authors), p = here.rows(paper, t.papers),
              label = here.rows(author, t.labels), known = here.rows(author, t.mask),
              w = here.edge_rows(writes, t.weights), params);
};
constexpr auto bound_without_weights = [](auto& step, const auto& here, const task& t, auto& params) {
  return step(here.on(), a = here.rows(author, t.authors), p = here.rows(paper, t.papers),
              label = here.rows(author, t.labels), known = here.rows(author, t.mask), params);
};
constexpr auto bound_over_time = [](auto& step, const auto& here, const task& t, auto& params) {
  return step(here.on(), a = here.rows(author, t.authors), p = here.rows(paper, t.papers),
              series = here.step_rows(paper, t.sequence), label = here.rows(author, t.labels),
              known = here.rows(author, t.mask), w = here.edge_rows(writes, t.weights), params);
};

/// Four steps of Adam.
template <const auto& F, class On, class Bind> outcome trained(const task& t, const On& here, const Bind& bind) {
  outcome result;
  auto params = parameters<F>();
  initialize(params, 3);
  adam optimizer(params, {.learning_rate = 0.01});
  auto step = value_and_grad<F>();
  step.seed(7);
  for (int k = 0; k < 4; ++k) {
    auto now = bind(step, here, t, params);
    result.losses.push_back(now.loss);
    optimizer.step(now.gradients.of(params));
    if (k < 3) continue;
    result.gradients.push_back(here.gathered(author, now.gradients[a]));
    result.gradients.push_back(here.gathered(paper, now.gradients[p]));
  }
  boost::hana::for_each(params.items(), [&](const auto& item) { result.parameters.push_back(bytes_in(item.value)); });
  return result;
}

template <const auto& F, class Bind> void expect_bits_of_one(const task& t, const cut& parts, const Bind& bind) {
  const outcome plain = trained<F>(t, on_all{t}, bind);
  outcome one;
  for (const int ranks : {1, 2, 3, 4, 8}) {
    std::vector<outcome> of(static_cast<std::size_t>(ranks));
    run_ranks(ranks,
              [&](communicator& here) {
                of[static_cast<std::size_t>(here.rank())] = trained<F>(t, on_part(parts, here), bind);
              },
              {.reorder = ranks == 3 ? 5u : 0u});
    if (ranks == 1) one = std::move(of[0]);
    else
      for (const outcome& mine : of) EXPECT_EQ(mine, one) << ranks << " ranks";
  }
  for (std::size_t k = 0; k < plain.losses.size(); ++k)
    EXPECT_NEAR(one.losses[k], plain.losses[k], 1e-12 * std::abs(plain.losses[k]));
  for (std::size_t k = 0; k < plain.gradients.size(); ++k)
    for (std::int64_t i = 0; i < plain.gradients[k].size(); ++i)
      EXPECT_NEAR(one.gradients[k].data()[i], plain.gradients[k].data()[i], 1e-12);
}
/// On a cut of few edges; one whose sets have fewer vertices than there are ranks, and a relation without edges; and
/// one of which some parts have vertices of one set alone.
template <const auto& F, class Bind> void expect_bits_of_one(const Bind& bind) {
  const task many = drawn(1), few = drawn(3, 20, 40, false, 2), apart = drawn(3);
  expect_bits_of_one<F>(many, has_partition() ? cut::by_metis(many.on, 8) : cut::by_ranges(many.on, 8), bind);
  expect_bits_of_one<F>(few, cut::by_ranges(few.on, 8), bind);
  tensor<std::int32_t> of_authors({60}), of_papers({90});
  for (std::int64_t v = 0; v < 60; ++v) of_authors(v) = static_cast<std::int32_t>(v % 3);
  for (std::int64_t v = 0; v < 90; ++v) of_papers(v) = static_cast<std::int32_t>(2 + v % 6);
  expect_bits_of_one<F>(apart, cut::of(apart.on, {{author, of_authors}, {paper, of_papers}}), bind);
}

TEST(distributed_kinds, rgcn) { expect_bits_of_one<rgcn>(bound_without_weights); }
TEST(distributed_kinds, attention_between_two_sets) { expect_bits_of_one<bipartite>(bound); }
TEST(distributed_kinds, products_of_edges) { expect_bits_of_one<of_edges>(bound); }
TEST(distributed_kinds, norms_of_a_set) { expect_bits_of_one<normed>(bound_without_weights); }
TEST(distributed_kinds, scans_over_time) { expect_bits_of_one<over_time>(bound_over_time); }

/// Papers by two relations, and a number of both sets.
constexpr auto heard = [](auto g) {
  auto h = matmul(g(paper)(p), P);
  auto of_papers = sum(g(paper).in_edges(cites).src(h));
  auto of_both = sum(g(author).in_edges(reviews).src(h)) / g(paper).template vertex_count<f64>();
  return outputs(of_papers, of_both);
};

TEST(distributed_kinds, results_have_the_rows_of_other_ranks) {
  const task t = drawn(4);
  const cut parts = cut::by_ranges(t.on, 5);
  auto params = parameters<heard>();
  initialize(params, 1);
  const auto whole = compile<heard>()(t.on, p = t.papers, params);
  const auto& papers = whole.get<0>();  // names that lambdas take, which clang 14's of a binding are not
  const auto& authors = whole.get<1>();
  run_ranks(3, [&](communicator& here) {
    const distributed_graphs part(parts, here);
    const auto [of_papers, of_authors] = compile<heard>()(part, p = part.rows(paper, t.papers), params);
    const std::span<const std::int32_t> ids = part.global_vertices(paper);
    ASSERT_EQ(of_papers.extent(0), static_cast<std::int64_t>(ids.size()));
    ASSERT_EQ(of_papers.extent(0), part.vertices(paper));
    EXPECT_LT(part.own_vertices(paper), part.vertices(paper));
    EXPECT_EQ(part.all_vertices(author), 60);
    for (std::int64_t v = 0; v < of_papers.extent(0); ++v)
      for (std::int64_t f = 0; f < 8; ++f) EXPECT_EQ(of_papers(v, f), papers(ids[static_cast<std::size_t>(v)], f));
    EXPECT_EQ(bytes_in(part.gathered(paper, of_papers)), bytes_in(papers));
    EXPECT_EQ(bytes_in(part.gathered(author, of_authors)), bytes_in(authors));
  });
}

/// What two relations gather is sent once.
TEST(distributed_kinds, nothing_is_sent_twice) {
  const task t = drawn(5);
  const cut parts = cut::by_ranges(t.on, 2);
  std::vector<std::int64_t> sent(2), halo(2);
  run_ranks(2, [&](communicator& here) {
    const distributed_graphs part(parts, here);
    auto params = parameters<heard>();
    initialize(params, 1);
    const auto model = compile<heard>();
    const std::int64_t before = here.sent_bytes();
    (void)model(part, p = part.rows(paper, t.papers), params);
    const auto me = static_cast<std::size_t>(here.rank());
    sent[me] = here.sent_bytes() - before;
    halo[me] =
        2 * (part.vertices(paper) - part.own_vertices(paper)) + part.vertices(author) - part.own_vertices(author);
  });
  for (const std::size_t me : {0, 1}) EXPECT_EQ(sent[me], halo[1 - me] * 8 * 8 + 5 * 8);  // and what calls compare
}

TEST(distributed_kinds, sets_without_vertices_and_relations_without_edges) {
  for (const std::int64_t n : {0, 1}) {
    graphs g;
    g.add_vertices(author, n).add_vertices(paper, 2).add_edges(cites, {}, {}).add_edges(reviews, {}, {});
    auto params = parameters<heard>();
    initialize(params, 1);
    run_ranks(3, [&](communicator& here) {
      const distributed_graphs part(cut::by_ranges(g, 8), here);
      const auto [papers, authors] = compile<heard>()(part, p = part.rows(paper, tensor<double>({2, 8})), params);
      EXPECT_EQ(part.gathered(paper, papers).extent(0), 2);
      EXPECT_EQ(part.gathered(author, authors).extent(0), n);
    });
  }
}

template <class Work> std::string error_of(const Work& work) {
  try {
    work();
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

TEST(distributed_kinds, mistakes_are_named) {
  const task t = drawn(6);
  const cut two = cut::by_ranges(t.on, 2);
  const auto of_part = [&](const cut& parts, const auto& work) {
    return error_of([&] { run_ranks(1, [&](communicator& here) { work(distributed_graphs(parts, here)); }); });
  };
  EXPECT_THAT(of_part(two, [&](const auto& part) { (void)part.rows(author, t.papers); }),
              HasSubstr("(90, 8); give one on the host, with a row for each of the 60 vertices of set 'author'"));
  EXPECT_THAT(of_part(two, [&](const auto& part) { (void)part.step_rows(author, t.sequence); }),
              HasSubstr("each of the 60 vertices of set 'author'"));
  EXPECT_THAT(of_part(two, [&](const auto& part) { (void)part.edge_rows(cites, t.weights); }),
              HasSubstr("edge_rows takes values of the edges of relation 'cites'"));
  EXPECT_THAT(of_part(two, [&](const auto& part) { (void)part.gathered(paper, t.authors); }),
              HasSubstr("gathered takes a result on the host with a row for each of the 90 vertices of set 'paper'"));
  constexpr auto venue = vertex_set<"venue">;
  EXPECT_THAT(of_part(two, [&](const auto& part) { (void)part.rows(venue, t.authors); }),
              HasSubstr("there is no vertex set 'venue'"));
  const graph plain = graph::from_edges(3, {0, 1}, {1, 2});
  EXPECT_THAT(of_part(cut::by_ranges(plain, 2), [](const auto&) {}),
              HasSubstr("the cut is of a plain graph; write distributed_graph"));
  EXPECT_THAT(error_of([&] { run_ranks(1, [&](communicator& here) { (void)distributed_graph(two, here); }); }),
              HasSubstr("of several vertex sets"));
  EXPECT_THAT(error_of([&] { run_ranks(3, [&](communicator& here) { (void)distributed_graphs(two, here); }); }),
              HasSubstr("3 ranks of a graph that is cut into 2 parts"));

  // A part where whole graphs are needed.
  EXPECT_THAT(of_part(two, [](const auto& part) { (void)graphs(part).add_self_loops(cites); }),
              HasSubstr("add_self_loops is for a whole graph; this is the part of one rank"));
  EXPECT_THAT(of_part(two, [&](const auto& part) { (void)graphs(part).add_vertices(venue, 2); }),
              HasSubstr("a change of graphs is for a whole graph"));
  EXPECT_THAT(of_part(two, [](const auto& part) { (void)cut::by_ranges(part, 2); }),
              HasSubstr("a cut is for a whole graph"));
  EXPECT_THAT(of_part(two, [](const auto& part) { (void)neighbour_sampler(part, {.fan_outs = {2}}); }),
              HasSubstr("a sampler is for a whole graph"));
  EXPECT_THAT(
      of_part(two, [](const auto& part) { (void)part.edge_values(cites, tensor<double>({part.edges(cites)})); }),
      HasSubstr("the order of an edge list is for a whole graph"));
  EXPECT_THAT(of_part(two, [](const auto& part) { (void)write_graphs("unwritten", part); }),
              HasSubstr("a folder is for a whole graph"));
  constexpr auto of_paper = relation<"of paper", paper, vertex_set<"batch">>;
  EXPECT_THAT(of_part(two, [&](const auto& part) { (void)batch_graphs(std::vector<graphs>{part}, of_paper); }),
              HasSubstr("a batch is for a whole graph"));

  EXPECT_THAT(error_of([&] {
                (void)cut::of(t.on, {{paper, tensor<std::int32_t>({90})}});
              }),
              HasSubstr("vertex set 'author' has no parts"));
  EXPECT_THAT(error_of([&] {
                (void)cut::of(t.on, {{paper, tensor<std::int32_t>({90})}, {author, tensor<std::int32_t>({90})}});
              }),
              HasSubstr("parts of shape (90,) for vertex set 'author' of 60 vertices"));
  EXPECT_THAT(error_of([&] {
                (void)cut::of(t.on, {{author, tensor<std::int32_t>({60})}, {author, tensor<std::int32_t>({60})}});
              }),
              HasSubstr("vertex set 'author' has two lists of parts"));
  EXPECT_THAT(error_of([&] {
                (void)cut::of(t.on, {{venue, tensor<std::int32_t>({90})}});
              }),
              HasSubstr("there is no vertex set 'venue'"));
  EXPECT_THAT(error_of([&] { (void)two.part_of(); }), HasSubstr("name one, as in part_of(paper)"));
}

/// Four papers in a row, the middle edge cut; an author of each half.
TEST(distributed_kinds, cuts_say_what_they_cost) {
  graphs g;
  g.add_vertices(author, 2).add_vertices(paper, 4);
  g.add_edges(writes, {0, 1}, {0, 3}).add_edges(cites, {0, 1, 2}, {1, 2, 3});
  std::ostringstream said;
  said << cut::by_ranges(g, 2);
  EXPECT_EQ(said.str(),
            "2 parts: 20.0 % of edges are cut, 66.7 % of rows are interior, halos have 33.3 % of the graph's rows, the "
            "largest part has 100.0 % of an even share of work");
  if (!has_partition()) return;
  const task t = drawn(600, 900, 5000, true, 7);
  const cut eight = cut::by_metis(t.on, 8);
  EXPECT_LT(eight.cost().largest_work, 1.2);
  EXPECT_EQ(std::ssize(eight.part_of(paper)), 900);
}

}  // namespace
}  // namespace stg
