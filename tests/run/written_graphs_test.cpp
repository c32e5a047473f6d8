// test: draft data, sanitized readers
// Graphs that networkx and SciPy wrote, graphs that they read, and vertices that are words.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/edge_list_write.hpp>  // write_edge_list
#include <stg/data/matrix_market.hpp>    // write_matrix_market
#include <stg/data/named_vertices.hpp>   // read_named_edge_list, read_events_ndjson
#include <stg/data/node_link.hpp>        // read_node_link, write_node_link

#include <gtest/gtest.h>  // TEST

#include <fstream>   // ifstream
#include <iterator>  // istreambuf_iterator

namespace stg {
namespace {

using test::expect_error;
using numbers = std::vector<std::int64_t>;

template <class T> std::vector<T> values_in(const tensor<T>& t) { return std::vector<T>(t.begin(), t.end()); }
std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
graph three_edges() { return graph::from_edges(3, {0, 2, 0}, {1, 0, 1}); }

TEST(node_link, of_networkx_is_read) {
  const auto data = read_node_link(STG_PEER_FILES "/node_link.json");
  EXPECT_FALSE(data.directed());
  EXPECT_EQ(data.ids(), (std::vector<std::string>{"7", "seven"}));
  const edge_list list = data.graph().edge_list();
  EXPECT_EQ(list, (edge_list{{0, 1, 0}, {1, 0, 0}}));  // an edge and its reverse, and a loop once
  EXPECT_EQ(values_in(data.vertex_values<float>("x")), (std::vector<float>{0.5, 2}));
  EXPECT_EQ(values_in(data.graph().to_input_order(data.edge_values<double>("w"))), (std::vector<double>{1.5, 1.5, 3}));
  const auto multi = read_node_link(STG_PEER_FILES "/node_link_multi.json");  // whose edges are "links"
  EXPECT_TRUE(multi.directed());
  EXPECT_EQ(multi.graph().edge_list(), (edge_list{{0, 0, 2}, {1, 1, 0}}));
  EXPECT_EQ(values_in(multi.graph().to_input_order(multi.edge_values<std::int64_t>("key"))), (numbers{0, 1, 0}));
}

TEST(node_link, is_written_for_networkx_and_read_back) {
  const test::temporary_folder folder;
  const auto path = folder.file("g.json");
  const auto x = tensor<float>::from({3, 2}, {1, 0.1f, -3, 4, 5, 6});
  const auto w = tensor<std::int64_t>::from({3}, {7, 8, INT64_MIN});
  write_node_link(path, three_edges(), {{"x \"1\"\n", x}}, {{"w", w}});
  EXPECT_EQ(text_of(path), R"({"directed": true, "multigraph": true, "graph": {}, "nodes": [
{"id": 0, "x \"1\"\u000a": [1, 0.1]},
{"id": 1, "x \"1\"\u000a": [-3, 4]},
{"id": 2, "x \"1\"\u000a": [5, 6]}], "edges": [
{"source": 0, "target": 1, "w": 7},
{"source": 2, "target": 0, "w": 8},
{"source": 0, "target": 1, "w": -9223372036854775808}]}
)");
  const auto back = read_node_link(path);
  EXPECT_EQ(back.graph().edge_list(), three_edges().edge_list());
  EXPECT_EQ(values_in(back.vertex_values<float>("x \"1\"\n")), values_in(x));
  EXPECT_EQ(values_in(back.graph().to_input_order(back.edge_values<std::int64_t>("w"))), values_in(w));
  write_node_link(path, graph::from_edges(0, {}, {}));
  EXPECT_EQ(read_node_link(path).graph().vertices(), 0);
}

TEST(node_link, mistakes_name_the_place) {
  const test::temporary_folder folder;
  const auto refused = [&](const std::string& text, std::initializer_list<std::string_view> parts) {
    const auto path = folder.write("g.json", text);
    expect_error([&] { read_node_link(path).vertex_values<float>("x"); }, parts);
  };
  refused("{}", {"g.json offset 0 field nodes is missing"});
  refused(R"({"nodes": [{"id": 1}, {"id": 1}], "edges": []})", {"field nodes 1 id is another node's too"});
  refused(R"({"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]})", {"edges 0 target is the id of no node"});
  refused(R"({"nodes": [{"id": 1}], "edges": []})", {"field nodes 0 x is missing"});
  refused(R"({"nodes": [{"id": 1, "x": [1]}, {"id": 2, "x": [1, 2]}], "edges": []})",
          {"nodes 1 x has 2 numbers; expected 1"});
  refused(R"({"directed": 1, "nodes": [], "edges": []})", {"directed is an integer; expected true or false"});
  const auto x = tensor<float>::from({3}, {1, 2, 3});
  const auto path = folder.file("h.json");
  expect_error([&] { write_node_link(path, three_edges(), {{"id", x}}); }, {"\"id\" has a name of the format's own"});
  expect_error([&] { write_node_link(path, three_edges(), {{"x", x}, {"x", x}}); }, {"\"x\" is there twice"});
  expect_error(
      [&] {
        write_node_link(path, graph::from_edges(2, {0}, {1}), {{"x", x}});
      },
      {"a row for each of 2 vertices"});
  const auto infinite = tensor<float>::full({3}, 1e30f * 1e30f);
  expect_error([&] { write_node_link(path, three_edges(), {{"x", infinite}}); }, {"not finite"});
}

TEST(matrix_market, of_scipy_is_read_and_written_matrices_are_read_back) {
  const edge_list_text read = read_edge_list(STG_PEER_FILES "/matrix.mtx");
  EXPECT_EQ(read.vertices(), 4);
  EXPECT_EQ(read.src, (numbers{0, 2}));
  EXPECT_EQ(read.weights, (std::vector<double>{0.5, -2}));
  const test::temporary_folder folder;
  const auto path = folder.file("a.mtx");
  write_matrix_market(path, three_edges());
  EXPECT_EQ(text_of(path), "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n3 1\n1 2\n");
  const graph g = three_edges();
  write_matrix_market(path, g, g.edge_values(tensor<double>::from({3}, {0.1, -2, 1e300})));
  EXPECT_EQ(text_of(path), "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 0.1\n3 1 -2\n1 2 1e+300\n");
  const edge_list_text back = read_edge_list(path);
  EXPECT_EQ(back.dst, (numbers{1, 0, 1}));
  EXPECT_EQ(back.weights, (std::vector<double>{0.1, -2, 1e300}));
  write_matrix_market(path, g, g.edge_values(tensor<std::int32_t>::from({3}, {1, 2, -3})));
  EXPECT_EQ(read_edge_list(path).weights, (std::vector<double>{1, 2, -3}));
  const auto wide = g.edge_values(tensor<float>({3, 2}));
  expect_error([&] { write_matrix_market(path, g, wide); }, {"values of shape (3, 2); give one number for each edge"});
  const auto infinite = g.edge_values(tensor<float>::full({3}, 1e30f * 1e30f));
  expect_error([&] { write_matrix_market(path, g, infinite); }, {"edge 0 that is not finite"});
  expect_error([&] { write_matrix_market(folder.file("no/a.mtx"), g); }, {"cannot be written: No such file"});
  expect_error([&] { write_matrix_market("/dev/full", g); }, {"cannot be written to its end: No space left"});
}

TEST(edge_list, is_written_and_read_back) {
  const test::temporary_folder folder;
  const auto path = folder.file("a.csv");
  const graph g = three_edges();
  write_edge_list(path, g);
  EXPECT_EQ(text_of(path), "0 1\n2 0\n0 1\n");
  write_edge_list(path, g, g.edge_values(tensor<double>::from({3}, {0.1, -2, 1e300})), ',');
  EXPECT_EQ(text_of(path), "0,1,0.1\n2,0,-2\n0,1,1e+300\n");
  const edge_list_text back = read_edge_list(path);
  EXPECT_EQ(back.src, (numbers{0, 2, 0}));
  EXPECT_EQ(back.weights, (std::vector<double>{0.1, -2, 1e300}));
  write_edge_list(path, g, g.edge_values(tensor<std::int64_t>::from({3}, {1, 2, INT64_MIN})), '\t');
  EXPECT_EQ(text_of(path), "0\t1\t1\n2\t0\t2\n0\t1\t-9223372036854775808\n");
  expect_error([&] { write_edge_list(path, g, '.'); }, {"a.csv would have words that nobody tells apart"});
  const auto wide = g.edge_values(tensor<float>({3, 2}));
  expect_error([&] { write_edge_list(path, g, wide); }, {"edge list", "shape (3, 2); give one number for each edge"});
  const auto infinite = g.edge_values(tensor<float>::full({3}, 1e30f * 1e30f));
  expect_error([&] { write_edge_list(path, g, infinite); }, {"edge 0 that is not finite"});
  expect_error([&] { write_edge_list("/dev/full", g); }, {"edge list /dev/full cannot be written to its end"});
}

TEST(node_link, says_which_attributes_there_are) {
  const auto data = read_node_link(STG_PEER_FILES "/node_link.json");
  EXPECT_TRUE(data.has_vertex_values("x") && data.has_edge_values("w"));
  EXPECT_FALSE(data.has_vertex_values("w") || data.has_edge_values("x"));
}

TEST(named_vertices, of_edges_and_events_have_their_table) {
  const test::temporary_folder folder;
  const auto edges = read_named_edge_list(folder.write("e.txt", "# who whom\nann bob 1\nbob 7 2\n"));
  EXPECT_EQ(edges.edges.src, (numbers{0, 1}));
  EXPECT_EQ(edges.edges.dst, (numbers{1, 2}));
  EXPECT_EQ(edges.names.names(), (std::vector<std::string>{"ann", "bob", "7"}));
  expect_error([&] { read_named_edge_list(folder.write("e.txt", "ann\n")); }, {"e.txt line 1 has no second word"});
  expect_error([&] { read_named_edge_list(folder.write("e.txt", "a b 1\nb a\n")); }, {"line 2 has no weight"});
  expect_error([&] { read_named_edge_list(STG_PEER_FILES "/matrix.mtx"); },
               {"matrix.mtx line 1 begins a matrix", "read it by read_edge_list"});

  const std::string log =
      "{\"u\": \"ann\", \"i\": 9, \"ts\": 5, \"r\": 0.5}\n\n{\"r\": 1, \"ts\": 2.5, \"u\": 9, \"i\": \"9\"}\n";
  const auto events = read_events_ndjson(folder.write("e.ndjson", log), {"u", "i", "ts", "r"});
  EXPECT_EQ(events.events.time, (std::vector<double>{2.5, 5}));
  EXPECT_EQ(events.events.src, (numbers{1, 0}));
  EXPECT_EQ(events.events.values, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(events.names.names()[0], "ann");
  expect_error([&] { read_events_ndjson(folder.write("e.ndjson", log)); },
               {"e.ndjson line 1 offset 0 field src is missing"});
  expect_error(
      [&] {
        read_events_ndjson(folder.write("e.ndjson", log + "{\"u\""), {"u", "i", "ts"});
      },
      {"line 4 offset", "no JSON"});

  edge_list_text gaps = read_edge_list(folder.write("g.txt", "4000000007 12\n12 30\n"));
  EXPECT_EQ(renumber(gaps), (numbers{12, 30, 4000000007}));
  EXPECT_EQ(gaps.src, (numbers{2, 0}));
  EXPECT_EQ(gaps.dst, (numbers{0, 1}));
}

}  // namespace
}  // namespace stg
