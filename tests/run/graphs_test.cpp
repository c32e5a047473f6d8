// test: draft calls
// Graphs of several kinds: what they hold, what programs find in them, and hostile input.
#include "expect_error.hpp"       // expect_error
#include "support/any_graph.hpp"  // any_graph
#include "support/kinds.hpp"      // author, paper, writes

#include <gtest/gtest.h>  // TEST

#include <limits>  // numeric_limits
#include <vector>  // vector

namespace stg {
namespace {

using kinds::author;
using kinds::cites;
using kinds::paper;
using kinds::writes;
using test::expect_error;

graphs two_sets() {
  graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 2);
  return g;
}

TEST(graphs, know_their_sets_and_relations) {
  const graphs g = two_sets().add_edges(writes, {2, 0, 1}, {1, 0, 0}).add_edges(cites, {0}, {0});
  EXPECT_EQ(g.vertices(author), 3);
  EXPECT_EQ(g.vertices("paper"), 2);
  EXPECT_EQ(g.edges(writes), 3);
  const graph& r = g.relation(writes);
  EXPECT_EQ(r.sources(), 3);
  EXPECT_EQ(r.destinations(), 2);
  EXPECT_EQ(std::vector<std::int32_t>(r.in_degrees().begin(), r.in_degrees().end()), (std::vector<std::int32_t>{2, 1}));
  EXPECT_EQ(std::vector<std::int32_t>(r.out_degrees().begin(), r.out_degrees().end()),
            (std::vector<std::int32_t>{1, 1, 1}));
  EXPECT_EQ(r.edge_list(), (edge_list{{2, 0, 1}, {1, 0, 0}}));
  const auto values = g.edge_values(writes, tensor<float>::from({3}, {1, 2, 3}));
  EXPECT_EQ(values.values().data()[0], 2);  // by destination
  EXPECT_EQ(r.to_input_order(values).data()[0], 1);
}

TEST(graphs, copies_keep_what_they_have_while_one_of_them_grows) {
  const graphs g = two_sets();
  graphs more = g;
  more.add_edges(writes, {0}, {0});
  EXPECT_EQ(more.edges(writes), 1);
  expect_error([&] { g.relation(writes); }, {"no relation 'writes'"});
}

TEST(graphs, sets_may_be_empty_and_relations_without_edges) {
  graphs g;
  g.add_vertices(author, 0).add_vertices(paper, 2).add_edges(writes, std::vector<int>{}, std::vector<int>{});
  EXPECT_EQ(g.edges(writes), 0);
  expect_error(
      [&] { g.add_edges("reviews", "author", "paper", std::vector<std::int64_t>{0}, std::vector<std::int64_t>{0}); },
      {"relation 'reviews' edge 0 has source 0", "'author' has 0 vertices"});
}

TEST(graphs, name_what_is_wrong_with_a_relation) {
  graphs g = two_sets();
  expect_error(
      [&] {
        g.add_edges(writes, {0, 3}, {0, 1});
      },
      {"relation 'writes' edge 1 has source 3", "vertex set 'author' has 3 vertices"});
  expect_error(
      [&] {
        g.add_edges(writes, {0, 2}, {0, 2});
      },
      {"relation 'writes' edge 1 has destination 2", "vertex set 'paper' has 2 vertices"});
  expect_error([&] { g.add_edges(writes, {-1}, {0}); }, {"source -1"});
  expect_error([&] { g.add_edges(writes, {std::numeric_limits<std::int64_t>::max()}, {0}); },
               {"source 9223372036854775807"});
  expect_error([&] { g.add_edges(writes, {0, 1}, {0}); }, {"2 sources and 1 destinations"});
  graphs authors;
  authors.add_vertices(author, 1);
  expect_error([&] { authors.add_edges(writes, {0}, {0}); },
               {"relation 'writes' joins vertex sets, and there is no vertex set 'paper'", "add_vertices(paper, ...)"});
  g.add_edges(writes, {0}, {0});
  expect_error([&] { g.add_edges(writes, {0}, {0}); }, {"relation 'writes' has the name of one that is there"});
  expect_error([&] { g.add_vertices("writes", 2); }, {"vertex set 'writes' has the name of one that is there"});
  expect_error(
      [&] { g.add_edges("by", "writes", "paper", std::vector<std::int64_t>{0}, std::vector<std::int64_t>{0}); },
      {"no vertex set 'writes'"});
}

TEST(graphs, name_what_is_wrong_with_a_vertex_set) {
  graphs g = two_sets();
  expect_error([&] { g.add_vertices(author, 4); }, {"vertex set 'author' has the name of one that is there"});
  expect_error([&] { g.add_vertices("venue", -1); }, {"vertex set 'venue' of -1 vertices"});
  expect_error([&] { g.add_vertices("venue", std::int64_t{1} << 31); }, {"'venue' of 2147483648 vertices"});
  expect_error([&] { g.add_vertices("", 1); }, {"a vertex set without a name"});
  expect_error([&] { g.vertices("venue"); }, {"no vertex set 'venue'"});
}

TEST(graphs, of_several_kinds_change_by_relation) {
  const graphs g = two_sets().add_edges(writes, {0}, {0});
  expect_error([&] { g.relation(writes).add_self_loops(); }, {"add_self_loops is for a graph of one set"});
  expect_error([&] { static_cast<const graph&>(g).coalesce(); }, {"graphs.coalesce(cites) names a relation"});
  expect_error([&] { static_cast<const graph&>(g).remove_self_loops(); }, {"remove_self_loops is for a graph of one"});
}

// ---- calls ----

constexpr auto model = kinds::weighted_sum;
constexpr auto plain_x = vertex_feature<"x", f64, 3>;
constexpr auto plain = [](auto v) { return sum(v.in_edges().src(v(plain_x))); };

TEST(calls_over_graphs, say_what_does_not_fit_the_program) {
  const auto layer = compile<model>(draft());
  const tensor<double> X({3, 3}), of_papers({2, 3});
  const graphs g = two_sets().add_edges(writes, {2, 0, 1}, {1, 0, 0});
  const auto W = g.edge_values(writes, tensor<double>({3}));
  EXPECT_EQ(layer(g, kinds::a = X, kinds::w = W).shape(), dimensions({2, 3}));
  expect_error([&] { layer(g, kinds::a = of_papers, kinds::w = W); },
               {"input 'a' has 2 rows; vertex set 'author' has 3 vertices"});
  expect_error([&] { layer(two_sets(), kinds::a = X, kinds::w = W); }, {"no relation 'writes'"});
  expect_error([&] { layer(graphs(), kinds::a = X, kinds::w = W); }, {"no vertex set"});
  const graph one_kind = graph::from_edges(3, {0}, {1});
  expect_error([&] { layer(test::any_graph{one_kind}, kinds::a = X, kinds::w = W); },
               {"the graph has one kind of vertices; call it with graphs"});
  graphs turned;
  turned.add_vertices(author, 3).add_vertices(paper, 2);
  turned.add_edges("writes", "paper", "author", std::vector<std::int64_t>{0, 0, 0}, std::vector<std::int64_t>{0, 1, 2});
  expect_error([&] { layer(turned, kinds::a = X, kinds::w = W); },
               {"relation 'writes' goes from 'paper' to 'author' in the graph"});
  const graphs other = two_sets().add_edges(writes, {0, 0, 1}, {1, 0, 0});
  expect_error([&] { layer(other, kinds::a = X, kinds::w = W); }, {"edge values of another graph or relation"});
  const graphs fewer = two_sets().add_edges(writes, {0}, {1});
  expect_error([&] { layer(fewer, kinds::a = X, kinds::w = W); },
               {"input 'w' has 3 rows; relation 'writes' has 1 edges"});
}

TEST(calls_over_graphs, plain_programs_take_plain_graphs) {
  const auto layer = compile<plain>(draft());
  const tensor<double> X({3, 3});
  const graphs g = two_sets().add_edges(writes, {2}, {1}).add_edges(cites, {0}, {1});
  expect_error([&] { layer(test::any_graph{g}, plain_x = X); }, {"the program is of one kind of vertices"});
  expect_error([&] { layer(g.relation(writes), plain_x = X); }, {"the graph is a relation between two vertex sets"});
}

}  // namespace
}  // namespace stg
