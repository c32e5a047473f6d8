// stg convert: a graph from one kind of file to another.
#include <stg/data/edge_list_write.hpp>  // write_edge_list
#include <stg/data/matrix_market.hpp>    // write_matrix_market
#include <stg/data/node_link.hpp>        // write_node_link
#include <stg/data/npy.hpp>              // write_npy
#include <stg/data/npz.hpp>              // write_npz

#include "answer.hpp"        // answer
#include "graph_source.hpp"  // read_graph
#include "tool.hpp"          // add_command

namespace stg::command_line {

namespace {

struct convert_options {
  std::string name{}, path{}, to{};
  graph_options graph{};
  bool as_json = false, deflated = false;
};

std::vector<std::string> written_formats() {
  std::vector<std::string> words;
  for (const format& one : formats())
    if (one.is_written) words.emplace_back(one.word);
  return words;
}

std::string format_to_write(const convert_options& asked) {
  if (!asked.to.empty()) return asked.to;
  const std::string found = format_of_name(asked.path);
  if (found.empty())
    throw wrong_usage("the end of " + asked.path + " says no format; write --to and one of " +
                      joined(written_formats()));
  return found;
}

/// (2, edges), sources first.
tensor<std::int64_t> pairs_of(const graph& g) {
  const edge_list list = g.edge_list();
  auto pairs = tensor<std::int64_t>::for_overwrite({2, g.edges()});
  std::copy(list.src.begin(), list.src.end(), pairs.data());
  std::copy(list.dst.begin(), list.dst.end(), pairs.data() + g.edges());
  return pairs;
}

void write_arrays(const std::string& path, const graph_source& of, bool deflated) {
  const tensor<std::int64_t> pairs = pairs_of(of.graph);
  const auto vertices = tensor<std::int64_t>::full({}, of.graph.vertices());
  std::vector<npz_array> arrays;
  arrays.emplace_back("edge_index", pairs);
  arrays.emplace_back("num_nodes", vertices);
  if (of.weights) arrays.emplace_back("edge_weight", *of.weights);
  if (of.data) {
    if (of.data->features.extent(1) > 0) arrays.emplace_back("x", of.data->features);
    arrays.emplace_back("y", of.data->labels);
    arrays.emplace_back("train_mask", of.data->train);
    arrays.emplace_back("val_mask", of.data->val);
    arrays.emplace_back("test_mask", of.data->test);
  }
  write_npz(path, arrays, deflated);
}

void write_json(const std::string& path, const graph_source& of) {
  std::vector<node_link_values> of_vertices, of_edges;
  if (of.data && of.data->features.extent(1) > 0) of_vertices.emplace_back("x", of.data->features);
  if (of.data) of_vertices.emplace_back("label", of.data->labels);
  if (of.weights) of_edges.emplace_back("weight", *of.weights);
  write_node_link(path, of.graph, of_vertices, of_edges);
}

void write_folder(const std::string& path, graph_source& of) {
  if (!of.data)
    throw error("graph " + of.name + " has no features and labels, of which a data set is made; write another format");
  of.data->graph = of.graph;
  write_node_classification(path, *of.data);
}

/// What the format cannot hold, for the reader to know.
std::string left_behind(const graph_source& of, const std::string& format) {
  std::string all;
  const auto add = [&](const char* what) { all += (all.empty() ? "" : ", ") + std::string(what); };
  const bool is_text = format == "edges" || format == "csv" || format == "mtx" || format == "npy";
  if (of.data && is_text) add("features, labels and splits");
  if (of.data && format == "json") add("splits");
  if (of.weights && (format == "npy" || format == "dataset")) add("weights");
  if (!of.ids.empty()) add("ids");
  if (of.graphs_inside != 1) add("borders of graphs");
  const bool has_last = format == "mtx" || format == "npz" || format == "json" || format == "dataset";
  if (!has_last && of.graph.vertices() > 0) {
    const std::int64_t last = of.graph.vertices() - 1;
    const auto at = static_cast<std::size_t>(last);
    if (of.graph.in_degrees()[at] == 0 && of.graph.out_degrees()[at] == 0) add("vertices behind the last edge's");
  }
  return all;
}

void write(const convert_options& asked, graph_source& of, const std::string& format) {
  const char separator = format == "csv" ? ',' : asked.path.find(".tsv") != std::string::npos ? '\t' : ' ';
  if (format == "npz") return write_arrays(asked.path, of, asked.deflated);
  if (format == "npy") return write_npy(asked.path, pairs_of(of.graph));
  if (format == "json") return write_json(asked.path, of);
  if (format == "dataset") return write_folder(asked.path, of);
  const bool is_matrix = format == "mtx";
  if (!of.weights) {
    if (is_matrix) return write_matrix_market(asked.path, of.graph);
    return write_edge_list(asked.path, of.graph, separator);
  }
  const edge_values<double> weights = of.graph.edge_values(*of.weights);
  if (is_matrix) return write_matrix_market(asked.path, of.graph, weights);
  write_edge_list(asked.path, of.graph, weights, separator);
}

void convert(const convert_options& asked) {
  const std::string format = format_to_write(asked);
  graph_source of = read_graph(asked.name, asked.graph);
  if (of.kinds) throw error("graph " + asked.name + " has several kinds; stg convert writes graphs of one kind");
  write(asked, of, format);
  answer all;
  all.json.add("name", asked.path)
      .add("format", format)
      .add("vertices", of.graph.vertices())
      .add("edges", of.graph.edges());
  all.title(asked.path + ": " + format + ", " + std::to_string(of.graph.vertices()) + " vertices, " +
            std::to_string(of.graph.edges()) + " edges");
  if (const std::string left = left_behind(of, format); !left.empty()) {
    all.json.add("left_behind", left);
    all.title("left behind, for which the format has no place: " + left);
  }
  print(all, asked.as_json);
}

}  // namespace

void add_convert(tool& to) {
  add_command<convert_options>(
      to, "convert", "a graph from one kind of file to another", "stg convert edges.csv.gz graph.npz --undirected",
      [](CLI::App& command, convert_options& o) {
        command.add_option("graph", o.name, "data set, file or folder")->required()->type_name(a_graph);
        command.add_option("path", o.path, "what is written; a name that ends with .gz is packed, if it is a text")
            ->required()
            ->type_name(a_path);
        command.add_option("--to", o.to, "format to write, where the name does not say it")
            ->check(CLI::IsMember(written_formats()));
        command.add_flag("--deflate", o.deflated, "pack the arrays of .npz");
        add_json(command, o.as_json);
        add_graph_options(command, o.graph);
      },
      convert);
}

}  // namespace stg::command_line
