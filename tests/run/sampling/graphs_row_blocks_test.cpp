// test: draft sampling
// Rows of graphs of several kinds in blocks, and samplers that take graphs of one kind alone.
#include "../expect_error.hpp"  // expect_error
#include "academia.hpp"         // academia, expect_sound

#include <stg/sampling/clusters.hpp>           // cluster_sampler
#include <stg/sampling/graphs_row_blocks.hpp>  // graphs_row_blocks
#include <stg/sampling/row_blocks.hpp>         // row_blocks
#include <stg/sampling/subgraph_sampler.hpp>   // subgraph_sampler

#include <algorithm>   // sort
#include <functional>  // function
#include <limits>      // numeric_limits

namespace stg {
namespace {

using test::academia, test::at, test::author, test::cites, test::drawn_graph, test::expect_error, test::expect_sound,
    test::paper, test::reviews, test::venue, test::writes, test::written_by;
using ids = std::vector<std::int32_t>;

std::int64_t bytes_of(const graphs_batch& b) {
  return 100 * b.graph.vertices(paper) + 40 * b.graph.vertices(author) + 32 * b.graph.edges(writes) +
         28 * b.graph.edges(cites) + 28 * b.graph.edges(reviews);
}

TEST(graphs_row_blocks, fit_into_their_limit_and_have_every_edge_once) {
  const academia all;
  const graphs_block_limit limit{.bytes = 20'000,
                                 .vertex_bytes = {vertex_bytes(paper, 100), vertex_bytes(author, 40)},
                                 .edge_bytes = {edge_bytes(writes, 32)}};
  const graphs_row_blocks blocks(all.g, paper, limit);
  EXPECT_GT(blocks.count(), 3);
  graphs_batch b;
  std::vector<std::int64_t> of_writes, of_cites;
  for (std::int64_t i = 0; i < blocks.count(); ++i) {
    blocks.block(i, b);
    expect_sound(b, all.g);
    EXPECT_EQ(b.seeds, blocks.first_row(i + 1) - blocks.first_row(i));
    for (std::int64_t v = 0; v < b.seeds; ++v) EXPECT_EQ(b.vertices(paper)[at(v)], blocks.first_row(i) + v);
    EXPECT_LE(bytes_of(b), limit.bytes);
    for (const std::int64_t e : b.edges(writes)) of_writes.push_back(e);
    for (const std::int64_t e : b.edges(cites)) of_cites.push_back(e);
    EXPECT_EQ(b.graph.edges(written_by), 0);
    if (i + 1 == blocks.count()) break;
    ids with_one_more(b.vertices(paper).begin(), b.vertices(paper).begin() + b.seeds);  // the next row has no room
    with_one_more.push_back(static_cast<std::int32_t>(blocks.first_row(i + 1)));
    EXPECT_GT(bytes_of(graphs_sampler(all.g, {.fan_outs = {all_neighbours}}).sample(paper, with_one_more, 1)),
              limit.bytes);
  }
  EXPECT_EQ(blocks.first_row(blocks.count()), 200);
  expect_error([&] { blocks.first_row(-1); }, {"graphs_row_blocks: no block -1"});
  std::sort(of_writes.begin(), of_writes.end()), std::sort(of_cites.begin(), of_cites.end());
  for (std::int64_t e = 0; e < 700; ++e) ASSERT_EQ(of_writes[at(e)], e);
  for (std::int64_t e = 0; e < 900; ++e) ASSERT_EQ(of_cites[at(e)], e);
  EXPECT_EQ(of_writes.size() + of_cites.size(), 1600u);
  EXPECT_EQ(graphs_row_blocks(all.g, venue, {}).count(), 0);
}

TEST(graphs_row_blocks, are_of_one_relation_those_of_the_plain_graph) {
  const graph plain = drawn_graph(400, 2400, 8);
  graphs g;
  g.add_vertices(paper, 400).add_edges(cites, plain);
  const row_blocks one(plain, {.bytes = 40'000, .vertex_bytes = 72});
  const graphs_row_blocks blocks(g, paper, {.bytes = 40'000, .vertex_bytes = {vertex_bytes(paper, 72)}});
  ASSERT_EQ(blocks.count(), one.count());
  for (std::int64_t i = 0; i <= one.count(); ++i) EXPECT_EQ(blocks.first_row(i), one.first_row(i));
}

TEST(graphs_row_blocks, say_what_is_wrong) {
  const academia all;
  const auto of = [&](graphs_block_limit limit) { return graphs_row_blocks(all.g, paper, limit); };
  expect_error([&] { of({.bytes = 0}); }, {"graphs_row_blocks: blocks of 0 bytes"});
  expect_error([&] { of({.vertex_bytes = {vertex_bytes(author, -1)}}); }, {"-1 a vertex"});
  expect_error([&] { of({.edge_bytes = {edge_bytes(cites, -2)}}); }, {"-2 an edge"});
  expect_error(
      [&] {
        of({.edge_bytes = {{"likes", 2}}});
      },
      {"bytes of relation 'likes', which the graphs do not have"});
  expect_error(
      [&] {
        of({.vertex_bytes = {vertex_bytes(paper, 1), vertex_bytes(paper, 2)}});
      },
      {"'paper' are given twice"});
  expect_error([&] { graphs_row_blocks(all.g, "book", {}); }, {"vertex set 'book', which the graphs do not have"});
  const std::int64_t edges = all.g.relation(writes).in_edges().degree(0) + all.g.relation(cites).in_edges().degree(0);
  expect_error([&] { of({.bytes = 100}); }, {"vertex 0 takes " + std::to_string(28 * edges) + " bytes with its " +
                                             std::to_string(edges) + " in-edges"});
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::vector<bytes_by_name> huge = {edge_bytes(cites, most / 2)}, vast = {vertex_bytes(author, most / 70 + 1)};
  expect_error([&] { of({.bytes = most, .edge_bytes = huge}); }, {"graphs_row_blocks: ", "9223372036854775807 bytes"});
  expect_error([&] { of({.vertex_bytes = vast}); }, {"9223372036854775807 bytes"});
  expect_error([&] { row_blocks(drawn_graph(9, 20, 1), {.vertex_bytes = most}); },
               {"row_blocks: ", "9223372036854775807"});
  EXPECT_EQ(of({.bytes = most, .vertex_bytes = {vertex_bytes(author, most / 70 - 1000)}}).count(), 1);
  graphs_batch b;
  expect_error([&] { of({}).block(1, b); }, {"no block 1", "there are 1"});
  expect_error([&] { row_blocks(all.g, {}); }, {"several kinds", "graphs_row_blocks"});
}

TEST(samplers, of_subgraphs_and_parts_take_one_kind_of_vertices) {
  const academia all;
  for (const auto& refused : std::initializer_list<std::function<void()>>{
           [&] { subgraph_sampler::by_walks(all.g, 3, 2); }, [&] { subgraph_sampler::by_vertices(all.g, 3); },
           [&] { subgraph_sampler::by_edges(all.g.relation(writes), 3); }, [&] { subgraph(all.g, ids()); },
           [&] { subgraph(all.g.relation(writes), ids{1}); },
           [&] { cluster_sampler(all.g, tensor<std::int32_t>({0})); }})
    expect_error(refused, {"several kinds of vertices", "graphs_sampler"});
}

}  // namespace
}  // namespace stg
