// Signals from folders of .npy files, and edges of a dense matrix.
#include "temporal.hpp"  // edge_outside

#include <stg/base/error.hpp>             // error
#include <stg/data/npy.hpp>               // read_npy_as
#include <stg/data/temporal.hpp>          // read_graph_signal_folder
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>         // max
#include <cmath>             // isnan
#include <filesystem>        // exists
#include <initializer_list>  // initializer_list
#include <limits>            // numeric_limits

namespace stg {

namespace {

/// Files of a folder by what they hold.
class signal_folder {
 public:
  explicit signal_folder(const std::string& folder) : folder_(folder) {
    std::error_code problem;
    if (!std::filesystem::is_directory(folder, problem))
      throw error("signal " + folder + " is no folder; expected one of .npy files");
  }

  std::string file(const std::string& name) const { return (std::filesystem::path(folder_) / name).string(); }
  /// The one of these files that is there; empty when none is.
  std::string one_of(std::initializer_list<const char*> names) const {
    std::string found;
    for (const char* name : names) {
      std::error_code problem;
      if (!std::filesystem::exists(file(name), problem)) continue;
      if (!found.empty()) throw error("signal " + file(found) + " is there beside " + name + "; keep one of them");
      found = name;
    }
    return found;
  }

  tensor<double> signal_of(const std::string& name) const {
    auto signal = read_npy_as<double>(file(name));
    if (signal.rank() != 2 && signal.rank() != 3)
      throw error("signal " + file(name) + " has shape " + to_string(signal.shape()) +
                  "; expected (steps, vertices) or (steps, vertices, features)");
    return signal;
  }
  snapshot_edges listed_edges() const {
    const auto pairs = read_npy_as<std::int64_t>(file("edges.npy"));
    if (pairs.rank() != 2 || pairs.shape()[0] != 2)
      throw error("signal " + file("edges.npy") + " has shape " + to_string(pairs.shape()) + "; expected (2, edges)");
    snapshot_edges edges;
    const auto src = pairs.row(0), dst = pairs.row(1);
    edges.src.assign(src.begin(), src.end());
    edges.dst.assign(dst.begin(), dst.end());
    if (one_of({"weights.npy"}).empty()) return edges;
    const auto weights = read_npy_as<double>(file("weights.npy"));
    if (!(weights.shape() == dimensions{edges.size()}))
      throw error("signal " + file("weights.npy") + " has shape " + to_string(weights.shape()) + "; expected " +
                  to_string(dimensions{edges.size()}) + ", one per edge");
    edges.weights.assign(weights.begin(), weights.end());
    for (std::size_t e = 0; e < edges.weights.size(); ++e)
      if (std::isnan(edges.weights[e]))
        throw error("signal " + file("weights.npy") + " edge " + std::to_string(e) + ", " +
                    std::to_string(edges.src[e]) + " -> " + std::to_string(edges.dst[e]) +
                    ", weighs nan; expected a number");
    return edges;
  }
  void check(const snapshot_edges& edges, std::int64_t vertices) const {
    if (const std::int64_t e = detail::edge_outside(edges, vertices); e >= 0)
      throw error("signal " + file("edges.npy") + " has " + detail::outside_sentence(edges, e, vertices));
  }

 private:
  std::string folder_;
};

}  // namespace

snapshot_edges edges_of_matrix(const const_tensor<double>& matrix) {
  detail::require_host(matrix.shape(), matrix.place());
  if (matrix.rank() != 2 || matrix.shape()[0] != matrix.shape()[1])
    throw error("matrix of edges has shape " + to_string(matrix.shape()) + "; expected (vertices, vertices)");
  snapshot_edges edges;
  for (std::int64_t s = 0; s < matrix.shape()[0]; ++s)
    for (std::int64_t d = 0; d < matrix.shape()[1]; ++d) {
      if (matrix(s, d) == 0) continue;
      edges.src.push_back(s);
      edges.dst.push_back(d);
      edges.weights.push_back(matrix(s, d));
    }
  return edges;
}

graph_signal read_graph_signal_folder(const std::string& folder) try {
  const signal_folder files(folder);
  const std::string values = files.one_of({"node_values.npy", "speed.npy", "signal.npy"});
  const std::string edges = files.one_of({"edges.npy", "adj_mat.npy"});
  if (edges.empty()) throw error("signal " + folder + " has no edges; expected edges.npy or adj_mat.npy");
  graph_signal data;
  if (edges == "edges.npy") {
    data.edges = files.listed_edges();
    std::int64_t last = -1;
    for (std::size_t e = 0; e < data.edges.src.size(); ++e)
      last = std::max({last, data.edges.src[e], data.edges.dst[e]});
    // There is no vertex behind the largest number: an edge that names it is outside.
    data.vertices = last == std::numeric_limits<std::int64_t>::max() ? last : last + 1;
  } else {
    const auto matrix = read_npy_as<double>(files.file(edges));
    data.edges = edges_of_matrix(matrix);
    data.vertices = matrix.shape()[0];
  }
  if (values.empty()) {
    files.check(data.edges, data.vertices);
    data.signal = tensor<double>({0, data.vertices});
    return data;
  }
  data.signal = files.signal_of(values);
  const std::int64_t vertices = data.signal.shape()[1];
  if (edges != "edges.npy" && vertices != data.vertices)
    throw error("signal " + files.file(values) + " has " + std::to_string(vertices) + " vertices; expected " +
                std::to_string(data.vertices) + " as " + edges + " has");
  data.vertices = vertices;
  files.check(data.edges, vertices);
  return data;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

changing_graph_signal read_changing_graph_signal_folder(const std::string& folder) try {
  const signal_folder files(folder);
  const std::string values = files.one_of({"features.npy", "signal.npy"});
  if (values.empty()) throw error("signal " + folder + " has no signal; expected features.npy or signal.npy");
  changing_graph_signal data;
  data.signal = files.signal_of(values);
  const std::int64_t steps = data.signal.shape()[0];
  data.vertices = data.signal.shape()[1];
  const snapshot_edges all = files.listed_edges();
  files.check(all, data.vertices);
  const std::string pointers = files.file("snap_ptr.npy");
  const auto begin = read_npy_as<std::int64_t>(pointers);
  if (!(begin.shape() == dimensions{steps + 1}))
    throw error("signal " + pointers + " has shape " + to_string(begin.shape()) + "; expected " +
                to_string(dimensions{steps + 1}) + ", the steps of " + values + " and one");
  for (std::int64_t t = 0; t <= steps; ++t) {
    const std::int64_t least = t == 0 ? 0 : begin(t - 1), most = t == 0 ? 0 : all.size();
    if (begin(t) < least || begin(t) > most)
      throw error("signal " + pointers + " element " + std::to_string(t) + " is " + std::to_string(begin(t)) +
                  "; expected numbers that ascend from 0 to the " + std::to_string(all.size()) + " edges");
  }
  if (begin(steps) != all.size())
    throw error("signal " + pointers + " element " + std::to_string(steps) + " is " + std::to_string(begin(steps)) +
                "; expected " + std::to_string(all.size()) + ", the edges of edges.npy");
  const auto cut = [](const auto& from, std::int64_t first, std::int64_t last) {
    return from.empty() ? from : std::decay_t<decltype(from)>(from.begin() + first, from.begin() + last);
  };
  for (std::int64_t t = 0; t < steps; ++t)
    data.edges.push_back({cut(all.src, begin(t), begin(t + 1)), cut(all.dst, begin(t), begin(t + 1)),
                          cut(all.weights, begin(t), begin(t + 1))});
  if (files.one_of({"target.npy"}).empty()) return data;
  data.targets = read_npy_as<double>(files.file("target.npy"));
  if (!(data.targets.shape() == dimensions{steps, data.vertices}))
    throw error("signal " + files.file("target.npy") + " has shape " + to_string(data.targets.shape()) + "; expected " +
                to_string(dimensions{steps, data.vertices}) + ", as " + values + " has");
  return data;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
