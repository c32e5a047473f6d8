// test: draft io, sanitized readers
// OGB's folders and PyG's files of one archive, as pandas, SciPy and NumPy wrote them, and what is wrong with changed
// ones.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/node_classification_npz.hpp>  // read_node_classification_npz
#include <stg/data/ogb.hpp>                      // read_ogb, read_ogb_kinds

#include <gtest/gtest.h>  // TEST

#include <algorithm>   // equal
#include <cmath>       // isnan
#include <filesystem>  // copy

namespace stg {
namespace {

using test::expect_error;
using ends = std::vector<std::int32_t>;

std::string of_peer(const std::string& name) { return STG_PEER_FILES "/" + name; }
template <class T> std::vector<T> listed(const tensor<T>& t) { return std::vector<T>(t.begin(), t.end()); }

TEST(ogb, folder_of_one_graph_is_read_as_ogb_reads_it) {
  const auto data = read_ogb(of_peer("ogb_one"), {.add_inverse_edges = true});
  EXPECT_EQ(data.graph().edge_list(), (edge_list{{0, 1, 2, 0}, {1, 0, 0, 2}}));
  EXPECT_EQ(data.set().edge_offsets, (std::vector<std::int64_t>{0, 4}));
  EXPECT_EQ(listed(data.graph().to_input_order(data.edge_values<float>("edge-feat"))),
            (std::vector<float>{7, 7, 8, 8}));
  EXPECT_EQ(listed(data.vertex_values<float>("node-feat")), (std::vector<float>{0.5, 1, -2, 3, 4, 5}));
  EXPECT_EQ(listed(data.vertex_values<std::int64_t>("node_year")), (std::vector<std::int64_t>{2001, 2002, 2003}));
  EXPECT_EQ(listed(data.labels<std::int64_t>()), (std::vector<std::int64_t>{1, 0, 4}));
  EXPECT_EQ(data.splits(), std::vector<std::string>{"time"});
  EXPECT_EQ(data.split("time").valid.item(), 2);
  EXPECT_EQ(read_ogb(of_peer("ogb_one")).graph().edge_list(), (edge_list{{0, 2}, {1, 0}}));
}

TEST(ogb, folder_of_many_graphs_has_them_side_by_side) {
  const auto data = read_ogb(of_peer("ogb_many"));
  EXPECT_EQ(data.graph().edge_list(), (edge_list{{0, 1, 4}, {1, 2, 3}}));
  EXPECT_EQ(data.set().vertex_offsets, (std::vector<std::int64_t>{0, 3, 5}));
  EXPECT_EQ(data.set().edge_offsets, (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(listed(data.set().graph_of), (ends{0, 0, 0, 1, 1}));
  const auto labels = data.labels<float>();
  EXPECT_TRUE(labels(0, 0) == 1 && std::isnan(labels(0, 1)) && labels(1, 1) == 1);
  expect_error([&] { data.labels<std::int64_t>(); }, {"graph-label.csv.gz line 1 has \"\"; expected an integer"});
}

TEST(ogb, folder_of_several_kinds_has_its_relations) {
  const auto data = read_ogb_kinds(of_peer("ogb_kinds"));
  EXPECT_EQ(data.graph().vertex_sets(), (std::vector<std::string>{"author", "paper"}));
  EXPECT_EQ(data.graph().relation("writes").edge_list(), (edge_list{{0, 1}, {2, 0}}));
  EXPECT_EQ(data.graph().relation("cites").edge_list(), (edge_list{{2}, {1}}));
  const auto types = data.edge_values<std::int64_t>("writes", "edge_reltype");
  EXPECT_EQ(listed(data.graph().relation("writes").to_input_order(types)), (std::vector<std::int64_t>{5, 6}));
  EXPECT_EQ(listed(data.vertex_values<float>("paper", "node-feat")), (std::vector<float>{1.5, 2.5, 3.5}));
  EXPECT_EQ(data.labels<std::int64_t>("paper")(1, 0), 2);
  EXPECT_EQ(listed(data.split("time", "paper").train), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(data.split("time", "paper").test.size(), 0);
  expect_error([&] { data.vertex_values<float>("venue", "node-feat"); }, {"venue"});
  expect_error([&] { read_ogb(of_peer("ogb_kinds")); }, {"has several kinds of vertices; read it by read_ogb_kinds"});
  expect_error([&] { read_ogb_kinds(of_peer("ogb_one")); }, {"has one kind of vertices; read it by read_ogb"});
}

TEST(ogb, folder_of_archives_is_read) {
  const auto data = read_ogb(of_peer("ogb_binary"));
  EXPECT_EQ(data.graph().edge_list(), (edge_list{{0, 2}, {1, 0}}));
  EXPECT_EQ(listed(data.vertex_values<float>("node-feat")), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(data.vertex_values<std::int64_t>("node_year").shape(), (dimensions{3, 1}));
  EXPECT_TRUE(std::isnan(data.labels<float>()(1, 0)));
}

TEST(ogb, mistakes_name_the_file) {
  const test::temporary_folder folder;
  std::filesystem::copy(of_peer("ogb_one"), folder.file("d"), std::filesystem::copy_options::recursive);
  const std::string d = folder.file("d");
  const auto data = read_ogb(d);
  expect_error([&] { data.vertex_values<float>("node-species"); }, {"raw/node-species.csv.gz is missing"});
  expect_error([&] { data.vertex_values<float>("edge-feat"); },
               {"\"edge-feat\" has 2 rows; expected 3, one for each vertex"});
  expect_error([&] { data.split("random"); }, {"has no split \"random\"; it has \"time\""});
  expect_error([&] { read_ogb(folder.path()); }, {"has no folder raw"});
  folder.write("d/raw/num-node-list.csv", "2\n");  // a plain text goes before a packed one
  expect_error([&] { read_ogb(d); }, {"has edge 1 of graph 0 to vertex 2; expected one of its 2 vertices"});
  folder.write("d/raw/num-node-list.csv", "-1\n");
  expect_error([&] { read_ogb(d); }, {"says that graph 0 has -1 vertices"});
  folder.write("d/raw/num-node-list.csv", "922335808\n");  // takes no memory
  expect_error([&] { read_ogb(d); }, {"says that it has 922335808 vertices, and has", "bytes in raw"});
  folder.write("d/raw/num-node-list.csv", "3\n");
  folder.write("d/raw/edge.csv", "0,1\n2,x\n");
  expect_error([&] { read_ogb(d); }, {"edge.csv line 2 has \"x\"; expected an integer of 64 bits"});
  folder.write("d/raw/edge.csv", "0,1\n2\n");
  expect_error([&] { read_ogb(d); }, {"edge.csv line 2 has 1 columns; expected 2 as in the first line"});
  folder.write("d/split/time/valid.csv", "1\n3\n");
  expect_error([&] { data.split("time"); }, {"valid.csv row 2 is 3; expected one of 3 vertices"});
  std::filesystem::remove(d + "/split/time/train.csv.gz");
  folder.write("d/split/time/split_dict.pt", "");
  expect_error([&] { data.split("time"); }, {"saved by PyTorch", "python3 -c", "torch.load", "savetxt"});
}

TEST(ogb, vertices_of_a_set_take_no_memory_that_its_files_do_not_fill) {
  const test::temporary_folder folder;
  std::filesystem::copy(of_peer("ogb_kinds"), folder.file("d"), std::filesystem::copy_options::recursive);
  const auto refused = [&](const std::string& counts) {
    folder.write("d/raw/num-node-dict.csv", "author,paper\n" + counts + "\n");
    expect_error([&] { read_ogb_kinds(folder.file("d")); },
                 {"says that it has ", " vertices, and has", "bytes in raw"});
  };
  refused("922335808,3");
  refused("4194304,4194304");
  refused("3,9223372036854775807");
}

TEST(node_classification_npz, of_gnn_benchmark_is_what_pyg_makes_of_it) {
  const auto data = read_node_classification_npz(of_peer("benchmark.npz"));
  EXPECT_EQ(data.name, "benchmark");
  EXPECT_EQ(data.graph.edge_list(), (edge_list{{0, 0, 1, 1, 2, 2}, {1, 2, 0, 2, 0, 1}}));
  EXPECT_EQ(listed(data.features), (std::vector<float>{0, 1, 0, 1, 0, 0, 0, 0, -1, 0, 1, 0}));
  EXPECT_EQ(listed(data.labels), (ends{1, 0, 2}));
  EXPECT_EQ(data.classes, 3);
  EXPECT_EQ(listed(data.train), (std::vector<bool>{false, false, false}));
  const auto plain = read_node_classification_npz(of_peer("benchmark.npz"), {.undirected = false, .binary = false});
  EXPECT_EQ(plain.graph.edge_list(), (edge_list{{0, 1, 2}, {1, 2, 0}}));
  EXPECT_EQ(plain.features(0, 1), 2.5f);
}

TEST(node_classification_npz, of_heterophilous_graphs_has_its_splits) {
  const auto data = read_node_classification_npz(of_peer("heterophilous.npz"), {.split = 1});
  EXPECT_EQ(data.graph.edge_list(), (edge_list{{0, 1, 1, 2, 2, 3}, {1, 0, 2, 1, 3, 2}}));
  EXPECT_EQ(listed(data.labels), (ends{0, 1, 1, 0}));
  EXPECT_EQ(listed(data.train), (std::vector<bool>{false, true, false, false}));
  EXPECT_EQ(listed(data.test), (std::vector<bool>{false, false, false, true}));
  EXPECT_EQ(data.features(3, 1), 7.0f);
  expect_error([] { read_node_classification_npz(of_peer("heterophilous.npz"), {.split = 2}); },
               {"train_masks\" has 2 splits and none of the number 2"});
  expect_error([] { read_node_classification_npz(of_peer("unnamed.npz")); }, {"neither adj_indptr nor node_features"});
}

TEST(node_classification_npz, arrays_that_contradict_each_other_are_refused) {
  const test::temporary_folder folder;
  const auto with = [&](std::int64_t offset, std::int64_t column, std::int64_t columns, std::int32_t label,
                        const npz_dataset_options& how = {}) {
    const auto indptr = tensor<std::int64_t>::from({3}, {0, offset, 2}),
               indices = tensor<std::int64_t>::from({2}, {1, column});
    const auto shape = tensor<std::int64_t>::from({2}, {2, columns}), square = tensor<std::int64_t>::from({2}, {2, 2});
    const auto data = tensor<float>::full({2}, 1);
    const auto labels = tensor<std::int32_t>::from({2}, {0, label});
    const auto path = folder.file("a.npz");
    write_npz(path, {{"adj_indptr", indptr},
                     {"adj_indices", indices},
                     {"adj_shape", square},
                     {"adj_data", data},
                     {"attr_indptr", indptr},
                     {"attr_indices", indices},
                     {"attr_shape", shape},
                     {"attr_data", data},
                     {"labels", labels}});
    return read_node_classification_npz(path, how);
  };
  EXPECT_EQ(with(1, 0, 2, 1).graph.edges(), 2);
  EXPECT_EQ(with(2, 1, 2, 1, {.binary = false}).features(0, 1), 2.0f) << "of an entry that is there twice, SciPy's sum";
  expect_error([&] { with(3, 0, 2, 1); }, {"adj_indptr\" index 2 is 2; expected numbers that ascend"});
  expect_error([&] { with(1, 2, 2, 1); }, {"adj_indices\" index 1 is 2; expected a column in [0, 2)"});
  expect_error([&] { with(1, 0, 2, -1); }, {"labels\" index 1 is -1; expected a class"});
  expect_error([&] { with(1, 0, std::int64_t{1} << 40, 1); }, {"attr_shape\" makes features of", "give .limits"});
}

}  // namespace
}  // namespace stg
