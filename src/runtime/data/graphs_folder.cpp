// Graphs of several kinds in folders: graph.json, and .npy files by vertex set and relation.
#include "json.hpp"                  // json_file, json_object
#include "../graph/graph_state.hpp"  // graph_access
#include "../graph/kind_table.hpp"   // quote

#include <stg/data/graphs_folder.hpp>     // graphs_folder
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>     // all_of, copy, find
#include <filesystem>    // directory_iterator, recursive_directory_iterator
#include <fstream>       // ofstream
#include <limits>        // numeric_limits
#include <set>           // set
#include <system_error>  // error_code

namespace stg {

namespace {

namespace fs = std::filesystem;
using detail::quote;

constexpr std::size_t longest_name = 62;  // of what a program can name

bool is_name(std::string_view name) {
  const auto fits = [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '\x7f' && c != '/' && c != '\\' && c != '"';
  };
  return !name.empty() && name.size() <= longest_name && name[0] != '.' && std::all_of(name.begin(), name.end(), fits);
}
constexpr const char* what_names_are = R"(expected 1 to 62 characters without / \ " and no dot first)";

/// The file of an array, relative to its folder.
std::string name_in(const std::string& folder, std::string_view kind, std::string_view name) {
  if (!is_name(name))
    throw error("graphs " + folder + ": " + quote(name) + " is no name of an array; " + what_names_are);
  return std::string(kind) + '/' + std::string(name) + ".npy";
}

constexpr const char* manifest = "graph.json";

void check_name(const detail::json_value& member, const std::string& field) {
  if (!is_name(member.key())) member.fail(field, "has a name that is none; " + std::string(what_names_are));
}

/// Calls body(member, field) for the members of an object, whose names are those of folders.
template <class Body> void each_kind(const detail::json_object& root, const char* name, const Body& body) {
  const detail::json_value all = root.at(name);
  const detail::json_object unique(all, name);
  detail::json_value member = all.first();
  for (std::int64_t i = 0; i < all.size(); ++i, member = member.behind()) {
    check_name(member, name);
    body(member, name + (" " + std::string(member.key())));
  }
}

/// Vertices that nothing in a folder need speak of: beyond them its arrays have a byte for each, or a file of some
/// bytes would take as much memory as it says.
constexpr std::int64_t vertices_without_arrays = std::int64_t{1} << 22;

/// Bytes of the arrays of all sets and relations.
std::int64_t bytes_of_arrays(const std::string& folder) {
  std::error_code problem;
  std::int64_t bytes = 0;
  for (fs::recursive_directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
    if (at->path().extension() != ".npy") continue;
    std::error_code unreadable;
    const std::uintmax_t size = fs::file_size(at->path(), unreadable);
    if (!unreadable) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

/// The set at one end of a relation.
std::string end_of(const detail::json_value& end, const std::string& field, const char* side, const graphs& g) {
  const std::string set = end.text(field);
  const auto sets = g.vertex_sets();
  if (std::find(sets.begin(), sets.end(), set) == sets.end())
    end.fail(field, "has " + std::string(side) + ' ' + quote(set) + "; expected one of vertex_sets");
  return set;
}

void add_edges(graphs& g, const std::string& folder, const detail::whole_files& files, const relation_names& r) {
  const std::string file = files.path_of(name_in(folder, r.name, "edges"));
  const auto pairs = read_npy_as<std::int64_t>(file);
  if (pairs.rank() != 2 || pairs.shape()[0] != 2)
    throw error("graphs " + file + " has shape " + to_string(pairs.shape()) + "; expected (2, edges), sources first");
  try {
    g.add_edges(r.name, r.source, r.destination, pairs.row(0), pairs.row(1));
  } catch (const error& e) {
    throw error("graphs " + file + ": " + std::string(e.what()).substr(std::string_view("stg: ").size()));
  }
}

void write_manifest(const std::string& file, const graphs& g) {
  std::ofstream to(file, std::ios::binary | std::ios::trunc);
  const auto in_quotes = [](const std::string& name) { return '"' + name + '"'; };
  to << "{\"vertex_sets\": {";
  const char* between = "";
  for (const std::string& set : g.vertex_sets()) {
    to << between << in_quotes(set) << ": " << g.vertices(set);
    between = ", ";
  }
  to << "},\n \"relations\": {";
  between = "";
  for (const relation_names& r : g.relations()) {
    to << between << in_quotes(r.name) << ": [" << in_quotes(r.source) << ", " << in_quotes(r.destination) << ']';
    between = ", ";
  }
  to << "}}\n";
  to.close();
  if (!to) throw error("graphs " + file + " cannot be written; make its folder writable");
  detail::json_file must_be_read(file);  // names that are no UTF-8 are found here
}

}  // namespace

graphs_folder read_graphs(const std::string& folder) try {
  std::error_code problem;
  if (!fs::is_directory(folder, problem)) throw error("graphs " + folder + " is no folder; expected one of graph.json");
  const detail::whole_files files(folder);
  const detail::json_file file(files.path_of(manifest));
  const detail::json_object root(file.root(), "");
  graphs g;
  std::int64_t all = 0;
  each_kind(root, "vertex_sets", [&](const detail::json_value& count, const std::string& field) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const std::int64_t vertices = count.integer(field);
    if (vertices < 0 || vertices > most)
      count.fail(field, "is " + std::to_string(vertices) + "; expected 0 to " + std::to_string(most) + " vertices");
    all += vertices;
    if (all > vertices_without_arrays)
      if (const std::int64_t bytes = bytes_of_arrays(folder); all - vertices_without_arrays > bytes)
        count.fail(field, "is " + std::to_string(vertices) + ", for which the folder's arrays of " +
                              std::to_string(bytes) + " bytes are too small; expected what the arrays are of");
    g.add_vertices(std::string(count.key()), vertices);
  });
  std::vector<relation_names> relations;
  each_kind(root, "relations", [&](const detail::json_value& ends, const std::string& field) {
    if (ends.array(field).size() != 2)
      ends.fail(field, "has " + std::to_string(ends.size()) + " ends; expected [\"source set\", \"destination set\"]");
    const auto sets = g.vertex_sets();
    if (std::find(sets.begin(), sets.end(), ends.key()) != sets.end())
      ends.fail(field, "has the name of a vertex set; expected another");
    const detail::json_value source = ends.first();
    relations.push_back({std::string(ends.key()), end_of(source, field, "source", g),
                         end_of(source.behind(), field, "destination", g)});
  });
  for (const relation_names& r : relations) add_edges(g, folder, files, r);
  return {folder, std::move(g)};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs_folder write_graphs(const std::string& folder, const graphs& graph) try {
  detail::graph_access::check_whole(graph, "a folder");
  graphs_folder made(folder, graph);
  for (const std::string& set : graph.vertex_sets())
    if (!is_name(set)) throw error("graphs: vertex set " + quote(set) + " is no name of a folder; " + what_names_are);
  for (const relation_names& r : graph.relations())
    if (!is_name(r.name))
      throw error("graphs: relation " + quote(r.name) + " is no name of a folder; " + what_names_are);
  detail::file_replacement files(folder);
  for (const relation_names& r : graph.relations()) {
    const edge_list list = graph.relation(r.name).edge_list();
    auto pairs = tensor<std::int32_t>::for_overwrite({2, static_cast<std::int64_t>(list.src.size())});
    std::copy(list.dst.begin(), list.dst.end(), std::copy(list.src.begin(), list.src.end(), pairs.begin()));
    files.write(name_in(folder, r.name, "edges"), pairs);
  }
  write_manifest(files.path_of(manifest), graph);
  files.put_in_place();
  return made;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::string> graphs_folder::arrays(std::string_view kind) const try {
  const auto sets = graph_.vertex_sets();
  const bool is_set = std::find(sets.begin(), sets.end(), kind) != sets.end();
  if (!is_set) graph_.relation(kind);  // or an error
  const detail::whole_files files(path_);
  std::set<std::string> names;
  for (const fs::path& folder : files.folders()) {
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder / kind, problem)) {
      const std::string name = entry.path().stem().string();
      if (entry.path().extension() == ".npy" && (is_set || name != "edges")) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::string graphs_folder::name_in_set(std::string_view set, std::string_view name) const {
  graph_.vertices(set);  // or an error
  return name_in(path_, set, name);
}
std::string graphs_folder::name_in_relation(std::string_view relation, std::string_view name) const {
  graph_.relation(relation);  // or an error
  if (name == "edges")
    throw error("graphs " + path_ + ": 'edges' are those of relation " + quote(relation) + " itself");
  return name_in(path_, relation, name);
}

void graphs_folder::check_rows(std::string_view kind, std::string_view name, const dimensions& shape) const {
  const auto sets = graph_.vertex_sets();
  const bool is_set = std::find(sets.begin(), sets.end(), kind) != sets.end();
  const std::int64_t rows = is_set ? graph_.vertices(kind) : graph_.relation(kind).edges();
  if (shape.rank() == 0 || shape[0] != rows)
    throw error("graphs " + detail::whole_file(path_, name_in(path_, kind, name)) + " has shape " + to_string(shape) +
                "; " + (is_set ? "vertex set " : "relation ") + quote(kind) + " has " + std::to_string(rows) +
                (is_set ? " vertices" : " edges"));
}

}  // namespace stg
