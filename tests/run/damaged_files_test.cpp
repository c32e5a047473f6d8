// test: draft data, sanitized readers
// Good files of every reader, cut at every byte and with each byte changed.
#include "support/cut_files.hpp"  // check_damaged

#include <stg/data/dataset.hpp>         // read_node_classification
#include <stg/data/edge_list.hpp>       // read_edge_list
#include <stg/data/events.hpp>          // read_events, read_events_npy
#include <stg/data/graphs_folder.hpp>   // read_graphs, write_graphs
#include <stg/data/matrix_market.hpp>   // write_matrix_market
#include <stg/data/named_vertices.hpp>  // read_named_edge_list, read_events_ndjson
#include <stg/data/node_link.hpp>       // read_node_link, write_node_link
#include <stg/data/npy.hpp>             // map_npy, read_npy, write_npy
#include <stg/data/safetensors.hpp>     // safetensors_file, safetensors_writer
#include <stg/data/table.hpp>           // read_table
#include <stg/data/temporal.hpp>        // read_graph_signal
#include <stg/data/tu.hpp>              // read_tu

#include <gtest/gtest.h>  // TEST

#include <cstdint>     // int32_t, int64_t
#include <filesystem>  // create_directory
#include <string>      // string
#include <vector>      // vector

namespace stg {
namespace {

using test::good_files, test::knows, test::lines_of, test::temporary_folder, test::text_of;

using texts = std::vector<std::pair<std::string, std::string>>;
auto of_texts(const texts& files) {
  return [files](const temporary_folder& folder) {
    for (const auto& [name, text] : files) {
      std::filesystem::create_directories(std::filesystem::path(folder.file(name)).parent_path());
      folder.write(name, text);
    }
  };
}
template <class T> auto an_array(const std::string& name, const dimensions& shape, const std::vector<T>& values) {
  return [=](const temporary_folder& folder) { write_npy(folder.file(name), tensor<T>::from(shape, values)); };
}
template <class... Write> auto all(Write... write) {
  return [=](const temporary_folder& folder) { (write(folder), ...); };
}
using wide = std::int64_t;
using narrow = std::int32_t;

std::string text_of(const edge_list& edges) { return lines_of(edges.src, edges.dst); }
std::string text_of(const snapshot_edges& edges) { return lines_of(edges.src, edges.dst, edges.weights); }
std::string text_of(const edge_list_text& e) { return lines_of(e.src, e.dst, e.weights); }
std::string text_of(const event_list& e) { return lines_of(e.src, e.dst, e.time, e.values); }
std::string text_of(const graph_signal& d) {
  return std::to_string(d.vertices) + '\n' + text_of(d.edges) + text_of(d.signal);
}
std::string text_of(const changing_graph_signal& d) {
  std::string text = std::to_string(d.vertices) + '\n' + text_of(d.signal) + text_of(d.targets);
  for (const snapshot_edges& edges : d.edges) text += text_of(edges) + "\n";
  return text;
}

const std::vector<good_files> of_arrays = {
    {"read_npy<float>", knows::its_end, an_array<float>("a.npy", {2, 3}, {0.5, 1, -2, 3, 4, 5}),
     [](const std::string& in) { return text_of(read_npy<float>(in + "/a.npy")); }},
    {"read_npy<bool>", knows::its_end,
     [](const temporary_folder& folder) {
       write_npy(folder.file("a.npy"), tensor<bool>::from({3}, {true, false, true}));
     },
     [](const std::string& in) { return text_of(read_npy<bool>(in + "/a.npy")); }},
    {"read_npy_as<double>", knows::its_end, an_array<wide>("a.npy", {2, 2}, {7, -8, 9, 10}),
     [](const std::string& in) { return text_of(read_npy_as<double>(in + "/a.npy")); }},
    {"map_npy", knows::its_end, an_array<narrow>("a.npy", {4}, {7, -8, 9, 10}),
     [](const std::string& in) { return text_of(map_npy<narrow>(in + "/a.npy")); }},
    {"safetensors_file", knows::its_end,
     [](const temporary_folder& folder) {
       safetensors_writer file(folder.file("a.safetensors"));
       file.write("W", tensor<float>::from({2, 2}, {1, 2, 3, 4}));
       file.write("mask", tensor<bool>::from({3}, {true, false, true}));
       file.write(metadata{{{"epoch", "12"}}});
       file.put_in_place();
     },
     [](const std::string& in) {
       const safetensors_file file(in + "/a.safetensors");
       std::string text;
       for (const auto& [name, value] : file.metadata().texts) text += name + " is " + value + "\n";
       for (const safetensors_entry& t : file.tensors()) {
         text += t.name + " " + std::string(name_of(t.type)) + " " + text_of(t.shape);
         text += text_of(file.read_as<double>(t.name));
       }
       return text;
     }},
    {"read_events_npy", knows::its_end, an_array<double>("events.npy", {2, 4}, {0, 1, 5, 0.5, 2, 0, 6, 1}),
     [](const std::string& in) { return text_of(read_events_npy(in + "/events.npy")); }},
};

const std::vector<good_files> of_text = {
    {"read_edge_list", knows::its_lines, of_texts({{"edges.txt", "# src dst weight\n10 21 0.75\n0 1 12\n21 3 25\n"}}),
     [](const std::string& in) { return text_of(read_edge_list(in + "/edges.txt")); }},
    {"read_edge_list of commas", knows::its_lines, of_texts({{"edges.csv", "10,21\r\n0,1\r\n21,13"}}),
     [](const std::string& in) { return text_of(read_edge_list(in + "/edges.csv")); }},
    {"read_edge_list of a symmetric matrix", knows::its_end,
     of_texts({{"m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 0.5\n3 3 4\n"}}),
     [](const std::string& in) { return text_of(read_edge_list(in + "/m.mtx")); }},
    {"read_edge_list of write_matrix_market", knows::its_end,
     [](const temporary_folder& folder) {
       write_matrix_market(folder.file("m.mtx"), graph::from_edges(12, {0, 11, 3}, {1, 0, 4}));
     },
     [](const std::string& in) {
       const edge_list_text e = read_edge_list(in + "/m.mtx");
       return std::to_string(e.vertices()) + "\n" + text_of(e);
     }},
    {"read_named_edge_list", knows::its_lines, of_texts({{"edges.txt", "ann bob 2\nbob cyd 1.5\ncyd ann 31\n"}}),
     [](const std::string& in) {
       const named_edges e = read_named_edge_list(in + "/edges.txt");
       std::vector<std::string> src, dst;
       for (const std::int64_t v : e.edges.src) src.push_back(e.names.names()[static_cast<std::size_t>(v)]);
       for (const std::int64_t v : e.edges.dst) dst.push_back(e.names.names()[static_cast<std::size_t>(v)]);
       return lines_of(src, dst, e.edges.weights);
     }},
    {"read_table", knows::its_lines, of_texts({{"t.csv", "from,to,note\n1,2,\"a, b\"\n3,4,\n15,6,\"c\"\"d\"\n"}}),
     [](const std::string& in) {
       const text_table t = read_table(in + "/t.csv");
       if (t.columns() != 3) return std::string();  // of a header that is cut: another table
       std::vector<std::string> notes;
       for (const std::string_view word : t.words(2)) notes.emplace_back(word);
       return lines_of(t.integers(0), t.integers(1), notes);
     }},
    {"read_events", knows::its_lines, of_texts({{"events.txt", "0 1 5.5\n12 0 6\n0 3 75\n"}}),
     [](const std::string& in) { return text_of(read_events(in + "/events.txt")); }},
    {"read_events_ndjson", knows::its_lines,
     of_texts({{"e.ndjson",
                "{\"src\": \"ann\", \"dst\": 7, \"time\": 5}\n{\"src\": 7, \"dst\": \"bob\", \"time\": 6.5}\n"}}),
     [](const std::string& in) {
       const named_events e = read_events_ndjson(in + "/e.ndjson");
       return text_of(e.events);
     }},
    {"read_node_link", knows::its_end,
     [](const temporary_folder& folder) {
       write_node_link(folder.file("g.json"), graph::from_edges(3, {0, 2, 0}, {1, 0, 1}),
                       {{"x", tensor<float>::from({3}, {1, 0.5, -3})}}, {{"w", tensor<wide>::from({3}, {7, 8, 9})}});
     },
     [](const std::string& in) {
       const node_link_graph d = read_node_link(in + "/g.json");
       return text_of(d.graph().edge_list()) + text_of(d.ids()) + text_of(d.vertex_values<double>("x")) +
              text_of(d.graph().to_input_order(d.edge_values<wide>("w")));
     }},
    {"read_graph_signal of rows", knows::its_end,
     of_texts({{"s.json", R"({"edges": [[0, 1], [1, 0]], "weights": [0.5, 2], "FX": [[1, 2.5], [3, 4], [5, 6e1]]})"
                          "\n"}}),
     [](const std::string& in) { return text_of(read_graph_signal(in + "/s.json")); }},
    {"read_graph_signal of fields", knows::its_end,
     of_texts({{"s.json", R"({"edges": [[0, 1]], "time_periods": 2, "0": {"y": [1, 2]}, "1": {"y": [3, 4]}})"}}),
     [](const std::string& in) { return text_of(read_graph_signal(in + "/s.json")); }},
    {"read_changing_graph_signal", knows::its_end,
     of_texts({{"s.json", R"({"edge_mapping": {"edge_index": {"0": [[0, 1]], "1": [[1, 0], [0, 0]]}}, )"
                          R"("time_periods": 2, "y": [[1, 2], [3, 4]]})"}}),
     [](const std::string& in) { return text_of(read_changing_graph_signal(in + "/s.json")); }},
};

const std::vector<good_files> of_folders = {
    {"read_tu", knows::its_end,
     of_texts({{"D/D_A.txt", "1, 2\n2, 1\n4, 5\n"},
               {"D/D_graph_indicator.txt", "1\n1\n1\n2\n2\n"},
               {"D/D_graph_labels.txt", "-1\n1\n"},
               {"D/D_node_attributes.txt", "0.5, 1\n2, 3\n4, 5\n6, 7\n8, 9\n"},
               {"D/D_edge_labels.txt", "3\n3\n4\n"}}),
     [](const std::string& in) {
       const tu_dataset d = read_tu(in + "/D");
       return text_of(d.set.graph.edge_list()) + text_of(d.set.vertex_offsets) + text_of(d.set.edge_offsets) +
              text_of(d.graph_labels) + text_of(d.node_attributes) + text_of(d.edge_labels);
     }},
    {"read_tu of edges alone", knows::its_lines,  // whose number nothing else says
     of_texts({{"D/D_A.txt", "1, 2\n2, 1\n4, 5\n"}, {"D/D_graph_indicator.txt", "1\n1\n1\n2\n2\n"}}),
     [](const std::string& in) { return text_of(read_tu(in + "/D").set.graph.edge_list()); }},
    {"read_node_classification", knows::its_end,
     all(an_array<narrow>("adj_indptr.npy", {4}, {0, 2, 2, 3}), an_array<narrow>("adj_indices.npy", {3}, {1, 2, 0}),
         an_array<narrow>("feat_indptr.npy", {4}, {0, 1, 1, 2}), an_array<narrow>("feat_indices.npy", {2}, {1, 0}),
         an_array<float>("feat_values.npy", {2}, {0.5, 2}), an_array<narrow>("labels.npy", {3}, {1, 0, 1}),
         an_array<narrow>("train.npy", {2}, {0, 2})),
     [](const std::string& in) {
       const node_classification d = read_node_classification(in, "d");
       return text_of(d.graph.edge_list()) + text_of(d.features) + text_of(d.labels) + text_of(d.train);
     }},
    {"read_graphs", knows::its_end,
     [](const temporary_folder& folder) {
       graphs g;
       g.add_vertices("author", 3).add_vertices("paper", 2);
       g.add_edges("writes", "author", "paper", std::vector<wide>{0, 2}, std::vector<wide>{1, 0});
       write_graphs(folder.path(), g).write("paper", "x", tensor<float>::from({2}, {1, 2}));
     },
     [](const std::string& in) {
       const graphs_folder d = read_graphs(in);
       std::string text = text_of(d.graph().vertex_sets());
       for (const relation_names& r : d.graph().relations())
         text += r.name + text_of(d.graph().relation(r.name).edge_list());
       return text + std::to_string(d.graph().vertices("author")) + text_of(d.vertex_values<float>("paper", "x"));
     }},
    {"read_graph_signal_folder", knows::its_end,
     all(an_array<wide>("edges.npy", {2, 2}, {0, 1, 1, 0}), an_array<float>("weights.npy", {2}, {0.5, 1}),
         an_array<double>("signal.npy", {2, 2}, {1, 2, 3, 4})),
     [](const std::string& in) { return text_of(read_graph_signal_folder(in)); }},
    {"read_changing_graph_signal_folder", knows::its_end,
     all(an_array<wide>("edges.npy", {2, 3}, {0, 1, 1, 0, 0, 1}), an_array<narrow>("snap_ptr.npy", {3}, {0, 2, 3}),
         an_array<float>("features.npy", {2, 2}, {1, 2, 3, 4}), an_array<float>("target.npy", {2, 2}, {5, 6, 7, 8})),
     [](const std::string& in) { return text_of(read_changing_graph_signal_folder(in)); }},
};

void check(const std::vector<good_files>& all) {
  for (const good_files& good : all) {
    SCOPED_TRACE(good.reader);
    test::check_damaged(good);
  }
}

TEST(damaged_files, of_arrays_are_refused) { check(of_arrays); }
TEST(damaged_files, of_text_are_refused_or_are_the_lines_that_are_there) { check(of_text); }
TEST(damaged_files, of_folders_are_refused) { check(of_folders); }

}  // namespace
}  // namespace stg
