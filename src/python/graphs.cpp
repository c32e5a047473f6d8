// The classes of graphs of a module.
#include "graphs.hpp"

#include "arrays.hpp"  // integers

#include <stg/base/error.hpp>  // error

#include <nanobind/stl/string.h>  // casters

#include <algorithm>  // max
#include <cstdint>    // int64_t
#include <string>     // string, to_string
#include <utility>    // move
#include <vector>     // vector

namespace stg::python {

namespace {

struct edge_list {
  std::vector<std::int64_t> src, dst;
};
/// (2, edges), as PyTorch Geometric has it: an array, or two of them.
edge_list edges_of(nb::handle edge_index, const std::string& name) {
  if (nb::len(edge_index) != 2) throw error(name + " takes two rows: the sources of edges, and their destinations");
  return {integers(edge_index[nb::int_(0)], name + "[0]"), integers(edge_index[nb::int_(1)], name + "[1]")};
}

graph from_edge_index(nb::handle edge_index, nb::object vertices) {
  const edge_list edges = edges_of(edge_index, "edge_index");
  std::int64_t count = 0;
  if (!vertices.is_none()) {
    count = nb::cast<std::int64_t>(vertices);
  } else {
    for (const std::int64_t v : edges.src) count = std::max(count, v + 1);
    for (const std::int64_t v : edges.dst) count = std::max(count, v + 1);
  }
  return graph::from_edges(count, edges.src, edges.dst);
}

/// Rows are destinations, and columns sources, as in SciPy's product A @ x.
graph from_csr(nb::handle offsets, nb::handle columns) {
  const std::vector<std::int64_t> first = integers(offsets, "indptr");
  const std::vector<std::int64_t> src = integers(columns, "indices");
  if (first.empty() || first.front() != 0 || first.back() != static_cast<std::int64_t>(src.size()))
    throw error("indptr begins with 0 and ends with the number of indices");
  std::vector<std::int64_t> dst;
  dst.reserve(src.size());
  for (std::size_t row = 0; row + 1 < first.size(); ++row) {
    if (first[row + 1] < first[row]) throw error("indptr descends at row " + std::to_string(row));
    dst.insert(dst.end(), static_cast<std::size_t>(first[row + 1] - first[row]), static_cast<std::int64_t>(row));
  }
  return graph::from_edges(static_cast<std::int64_t>(first.size()) - 1, src, dst);
}

/// Of a matrix of SciPy: an edge j to i for each entry (i, j) that it stores, in the order of its compressed rows.
graph from_scipy(nb::handle matrix) {
  if (!nb::hasattr(matrix, "tocsr")) throw error("from_scipy takes a sparse matrix of SciPy, which has tocsr()");
  const nb::object rows = matrix.attr("tocsr")();
  const nb::object shape = rows.attr("shape");
  const auto destinations = nb::cast<std::int64_t>(shape[nb::int_(0)]),
             sources = nb::cast<std::int64_t>(shape[nb::int_(1)]);
  if (destinations != sources)
    throw error("the matrix has " + std::to_string(destinations) + " rows and " + std::to_string(sources) +
                " columns; a graph has as many of both");
  return from_csr(rows.attr("indptr"), rows.attr("indices"));
}

/// Names of relations: the middle of PyTorch Geometric's triples.
graphs from_dicts(const nb::dict& vertices, const nb::dict& edges) {
  graphs g;
  for (const auto& [set, count] : vertices) g.add_vertices(nb::cast<std::string>(set), nb::cast<std::int64_t>(count));
  for (const auto& [relation, edge_index] : edges) {
    if (!nb::isinstance<nb::tuple>(relation) || nb::len(relation) != 3)
      throw error("edges are those of (source, relation, destination), a tuple of three names");
    const auto name = nb::cast<std::string>(relation[1]);
    const edge_list list = edges_of(edge_index, name);
    g.add_edges(name, nb::cast<std::string>(relation[0]), nb::cast<std::string>(relation[2]), list.src, list.dst);
  }
  return g;
}

/// PyTorch Geometric's HeteroData, by its node_types and edge_types.
graphs from_hetero_data(nb::handle data) {
  if (!nb::hasattr(data, "node_types") || !nb::hasattr(data, "edge_types"))
    throw error("from_hetero_data takes PyTorch Geometric's HeteroData, which has node_types and edge_types");
  nb::dict vertices, edges;
  for (const nb::handle set : data.attr("node_types")) vertices[set] = data[set].attr("num_nodes");
  for (const nb::handle relation : data.attr("edge_types")) edges[relation] = data[relation].attr("edge_index");
  return from_dicts(vertices, edges);
}

graph_sequence from_steps(std::int64_t vertices, const nb::list& edge_indices) {
  std::vector<snapshot_edges> steps;
  for (const nb::handle step : edge_indices) {
    edge_list list = edges_of(step, "edge_index of step " + std::to_string(steps.size()));
    steps.push_back({std::move(list.src), std::move(list.dst), {}});
  }
  return graph_sequence::from_steps(vertices, steps);
}

std::string counted(std::int64_t n, const char* one, const char* many) {
  return std::to_string(n) + ' ' + (n == 1 ? one : many);
}

}  // namespace

void add_graphs(nb::module_& m) {
  nb::class_<graph>(m, "Graph", "A graph: its edges, in both directions, made once and used by any number of calls.")
      .def_static("from_edge_index", &from_edge_index, nb::arg("edge_index"), nb::arg("num_nodes") = nb::none(),
                  "From (2, edges) integers, sources and destinations, as PyTorch Geometric has them.")
      .def_static("from_csr", &from_csr, nb::arg("indptr"), nb::arg("indices"),
                  "From compressed rows, as SciPy has them: row v has the sources of v's in-edges.")
      .def_static("from_scipy", &from_scipy, nb::arg("matrix"),
                  "From a square sparse matrix of SciPy: the in-edges of v are the entries of row v, as in A @ x.")
      .def_prop_ro("num_nodes", &graph::vertices)
      .def_prop_ro("num_edges", &graph::edges)
      .def("__repr__", [](const graph& g) {
        return "<Graph of " + counted(g.vertices(), "vertex", "vertices") + " and " +
               counted(g.edges(), "edge", "edges") + '>';
      });
  nb::class_<graphs>(m, "HeteroGraph", "A graph of several kinds of vertices and edges.")
      .def_static("from_dicts", &from_dicts, nb::arg("num_nodes"), nb::arg("edge_index"),
                  "From {set: vertices} and {(source, relation, destination): (2, edges) integers}.")
      .def_static("from_hetero_data", &from_hetero_data, nb::arg("data"),
                  "From PyTorch Geometric's HeteroData; a relation's name is the middle of its edge type.")
      .def("__repr__", [](const graphs&) { return std::string("<HeteroGraph>"); });
  nb::class_<held_blocks>(m, "Blocks", "A sample hop by hop, of which a program computes the rows that its seeds need.")
      .def_prop_ro("num_seeds", [](const held_blocks& b) { return b.hops.seeds(); });
  nb::class_<graph_sequence>(m, "GraphSequence", "A graph for each step of a program's scans.")
      .def_static("from_steps", &from_steps, nb::arg("num_nodes"), nb::arg("edge_indices"),
                  "From the edges of each step, (2, edges) integers each.")
      .def("__repr__", [](const graph_sequence&) { return std::string("<GraphSequence>"); });
}

door::called_with graph_of(nb::handle given) {
  door::called_with on;
  if (nb::isinstance<graph>(given)) on.plain = nb::inst_ptr<graph>(given);
  else if (nb::isinstance<graphs>(given)) on.kinds = nb::inst_ptr<graphs>(given);
  else if (nb::isinstance<graph_sequence>(given)) on.steps = nb::inst_ptr<graph_sequence>(given);
  else if (nb::isinstance<held_blocks>(given)) {
    on.hops = &nb::inst_ptr<held_blocks>(given)->hops;
    on.kinds = nb::inst_ptr<held_blocks>(given)->kinds.get();
  } else
    throw error("a program is called on a Graph, a HeteroGraph or a GraphSequence first, then on its inputs by name");
  return on;
}

}  // namespace stg::python
