// Writing a data set's folder.
#include <stg/base/error.hpp>             // error
#include <stg/data/dataset.hpp>           // node_classification
#include <stg/data/file_replacement.hpp>  // file_replacement
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <limits>  // numeric_limits
#include <vector>  // vector

namespace stg {

namespace {

/// Rows of a compressed matrix.
struct written_rows {
  std::vector<std::int32_t> offsets{0}, columns{};
  std::vector<float> values{};

  void end_row() { offsets.push_back(static_cast<std::int32_t>(columns.size())); }
};

template <class T> const_tensor<T> view_of(const std::vector<T>& v) {
  return const_tensor<T>::view_of(v.data(), {static_cast<std::int64_t>(v.size())});
}

class dataset_writer {
 public:
  dataset_writer(const std::string& folder, const node_classification& data) : folder_(folder), data_(data) {}

  void write() {
    check();
    const written_rows edges = edges_by_source(), features = features_by_vertex();
    detail::file_replacement files(folder_);
    files.write("adj_indptr.npy", view_of(edges.offsets));
    files.write("adj_indices.npy", view_of(edges.columns));
    files.write("feat_indptr.npy", view_of(features.offsets));
    files.write("feat_indices.npy", view_of(features.columns));
    files.write("feat_values.npy", view_of(features.values));  // of ones, too: an earlier data set may have left others
    files.write("labels.npy", data_.labels);
    files.write("train.npy", view_of(ids(data_.train)));
    files.write("val.npy", view_of(ids(data_.val)));
    files.write("test.npy", view_of(ids(data_.test)));
    files.put_in_place();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw error("data folder " + folder_ + ' ' + what); }

  void check() const {
    const std::int64_t vertices = data_.graph.vertices();
    const auto check_rows = [&](const char* name, const dimensions& shape, location place) {
      detail::require_host(shape, place);
      if (shape.rank() < 1 || shape[0] != vertices)
        fail(std::string("would have ") + name + " of shape " + to_string(shape) + "; expected a row for each of " +
             std::to_string(vertices) + " vertices");
    };
    if (data_.graph.sources() != data_.graph.destinations())
      fail("would have edges between two vertex sets; write a graph of one");
    check_rows("features", data_.features.shape(), data_.features.place());
    check_rows("labels", data_.labels.shape(), data_.labels.place());
    check_rows("train", data_.train.shape(), data_.train.place());
    check_rows("val", data_.val.shape(), data_.val.place());
    check_rows("test", data_.test.shape(), data_.test.place());
    constexpr std::int64_t most_columns = 65536;  // that the reader takes
    if (data_.features.rank() != 2 || data_.features.extent(1) > most_columns)
      fail("would have features of shape " + to_string(data_.features.shape()) + "; expected at most " +
           std::to_string(most_columns) + " columns");
    for (std::int64_t v = 0; v < vertices; ++v)
      if (data_.labels(v) < 0 || data_.labels(v) >= most_columns)
        fail("would have label " + std::to_string(data_.labels(v)) + " of vertex " + std::to_string(v) +
             "; expected one in [0, " + std::to_string(most_columns) + ")");
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (data_.graph.edges() > most) fail("would have more than 2^31 - 1 edges; keep them as a list of edges");
    std::int64_t entries = 0;
    for (const float value : data_.features) entries += value != 0;
    if (entries > most) fail("would have more than 2^31 - 1 features that are not 0; keep them as .npy");
  }

  written_rows edges_by_source() const {
    written_rows rows;
    const edge_list list = data_.graph.edge_list();
    const std::span<const std::int32_t> degrees = data_.graph.out_degrees();
    for (const std::int32_t degree : degrees) rows.offsets.push_back(rows.offsets.back() + degree);
    std::vector<std::int32_t> next(rows.offsets);
    rows.columns.resize(list.dst.size());
    for (std::size_t e = 0; e < list.src.size(); ++e) {
      std::int32_t& place = next[static_cast<std::size_t>(list.src[e])];
      rows.columns[static_cast<std::size_t>(place++)] = list.dst[e];
    }
    return rows;
  }

  written_rows features_by_vertex() const {
    written_rows rows;
    const tensor<float>& x = data_.features;
    for (std::int64_t v = 0; v < x.extent(0); ++v) {
      for (std::int64_t j = 0; j < x.extent(1); ++j) {
        // The last column is there, whatever it holds: the reader counts columns by it.
        const bool is_last = v == 0 && j == x.extent(1) - 1;
        if (x(v, j) == 0 && !is_last) continue;
        rows.columns.push_back(static_cast<std::int32_t>(j));
        rows.values.push_back(x(v, j));
      }
      rows.end_row();
    }
    return rows;
  }

  static std::vector<std::int32_t> ids(const tensor<bool>& mask) {
    std::vector<std::int32_t> all;
    for (std::int64_t v = 0; v < mask.size(); ++v)
      if (mask(v)) all.push_back(static_cast<std::int32_t>(v));
    return all;
  }

  const std::string& folder_;
  const node_classification& data_;
};

}  // namespace

void write_node_classification(const std::string& folder, const node_classification& data) try {
  if (folder.empty()) throw error("data folder has an empty path; give that of a folder");
  dataset_writer(folder, data).write();
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
