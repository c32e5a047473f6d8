// Graphs by the names of data sets, files and folders.
#include "graph_source.hpp"  // read_graph

#include <algorithm>   // sort, unique
#include <filesystem>  // directory_iterator

#include <stg/data/edge_list.hpp>                // read_edge_list, renumber
#include <stg/data/graphs_folder.hpp>            // read_graphs
#include <stg/data/karate.hpp>                   // karate_club
#include <stg/data/named_vertices.hpp>           // read_named_edge_list
#include <stg/data/node_classification_npz.hpp>  // read_node_classification_npz
#include <stg/data/node_link.hpp>                // read_node_link
#include <stg/data/npy.hpp>                      // read_npy_as
#include <stg/data/npz.hpp>                      // read_npz
#include <stg/data/ogb.hpp>                      // read_ogb
#include <stg/data/tu.hpp>                       // read_tu
#include <stg/runtime/merged_edges.hpp>          // coalesce, to_undirected
#include <stg/runtime/self_loops.hpp>            // add_remaining_self_loops, remove_self_loops

#include "../runtime/data/word.hpp"  // in_quotes
#include "answer.hpp"                // joined
#include "tool.hpp"                  // wrong_usage

namespace stg::command_line {

namespace {

namespace files = std::filesystem;

bool is_there(const files::path& path) {
  std::error_code unknown;
  return files::exists(path, unknown);
}
bool is_folder(const files::path& path) {
  std::error_code unknown;
  return files::is_directory(path, unknown);
}

std::vector<std::string> words_of_formats() {
  std::vector<std::string> words;
  for (const format& one : formats()) words.emplace_back(one.word);
  return words;
}

/// The format of a folder by what lies in it, or an empty text.
std::string format_of_folder(const files::path& folder) {
  if (is_there(folder / "adj_indptr.npy") || is_there(folder / ".saved" / "adj_indptr.npy")) return "dataset";
  if (is_there(folder / "graph.json") || is_there(folder / ".saved" / "graph.json")) return "graphs";
  const files::path whole = folder.has_filename() ? folder : folder.parent_path();
  if (is_there(folder / (whole.filename().string() + "_A.txt"))) return "tu";
  if (is_folder(folder / "raw")) return "ogb";
  return {};
}

[[noreturn]] void is_nothing(const std::string& name) {
  throw error("no file, folder or data set is called " + detail::in_quotes(name) + "; data sets are " +
              joined(names_of_data_sets()));
}

std::string format_of(const std::string& name, const graph_options& options) {
  if (!options.from.empty()) return options.from;
  if (is_folder(name)) {
    std::string found = format_of_folder(name);
    if (!found.empty()) return found;
    throw error("folder " + name + " holds no graph that stg reads; write --from and one of " +
                joined(words_of_formats()));
  }
  std::string found = format_of_name(name);
  if (found.empty())
    throw error("file " + name + " has an end that says no format; write --from and one of " +
                joined(words_of_formats()));
  return found;
}

// ---- readers ----

void take_data_set(graph_source& to, node_classification data) {
  to.graph = data.graph;
  to.data = std::move(data);
}

/// As many as the option says, or the edges need. A few edges with numbers in the billions would fill a memory.
std::int64_t number_of_vertices(const graph_options& options, std::int64_t at_least, std::int64_t edges) {
  constexpr std::int64_t always = 10'000'000, for_each_edge = 100;
  if (options.vertices < 0 && at_least > always && at_least / for_each_edge > edges)
    throw error("a graph of " + std::to_string(at_least) + " vertices and " + std::to_string(edges) +
                " edges has numbers with gaps; write --renumber for a list of edges, or --vertices " +
                std::to_string(at_least));
  if (options.vertices < 0) return at_least;
  if (options.vertices < at_least)
    throw error("--vertices " + std::to_string(options.vertices) + " is too few; an edge has vertex " +
                std::to_string(at_least - 1));
  return options.vertices;
}

void take_edges(graph_source& to, edge_list_text edges, const graph_options& options) {
  if (options.renumbered)
    for (const std::int64_t id : renumber(edges)) to.ids.push_back(std::to_string(id));
  to.graph =
      graph::from_edges(number_of_vertices(options, edges.vertices(), std::ssize(edges.src)), edges.src, edges.dst);
  if (!edges.weights.empty())
    to.weights = tensor<double>::from({static_cast<std::int64_t>(edges.weights.size())}, edges.weights);
}

/// A data set whose masks name no vertex.
node_classification data_of(const graph_source& of, tensor<float> features, tensor<std::int32_t> labels) {
  const std::int64_t vertices = of.graph.vertices();
  node_classification data;
  data.name = of.name;
  data.graph = of.graph;
  data.features = std::move(features);
  data.labels = std::move(labels);
  for (const std::int32_t label : data.labels) data.classes = std::max(data.classes, label + 1);
  for (tensor<bool>* mask : {&data.train, &data.val, &data.test}) *mask = tensor<bool>({vertices});
  return data;
}

void take_node_link(graph_source& to, const graph_options& options) {
  const node_link_graph file = stg::read_node_link(to.place);
  to.graph = file.graph();
  bool are_numbers = true;
  for (std::size_t v = 0; v < file.ids().size(); ++v) are_numbers = are_numbers && file.ids()[v] == std::to_string(v);
  if (!are_numbers) to.ids = file.ids();
  if (!options.weights.empty() && file.has_edge_values(options.weights))
    to.weights = to.graph.to_input_order(file.edge_values<double>(options.weights));
  if (!file.has_vertex_values("x") && !file.has_vertex_values("label")) return;
  const std::int64_t vertices = to.graph.vertices();
  auto x = file.has_vertex_values("x") ? file.vertex_values<float>("x") : tensor<float>({vertices, 0});
  if (x.rank() == 1) x = std::move(x).reshape({vertices, 1});  // which shares its memory
  auto y = file.has_vertex_values("label") ? file.vertex_values<std::int64_t>("label").to<std::int32_t>()
                                           : tensor<std::int32_t>({vertices});
  to.data = data_of(to, std::move(x), std::move(y));
}

/// The arrays of PyG's Data: edge_index, and x, y, edge_weight and masks where they are there.
void take_data(graph_source& to, const npz_file& file, const graph_options& options) {
  const tensor<std::int64_t> pairs = file.array_as<std::int64_t>("edge_index");
  std::int64_t vertices = 0;
  for (const std::int64_t v : pairs) vertices = std::max(vertices, v + 1);
  if (file.has("num_nodes")) vertices = std::max(vertices, file.array_as<std::int64_t>("num_nodes").item());
  for (const char* name : {"x", "y"})
    if (file.has(name) && file.shape(name).rank() > 0) vertices = std::max(vertices, file.shape(name)[0]);
  vertices = number_of_vertices(options, vertices, pairs.size() / 2);
  to.graph = graph::from_edge_index(vertices, pairs);
  if (file.has("edge_weight")) to.weights = file.array_as<double>("edge_weight");
  if (!file.has("x") && !file.has("y")) return;
  to.data = data_of(to, file.has("x") ? file.array_as<float>("x") : tensor<float>({vertices, 0}),
                    file.has("y") ? file.array_as<std::int32_t>("y") : tensor<std::int32_t>({vertices}));
  if (file.has("train_mask")) to.data->train = file.array<bool>("train_mask");
  if (file.has("val_mask")) to.data->val = file.array<bool>("val_mask");
  if (file.has("test_mask")) to.data->test = file.array<bool>("test_mask");
}

void take_npz(graph_source& to, const graph_options& options) {
  const npz_file file = read_npz(to.place);
  if (file.has("edge_index")) return take_data(to, file, options);
  if (file.has("adj_indptr") || file.has("node_features"))
    return take_data_set(to, read_node_classification_npz(to.place));
  throw error("npz " + to.place + " holds no graph: its arrays are " + joined(file.names()) +
              "; a graph has edge_index, (2, edges), or the arrays of PyG's data sets");
}

void take_npy(graph_source& to, const graph_options& options) {
  const tensor<std::int64_t> pairs = read_npy_as<std::int64_t>(to.place);
  std::int64_t vertices = 0;
  for (const std::int64_t v : pairs) vertices = std::max(vertices, v + 1);
  to.graph = graph::from_edge_index(number_of_vertices(options, vertices, pairs.size() / 2), pairs);
}

void take(graph_source& to, const graph_options& options) {
  if (to.format == "dataset") return take_data_set(to, read_node_classification(to.place, to.name));
  if (to.format == "edges" || to.format == "csv" || to.format == "mtx")
    return take_edges(to, read_edge_list(to.place), options);
  if (to.format == "named-edges") {
    named_edges named = read_named_edge_list(to.place);
    named.edges.least_vertices = named.names.size();
    take_edges(to, std::move(named.edges), options);
    to.ids = named.names.names();
    return;
  }
  if (to.format == "json") return take_node_link(to, options);
  if (to.format == "npz") return take_npz(to, options);
  if (to.format == "npy") return take_npy(to, options);
  if (to.format == "graphs") {
    to.kinds = read_graphs(to.place).graph();
    return;
  }
  if (to.format == "tu") {
    const tu_dataset data = read_tu(to.place);
    to.graph = data.set.graph;
    to.graphs_inside = data.set.graphs();
    return;
  }
  const ogb_dataset data = read_ogb(to.place);
  to.graph = data.graph();
  to.graphs_inside = data.set().graphs();
}

// ---- changes ----

/// Runs a change of edges, with the weights if there are any.
template <class Plain, class Weighted> void change(graph_source& of, const Plain& plain, const Weighted& weighted) {
  if (!of.weights) {
    of.graph = plain(of.graph);
    return;
  }
  const graph_with_values<double> made = weighted(of.graph, of.graph.edge_values(*of.weights));
  of.graph = made.graph;
  of.weights = made.graph.to_input_order(made.values);
}

void change_edges(graph_source& of, const graph_options& options) {
  if (options.undirected)
    change(
        of, [](const graph& g) { return g.to_undirected(); },
        [](const graph& g, const auto& w) { return to_undirected(g, w, merged::mean); });
  if (options.coalesced)
    change(
        of, [](const graph& g) { return g.coalesce(); }, [](const graph& g, const auto& w) { return coalesce(g, w); });
  if (options.without_loops)
    change(
        of, [](const graph& g) { return g.remove_self_loops(); },
        [](const graph& g, const auto& w) { return remove_self_loops(g, w); });
  if (options.with_loops)
    change(
        of, [](const graph& g) { return g.add_remaining_self_loops(); },
        [](const graph& g, const auto& w) { return add_remaining_self_loops(g, w, 1.0); });
}

bool asks_for_changes(const graph_options& o) { return o.undirected || o.coalesced || o.without_loops || o.with_loops; }

}  // namespace

const std::vector<format>& formats() {
  static const std::vector<format> all = {
      {"edges", "a list of edges, src dst [weight] in a line", {".txt", ".tsv", ".edges", ".edgelist"}, true},
      {"csv", "the same with commas", {".csv"}, true},
      {"named-edges", "a list of edges between words", {}, false},
      {"mtx", "Matrix Market", {".mtx"}, true},
      {"json", "networkx's node-link JSON", {".json"}, true},
      {"npz", "NumPy's arrays edge_index, x, y and so on, or PyG's data sets of one file", {".npz"}, true},
      {"npy", "NumPy's array edge_index, (2, edges)", {".npy"}, true},
      {"dataset", "stg's folder of a data set", {}, true},
      {"graphs", "stg's folder of several kinds", {}, false},
      {"tu", "a folder of TU Dortmund", {}, false},
      {"ogb", "a folder of OGB", {}, false},
  };
  return all;
}

std::string format_of_name(const std::string& name) {
  std::string_view plain = name;
  if (plain.ends_with(".gz")) plain.remove_suffix(3);
  for (const format& one : formats())
    for (const std::string_view ending : one.endings)
      if (plain.ends_with(ending)) return one.word;
  return {};
}

std::vector<std::string> names_of_data_sets() {
  std::vector<std::string> all = {"karate"};
  for (const std::string& place : find_dataset("any").places) {
    std::error_code unknown;
    for (files::directory_iterator at(files::path(place).parent_path(), unknown), end; !unknown && at != end;
         at.increment(unknown))
      if (format_of_folder(at->path()) == "dataset") all.push_back(at->path().filename().string());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void add_graph_options(CLI::App& command, graph_options& options) {
  command.add_option("--from", options.from, "format of the graph, where its name does not say it")
      ->check(CLI::IsMember(words_of_formats()))
      ->group("Graph");
  command.add_option("--weights", options.weights, "attribute of edges in JSON that are weights")->group("Graph");
  add_number(command, "--vertices", options.vertices, 0, 2147483647, "vertices of a list of edges");
  command.get_option("--vertices")->group("Graph");
  command.add_flag("--renumber", options.renumbered, "number the vertices of a list of edges from 0 on")
      ->group("Graph");
  command.add_flag("--undirected", options.undirected, "both directions of every edge, each once")->group("Graph");
  command.add_flag("--coalesce", options.coalesced, "parallel edges merged into one, weights added")->group("Graph");
  command.add_flag("--no-self-loops", options.without_loops, "without edges from a vertex to itself")->group("Graph");
  command.add_flag("--self-loops", options.with_loops, "an edge to itself for each vertex without one")->group("Graph");
}

graph_source read_graph(const std::string& name, const graph_options& options) {
  graph_source found{name, {}, name};
  const bool is_word = name.find('/') == std::string::npos;
  if (is_there(name)) {
    found.format = format_of(name, options);
    take(found, options);
  } else if (name == "karate") {
    found.format = "dataset";
    found.place = "built in";
    take_data_set(found, karate_club());
  } else if (const std::string folder =
                 is_word && !name.empty() && name != "." && name != ".." ? find_dataset(name).folder : std::string();
             !folder.empty()) {
    found.place = folder;
    found.format = format_of(folder, options);
    take(found, options);
  } else {
    is_nothing(name);
  }
  if (found.kinds && asks_for_changes(options))
    throw wrong_usage("edges of several kinds stay as they are; leave --undirected, --coalesce and --self-loops out");
  change_edges(found, options);
  return found;
}

}  // namespace stg::command_line
