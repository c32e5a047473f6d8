// test: draft io, sanitized readers
// Packed files of every reader, cut at every byte and with each byte changed: checksums find it, or nothing is lost.
#include "support/cut_files.hpp"  // check_damaged

#include <stg/data/edge_list.hpp>                // read_edge_list
#include <stg/data/node_classification_npz.hpp>  // read_node_classification_npz
#include <stg/data/npz.hpp>                      // read_npz, write_npz
#include <stg/data/ogb.hpp>                      // read_ogb, read_ogb_kinds
#include <stg/data/table.hpp>                    // read_table
#include <stg/data/temporal.hpp>                 // read_graph_signal

#include <gtest/gtest.h>  // TEST

#include <cstdint>     // int64_t
#include <filesystem>  // copy
#include <string>      // string
#include <vector>      // vector

namespace stg {
namespace {

using test::good_files, test::knows, test::lines_of, test::temporary_folder, test::text_of;
using wide = std::int64_t;

auto of_peer(const std::string& name) {
  return [name](const temporary_folder& folder) {
    std::filesystem::copy(STG_PEER_FILES "/" + name, folder.file(name), std::filesystem::copy_options::recursive);
  };
}
auto of_arrays(bool deflated) {
  return [deflated](const temporary_folder& folder) {
    write_npz(folder.file("a.npz"),
              {{"x", tensor<float>::from({2, 3}, {0.5, 1, -2, 3, 4, 5})}, {"y", tensor<wide>::from({2}, {7, 8})}},
              deflated);
  };
}
std::string text_of_arrays(const std::string& in) {
  const npz_file file = read_npz(in + "/a.npz");
  return text_of(file.names()) + text_of(file.array<float>("x")) + text_of(file.array_as<double>("y"));
}
std::string text_of(const edge_list& edges) { return lines_of(edges.src, edges.dst); }
std::string text_of(const ogb_split& split) {
  return test::text_of(split.train) + test::text_of(split.valid) + test::text_of(split.test);
}
std::string text_of(const node_classification& d) {
  return text_of(d.graph.edge_list()) + test::text_of(d.features) + test::text_of(d.labels) + test::text_of(d.train) +
         test::text_of(d.val) + std::to_string(d.classes);
}

const std::vector<good_files> all = {
    {"read_npz of stored arrays", knows::its_sum, of_arrays(false), text_of_arrays},
    {"read_npz of deflated arrays", knows::its_sum, of_arrays(true), text_of_arrays},
    {"read_npz of NumPy's archive", knows::its_sum, of_peer("unnamed.npz"),
     [](const std::string& in) {
       const npz_file file = read_npz(in + "/unnamed.npz");
       return text_of(file.names()) + text_of(file.array_as<double>("arr_0")) + text_of(file.array<float>("arr_1"));
     }},
    {"read_node_classification_npz of gnn-benchmark", knows::its_sum, of_peer("benchmark.npz"),
     [](const std::string& in) { return text_of(read_node_classification_npz(in + "/benchmark.npz")); }},
    {"read_node_classification_npz of a heterophilous graph", knows::its_sum, of_peer("heterophilous.npz"),
     [](const std::string& in) { return text_of(read_node_classification_npz(in + "/heterophilous.npz")); }},
    {"read_edge_list of two parts", knows::its_lines, of_peer("edges.csv.gz"),
     [](const std::string& in) {
       const edge_list_text e = read_edge_list(in + "/edges.csv.gz");
       return lines_of(e.src, e.dst);
     }},
    {"read_table", knows::its_sum, of_peer("events.txt.gz"),
     [](const std::string& in) {
       const text_table t = read_table(in + "/events.txt.gz", {.separator = ' ', .header = false});
       return lines_of(t.integers(0), t.integers(1), t.numbers(2));
     }},
    {"read_graph_signal", knows::its_sum, of_peer("signal.json.gz"),
     [](const std::string& in) { return text_of(read_graph_signal(in + "/signal.json.gz").signal); }},
    {"read_ogb of one graph", knows::its_sum, of_peer("ogb_one"),
     [](const std::string& in) {
       const ogb_dataset d = read_ogb(in + "/ogb_one");
       return text_of(d.graph().edge_list()) + text_of(d.vertex_values<float>("node-feat")) +
              text_of(d.vertex_values<wide>("node_year")) + text_of(d.labels<wide>()) +
              text_of(d.graph().to_input_order(d.edge_values<float>("edge-feat"))) + text_of(d.split("time"));
     }},
    {"read_ogb of many graphs", knows::its_sum, of_peer("ogb_many"),
     [](const std::string& in) {
       const ogb_dataset d = read_ogb(in + "/ogb_many");
       return text_of(d.graph().edge_list()) + text_of(d.set().vertex_offsets) + text_of(d.set().edge_offsets) +
              text_of(d.labels<float>());
     }},
    {"read_ogb of archives", knows::its_sum, of_peer("ogb_binary"),
     [](const std::string& in) {
       const ogb_dataset d = read_ogb(in + "/ogb_binary");
       return text_of(d.graph().edge_list()) + text_of(d.vertex_values<float>("node-feat")) +
              text_of(d.vertex_values<wide>("node_year")) + text_of(d.labels<float>());
     }},
    {"read_ogb_kinds", knows::its_sum, of_peer("ogb_kinds"),
     [](const std::string& in) {
       const ogb_kinds_dataset d = read_ogb_kinds(in + "/ogb_kinds");
       return text_of(d.graph().relation("writes").edge_list()) + text_of(d.graph().relation("cites").edge_list()) +
              text_of(d.vertex_values<float>("paper", "node-feat")) + text_of(d.labels<wide>("paper")) +
              text_of(d.graph().relation("writes").to_input_order(d.edge_values<wide>("writes", "edge_reltype"))) +
              text_of(d.split("time", "paper"));
     }},
};

TEST(damaged_files, that_are_packed_are_refused) {
  for (const good_files& good : all) {
    SCOPED_TRACE(good.reader);
    test::check_damaged(good);
  }
}

}  // namespace
}  // namespace stg
