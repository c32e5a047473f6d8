// Bytes as the files that stg reads: each reader is given what a fuzzer made.
#include "readers.hpp"  // fuzz_npy

#include "records.hpp"  // demand, folder, may_refuse, write_records

#include <stg/base/error.hpp>              // error
#include <stg/data/dataset.hpp>            // read_node_classification
#include <stg/data/edge_list.hpp>          // read_edge_list
#include <stg/data/events.hpp>             // read_events
#include <stg/data/matrix_market.hpp>      // write_matrix_market
#include <stg/data/named_vertices.hpp>     // read_named_edge_list, read_events_ndjson
#include <stg/data/node_link.hpp>          // read_node_link
#include <stg/data/npy.hpp>                // map_npy, read_npy
#include <stg/data/table.hpp>              // read_table
#include <stg/data/temporal.hpp>           // read_graph_signal
#include <stg/data/tu.hpp>                 // read_tu
#include <stg/data/windows.hpp>            // lagged
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence

#include <algorithm>   // is_sorted
#include <array>       // array
#include <cstring>     // memcmp
#include <filesystem>  // create_directory
#include <string>      // string

namespace stg::test {

namespace {

/// Files of a data set, and of signals, by the first byte of a record.
constexpr std::array names = {"adj_indptr", "adj_indices", "feat_indptr", "feat_indices", "feat_values",
                              "feat_bits",  "labels",      "train",       "val",          "test"};
constexpr std::array signal_names = {"edges",    "weights", "signal",  "features",
                                     "snap_ptr", "target",  "adj_mat", "speed"};

}  // namespace

void fuzz_npy(std::string_view bytes) {
  const std::string path = folder().write("a.npy", bytes);
  may_refuse([&] { read_npy<float>(path); });
  may_refuse([&] { read_npy<std::int32_t>(path); });
  may_refuse([&] { read_npy<bool>(path); });
  may_refuse([&] {
    const auto mapped = map_npy<float>(path);
    const auto read = read_npy<float>(path);
    demand(mapped.shape() == read.shape() &&
               std::memcmp(mapped.data(), read.data(), static_cast<std::size_t>(read.bytes())) == 0,
           "the numbers of a file, however they are looked at");
  });
  may_refuse([&] { map_npy<std::int64_t>(path); });
  may_refuse([&] { read_npy_as<float>(path); });
  may_refuse([&] { read_npy_as<std::int32_t>(path); });
  may_refuse([&] { read_npy_as<bool>(path); });
  may_refuse([&] {
    const auto t = read_npy_as<double>(path);
    demand(t.bytes() <= static_cast<std::int64_t>(8 * bytes.size()), "more numbers than the file has bytes");
  });
}

void fuzz_edge_list(std::string_view bytes) {
  const std::string path = folder().write("edges.txt", bytes);
  may_refuse([&] {
    const edge_list_text e = read_edge_list(path);
    demand(e.src.size() == e.dst.size(), "as many sources as destinations");
    demand(e.weights.empty() || e.weights.size() == e.src.size(), "a weight for each edge or none");
    if (e.vertices() <= 100'000) {  // the graph's memory is that of its vertices, which the text may number as it likes
      const graph g = graph::from_edges(e.vertices(), e.src, e.dst);
      demand(g.edges() == static_cast<std::int64_t>(e.src.size()), "a graph of all edges");
    }
  });
}

void fuzz_table(std::string_view bytes) {
  const int how = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
  if (!bytes.empty()) bytes.remove_prefix(1);
  const std::string path = folder().write("table.csv", bytes);
  constexpr std::string_view separators(",;\t |\0xa", 8);
  const table_format format{separators[static_cast<std::size_t>(how & 7)], (how & 8) != 0, (how & 16) != 0 ? '#' : '\0',
                            (how & 32) != 0 ? ',' : '.', (how & 64) == 0};
  may_refuse([&] {
    const text_table t = read_table(path, format);
    demand(!format.header || static_cast<int>(t.names().size()) == t.columns(), "a name for each column");
    std::size_t characters = 0, cells = 0;
    vertex_names names;
    for (int c = 0; c < t.columns(); ++c) {
      const auto words = t.words(c);
      demand(static_cast<std::int64_t>(words.size()) == t.rows(), "a word of each row");
      for (const std::string_view word : words) characters += word.size();
      cells += words.size();
      const auto numbers = names.add(words);
      demand(names.find(words) == numbers, "names keep their numbers");
      may_refuse([&] { demand(t.numbers(c, 0.5).size() == words.size(), "a number of each row"); });
      may_refuse([&] { demand(t.integers(c).size() == words.size(), "an integer of each row"); });
      may_refuse([&] { demand(t.tensor_of({c}).shape() == dimensions({t.rows(), 1}), "a tensor of the rows"); });
    }
    demand(characters <= bytes.size(), "more characters than the file has");
    demand(cells <= bytes.size() + 1, "more fields than separators and ends of lines");
  });
}

namespace {

void check_edges(const snapshot_edges& edges, std::int64_t vertices) {
  demand(edges.weights.empty() || edges.weights.size() == edges.src.size(), "a weight for each edge or none");
  demand(graph::from_edges(vertices, edges.src, edges.dst).edges() == edges.size(), "a graph of all edges");
}

/// What holds of signals that were read, and that what takes them refuses or takes them.
void check_signal(const graph_signal& d) {
  if (d.vertices > 100'000) return;  // of edges without a signal, which may number vertices as they like
  demand(d.signal.shape()[1] == d.vertices, "a number of each vertex");
  check_edges(d.edges, d.vertices);
  may_refuse([&] {
    const auto w = lagged(d.signal, 2);
    demand(w.features.shape()[0] == d.signal.shape()[0] - 2, "as many windows as steps that follow two");
  });
}

void check_changing_signal(const changing_graph_signal& d) {
  const auto steps = static_cast<std::int64_t>(d.edges.size());
  demand(d.signal.shape()[0] == steps && (steps == 0 || d.signal.shape()[1] == d.vertices), "a number of each vertex");
  demand(d.targets.size() == 0 || d.targets.shape() == dimensions({steps, d.vertices}), "a target of each vertex");
  for (const snapshot_edges& edges : d.edges) check_edges(edges, d.vertices);
  may_refuse([&] {
    auto sequence = graph_sequence::from_steps(d.vertices, d.edges, {.store = snapshot_store::changes});
    demand(sequence.steps() == steps, "a graph of each step");
    for (std::int64_t t = steps - 1; t >= 0; --t)
      demand(sequence.at(t).edges() == d.edges[static_cast<std::size_t>(t)].size(), "a graph of all edges");
  });
}

}  // namespace

void fuzz_dataset(std::string_view bytes) {
  write_records(bytes, names, 2);
  may_refuse([&] {
    const node_classification d = read_node_classification(folder().path(), "made");
    demand(d.labels.size() == d.graph.vertices(), "a label for each vertex");
    demand(d.train.size() == d.graph.vertices(), "a mask over the vertices");
  });
}

void fuzz_node_link(std::string_view bytes) {
  const std::string path = folder().write("graph.json", bytes);
  may_refuse([&] {
    const node_link_graph d = read_node_link(path);
    demand(static_cast<std::int64_t>(d.ids().size()) == d.graph().vertices(), "an id of each vertex");
    may_refuse([&] { d.edge_values<std::int64_t>("w"); });
    const auto x = [&] {
      tensor<double> made({d.graph().vertices()});
      may_refuse([&] { made = d.vertex_values<double>("x"); });
      return made;
    }();
    demand(x.extent(0) == d.graph().vertices(), "a number of each vertex");
    write_node_link(folder().file("again.json"), d.graph(), {{"x", x}});
    const node_link_graph again = read_node_link(folder().file("again.json"));
    demand(again.graph().edge_list() == d.graph().edge_list(), "the edges that were written");
    const auto back = again.vertex_values<double>("x");
    demand(std::memcmp(back.data(), x.data(), static_cast<std::size_t>(x.bytes())) == 0,
           "the numbers that were written");
  });
}

void fuzz_named_vertices(std::string_view bytes) {
  may_refuse([&] {
    const named_edges e = read_named_edge_list(folder().write("edges.txt", bytes));
    demand(e.edges.vertices() == e.names.size(), "a name of each vertex");
    demand(e.edges.weights.empty() || e.edges.weights.size() == e.edges.src.size(), "a weight for each edge or none");
    const graph g = graph::from_edges(e.names.size(), e.edges.src, e.edges.dst);
    write_matrix_market(folder().file("a.mtx"), g);
    const edge_list_text back = read_edge_list(folder().file("a.mtx"));
    demand(back.src == e.edges.src && back.dst == e.edges.dst && back.vertices() == g.vertices(),
           "the edges that were written");
  });
  may_refuse([&] {
    const named_events e = read_events_ndjson(folder().write("events.ndjson", bytes), {"s", "d", "t", "v"});
    demand(std::is_sorted(e.events.time.begin(), e.events.time.end()), "events in the order of time");
    demand(e.events.vertices() == e.names.size() && e.events.values.size() == e.events.src.size(), "names and values");
  });
}

void fuzz_tu(std::string_view bytes) {
  constexpr std::array files = {"d/d_A.txt",           "d/d_graph_indicator.txt", "d/d_graph_labels.txt",
                                "d/d_node_labels.txt", "d/d_edge_attributes.txt", "d/d_graph_attributes.txt"};
  std::filesystem::create_directory(folder().file("d"));
  write_texts(bytes, files);
  may_refuse([&] {
    const tu_dataset d = read_tu(folder().file("d"));
    demand(d.set.vertex_offsets.back() == d.set.graph.vertices(), "a graph for each vertex");
    demand(d.set.edge_offsets.back() == d.set.graph.edges(), "a graph for each edge");
    demand(d.graph_labels.size() == 0 || d.graph_labels.extent(0) == d.set.graphs(), "a label for each graph");
  });
}

void fuzz_signal(std::string_view bytes) {
  const std::string path = folder().write("signal.json", bytes);
  may_refuse([&] { check_signal(read_graph_signal(path)); });
  may_refuse([&] { check_changing_signal(read_changing_graph_signal(path)); });
}

void fuzz_signal_folder(std::string_view bytes) {
  write_records(bytes, signal_names, 4);
  may_refuse([&] { check_signal(read_graph_signal_folder(folder().path())); });
  may_refuse([&] { check_changing_signal(read_changing_graph_signal_folder(folder().path())); });
}

void fuzz_events(std::string_view bytes) {
  const int how = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
  if (!bytes.empty()) bytes.remove_prefix(1);
  event_format format;
  if ((how & 1) != 0) format.table = {};
  if ((how & 2) != 0) format.value = 3;
  const auto check = [&](event_list e) {
    const bool sorted = std::is_sorted(e.time.begin(), e.time.end());
    demand(sorted && e.src.size() == e.time.size() && e.dst.size() == e.time.size(), "events in the order of time");
    demand(e.values.empty() || e.values.size() == e.time.size(), "a value of each event or none");
    demand(static_cast<std::int64_t>(renumber(e).size()) == e.vertices(), "vertices from 0 on, none left out");
    if (e.time.empty()) return;
    const double length = (e.time.back() - e.time.front()) / 4;
    auto sequence = graph_sequence::from_events(e.vertices(), e.src, e.dst, e.time,
                                                {.length = length, .stride = length / 2, .merged = (how & 4) != 0},
                                                e.values, {.store = snapshot_store::changes});
    for (std::int64_t t = 0; t < sequence.steps(); ++t)
      demand(sequence.at(t).edges() == sequence.edges_at(t), "a graph of all edges");
  };
  may_refuse([&] { check(read_events(folder().write("events.txt", bytes), format)); });
  may_refuse([&] { check(read_events_npy(folder().write("events.npy", bytes))); });
}

}  // namespace stg::test
