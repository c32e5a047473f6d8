// Graphs of several kinds in folders of .npy files.
#pragma once

#include <stg/data/file_replacement.hpp>  // file_replacement
#include <stg/data/npy.hpp>               // map_npy, read_npy_as
#include <stg/runtime/graphs.hpp>         // graphs, NamedVertexSet, NamedRelation

#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg {

/// A folder with a graph of several kinds, and arrays of its vertex sets and relations:
///
///     academia/graph.json           {"vertex_sets": {"author": 3, "paper": 4},
///                                    "relations": {"writes": ["author", "paper"], "cites": ["paper", "paper"]}}
///     academia/paper/words.npy      (papers, ...), of any type of numbers; author/known.npy likewise
///     academia/writes/edges.npy     (2, edges), sources first, of integers; cites/edges.npy likewise
///     academia/writes/share.npy     (edges, ...), in the order of edges.npy
///
/// Sets and relations have the names of folders: 1 to 62 printable characters without / \ ", the first of them no dot;
/// so have arrays. Beyond 4,194,304 vertices the folder's arrays have a byte for each, as all arrays of them do, so no
/// small file takes much memory. Made by `read_graphs` and `write_graphs`; arrays are read on request.
class graphs_folder {
 public:
  const stg::graphs& graph() const& { return graph_; }
  stg::graphs graph() && { return graph_; }

  /// An array of a set, (vertices, ...), as read_npy_as<T> reads it. Errors: its errors, no such set, an invalid name,
  /// another number of rows than the set has vertices.
  ///
  ///   auto W = data.vertex_values<float>(paper, "words");
  template <class T, NamedVertexSet Set> tensor<T> vertex_values(Set, std::string_view name) const {
    return vertex_values<T>(Set::name::view(), name);
  }
  template <class T> tensor<T> vertex_values(std::string_view set, std::string_view name) const {
    return checked(set, name, read_npy_as<T>(file_of_set(set, name)));
  }
  /// The array in its file, which has T's type, by map_npy<T>: for features that do not fit into memory.
  template <class T, NamedVertexSet Set> const_tensor<T> mapped_vertex_values(Set, std::string_view name) const {
    return mapped_vertex_values<T>(Set::name::view(), name);
  }
  template <class T> const_tensor<T> mapped_vertex_values(std::string_view set, std::string_view name) const {
    return checked(set, name, map_npy<T>(file_of_set(set, name)));
  }
  /// An array of a relation, (edges, ...), as programs read it. Errors: as of a set's.
  ///
  ///   auto S = data.edge_values<float>(writes, "share");
  template <class T, NamedRelation Relation> stg::edge_values<T> edge_values(Relation, std::string_view name) const {
    return edge_values<T>(Relation::name::view(), name);
  }
  template <class T> stg::edge_values<T> edge_values(std::string_view relation, std::string_view name) const {
    return graph_.relation(relation).edge_values(
        checked(relation, name, read_npy_as<T>(file_of_relation(relation, name))));
  }
  /// Names of the arrays of a set or relation, in alphabetical order; of a relation without its edges. Error: no such
  /// set or relation.
  std::vector<std::string> arrays(std::string_view set_or_relation) const;

  /// Writes an array of a set, (vertices, ...), or of a relation, in the order of its edge list, for the folder's
  /// readers, in place of an earlier one of its name. A process killed meanwhile leaves the earlier one. Errors: an
  /// unknown set or relation, an invalid name, "edges" of a relation, a wrong number of rows, values of a different
  /// graph's edges, and files that cannot be written.
  ///
  ///   stg::write_graphs("academia", graph).write(paper, "words", W).write(writes, "share", S);
  template <NamedVertexSet Set, class T>
  graphs_folder& write(Set, std::string_view name, const const_tensor<T>& values) {
    return write(Set::name::view(), name, values);
  }
  template <class T> graphs_folder& write(std::string_view set, std::string_view name, const const_tensor<T>& values) {
    check_rows(set, name, values.shape());
    return write_array(name_in_set(set, name), values);
  }
  template <NamedRelation Relation, class T>
  graphs_folder& write(Relation, std::string_view name, const stg::edge_values<T>& values) {
    return write(Relation::name::view(), name, values);
  }
  template <class T>
  graphs_folder& write(std::string_view relation, std::string_view name, const stg::edge_values<T>& values) {
    const std::string file = name_in_relation(relation, name);
    return write_array(file, graph_.relation(relation).to_input_order(values));
  }

 private:
  friend graphs_folder read_graphs(const std::string&);
  friend graphs_folder write_graphs(const std::string&, const stg::graphs&);
  graphs_folder(std::string path, stg::graphs graph) : path_(std::move(path)), graph_(std::move(graph)) {}

  // Names of arrays' files, relative to the folder.
  std::string name_in_set(std::string_view set, std::string_view name) const;
  std::string name_in_relation(std::string_view relation, std::string_view name) const;
  std::string file_of_set(std::string_view set, std::string_view name) const {
    return detail::whole_file(path_, name_in_set(set, name));
  }
  std::string file_of_relation(std::string_view relation, std::string_view name) const {
    return detail::whole_file(path_, name_in_relation(relation, name));
  }
  void check_rows(std::string_view kind, std::string_view name, const dimensions&) const;
  template <class T> graphs_folder& write_array(const std::string& name, const const_tensor<T>& values) {
    detail::file_replacement files(path_);
    files.write(name, values);
    files.put_in_place();
    return *this;
  }
  template <class Tensor> Tensor checked(std::string_view kind, std::string_view name, Tensor values) const {
    check_rows(kind, name, values.shape());
    return values;
  }

  std::string path_;
  stg::graphs graph_;
};

/// Reads graph.json and the edges of each relation. Errors name the file, and the field and offset, or the edge: the
/// errors of a JSON file and of read_npy_as; a path that is no folder; a field that is missing, there twice or of
/// another kind; a number of vertices that is negative or beyond 2^31 - 1; an invalid name, or a name of both a set and
/// a relation; a relation to a missing set; edges of another shape; an end that is no vertex of its set.
///
///   auto data = stg::read_graphs("academia");
///   auto y = layer(data.graph(), words = data.vertex_values<float>(paper, "words"), params);
graphs_folder read_graphs(const std::string& folder);

/// Writes the sets and relations of a graph as a folder, which is made if it is missing; existing arrays stay. A
/// process killed meanwhile leaves the earlier folder, or this graph whole. Errors: a name that is none for a folder,
/// and files that cannot be written.
graphs_folder write_graphs(const std::string& folder, const graphs& graph);

}  // namespace stg
