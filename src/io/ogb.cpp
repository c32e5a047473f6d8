// OGB's data sets of one kind of vertices: edges graph by graph, and arrays beside them.
#include "ogb_files.hpp"  // ogb_files

#include "../runtime/data/word.hpp"  // in_quotes

#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // copy, replace
#include <utility>    // move

namespace stg {

namespace {

using detail::ogb_files;

/// Where an array is in the archive of a folder: "node-feat" of the texts is node_feat there.
std::string archived(std::string_view name) {
  std::string with_bars(name);
  std::replace(with_bars.begin(), with_bars.end(), '-', '_');
  return with_bars;
}

template <class T> tensor<T> read_array(const ogb_files& files, std::string_view name) {
  return files.is_binary() ? files.array<T>("data", archived(name)) : files.rows<T>(name);
}

/// Offsets of counts; each is checked, so that no sum is beyond what the edges and vertices can be.
std::vector<std::int64_t> offsets_of(const ogb_files& files, const tensor<std::int64_t>& counts, const char* what) {
  std::vector<std::int64_t> offsets{0};
  constexpr std::int64_t most = std::int64_t{1} << 59;
  for (std::int64_t i = 0; i < counts.size(); ++i) {
    const std::int64_t count = counts.data()[i];
    if (count < 0 || count > most - offsets.back())
      files.fail("says that graph " + std::to_string(i) + " has " + std::to_string(count) + " " + what +
                 "; expected a number from 0 on");
    offsets.push_back(offsets.back() + count);
  }
  return offsets;
}

/// The ends of edges as lists: (2, edges) from an archive, or (edges, 2) of a text.
struct edge_ends {
  std::vector<std::int64_t> src, dst;
};
edge_ends read_ends(const ogb_files& files) {
  const auto ends = files.is_binary() ? files.pairs("data", "edge_index") : files.rows<std::int64_t>("edge");
  const bool is_text = !files.is_binary();
  if (is_text && ends.extent(0) > 0 && ends.extent(1) != 2)
    files.fail("has edges of " + std::to_string(ends.extent(1)) + " columns in raw/edge.csv.gz; expected two");
  edge_ends edges;
  const std::int64_t count = ends.extent(is_text ? 0 : 1), step = is_text ? 2 : 1, behind = is_text ? 1 : count;
  edges.src.resize(static_cast<std::size_t>(count)), edges.dst.resize(static_cast<std::size_t>(count));
  for (std::int64_t e = 0; e < count; ++e) {
    edges.src[static_cast<std::size_t>(e)] = ends.data()[e * step];
    edges.dst[static_cast<std::size_t>(e)] = ends.data()[e * step + behind];
  }
  return edges;
}

/// Numbers the vertices of each graph through, and puts a reverse behind each edge where that is wanted.
void make_graph(const ogb_files& files, edge_ends edges, bool with_inverse, graph_set& set) {
  files.check_rows("list of edges", static_cast<std::int64_t>(edges.src.size()), set.edge_offsets.back(),
                   "edge that is counted");
  edge_ends both;
  for (std::size_t i = 0; i + 1 < set.edge_offsets.size(); ++i) {
    const std::int64_t first = set.vertex_offsets[i], count = set.vertex_offsets[i + 1] - first;
    for (auto e = static_cast<std::size_t>(set.edge_offsets[i]); e < static_cast<std::size_t>(set.edge_offsets[i + 1]);
         ++e)
      for (std::int64_t* end : {&edges.src[e], &edges.dst[e]}) {
        if (*end < 0 || *end >= count)
          files.fail("has edge " + std::to_string(e) + " of graph " + std::to_string(i) + " to vertex " +
                     std::to_string(*end) + "; expected one of its " + std::to_string(count) + " vertices");
        *end += first;
      }
  }
  if (with_inverse) {
    for (std::size_t e = 0; e < edges.src.size(); ++e) {
      both.src.insert(both.src.end(), {edges.src[e], edges.dst[e]});
      both.dst.insert(both.dst.end(), {edges.dst[e], edges.src[e]});
    }
    for (std::int64_t& offset : set.edge_offsets) offset *= 2;
    edges = std::move(both);
  }
  const std::int64_t vertices = set.vertex_offsets.back();
  set.graph = graph::from_edges(vertices, edges.src, edges.dst);
  set.graph_of = tensor<std::int32_t>({vertices});
  for (std::int64_t i = 0; i < set.graphs(); ++i)
    std::fill(set.graph_of.begin() + set.vertex_offsets[static_cast<std::size_t>(i)],
              set.graph_of.begin() + set.vertex_offsets[static_cast<std::size_t>(i + 1)], static_cast<std::int32_t>(i));
}

/// Each row twice, as the edges are.
template <class T> tensor<T> with_inverse_rows(const tensor<T>& rows) {
  auto twice = tensor<T>::for_overwrite({2 * rows.extent(0), rows.extent(1)});
  for (std::int64_t r = 0; r < 2 * rows.extent(0); ++r) twice.row(r).assign(rows.row(r / 2));
  return twice;
}

bool has_labels_of_graphs(const ogb_files& files) {
  return files.has_text("graph-label") || files.has_archive("graph-label");
}

}  // namespace

ogb_dataset read_ogb(const std::string& folder, const ogb_options& options) try {
  ogb_dataset data;
  const auto files = std::make_shared<const ogb_files>(folder);
  if (files->has_kinds()) files->fail("has several kinds of vertices; read it by read_ogb_kinds");
  data.files_ = files, data.options_ = options;
  const bool binary = files->is_binary();
  const auto vertices =
      binary ? files->array<std::int64_t>("data", "num_nodes_list") : files->list<std::int64_t>("num-node-list");
  const auto edges =
      binary ? files->array<std::int64_t>("data", "num_edges_list") : files->list<std::int64_t>("num-edge-list");
  files->check_rows("list of numbers of edges", edges.size(), vertices.size(), "graph");
  data.set_.vertex_offsets = offsets_of(*files, vertices, "vertices");
  files->check_vertices(data.set_.vertex_offsets.back());
  data.set_.edge_offsets = offsets_of(*files, edges, "edges");
  make_graph(*files, read_ends(*files), options.add_inverse_edges, data.set_);
  return data;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> tensor<T> ogb_dataset::vertex_values(std::string_view name) const try {
  auto values = read_array<T>(*files_, name);
  files_->check_rows("array " + detail::in_quotes(name), values.extent(0), set_.vertex_offsets.back(), "vertex");
  return values;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> edge_values<T> ogb_dataset::edge_values(std::string_view name) const try {
  auto values = read_array<T>(*files_, name);
  const std::int64_t stored = set_.graph.edges() / (options_.add_inverse_edges ? 2 : 1);
  files_->check_rows("array " + detail::in_quotes(name), values.extent(0), stored, "edge");
  return set_.graph.edge_values(options_.add_inverse_edges ? with_inverse_rows(values) : std::move(values));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> tensor<T> ogb_dataset::labels() const try {
  const bool of_graphs = has_labels_of_graphs(*files_);
  const std::string file = of_graphs ? "graph-label" : "node-label";
  auto values =
      files_->is_binary() ? files_->array<T>(file, of_graphs ? "graph_label" : "node_label") : files_->rows<T>(file);
  files_->check_rows("list of labels", values.extent(0), of_graphs ? set_.graphs() : set_.vertex_offsets.back(),
                     of_graphs ? "graph" : "vertex");
  return values;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::string> ogb_dataset::splits() const { return files_->splits(); }
ogb_split ogb_dataset::split(std::string_view name) const {
  const bool of_graphs = has_labels_of_graphs(*files_);
  return files_->split(name, std::nullopt, of_graphs ? set_.graphs() : set_.vertex_offsets.back(),
                       of_graphs ? "graphs" : "vertices");
}

#define STG_VALUES_OF(T)                                                       \
  template tensor<T> ogb_dataset::vertex_values<T>(std::string_view) const;    \
  template edge_values<T> ogb_dataset::edge_values<T>(std::string_view) const; \
  template tensor<T> ogb_dataset::labels<T>() const;
STG_VALUES_OF(float)
STG_VALUES_OF(std::int64_t)
#undef STG_VALUES_OF

}  // namespace stg
