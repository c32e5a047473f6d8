// parts_folder: the parts of a cut graph in files, so that no rank has the whole graph in memory.
#pragma once

#include <cstdint>      // int32_t, int64_t
#include <memory>       // shared_ptr
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_same_v
#include <utility>      // move
#include <vector>       // vector

#include <stg/data/file_replacement.hpp>          // file_replacement
#include <stg/data/npy.hpp>                       // map_npy, read_npy
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/vertex_owners.hpp>      // vertex_owners
#include <stg/runtime/communicator.hpp>           // communicator
#include <stg/runtime/edge_values.hpp>            // edge_values
#include <stg/sampling/gather.hpp>                // gather_rows

namespace stg {

/// A folder with the parts of a graph, and with rows of tensors in the order of parts. Any number of ranks up to the
/// number of parts reads it; what a rank computes is the same, to the bit, as of the graph in memory.
///
///   stg::write_parts("parts", stg::cut::by_metis(graph, 64)).write("x", X).write("label", Y);    // once, by one
///   process
///
///   const auto parts = stg::read_parts("parts");                                                 // on each rank
///   const stg::distributed_graph part = parts.part(ranks);
///   auto now = step(part, x = parts.rows<float>(part, "x"), label = parts.rows<std::int32_t>(part, "label"), params);
class parts_folder {
 public:
  /// Of the whole graph.
  std::int64_t vertices() const;
  std::int64_t edges() const;
  int parts() const;

  /// The part of a rank, which reads the files of its parts. Beside them it needs 8 bytes for each vertex of the whole
  /// graph. The communicator outlives the graph. Errors: more ranks than parts, and files that are cut short, changed,
  /// or of another cut.
  distributed_graph part(communicator& ranks) const;
  /// The rank of each vertex.
  vertex_owners owners(communicator& ranks) const;

  /// Rows of a tensor that was written by this name, of a part: its own and the halo's; or own rows alone. They are
  /// read from the tensor's file, where they lie. T is the type in the file. Errors: a missing file or one cut short, a
  /// wrong type, and rows of another cut.
  template <TensorElement T> tensor<T> rows(const distributed_graph& part, std::string_view name) const {
    return read<T>(row_file(name), vertices(), places_of(part.global_vertices()));
  }
  template <TensorElement T> tensor<T> own_rows(const vertex_owners& owners, std::string_view name) const {
    return read<T>(row_file(name), vertices(), places_of(owners.own_vertices()));
  }
  /// Values of a part's edges. Errors: likewise.
  template <TensorElement T> stg::edge_values<T> edge_rows(const distributed_graph& part, std::string_view name) const {
    return stg::edge_values<T>::in_id_order(read<T>(edge_file(name), edges(), edges_of(part)), part.edge_identity());
  }

  /// Writes a tensor over all vertices, (vertices, ...), or values of all edges, in place of an earlier one of its
  /// name. Errors: a name that no file can have, a wrong number of rows, edge values of another graph, and files that
  /// cannot be written.
  template <TensorElement T> parts_folder& write(std::string_view name, const const_tensor<T>& of_all) {
    check_rows(name, of_all.shape(), of_all.place(), vertices());
    return put(row_file(name), gather(of_all, by_part()));
  }
  template <TensorElement T> parts_folder& write(std::string_view name, const stg::edge_values<T>& of_all) {
    check_rows(name, of_all.values().shape(), of_all.place(), edges());
    check_edges(name, of_all.edge_identity());
    return put(edge_file(name), of_all.values());
  }

 private:
  friend parts_folder read_parts(const std::string&);
  friend parts_folder write_parts(const std::string&, const cut&);
  parts_folder(std::string path, cut of) : path_(std::move(path)), cut_(std::move(of)) {}

  static std::string row_file(std::string_view name);
  static std::string edge_file(std::string_view name);
  std::span<const std::int32_t> by_part() const;
  std::vector<std::int64_t> places_of(std::span<const std::int32_t> vertices) const;
  static std::vector<std::int64_t> edges_of(const distributed_graph& part);
  void check_rows(std::string_view name, const dimensions&, location, std::int64_t rows) const;
  void check_edges(std::string_view name, stg::edge_identity of) const;
  tensor<std::int64_t> number_of_cut() const;
  void check_number_of_cut(const std::string& file) const;

  template <class T>
  tensor<T> read(const std::string& file, std::int64_t rows, const std::vector<std::int64_t>& which) const {
    const detail::whole_files files(path_);
    check_number_of_cut(files.path_of(file + ".cut.npy"));
    const std::string path = files.path_of(file + ".npy");
    const auto taken = [&](const const_tensor<T>& all) {
      check_rows(path, all.shape(), all.place(), rows);
      return detail::gathered<T>(all, std::span<const std::int64_t>(which));
    };
    if constexpr (std::is_same_v<T, bool>) return taken(read_npy<T>(path));  // which is not mapped
    else return taken(map_npy<T>(path));
  }
  template <class T> parts_folder& put(const std::string& file, const const_tensor<T>& values) {
    detail::file_replacement files(path_);
    files.write(file + ".npy", values);
    files.write(file + ".cut.npy", number_of_cut());
    files.put_in_place();
    return *this;
  }

  std::string path_;
  cut cut_;  // without its graph, where it was read
};

/// Reads the part of each vertex. Errors: a folder without parts, and files cut short, changed, or of another version
/// of this format.
parts_folder read_parts(const std::string& folder);

/// Writes the parts of a cut, one after the other, to a folder that is made if it is missing. A process killed
/// meanwhile leaves the earlier parts, or these whole; tensors that were written for another cut are refused when they
/// are read. Error: files that cannot be written.
parts_folder write_parts(const std::string& folder, const cut& of);

}  // namespace stg
