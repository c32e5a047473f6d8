// Folders of TU Dortmund's collection: lists of numbers that must agree with one another.
#include "number_rows.hpp"  // read_number_list, read_number_rows

#include <stg/base/error.hpp>             // error
#include <stg/data/tu.hpp>                // read_tu
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <filesystem>  // exists, path

namespace stg {

namespace {

constexpr const char* tu = "TU file";
constexpr auto no_field_is_empty = detail::empty_fields::are_refused;

/// One folder: paths in it, and errors that begin with a file's name.
struct tu_folder {
  std::string path, name;

  std::string file(const char* what) const { return path + "/" + name + "_" + what + ".txt"; }
  bool has(const char* what) const {
    std::error_code status;
    return std::filesystem::exists(file(what), status);
  }
  [[noreturn]] void fail(const char* what, const std::string& problem) const {
    throw error(std::string(tu) + " " + file(what) + " " + problem);
  }
  /// Rows of a file that need not be there.
  template <class T> tensor<T> rows(const char* what, std::int64_t count, const char* of) const {
    if (!has(what)) return {};
    tensor<T> t = detail::read_number_rows<T>(tu, file(what), no_field_is_empty);
    if (t.extent(0) != count)
      fail(what,
           "has " + std::to_string(t.extent(0)) + " rows; expected " + std::to_string(count) + ", one for each " + of);
    return t;
  }
};

void read_vertices(const tu_folder& from, graph_set& set) {
  const auto graph_of = detail::read_number_list<std::int64_t>(tu, from.file("graph_indicator"), no_field_is_empty);
  set.graph_of = tensor<std::int32_t>(graph_of.shape());
  std::int64_t graphs = 0;
  for (std::int64_t v = 0; v < graph_of.size(); ++v) {
    const std::int64_t graph = graph_of(v);
    if (graph != graphs && (graph != graphs + 1))
      from.fail("graph_indicator", "row " + std::to_string(v + 1) + " is of graph " + std::to_string(graph) +
                                       "; expected " + (graphs == 0 ? "1" : std::to_string(graphs) + " or the next") +
                                       ", since vertices come graph by graph");
    if (graph != graphs) ++graphs, set.vertex_offsets.push_back(v);
    set.vertex_offsets.back() = v + 1;
    set.graph_of(v) = static_cast<std::int32_t>(graph - 1);
  }
}

void read_edges(const tu_folder& from, graph_set& set) {
  const auto pairs = detail::read_number_rows<std::int64_t>(tu, from.file("A"), no_field_is_empty);
  const std::int64_t edges = pairs.extent(0), vertices = set.graph_of.size();
  if (edges > 0 && pairs.extent(1) != 2)
    from.fail("A", "has " + std::to_string(pairs.extent(1)) + " columns; expected two, the ends of an edge");
  std::vector<std::int64_t> src, dst;
  std::int64_t before = 0;
  set.edge_offsets.assign(set.vertex_offsets.size(), 0);
  for (std::int64_t e = 0; e < edges; ++e) {
    const std::string row = "row " + std::to_string(e + 1);
    for (int end = 0; end < 2; ++end) {
      const std::int64_t v = pairs(e, end);
      if (v < 1 || v > vertices)
        from.fail("A", row + " has vertex " + std::to_string(v) + "; expected one of 1 to " + std::to_string(vertices));
      (end == 0 ? src : dst).push_back(v - 1);
    }
    const std::int64_t graph = set.graph_of(src.back());
    if (set.graph_of(dst.back()) != graph)
      from.fail("A", row + " joins graph " + std::to_string(graph + 1) + " to graph " +
                         std::to_string(set.graph_of(dst.back()) + 1) + "; expected ends of one graph");
    if (graph < before)
      from.fail("A", row + " is of a graph before that of the row above; expected edges graph by graph");
    before = graph;
    ++set.edge_offsets[static_cast<std::size_t>(graph + 1)];
  }
  for (std::size_t i = 1; i < set.edge_offsets.size(); ++i) set.edge_offsets[i] += set.edge_offsets[i - 1];
  set.graph = graph::from_edges(vertices, src, dst);
}

}  // namespace

tu_dataset read_tu(const std::string& folder) try {
  std::filesystem::path path(folder);
  if (!path.has_filename()) path = path.parent_path();  // "MUTAG/"
  const tu_folder from{folder, path.filename().string()};
  tu_dataset data;
  read_vertices(from, data.set);
  read_edges(from, data.set);
  const std::int64_t graphs = data.set.graphs(), vertices = data.set.graph_of.size(), edges = data.set.graph.edges();
  data.graph_labels = from.rows<std::int64_t>("graph_labels", graphs, "graph");
  if (data.graph_labels.rank() == 2 && data.graph_labels.extent(1) == 1)
    data.graph_labels = std::move(data.graph_labels).reshape({graphs});
  data.graph_attributes = from.rows<float>("graph_attributes", graphs, "graph");
  data.node_labels = from.rows<std::int64_t>("node_labels", vertices, "vertex");
  data.node_attributes = from.rows<float>("node_attributes", vertices, "vertex");
  data.edge_labels = from.rows<std::int64_t>("edge_labels", edges, "edge");
  data.edge_attributes = from.rows<float>("edge_attributes", edges, "edge");
  return data;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
