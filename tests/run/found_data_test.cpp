// test: draft data, sanitized readers
// Data sets over time as their publishers have them, read from these files, against arrays that another program made of
// the same files; and what PyG-T's loaders make of them, in numbers derived apart from this code.
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/events.hpp>             // read_events
#include <stg/data/npy.hpp>                // read_npy_as
#include <stg/data/search.hpp>             // find_dataset
#include <stg/data/table.hpp>              // read_table
#include <stg/data/temporal.hpp>           // read_graph_signal
#include <stg/data/windows.hpp>            // lagged, standardize, windows
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence

#include <gtest/gtest.h>  // TEST_F

#include <algorithm>  // equal
#include <cmath>      // floor
#include <cstdlib>    // system
#include <iostream>   // cerr
#include <string>     // string
#include <tuple>      // tuple
#include <vector>     // vector

namespace stg {
namespace {

class found : public testing::Test {
 protected:
  /// Looks for a data set; where it is not, a loud line, and false.
  bool is_here(const std::string& name) {
    const search_result result = find_dataset(name);
    folder_ = result.folder;
    if (!folder_.empty()) return true;
    std::cerr << "\n**** " << name << " IS NOT HERE: its reader is NOT tested. Looked for:\n";
    for (const std::string& place : result.places) std::cerr << "****   " << place << '\n';
    return false;
  }
  const std::string& folder() const { return folder_; }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  /// A file of the data set, as it is before it is compressed.
  std::string unpacked(const std::string& name) const {
    const std::string to = room_.file("unpacked");
    const int status = std::system(("gunzip -c '" + file(name) + "' > '" + to + "'").c_str());
    EXPECT_EQ(status, 0) << name;
    return to;
  }

 private:
  test::temporary_folder room_;
  std::string folder_;
};
#define STG_NEEDS(name) \
  if (!is_here(name)) GTEST_SKIP() << "set STG_DATA_DIR to the folder that holds " name "/"

/// Numbers of some arrays are floats, and so are all weights.
void expect_same(const tensor<double>& a, const tensor<double>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  const auto same = [](double x, double y) { return static_cast<float>(x) == static_cast<float>(y); };
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), same));
}
void expect_same(const snapshot_edges& a, const snapshot_edges& b) {
  EXPECT_EQ(a.src, b.src);
  EXPECT_EQ(a.dst, b.dst);
  ASSERT_EQ(a.weights.size(), b.weights.size());
  for (std::size_t e = 0; e < a.weights.size(); ++e)
    EXPECT_EQ(static_cast<float>(a.weights[e]), static_cast<float>(b.weights[e])) << e;
}
void expect_same(const changing_graph_signal& a, const changing_graph_signal& b) {
  EXPECT_EQ(a.vertices, b.vertices);
  ASSERT_EQ(a.edges.size(), b.edges.size());
  for (std::size_t t = 0; t < a.edges.size(); ++t) expect_same(a.edges[t], b.edges[t]);
  expect_same(a.signal, b.signal);
  expect_same(a.targets, b.targets);
}

/// All of a table, (rows, columns).
tensor<double> numbers_of(const text_table& table) {
  tensor<double> all({table.rows(), table.columns()});
  for (int c = 0; c < table.columns(); ++c) {
    const std::vector<double> column = table.numbers(c);
    for (std::int64_t r = 0; r < table.rows(); ++r) all(r, c) = column[static_cast<std::size_t>(r)];
  }
  return all;
}

TEST_F(found, chickenpox_is_pyg_temporals) {
  STG_NEEDS("chickenpox");
  const graph_signal d = read_graph_signal(file("raw/chickenpox.json"));
  EXPECT_EQ(d.vertices, 20);
  EXPECT_EQ(d.edges.size(), 102);
  EXPECT_EQ(d.edges.src[0], 0);
  EXPECT_EQ(d.edges.dst[0], 10);
  EXPECT_EQ(d.signal.shape(), dimensions({521, 20}));
  EXPECT_EQ(d.signal(0, 0), -0.0010813572438314102);
  EXPECT_EQ(d.signal(520, 19), 1.0037587824488714);
  const auto w = lagged(d.signal, 4);
  EXPECT_EQ(w.features.shape(), dimensions({517, 20, 4}));
  EXPECT_EQ(w.features(0, 19, 3), 1.2646726319362465);
  EXPECT_EQ(w.targets(0, 0), 0.7105655362755345);
}

TEST_F(found, pedalme_is_pyg_temporals_and_stgraphs) {
  STG_NEEDS("pedalme_london");
  const graph_signal d = read_graph_signal(file("raw/pedalme_london.json"));
  const graph_signal arrays = read_graph_signal_folder(folder());
  EXPECT_EQ(d.vertices, 15);
  EXPECT_EQ(d.edges.size(), 225);
  expect_same(d.edges, arrays.edges);
  expect_same(d.signal, arrays.signal);
  const auto w = lagged(d.signal, 4);
  EXPECT_EQ(w.features.shape(), dimensions({31, 15, 4}));
  EXPECT_EQ(w.features(0, 1, 0), 3.2126097988462643);
  EXPECT_EQ(w.targets(0, 14), -0.5271016693975246);
  const graph_signal other = read_graph_signal(file("raw/stgraph_pedalme.json"));
  EXPECT_EQ(other.signal.shape(), dimensions({36, 15}));
  EXPECT_EQ(other.edges.src, d.edges.src);
  EXPECT_EQ(other.edges.dst, d.edges.dst);
  EXPECT_EQ(other.signal(0, 0), 12);
  EXPECT_EQ(other.signal(0, 3), 1);
}

TEST_F(found, montevideo_is_pyg_temporals) {
  STG_NEEDS("montevideo_bus");
  graph_signal d = read_graph_signal(unpacked("raw/montevideo_bus.json.gz"));
  const graph_signal arrays = read_graph_signal_folder(folder());
  EXPECT_EQ(d.vertices, 675);
  expect_same(d.edges, arrays.edges);
  EXPECT_EQ(d.edges.weights[0], 172.2);
  expect_same(d.signal, arrays.signal);
  const auto by = standardization_of(d.signal);
  EXPECT_NEAR(by.mean(3), 0.11559139784946236, 1e-14);  // 86 passengers in 744 hours
  standardize(d.signal, by);
  const auto w = lagged(d.signal, 4);
  EXPECT_EQ(w.features.shape(), dimensions({740, 675, 4}));
  EXPECT_NEAR(w.targets(0, 0), -0.4199779862261963, 1e-13);
  EXPECT_NEAR(w.targets(0, 674), -0.051917413165116756, 1e-13);
}

TEST_F(found, england_covid_is_pyg_temporals) {
  STG_NEEDS("england_covid");
  changing_graph_signal d = read_changing_graph_signal(unpacked("raw/england_covid.json.gz"));
  expect_same(d, read_changing_graph_signal_folder(folder()));
  EXPECT_EQ(d.vertices, 129);
  EXPECT_EQ(d.edges.size(), 61u);
  standardize(d.signal, standardization_of(d.signal));
  const auto w = lagged(d.signal, 8);
  EXPECT_EQ(w.features.shape(), dimensions({53, 129, 8}));
  EXPECT_NEAR(w.features(0, 0, 0), -1.4697223019041896, 1e-9);  // PyG-T adds 1e-10 to deviations
  EXPECT_NEAR(w.targets(52, 128), -0.995425354700932, 1e-9);
  EXPECT_NEAR(w.targets(0, 128), 0.3729340061273915, 1e-9);
  auto graphs = graph_sequence::from_steps(d.vertices, d.edges, {.store = snapshot_store::changes});
  EXPECT_EQ(graphs.edges(), 82529);
  for (std::int64_t t = 0; t < graphs.steps(); ++t)
    EXPECT_EQ(graphs.at(t).edges(), d.edges[static_cast<std::size_t>(t)].size());
}

TEST_F(found, twitter_tennis_is_pyg_temporals) {
  for (const auto& [name, steps, edges] :
       {std::tuple("twitter_tennis_rg17", 120, 40839), std::tuple("twitter_tennis_uo17", 112, 43387)}) {
    SCOPED_TRACE(name);
    if (!is_here(name)) GTEST_SKIP() << "set STG_DATA_DIR to the folder that holds " << name << '/';
    const auto d = read_changing_graph_signal(unpacked(std::string("raw/") + name + ".json.gz"));
    expect_same(d, read_changing_graph_signal_folder(folder()));
    EXPECT_EQ(d.signal.shape(), dimensions({steps, 1000, 2}));
    EXPECT_EQ(graph_sequence::from_steps(d.vertices, d.edges).edges(), edges);
  }
}

TEST_F(found, metr_la_is_dcrnns_t_gcns_and_stgraphs) {
  STG_NEEDS("metr_la");
  const graph_signal d = read_graph_signal_folder(folder());
  EXPECT_EQ(d.vertices, 207);
  EXPECT_EQ(d.signal.shape(), dimensions({2016, 207}));
  EXPECT_EQ(d.edges.size(), 1722);
  EXPECT_EQ(edges_of_matrix(read_npy_as<double>(file("adj_dense.npy"))), d.edges);
  EXPECT_EQ(windows(d.signal, {.lags = 12, .horizon = 12}).targets.shape(), dimensions({1993, 207, 12}));

  const graph_signal stgraphs = read_graph_signal(unpacked("raw/stgraph_METRLA.json.gz"));
  EXPECT_EQ(stgraphs.edges.size(), 1722);
  expect_same(stgraphs.signal, read_npy_as<double>(file("stgraph_signal.npy")));
  EXPECT_EQ(stgraphs.signal(0, 0, 0), 64.375);

  const auto speeds = read_table(unpacked("raw/los_speed.csv.gz"));
  ASSERT_EQ(speeds.columns(), 207);
  expect_same(numbers_of(speeds), d.signal);
  const auto near = read_table(unpacked("raw/los_adj.csv.gz"), {.header = false});
  expect_same(edges_of_matrix(numbers_of(near)), edges_of_matrix(read_npy_as<double>(file("tgcn_adj_dense.npy"))));
}

/// Events of text, renumbered, are those of arrays, whose times are whole seconds.
void expect_same(event_list text, const event_list& arrays, const std::vector<std::int64_t>& names) {
  EXPECT_EQ(renumber(text), names);
  EXPECT_EQ(text.src, arrays.src);
  EXPECT_EQ(text.dst, arrays.dst);
  EXPECT_EQ(text.values, arrays.values);
  ASSERT_EQ(text.time.size(), arrays.time.size());
  for (std::size_t e = 0; e < text.time.size(); ++e) ASSERT_EQ(std::floor(text.time[e]), arrays.time[e]) << e;
}
std::vector<std::int64_t> names_of(const std::string& path) {
  const auto names = read_npy_as<std::int64_t>(path);
  return {names.begin(), names.end()};
}

TEST_F(found, events_are_snaps) {
  STG_NEEDS("collegemsg");
  const auto messages = read_events(unpacked("raw/CollegeMsg.txt.gz"));
  EXPECT_EQ(messages.src.size(), 59835u);
  expect_same(messages, read_events_npy(file("events.npy")), names_of(file("node_ids.npy")));
  STG_NEEDS("bitcoin_otc");
  const auto trust =
      read_events(unpacked("raw/soc-sign-bitcoinotc.csv.gz"), {.table = {}, .src = 0, .dst = 1, .time = 3, .value = 2});
  EXPECT_EQ(trust.src.size(), 35592u);
  expect_same(trust, read_events_npy(file("events.npy")), names_of(file("node_ids.npy")));
}

}  // namespace
}  // namespace stg

#undef STG_NEEDS
