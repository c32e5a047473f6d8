// test: draft runtime, sanitized memory
// Relations of a graph of several kinds that are changed, and what is wrong with that.
#include "expect_error.hpp"  // expect_error

#include <stg/dsl/kinds.hpp>           // vertex_set, relation
#include <stg/runtime/graphs.hpp>      // graphs
#include <stg/runtime/kinds.hpp>       // check_kinds
#include <stg/runtime/self_loops.hpp>  // add_self_loops

#include <gtest/gtest.h>  // TEST

#include <string>  // string
#include <vector>  // vector

namespace stg {
namespace {

using test::expect_error;

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto written_by = relation<"written by", paper, author>;
constexpr auto cites = relation<"cites", paper, paper>;

graphs two_sets() {
  graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 3);
  g.add_edges(writes, {2, 0, 2, 1}, {1, 0, 1, 0}).add_edges(cites, {1, 0, 1, 2}, {0, 0, 0, 1});
  return g;
}

TEST(relations, are_coalesced) {
  graphs g = two_sets();
  g.coalesce(writes).coalesce(cites);
  EXPECT_EQ(g.relation(writes).edge_list(), (edge_list{{0, 1, 2}, {0, 0, 1}}));
  EXPECT_EQ(g.relation(cites).edge_list(), (edge_list{{0, 1, 2}, {0, 0, 1}}));
  EXPECT_EQ(g.relation(writes).sources(), 3);
  EXPECT_EQ(g.relation(writes).out_degrees()[2], 1);
}

TEST(relations, of_one_set_have_loops_and_both_directions) {
  const graphs g = two_sets();
  const auto changed = [&](graphs& (graphs::*change)(std::string_view)) {
    graphs copy = g;
    return (copy.*change)("cites").relation(cites).edge_list();
  };
  EXPECT_EQ(changed(&graphs::add_self_loops), (edge_list{{1, 0, 1, 2, 0, 1, 2}, {0, 0, 0, 1, 0, 1, 2}}));
  EXPECT_EQ(changed(&graphs::add_remaining_self_loops), (edge_list{{1, 0, 1, 2, 1, 2}, {0, 0, 0, 1, 1, 2}}));
  EXPECT_EQ(changed(&graphs::remove_self_loops), (edge_list{{1, 1, 2}, {0, 0, 1}}));
  EXPECT_EQ(changed(&graphs::to_undirected), (edge_list{{0, 0, 1, 1, 2}, {0, 1, 0, 2, 1}}));
  EXPECT_EQ(g.edges(cites), 4) << "copies keep what they have";

  graphs h = g;
  h.add_self_loops(cites).add_remaining_self_loops(cites).remove_self_loops(cites).to_undirected(cites);
  EXPECT_EQ(h.relation(cites).edge_list(), (edge_list{{0, 1, 1, 2}, {1, 0, 2, 1}}));
  EXPECT_EQ(h.relation(writes).edge_list(), g.relation(writes).edge_list());
}

TEST(relations, have_reverses_whose_values_are_in_the_same_order) {
  graphs g = two_sets();
  g.add_reverse(written_by, writes);
  EXPECT_EQ(g.relation(written_by).edge_list(), (edge_list{{1, 0, 1, 0}, {2, 0, 2, 1}}));
  EXPECT_EQ(g.relations().back(), (relation_names{"written by", "paper", "author"}));
  const auto degrees = [](std::span<const std::int32_t> all) { return std::vector<int>(all.begin(), all.end()); };
  EXPECT_EQ(degrees(g.relation(written_by).in_degrees()), degrees(g.relation(writes).out_degrees()));
  EXPECT_EQ(degrees(g.relation(written_by).out_degrees()), degrees(g.relation(writes).in_degrees()));
  const auto share = tensor<float>::from({4}, {1, 2, 3, 4});
  EXPECT_EQ(g.edge_values(written_by, share).values().data()[3], 3);  // author 2's second
  expect_error([&] { g.add_reverse(written_by, writes); }, {"'written by' has the name of one that is there"});
  expect_error([&] { g.add_reverse("cited by", "author"); }, {"no relation 'author'"});
}

TEST(relations, take_the_edges_that_were_made_from_theirs) {
  graphs g = two_sets();
  const auto age = g.edge_values(cites, tensor<float>::from({4}, {1, 2, 3, 4}));
  const auto with_loops = add_self_loops(g.relation(cites), age, 9.0f);
  const graph& edges = with_loops.graph;
  g.replace_edges(cites, edges);
  EXPECT_EQ(g.relation(cites).edge_identity(), with_loops.values.edge_identity());
  EXPECT_EQ(g.edges(cites), 7);
  EXPECT_EQ(g.relations(), (std::vector<relation_names>{{"writes", "author", "paper"}, {"cites", "paper", "paper"}}));
  EXPECT_EQ(g.vertex_sets(), (std::vector<std::string>{"author", "paper"}));
  expect_error([&] { g.replace_edges(writes, edges); }, {"relation 'writes' joins 3 vertices of 'author' to 3 of"});
  expect_error([&] { g.replace_edges(cites, g.relation(writes)); }, {"relation 'cites'", "of another set"});
  expect_error([&] { g.replace_edges(cites, graph::from_edges(4, {0}, {3})); },
               {"relation 'cites' joins 3 vertices of 'paper' to 3", "the edges given join 4 to 4"});
  expect_error([&] { g.replace_edges(cites, g); }, {"takes the edges of one relation"});
  expect_error([&] { g.replace_edges("reviews", edges); }, {"no relation 'reviews'"});
}

TEST(relations, between_two_sets_have_no_loops_however_many_vertices_these_have) {
  graphs g = two_sets();
  expect_error([&] { g.add_self_loops("writes"); },
               {"relation 'writes' goes from 'author' to 'paper'; add_self_loops takes a relation from"});
  expect_error([&] { g.add_remaining_self_loops("writes"); }, {"'writes'", "add_remaining_self_loops takes"});
  expect_error([&] { g.remove_self_loops("writes"); }, {"'writes'", "remove_self_loops takes"});
  expect_error([&] { g.to_undirected("writes"); }, {"'writes'", "to_undirected takes"});
  expect_error([&] { g.coalesce("paper"); }, {"no relation 'paper'"});
  expect_error([&] { g.relation(writes).add_self_loops(); }, {"add_self_loops", "this relation joins two"});
  expect_error([&] { g.relation(writes).coalesce().to_undirected(); }, {"to_undirected", "this relation joins two"});
  expect_error([&] { check_kinds({}, g.relation(writes)); }, {"the graph is a relation between two vertex sets"});
  check_kinds({}, g.relation(cites));  // which is a graph of papers
}

}  // namespace
}  // namespace stg
