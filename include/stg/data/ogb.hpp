// Reading the folders of OGB, the Open Graph Benchmark, as they are unpacked. Of the library stg::io.
#pragma once

#include <stg/data/graph_set.hpp>  // graph_set
#include <stg/runtime/graphs.hpp>  // graphs

#include <memory>       // shared_ptr
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg {

/// What the folder itself does not say.
struct ogb_options {
  /// A reverse behind each edge, with the edge's values: for data sets that OGB's list calls undirected and keeps one
  /// way.
  bool add_inverse_edges = false;
};

/// Rows to train on, to choose by and to report, of vertices or of graphs.
struct ogb_split {
  tensor<std::int64_t> train, valid, test;
};

namespace detail {
class ogb_files;
}

/// A data set of one kind of vertices: one graph (ogbn-arxiv, ogbn-products, ogbn-papers100M), or many (ogbg-molhiv)
/// side by side. Arrays are read on request, from raw/NAME.csv.gz or raw/data.npz, with the names that they have there:
/// "node-feat", "edge-feat", "node_year", "edge_reltype". T is float or std::int64_t; a missing number is NaN.
///
///   auto arxiv = stg::read_ogb("ogbn_arxiv");
///   auto X = arxiv.vertex_values<float>("node-feat");                    // (169343, 128)
///   auto y = arxiv.labels<std::int64_t>();                               // (169343, 1)
///   auto known = arxiv.split("time");                                    // known.train: 90941 vertices
class ogb_dataset {
 public:
  const graph_set& set() const& { return set_; }
  const stg::graph& graph() const& { return set_.graph; }
  stg::graph graph() && { return set_.graph; }

  /// Errors: no array of the name, rows that are not as many as vertices or edges, and all of reading the file.
  template <class T> tensor<T> vertex_values(std::string_view name) const;  // (vertices, columns)
  template <class T> stg::edge_values<T> edge_values(std::string_view name) const;
  /// Of vertices, or of graphs: (vertices or graphs, tasks).
  template <class T> tensor<T> labels() const;
  /// Ways in which the folder is divided, and one of them. Errors also for one that only Python reads, and for a number
  /// that is of no vertex (graph).
  std::vector<std::string> splits() const;
  ogb_split split(std::string_view name) const;

 private:
  friend ogb_dataset read_ogb(const std::string&, const ogb_options&);
  std::shared_ptr<const detail::ogb_files> files_;
  graph_set set_;
  ogb_options options_;
};

/// A data set of several kinds: ogbn-mag, ogbl-biokg. A relation is called as OGB calls it, or HEAD___RELATION___TAIL
/// where two have one name.
///
///   auto mag = stg::read_ogb_kinds("ogbn_mag");
///   auto X = mag.vertex_values<float>("paper", "node-feat");
///   auto y = mag.labels<std::int64_t>("paper");
class ogb_kinds_dataset {
 public:
  const stg::graphs& graph() const& { return graph_; }
  stg::graphs graph() && { return graph_; }

  template <class T> tensor<T> vertex_values(std::string_view set, std::string_view name) const;
  template <class T> stg::edge_values<T> edge_values(std::string_view relation, std::string_view name) const;
  template <class T> tensor<T> labels(std::string_view set) const;
  std::vector<std::string> splits() const;
  ogb_split split(std::string_view name, std::string_view set) const;

 private:
  friend ogb_kinds_dataset read_ogb_kinds(const std::string&);
  struct relation {
    std::string name, folder;
  };
  std::shared_ptr<const detail::ogb_files> files_;
  stg::graphs graph_;
  std::vector<relation> relations_;
};

/// Opens a folder and reads its edges. Errors name the file, and the line or the array: a folder that is none of OGB's,
/// or is of several kinds (of one kind); those of its files; counts of vertices and edges that do not agree with them;
/// an edge to a vertex that its graph does not have.
ogb_dataset read_ogb(const std::string& folder, const ogb_options& options = {});
ogb_kinds_dataset read_ogb_kinds(const std::string& folder);

}  // namespace stg
