// A graph as the line names it: a data set, a file or a folder, and what comes with it.
#pragma once

#include <cstdint>   // int64_t
#include <optional>  // optional
#include <string>    // string
#include <vector>    // vector

#include <CLI/CLI.hpp>  // App

#include <stg/data/dataset.hpp>    // node_classification
#include <stg/runtime/graph.hpp>   // graph
#include <stg/runtime/graphs.hpp>  // graphs

namespace stg::command_line {

/// A kind of file or folder.
struct format {
  const char* word;                  // --from and --to
  const char* about;                 // in sentences
  std::vector<const char*> endings;  // of names, without .gz
  bool is_written;
};
/// All of them.
const std::vector<format>& formats();
/// The format that a name's end says, or an empty text.
std::string format_of_name(const std::string& name);

/// How a graph is read, and what is done with it before use.
struct graph_options {
  std::string from{}, weights = "weight";
  std::int64_t vertices = -1;
  bool renumbered = false, undirected = false, coalesced = false, with_loops = false, without_loops = false;
};
void add_graph_options(CLI::App& command, graph_options& options);

/// What was read, and changed as the options say.
struct graph_source {
  std::string name, format, place;
  stg::graph graph{};
  std::optional<stg::graphs> kinds{};         // in place of the graph
  std::optional<tensor<double>> weights{};    // in the order of the edge list
  std::optional<node_classification> data{};  // its graph is the one that was read, before changes
  std::vector<std::string> ids{};             // of vertices, where they are no numbers from 0 on
  std::int64_t graphs_inside = 1;             // side by side
};

/// Reads a graph. `name` is a file, a folder, or the name of a data set that is found (`find_dataset`) or built in.
/// Errors: those of the readers; a name of nothing, with the known data sets; an unknown format.
graph_source read_graph(const std::string& name, const graph_options& options);

/// The names of the data sets that are found, and of the one that is built in.
std::vector<std::string> names_of_data_sets();

}  // namespace stg::command_line
