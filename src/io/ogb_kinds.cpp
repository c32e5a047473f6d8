// OGB's data sets of several kinds of vertices.
#include "ogb_files.hpp"  // ogb_files

#include "../runtime/data/word.hpp"  // in_quotes

#include <stg/data/table.hpp>             // read_table
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // count_if
#include <array>      // array

namespace stg {

namespace {

using detail::ogb_files;

constexpr const char* between = "___";  // the names of a triplet, where it is a folder or an array

/// HEAD, RELATION, TAIL.
using triplet = std::array<std::string, 3>;
std::string joined(const triplet& t) { return t[0] + between + t[1] + between + t[2]; }

std::vector<triplet> read_triplets(const ogb_files& files) {
  std::vector<triplet> all;
  if (!files.is_binary()) {
    const text_table list = read_table(files.text_file("triplet-type-list"), {.separator = ',', .header = false});
    if (list.rows() > 0 && list.columns() != 3)
      files.fail("has triplets of other than three words; expected head,relation,tail");
    for (int c = 0; list.rows() > 0 && c < 3; ++c) {
      const auto words = list.words(c);
      all.resize(words.size());
      for (std::size_t i = 0; i < words.size(); ++i) all[i][static_cast<std::size_t>(c)] = words[i];
    }
    return all;
  }
  for (const std::string& name : files.archive("edge_index_dict").names()) {
    const std::size_t first = name.find(between), second = first == name.npos ? first : name.find(between, first + 3);
    if (second == std::string::npos)
      files.fail("has edges " + detail::in_quotes(name) + "; expected a name of head___relation___tail");
    all.push_back({name.substr(0, first), name.substr(first + 3, second - first - 3), name.substr(second + 3)});
  }
  return all;
}

void add_vertex_sets(const ogb_files& files, graphs& graph) {
  std::int64_t vertices = 0;
  const auto add = [&](const std::string& set, std::int64_t count) {
    files.check_vertices(count);     // before a vertex takes memory
    graph.add_vertices(set, count);  // which refuses what is no number of vertices
    files.check_vertices(vertices += count);
  };
  if (files.is_binary()) {
    const npz_file counts = files.archive("num_nodes_dict");
    for (const std::string& set : counts.names()) {
      const auto count = counts.array_as<std::int64_t>(set);
      if (count.size() != 1)
        files.fail("has " + std::to_string(count.size()) + " graphs of several kinds; expected one");
      add(set, count.data()[0]);
    }
    return;
  }
  const text_table counts = read_table(files.text_file("num-node-dict"), {.separator = ','});
  if (counts.rows() != 1) files.fail("has " + std::to_string(counts.rows()) + " graphs of several kinds; expected one");
  for (const std::string& set : counts.names()) add(set, counts.integers(set)[0]);
}

void add_relation(const ogb_files& files, const std::string& name, const triplet& t, graphs& graph) {
  std::vector<std::int64_t> src, dst;
  if (files.is_binary()) {
    const auto ends = files.pairs("edge_index_dict", joined(t));
    src.assign(ends.row(0).begin(), ends.row(0).end());
    dst.assign(ends.row(1).begin(), ends.row(1).end());
  } else {
    const auto ends = files.rows<std::int64_t>("relations/" + joined(t) + "/edge");
    if (ends.extent(0) > 0 && ends.extent(1) != 2)
      files.fail("has edges of " + std::to_string(ends.extent(1)) + " columns in " + joined(t) + "; expected two");
    for (std::int64_t e = 0; e < ends.extent(0); ++e) src.push_back(ends(e, 0)), dst.push_back(ends(e, 1));
  }
  graph.add_edges(name, t[0], t[2], src, dst);
}

}  // namespace

ogb_kinds_dataset read_ogb_kinds(const std::string& folder) try {
  ogb_kinds_dataset data;
  const auto files = std::make_shared<const ogb_files>(folder);
  if (!files->has_kinds()) files->fail("has one kind of vertices; read it by read_ogb");
  data.files_ = files;
  add_vertex_sets(*files, data.graph_);
  const std::vector<triplet> triplets = read_triplets(*files);
  for (const triplet& t : triplets) {
    const auto of_name =
        std::count_if(triplets.begin(), triplets.end(), [&](const triplet& o) { return o[1] == t[1]; });
    data.relations_.push_back({of_name == 1 ? t[1] : joined(t), joined(t)});
    add_relation(*files, data.relations_.back().name, t, data.graph_);
  }
  return data;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> tensor<T> ogb_kinds_dataset::vertex_values(std::string_view set, std::string_view name) const try {
  const std::int64_t vertices = graph_.vertices(set);
  std::string archive(name);
  std::replace(archive.begin(), archive.end(), '-', '_');
  auto values = files_->is_binary() ? files_->array<T>(archive, set)
                                    : files_->rows<T>("node-feat/" + std::string(set) + "/" + std::string(name));
  files_->check_rows("array " + detail::in_quotes(name), values.extent(0), vertices, "vertex");
  return values;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T>
edge_values<T> ogb_kinds_dataset::edge_values(std::string_view relation_name, std::string_view name) const try {
  const stg::graph edges = graph_.relation(relation_name);
  const auto found =
      std::find_if(relations_.begin(), relations_.end(), [&](const relation& r) { return r.name == relation_name; });
  std::string archive(name);
  std::replace(archive.begin(), archive.end(), '-', '_');
  auto values = files_->is_binary() ? files_->array<T>(archive, found->folder)
                                    : files_->rows<T>("relations/" + found->folder + "/" + std::string(name));
  files_->check_rows("array " + detail::in_quotes(name), values.extent(0), edges.edges(), "edge");
  return edges.edge_values(values);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> tensor<T> ogb_kinds_dataset::labels(std::string_view set) const try {
  auto values = files_->is_binary() ? files_->array<T>("node-label", set)
                                    : files_->rows<T>("node-label/" + std::string(set) + "/node-label");
  files_->check_rows("list of labels", values.extent(0), graph_.vertices(set), "vertex");
  return values;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::string> ogb_kinds_dataset::splits() const { return files_->splits(); }
ogb_split ogb_kinds_dataset::split(std::string_view name, std::string_view set) const {
  return files_->split(name, set, graph_.vertices(set), "vertices");
}

#define STG_VALUES_OF(T)                                                                               \
  template tensor<T> ogb_kinds_dataset::vertex_values<T>(std::string_view, std::string_view) const;    \
  template edge_values<T> ogb_kinds_dataset::edge_values<T>(std::string_view, std::string_view) const; \
  template tensor<T> ogb_kinds_dataset::labels<T>(std::string_view) const;
STG_VALUES_OF(float)
STG_VALUES_OF(std::int64_t)
#undef STG_VALUES_OF

}  // namespace stg
