// test: draft ranks
// explain_exchanges: what is sent, to how many ranks, and what runs meanwhile; verify_overlap: where nothing does.
#include <stg/call/explain_exchanges.hpp>          // exchanges, explain_exchanges, verify_overlap
#include <stg/distributed/cut.hpp>                 // cut
#include <stg/distributed/distributed_graph.hpp>   // distributed_graph
#include <stg/distributed/distributed_graphs.hpp>  // distributed_graphs
#include <stg/distributed/thread_ranks.hpp>        // run_ranks
#include <stg/stg.hpp>                             // the language

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <algorithm>  // max_element
#include <string>     // string
#include <vector>     // vector

namespace stg {
namespace {

using testing::HasSubstr;

constexpr auto x = vertex_feature<"x", f64, 8>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto W = parameter<"W", f64, 8, 8>;
constexpr auto V = parameter<"V", f64, 8, 4>;

constexpr auto loss = [](auto v) {
  auto e = v.in_edges();
  auto norm = rsqrt(v.in_degree() + 1.0);
  auto h = tag<"hidden">(relu(norm * sum(e.src(norm * matmul(v(x), W)))));
  return cross_entropy(matmul(norm * sum(e.src(tag<"scaled">(norm * h))), V), v(label));
};
/// The sum over all vertices is read at once.
constexpr auto centred = [](auto v) { return v(x) - tag<"middle">(sum(tanh(v(x)), all_vertices)); };

/// Rows of neighbours are of a value in a scope within another one.
constexpr auto in_scopes = [](auto v) {
  auto inner = [](auto v, auto h) { return sum(v.in_edges().src(tanh(matmul(h, W)))); };
  auto deep = [&](auto v, auto h) { return scope<"inner">(v, inner, h); };
  return sum(sum(scope<"deep">(v, deep, v(x)), axis<0>), all_vertices);
};

constexpr auto said_to_overlap = [](auto v) {
  must_overlap<"deep">(v);
  return in_scopes(v);
};

graph ring(std::int64_t n) {
  std::vector<std::int64_t> src, dst;
  for (std::int64_t v = 0; v < n; ++v) {
    src.insert(src.end(), {v, (v + 1) % n});
    dst.insert(dst.end(), {(v + 1) % n, v});
  }
  return graph::from_edges(n, src, dst);
}

/// What explain_exchanges says of the bytes of each rank, and what a step of training sends.
template <const auto& F, class Part, class Step>
void expect_bytes_said(const cut& parts, const sizes& given, const Step& step) {
  const int ranks = 3;
  std::vector<std::int64_t> sent(ranks), said(ranks);
  run_ranks(ranks, [&](communicator& here) {
    const Part part(parts, here);
    const auto me = static_cast<std::size_t>(here.rank());
    for (const exchange_report& e : exchanges<F>(part, given)) said[me] += e.bytes * e.times;
    EXPECT_EQ(here.sent_messages(), 0);
    step(part);
    const std::int64_t numbers = 5 * 8 * 2;  // that ranks compare before the call
    sent[me] = here.sent_bytes() - numbers;
  });
  EXPECT_EQ(said, sent);
  std::int64_t all = 0;
  for (const exchange_report& e : exchanges<F>(parts, ranks, given)) all += e.bytes * e.times;
  EXPECT_EQ(all, sent[0] + sent[1] + sent[2]);
}

TEST(explain_exchanges, has_the_bytes_that_are_sent) {
  const tensor<double> X({90, 8});
  const tensor<std::int32_t> Y({90});
  auto params = parameters<loss>();
  initialize(params, 1);
  expect_bytes_said<loss, distributed_graph>(cut::by_ranges(ring(90), 3), {}, [&](const distributed_graph& part) {
    auto step = value_and_grad<loss>();
    (void)step(part, x = part.rows(X), label = part.rows(Y), params).loss;
  });
}

TEST(explain_exchanges, says_what_runs_meanwhile) {
  const cut parts = cut::by_ranges(ring(90), 3);
  const std::string text = explain_exchanges<loss>(parts, 3);
  EXPECT_THAT(text, HasSubstr("exchanges of 3 ranks\nforward\n"));
  EXPECT_THAT(text, HasSubstr("\ngradient\n"));
  EXPECT_THAT(text, HasSubstr("rows of vertices, 6 in 384 bytes to 2 ranks"));
  EXPECT_THAT(text, HasSubstr("meanwhile 28 interior rows of 30 in unit"));
  EXPECT_THAT(text, HasSubstr("rows of vertices, made again"));
  EXPECT_THAT(text, HasSubstr("sums of blocks"));
  EXPECT_THAT(text, HasSubstr("in all "));
}

template <class Body> std::string error_of(const Body& body) {
  try {
    body();
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

constexpr auto load = over<"T">(vertex_feature<"load", f64, 8>);
constexpr auto A = parameter<"A", f64, 8, 8>;

/// Each step sends the carried value, the gradient's steps its cotangents; the product of the loads needs neither.
constexpr auto recurrent = [](auto v) {
  auto [last, errors] = scan<"T">(
      v,
      [](auto v, auto h) {
        auto seen = sum(v.in_edges().src(tag<"state">(h)));
        auto n = tanh(seen + matmul(v(load), A));
        return next(n).gives(mean(square(sum(n, axis<0>)), all_vertices));
      },
      zeros<8>(v));
  return mean(stacked(errors), axis<0>);
};

TEST(explain_exchanges, has_those_of_a_scans_steps) {
  const cut parts = cut::by_ranges(ring(90), 3);
  const tensor<double> X({4, 90, 8});
  auto params = parameters<recurrent>();
  initialize(params, 1);
  const sizes given{.extents = {sized<"T">(4)}};
  expect_bytes_said<recurrent, distributed_graph>(parts, given, [&](const distributed_graph& part) {
    auto step = value_and_grad<recurrent>();
    (void)step(part, load = part.step_rows(X), params).loss;
  });
  const std::string text = explain_exchanges<recurrent>(parts, 3, given);
  EXPECT_THAT(text, HasSubstr("forward, a step of %"));
  EXPECT_THAT(text, HasSubstr("gradient, a step of %"));
  EXPECT_THAT(text, HasSubstr("rows of vertices, 6 in 384 bytes to 2 ranks, in each of 4 steps\n"));
  EXPECT_THAT(text, HasSubstr("meanwhile 28 interior rows of 30 in unit"));
}

TEST(explain_exchanges, has_those_of_a_graph_that_changes) {
  std::vector<snapshot_edges> edges(4);
  for (std::int64_t t = 0; t < 4; ++t)
    for (std::int64_t v = 0; v < 90; v += 1 + t) {  // a ring of fewer and fewer
      edges[static_cast<std::size_t>(t)].src.push_back(v);
      edges[static_cast<std::size_t>(t)].dst.push_back((v + 1 + t) % 90);
    }
  const auto days = graph_sequence::from_steps(90, edges);
  const cut parts = cut::by_ranges(days, 3);
  const tensor<double> X({4, 90, 8});
  auto params = parameters<recurrent>();
  initialize(params, 1);
  const sizes given{.extents = {sized<"T">(4)}};
  std::vector<std::int64_t> sent(3), said(3);
  run_ranks(3, [&](communicator& here) {
    const distributed_sequence part(days, parts, here);
    const auto me = static_cast<std::size_t>(here.rank());
    const std::int64_t before = here.sent_bytes();
    for (const exchange_report& e : exchanges<recurrent>(part, given)) said[me] += e.bytes * e.times;
    EXPECT_EQ(here.sent_bytes(), before);
    auto step = value_and_grad<recurrent>();
    (void)step(part, load = part.step_rows(X), params).loss;
    sent[me] = here.sent_bytes() - before - 5 * 8 * 2;  // numbers that ranks compare before the call
  });
  EXPECT_EQ(said, sent);
  std::int64_t all = 0;
  for (const exchange_report& e : exchanges<recurrent>(days, parts, 3, given)) all += e.bytes * e.times;
  EXPECT_EQ(all, sent[0] + sent[1] + sent[2]);
  const std::string text = explain_exchanges<recurrent>(days, parts, 3, given);
  EXPECT_THAT(text, HasSubstr("forward, a step of %"));
  EXPECT_THAT(text, HasSubstr("rows of vertices, 24 in 1536 bytes to 2 ranks, in 4 steps together\n"));
  verify_overlap<recurrent>(days, parts, 3, "state", given);
}

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto cites = relation<"cites", paper, paper>;
constexpr auto of_author = author.feature<"of_author", f64, 8>;
constexpr auto topic = paper.feature<"topic", i32>;

/// Rows of authors by one relation, then rows of papers by the other.
constexpr auto of_papers = [](auto g) {
  auto by = g(paper).in_edges(writes);
  auto h = tag<"heard">(tanh(sum(by.src(tag<"sent">(matmul(g(author)(of_author), W))))));
  return cross_entropy(matmul(sum(g(paper).in_edges(cites).src(h)), V), g(paper)(topic));
};
/// Papers cite those before and behind them, and each has an author of its own part; by_chance: of any.
graphs library(std::int64_t papers, bool by_chance) {
  std::vector<std::int64_t> src, dst, writers, written;
  for (std::int64_t p = 0; p < papers; ++p) {
    src.insert(src.end(), {p, (p + 1) % papers});
    dst.insert(dst.end(), {(p + 1) % papers, p});
    writers.push_back(by_chance ? p * 37 % papers : p);
    written.push_back(p);
  }
  graphs g;
  g.add_vertices(author, papers).add_vertices(paper, papers);
  g.add_edges(writes, writers, written).add_edges(cites, src, dst);
  return g;
}

TEST(explain_exchanges, has_those_of_several_vertex_sets) {
  const cut parts = cut::by_ranges(library(90, true), 3);
  const tensor<double> X({90, 8});
  const tensor<std::int32_t> Y({90});
  auto params = parameters<of_papers>();
  initialize(params, 1);
  expect_bytes_said<of_papers, distributed_graphs>(parts, {}, [&](const distributed_graphs& part) {
    auto step = value_and_grad<of_papers>();
    (void)step(part, of_author = part.rows(author, X), topic = part.rows(paper, Y), params).loss;
  });
}

/// Rows are interior by the relation that reads what is awaited: no author of another part is waited for with papers.
TEST(explain_exchanges, has_interior_rows_by_relation) {
  const cut parts = cut::by_ranges(library(90, true), 3);
  EXPECT_THAT(explain_exchanges<of_papers>(parts, 3), HasSubstr("meanwhile 28 interior rows of 30 in unit"));
  EXPECT_EQ(error_of([&] { verify_overlap<of_papers>(parts, 3, "heard"); }), "");
}

TEST(explain_exchanges, overlap_is_verified) {
  const cut parts = cut::by_ranges(ring(90), 3), strips = cut::of(ring(4), [] {
                                                   tensor<std::int32_t> each({4});
                                                   for (std::int32_t v = 0; v < 4; ++v) each(v) = v;
                                                   return each;
                                                 }());
  EXPECT_EQ(error_of([&] { verify_overlap<loss>(parts, 3, "scaled"); }), "");
  EXPECT_THAT(error_of([&] { verify_overlap<loss>(strips, 4, "scaled"); }),
              HasSubstr("no row of its own has its neighbours here; cut the graph into parts with fewer edges"));
  EXPECT_THAT(error_of([&] { verify_overlap<centred>(parts, 3, "middle"); }), HasSubstr("reads the sum at once"));
  EXPECT_EQ(error_of([&] { verify_overlap<in_scopes>(parts, 3, "deep"); }), "");
  EXPECT_THAT(error_of([&] { verify_overlap<in_scopes>(strips, 4, "deep"); }), HasSubstr("reads rows of other ranks"));
  EXPECT_THAT(error_of([&] { verify_overlap<in_scopes>(parts, 3, "dee"); }),
              HasSubstr("no value \"dee\" is exchanged"));
  EXPECT_EQ(error_of([&] { verify_overlap<said_to_overlap>(parts, 3); }), "");
  EXPECT_THAT(explain_exchanges<said_to_overlap>(parts, 3), HasSubstr("\n    must overlap\n    meanwhile "));
  EXPECT_THAT(error_of([&] { verify_overlap<said_to_overlap>(strips, 4); }), HasSubstr("reads rows of other ranks"));
  EXPECT_THAT(error_of([&] { verify_overlap<in_scopes>(parts, 3); }),
              HasSubstr("no value of a scope with must_overlap<...> is exchanged; there are: %"));
  EXPECT_THAT(error_of([&] { verify_overlap<loss>(parts, 3, "nobody"); }),
              HasSubstr("no value \"nobody\" is exchanged; there are: %"));
}

}  // namespace
}  // namespace stg
