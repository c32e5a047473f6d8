// test: draft data, sanitized readers
// Signals over graphs: every form of file that is read, and where each mistake is said to be.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/npy.hpp>       // write_npy
#include <stg/data/temporal.hpp>  // read_graph_signal

#include <gmock/gmock.h>  // ElementsAre
#include <gtest/gtest.h>  // TEST

#include <limits>  // numeric_limits
#include <string>  // string

namespace stg {
namespace {

using test::expect_error;
using testing::ElementsAre;

class signal_file : public testing::Test {
 protected:
  test::temporary_folder folder;
  graph_signal read(std::string_view text) { return read_graph_signal(folder.write("s.json", text)); }
  changing_graph_signal read_changing(std::string_view text) {
    return read_changing_graph_signal(folder.write("s.json", text));
  }
  void refuse(std::string_view text, std::initializer_list<std::string_view> parts) {
    const std::string path = folder.write("s.json", text);
    expect_error([&] { read_graph_signal(path); }, parts);
    expect_error([&] { read_graph_signal(path); }, {"stg: json " + path});
  }
  void refuse_changing(std::string_view text, std::initializer_list<std::string_view> parts) {
    const std::string path = folder.write("s.json", text);
    expect_error([&] { read_changing_graph_signal(path); }, parts);
    expect_error([&] { read_changing_graph_signal(path); }, {"stg: json " + path});
  }
};

template <class T> std::vector<T> numbers(const tensor<T>& t) { return {t.begin(), t.end()}; }

TEST_F(signal_file, has_steps_as_rows) {
  const auto d = read(R"({"edges": [[0, 1], [1, 1], [2, 0]], "node_ids": {"A": 0},
                          "FX": [[1, 2.5, -3], [4e-1, 5, 6]]})");
  EXPECT_EQ(d.vertices, 3);
  EXPECT_THAT(d.edges.src, ElementsAre(0, 1, 2));
  EXPECT_THAT(d.edges.dst, ElementsAre(1, 1, 0));
  EXPECT_TRUE(d.edges.weights.empty());
  EXPECT_EQ(d.signal.shape(), dimensions({2, 3}));
  EXPECT_THAT(numbers(d.signal), ElementsAre(1, 2.5, -3, 0.4, 5, 6));
  const auto weighted = read(R"({"X": [[1], [2]], "weights": [0.5], "edges": [[0.0, 0]]})");
  EXPECT_THAT(weighted.edges.weights, ElementsAre(0.5));
  EXPECT_THAT(numbers(weighted.signal), ElementsAre(1, 2));
  const auto features = read(R"({"edges": [], "weights": [], "block": [[[1, 2], [3, 4]]]})");
  EXPECT_EQ(features.signal.shape(), dimensions({1, 2, 2}));
  EXPECT_EQ(features.signal(0, 1, 0), 3);
}

TEST_F(signal_file, has_steps_as_fields) {
  const auto d = read(R"({"edges": [[0, 1]], "weights": [2], "time_periods": 2, "0": [1, 2], "1": [3, 4], "2": [9]})");
  EXPECT_THAT(numbers(d.signal), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(d.signal.shape(), dimensions({2, 2}));
  const auto traffic = read(R"({"edges": [[0, 1]], "time_periods": 1, "0": [[60.5, 0], [50, 0.25]]})");
  EXPECT_EQ(traffic.signal.shape(), dimensions({1, 2, 2}));
  EXPECT_EQ(traffic.signal(0, 1, 1), 0.25);
  const auto pages =
      read(R"({"edges": [[0, 1]], "time_periods": 2, "0": {"y": [1, 2], "day": 1}, "1": {"y": [3, 4]}})");
  EXPECT_THAT(numbers(pages.signal), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(read(R"({"edges": [], "time_periods": 0})").signal.shape(), dimensions({0, 0}));
}

TEST_F(signal_file, may_be_node_link_data) {
  const auto d = read(R"({"directed": true, "nodes": [{"id": 52, "y": [1, 2, 3]}, {"id": "52", "y": [4, 5, 6]}],
                          "links": [{"source": "52", "target": 52, "weight": 172.5}]})");
  EXPECT_EQ(d.vertices, 2);
  EXPECT_THAT(d.edges.src, ElementsAre(1)) << "vertices are numbered in the order of nodes";
  EXPECT_THAT(d.edges.dst, ElementsAre(0));
  EXPECT_THAT(d.edges.weights, ElementsAre(172.5));
  EXPECT_EQ(d.signal.shape(), dimensions({3, 2}));
  EXPECT_THAT(numbers(d.signal), ElementsAre(1, 4, 2, 5, 3, 6)) << "time comes first, whatever the file has";
}

TEST_F(signal_file, may_have_edges_that_change) {
  const auto d = read_changing(R"({"edge_mapping": {"edge_index": {"1": [[0, 1], [1, 0]], "0": [[1, 1]]},
    "edge_weight": {"0": [7], "1": [8, 9]}}, "time_periods": 2, "y": [[1, 2], [3, 4]]})");
  ASSERT_EQ(d.edges.size(), 2u);
  EXPECT_EQ(d.edges[0], (snapshot_edges{{1}, {1}, {7}}));
  EXPECT_EQ(d.edges[1], (snapshot_edges{{0, 1}, {1, 0}, {8, 9}}));
  EXPECT_THAT(numbers(d.signal), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(d.targets.size(), 0);

  const auto tennis = read_changing(R"({"time_periods": 2, "node_ids": {},
    "0": {"index": 0, "edges": [[0, 1]], "weights": [2], "y": [5, 6], "X": [[1, 2], [3, 4]]},
    "1": {"index": 1, "edges": [], "weights": [], "y": [7, 8], "X": [[5, 6], [7, 8]]}})");
  EXPECT_EQ(tennis.signal.shape(), dimensions({2, 2, 2}));
  EXPECT_EQ(tennis.targets.shape(), dimensions({2, 2}));
  EXPECT_EQ(tennis.targets(1, 0), 7);
  EXPECT_EQ(tennis.edges[0], (snapshot_edges{{0}, {1}, {2}}));
  EXPECT_EQ(tennis.edges[1].size(), 0);
}

TEST_F(signal_file, says_where_a_mistake_is) {
  refuse(R"({"edges": [[0, 1]], "X": [[1, 2], [3, NaN]]})", {"offset 38", "no JSON", "NaN"});
  refuse("", {"offset 0", "no JSON"});
  refuse("{\"edges\": [", {"no JSON"});
  refuse("[1]", {"offset 0", "is an array; expected an object"});
  refuse("\x1f\x8b\x08", {"packed"});
  refuse("\xff\xfe{", {"UTF-16"});
  refuse(R"({"edges": [[0, 1]], "X": [[1, 2], [3, "4"]]})",
         {"offset 40 field X step 1 vertex 1", "a text", "a number"});
  refuse(R"({"edges": [[0, 1]], "X": [[1, 2], [3]]})", {"field X step 1", "1 vertices; expected 2"});
  refuse(R"({"edges": [[0, 1]], "X": [[[1], [2]], [[3], [4, 5]]]})",
         {"field X step 1 vertex 1", "2 features; expected 1"});
  refuse(R"({"edges": [[0, 2]], "X": [[1, 2]]})", {"field edges", "edge 0, 0 -> 2", "2 vertices"});
  refuse(R"({"edges": [[0, -1]], "X": [[1, 2]]})", {"edge 0, 0 -> -1"});
  refuse(R"({"edges": [[0, 1, 2]], "X": [[1, 2]]})", {"field edges edge 0", "3 numbers"});
  refuse(R"({"edges": [[0, 0.5]], "X": [[1, 2]]})", {"offset 15 field edges edge 0", "an integer of 64 bits"});
  refuse("17", {"offset 0 is an integer; expected an object"});
  refuse(R"({"edges": [[0, 18446744073709551615]], "X": [[1]]})", {"field edges edge 0", "an integer of 64 bits"});
  refuse(R"({"edges": [[0, 1]], "weights": [1, 2], "X": [[1, 2]]})", {"field weights", "2 numbers for 1 edges"});
  refuse(R"({"edges": [[0, 1]], "weights": [null], "X": [[1, 2]]})", {"field weights edge 0", "null"});
  refuse(R"({"edges": [], "edges": [], "X": []})", {"\"edges\" twice"});
  refuse(R"({"edges": []})", {"none of the forms"});
  refuse(R"({"edges": [], "time_periods": 2, "0": [1]})", {"field 1 is missing"});
  refuse(R"({"edges": [], "time_periods": -1})", {"field time_periods", "0 or more"});
  refuse(R"({"edges": [], "X": [[1e999]]})", {"no JSON"});
  refuse(R"({"nodes": [{"id": 1, "y": [1]}, {"id": 1, "y": [1]}], "links": []})",
         {"nodes vertex 1 id", "another vertex"});
  refuse(R"({"nodes": [{"id": 1, "y": [1]}, {"id": 2, "y": []}], "links": []})", {"vertex 1 y", "0 steps; expected 1"});
  refuse(R"({"nodes": [{"id": 1, "y": [1]}], "links": [{"source": 1, "target": 3}]})",
         {"links edge 0 target", "no vertex"});
  refuse(R"({"nodes": [{"id": 1, "y": [1]}],
    "links": [{"source": 1, "target": 1, "weight": 1}, {"source": 1, "target": 1}]})",
         {"links edge 1", "no weight"});
  refuse(R"({"nodes": [{"id": 1}], "links": []})", {"nodes vertex 0 y is missing"});
  refuse(R"({"edge_mapping": {}})", {"read_changing_graph_signal"});
  refuse(R"({"time_periods": 1, "0": {}})", {"read_changing_graph_signal"});
}

TEST_F(signal_file, of_a_changing_graph_says_where_a_mistake_is) {
  refuse_changing(R"({"edges": [], "time_periods": 0})", {"read_graph_signal"});
  refuse_changing("{}", {"none of the forms"});
  refuse_changing(R"({"time_periods": 1, "0": {"edges": [[0, 5]], "X": [1], "y": [1]}})",
                  {"field edges step 0", "edge 0, 0 -> 5"});
  refuse_changing(R"({"time_periods": 1, "0": {"edges": [], "X": [1], "y": [1, 2]}})",
                  {"field y step 0", "2 vertices; expected 1"});
  refuse_changing(R"({"time_periods": 1, "0": {"edges": [], "X": [1], "y": [[1]]}})", {"field y", "features"});
  refuse_changing(R"({"edge_mapping": {"edge_index": {"0": []}}, "time_periods": 2, "y": [[1], [2]]})",
                  {"field edge_index 1 is missing"});
  refuse_changing(R"({"edge_mapping": {"edge_index": {"0": []}}, "time_periods": 2, "y": [[1]]})",
                  {"field y has 1 steps; expected 2"});
  refuse_changing(
      R"({"edge_mapping": {"edge_index": {"0": [[0, 0]]}, "edge_weight": {"0": []}}, "time_periods": 1, "y": [[1]]})",
      {"field edge_weight step 0", "0 numbers for 1 edges"});
  expect_error([&] { read_changing_graph_signal(folder.file("none.json")); }, {"none.json", "missing"});
}

TEST_F(signal_file, may_be_a_folder_of_arrays) {
  const auto write = [&](const std::string& name, const auto& t) { write_npy(folder.file(name + ".npy"), t); };
  write("edges", tensor<std::int32_t>::from({2, 3}, {0, 1, 2, 1, 1, 0}));
  write("weights", tensor<float>::from({3}, {1, 0.5f, 2}));
  const auto network = read_graph_signal_folder(folder.path());
  EXPECT_EQ(network.vertices, 3) << "without a signal, those that edges name";
  EXPECT_EQ(network.signal.shape(), dimensions({0, 3}));
  write("speed", tensor<float>::from({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}));
  const auto d = read_graph_signal_folder(folder.path());
  EXPECT_EQ(d.vertices, 4);
  EXPECT_EQ(d.edges, (snapshot_edges{{0, 1, 2}, {1, 1, 0}, {1, 0.5, 2}}));
  EXPECT_EQ(d.signal(1, 2), 7);
  const auto refuse_folder = [&](std::initializer_list<std::string_view> parts) {
    expect_error([&] { read_graph_signal_folder(folder.path()); }, parts);
  };
  write("signal", tensor<float>({1, 4}));
  refuse_folder({"speed.npy", "beside signal.npy"});
  std::filesystem::remove(folder.file("signal.npy"));
  write("weights", tensor<float>({2}));
  refuse_folder({"weights.npy", "(2,)", "(3,), one per edge"});
  write("weights", tensor<float>::from({3}, {1, 2, std::numeric_limits<float>::quiet_NaN()}));
  refuse_folder({"weights.npy", "edge 2, 2 -> 0, weighs nan"});
  write("weights", tensor<float>({3}));
  write("edges", tensor<std::int32_t>::from({2, 3}, {0, 1, 4, 1, 1, 0}));
  refuse_folder({"edges.npy", "edge 2, 4 -> 0", "4 vertices"});
  write("edges", tensor<std::int32_t>({3, 2}));
  refuse_folder({"edges.npy", "(2, edges)"});
  write("speed", tensor<float>({4}));
  write("edges", tensor<std::int32_t>({2, 3}));
  refuse_folder({"speed.npy", "(steps, vertices)"});
  std::filesystem::remove(folder.file("edges.npy"));
  refuse_folder({"no edges"});
  write("adj_mat", tensor<float>::from({2, 2}, {1, 0, 0.5f, 0}));
  write("speed", tensor<float>({1, 3}));
  refuse_folder({"3 vertices; expected 2"});
  write("speed", tensor<float>({1, 2, 5}));
  const auto dense = read_graph_signal_folder(folder.path());
  EXPECT_EQ(dense.edges, (snapshot_edges{{0, 1}, {0, 0}, {1, 0.5}})) << "row by row, source first";
  EXPECT_EQ(dense.signal.rank(), 3);
  expect_error([&] { read_graph_signal_folder(folder.file("none")); }, {"none is no folder"});
  expect_error([] { edges_of_matrix(tensor<double>({2, 3})); }, {"(2, 3)", "(vertices, vertices)"});
}

TEST_F(signal_file, has_no_vertex_behind_the_largest_number) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  write_npy(folder.file("edges.npy"), tensor<std::int64_t>::from({2, 1}, {0, most}));
  expect_error([&] { read_graph_signal_folder(folder.path()); }, {"edges.npy", "edge 0, 0 -> 9223372036854775807"});
}

TEST_F(signal_file, may_be_a_folder_of_snapshots) {
  const auto write = [&](const std::string& name, const auto& t) { write_npy(folder.file(name + ".npy"), t); };
  write("edges", tensor<std::int32_t>::from({2, 3}, {0, 1, 1, 1, 1, 0}));
  write("signal", tensor<double>::from({3, 2}, {1, 2, 3, 4, 5, 6}));
  write("snap_ptr", tensor<std::int32_t>::from({4}, {0, 1, 1, 3}));
  write("target", tensor<float>({3, 2}));
  const auto d = read_changing_graph_signal_folder(folder.path());
  ASSERT_EQ(d.edges.size(), 3u);
  EXPECT_EQ(d.edges[0], (snapshot_edges{{0}, {1}, {}}));
  EXPECT_EQ(d.edges[1].size(), 0);
  EXPECT_EQ(d.edges[2], (snapshot_edges{{1, 1}, {1, 0}, {}}));
  EXPECT_EQ(d.targets.shape(), dimensions({3, 2}));
  const auto refuse_folder = [&](std::initializer_list<std::string_view> parts) {
    expect_error([&] { read_changing_graph_signal_folder(folder.path()); }, parts);
  };
  write("target", tensor<float>({2, 2}));
  refuse_folder({"target.npy", "(2, 2)", "(3, 2)"});
  for (const auto& wrong :
       {tensor<std::int32_t>::from({4}, {0, 2, 1, 3}), tensor<std::int32_t>::from({4}, {1, 1, 1, 3}),
        tensor<std::int32_t>::from({4}, {0, 1, 4, 3})}) {
    write("snap_ptr", wrong);
    refuse_folder({"snap_ptr.npy element", "ascend from 0"});
  }
  write("snap_ptr", tensor<std::int32_t>::from({4}, {0, 1, 1, 2}));
  refuse_folder({"snap_ptr.npy element 3 is 2", "expected 3"});
  write("snap_ptr", tensor<std::int32_t>::from({3}, {0, 1, 3}));
  refuse_folder({"snap_ptr.npy", "(3,)", "(4,)"});
}

}  // namespace
}  // namespace stg
