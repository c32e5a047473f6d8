// Reading and writing networkx's node-link JSON.
#pragma once

#include <stg/runtime/graph.hpp>  // edge_values, graph

#include <functional>   // function
#include <memory>       // shared_ptr
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg {

namespace detail {
class node_link_json;
}

/// A graph of networkx.node_link_data: nodes in the file's order, with the ids that they have there. Of an undirected
/// graph each edge is there both ways, its reverse behind it, a loop once. Attributes are read on request: numbers, or
/// lists of as many numbers for each.
///
///   auto data = stg::read_node_link("karate.json");
///   auto clubs = data.vertex_values<float>("club_number");               // (vertices)
///   auto weights = data.edge_values<float>("weight");
class node_link_graph {
 public:
  const stg::graph& graph() const& { return graph_; }
  stg::graph graph() && { return graph_; }
  /// The id of each vertex as text: 7 is "7".
  const std::vector<std::string>& ids() const& { return ids_; }
  std::vector<std::string> ids() && { return std::move(ids_); }
  bool directed() const { return directed_; }

  /// (vertices) or (vertices, numbers). T is float, double or std::int64_t. Errors name the file, the offset and the
  /// field: a node or an edge without the attribute, what is no number of T, lists of different lengths.
  template <class T> tensor<T> vertex_values(std::string_view attribute) const;
  template <class T> stg::edge_values<T> edge_values(std::string_view attribute) const;
  /// Whether the first node, or the first edge, has the attribute; of none it is false.
  bool has_vertex_values(std::string_view attribute) const;
  bool has_edge_values(std::string_view attribute) const;

 private:
  friend node_link_graph read_node_link(const std::string&);
  std::shared_ptr<const detail::node_link_json> file_;
  stg::graph graph_;
  std::vector<std::string> ids_;
  bool directed_ = true;
};

/// Reads a file whose edges are called "edges" or, as by networkx before 3.6, "links". Errors name the file, the offset
/// and the field: no JSON, a missing field, an id that is there twice, an edge to an id of no node.
node_link_graph read_node_link(const std::string& path);

/// An attribute that is to be written: its name, and a tensor on the host with a row for each vertex, or for each edge
/// of the edge list, that outlives the call. T is float, double, std::int32_t or std::int64_t.
class node_link_values {
 public:
  template <class T> node_link_values(std::string name, const const_tensor<T>& rows);

 private:
  friend void write_node_link(const std::string&, const graph&, const std::vector<node_link_values>&,
                              const std::vector<node_link_values>&);
  std::string name_;
  dimensions shape_;
  std::function<void(std::string&, std::int64_t)> add_row_;  // the text of a row behind a text
};

/// Writes a directed graph, with vertices 0, 1, … for ids, that networkx.node_link_graph(json.load(file),
/// edges="edges") and `read_node_link` read. Errors: a file that cannot be written, a relation between two vertex sets,
/// an attribute with another number of rows or of more than two axes, with a name of the format's own (id, source,
/// target, key) or one that is there twice, and numbers that are not finite, which JSON has not.
///
///   stg::write_node_link("cora.json", graph, {{"label", labels}}, {{"weight", graph.to_input_order(weights)}});
void write_node_link(const std::string& path, const graph& g, const std::vector<node_link_values>& of_vertices = {},
                     const std::vector<node_link_values>& of_edges = {});

}  // namespace stg
