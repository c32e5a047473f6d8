// Reading signals over graphs, one number or several per vertex and step: the files of PyG-T, STGraph and DCRNN.
#pragma once

#include <stg/runtime/snapshot.hpp>  // snapshot_edges
#include <stg/runtime/tensor.hpp>    // tensor

#include <cstdint>  // int64_t
#include <string>   // string
#include <vector>   // vector

namespace stg {

/// A signal over the vertices of one graph: PyG-T's StaticGraphTemporalSignal before it is cut into windows.
struct graph_signal {
  std::int64_t vertices = 0;
  snapshot_edges edges{};
  tensor<double> signal{};  // (steps, vertices) or (steps, vertices, features), as the file has it: not standardised
};

/// A signal over the vertices of a graph whose edges change: PyG-T's DynamicGraphTemporalSignal, likewise.
struct changing_graph_signal {
  std::int64_t vertices = 0;
  std::vector<snapshot_edges> edges{};  // (steps)
  tensor<double> signal{};              // (steps, vertices) or (steps, vertices, features)
  tensor<double> targets{};             // (steps, vertices) if the file has them apart from the signal, else (0)
};

// Both readers of JSON tell a file's form by its fields; fields that are not named here are passed by. Edges are pairs
// [source, destination] of numbers from 0 on. Errors name the file, the field, the step and the byte: a missing or
// compressed file, or one without JSON; an unknown form; a missing field, a field given twice or of the wrong
// kind; rows of different lengths; a vertex outside of the signal; weights that are not one per edge; a number
// beyond a double. An offset is a value's first byte, or a text's last.

/// Reads a signal over one graph from JSON.
///
/// - Steps as rows, PyG-T's Chickenpox, PedalMe and Windmill: `edges`, `weights` where there are any, and `FX`, `X` or
///   `block`, [steps][vertices] or [steps][vertices][features].
/// - Steps as fields, STGraph's PedalMe and METR-LA and PyG-T's WikiMaths: `edges`, `weights` where there are any,
///   `time_periods`, and "0", "1", and so on, each [vertices], [vertices][features], or an object whose `y` is
///   [vertices].
/// - Node-link data, PyG-T's Montevideo: `nodes`, each with `id` and `y`, [steps]; `links`, each with `source` and
///   `target`, which are ids, and `weight` where there are any. Vertices are numbered in the order of `nodes`.
///
///   auto data = stg::read_graph_signal("chickenpox.json");             // 20 vertices, 102 edges, signal (521, 20)
///   auto g = stg::graph::from_edges(data.vertices, data.edges.src, data.edges.dst);
graph_signal read_graph_signal(const std::string& path);

/// Reads a signal over a changing graph from JSON.
///
/// - A mapping, PyG-T's England Covid: `edge_mapping` with `edge_index` and, where there are any, `edge_weight`, each
///   with a field "0", "1", and so on for each step; `time_periods`; `y`, [steps][vertices].
/// - Steps as fields, PyG-T's Twitter tennis: `time_periods`, and "0", "1", and so on, each with `edges`, with
/// `weights`
///   where there are any, `X`, [vertices][features] or [vertices], and `y`, [vertices], which are `targets`.
///
///   auto data = stg::read_changing_graph_signal("england_covid.json");  // 129 vertices, 61 steps
changing_graph_signal read_changing_graph_signal(const std::string& path);

/// Reads a signal over one graph from a folder of `.npy` files of any type of numbers. The signal is `node_values.npy`
/// (PyG-T's METR-LA), `speed.npy` or `signal.npy`, (steps, vertices) or (steps, vertices, features). Edges are
/// `edges.npy`, (2, edges), sources first, with `weights.npy`, (edges), where there are any; or a dense matrix,
/// `adj_mat.npy`, (vertices, vertices): see `edges_of_matrix`. Where there is no signal, as in a sensor network alone,
/// it has no steps: (0, vertices), as many as the matrix has, or one more than the largest vertex of an edge. Errors
/// are those of `read_npy_as`, and name file and element: no edges, two signals or two lists of edges, another shape, a
/// vertex that the signal does not have, a weight in `weights.npy` that is NaN.
///
///   auto data = stg::read_graph_signal_folder("metr_la");              // 207 vertices, 1722 edges
graph_signal read_graph_signal_folder(const std::string& folder);

/// Reads a changing graph. Edges of step t are columns snap_ptr[t] to snap_ptr[t + 1] of `edges.npy`, and
/// `snap_ptr.npy` is (steps + 1), ascending from 0. The signal is `features.npy` or `signal.npy`, and `target.npy`,
/// (steps, vertices), if present, are the targets.
///
///   auto data = stg::read_changing_graph_signal_folder("england_covid");
changing_graph_signal read_changing_graph_signal_folder(const std::string& folder);

/// The edges of a dense matrix, (vertices, vertices): one from row to column for each number other than 0, its weight;
/// row by row, as PyTorch Geometric's dense_to_sparse has it. Errors: another shape, or a device.
///
///   auto e = stg::edges_of_matrix(stg::tensor<double>::from({2, 2}, {1, 0, 0.5, 0}));    // 0 -> 0 and 1 -> 0
snapshot_edges edges_of_matrix(const const_tensor<double>& matrix);

}  // namespace stg
