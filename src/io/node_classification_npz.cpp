// Data sets of one .npz file: matrices in compressed rows, or lists of edges and masks.
#include "inflate.hpp"  // is_bomb

#include <stg/base/error.hpp>                    // error
#include <stg/data/node_classification_npz.hpp>  // read_node_classification_npz
#include <stg/runtime/out_of_memory.hpp>         // no_memory

#include <algorithm>   // max
#include <filesystem>  // file_size, path

namespace stg {

namespace {

/// One file, and errors that begin with its name and an array's.
struct npz_of_dataset {
  npz_file file;
  std::string path;
  unpacking_limits limits;

  [[noreturn]] void fail(const std::string& array, const std::string& what) const {
    throw error("npz " + path + " array \"" + array + "\" " + what);
  }
  template <class T> tensor<T> list(const std::string& name) const {  // (n)
    tensor<T> t = file.array_as<T>(name);
    if (t.rank() != 1) fail(name, "has shape " + to_string(t.shape()) + "; expected one axis");
    return t;
  }
};

/// A matrix in compressed rows, as SciPy has it.
struct compressed_rows {
  std::int64_t rows, columns;
  tensor<std::int64_t> offsets, index;  // (rows + 1), (entries)
};

compressed_rows read_rows(const npz_of_dataset& from, const std::string& prefix) {
  const auto shape = from.list<std::int64_t>(prefix + "_shape");
  if (shape.size() != 2) from.fail(prefix + "_shape", "has " + std::to_string(shape.size()) + " numbers; expected 2");
  compressed_rows m{shape(0), shape(1), from.list<std::int64_t>(prefix + "_indptr"),
                    from.list<std::int64_t>(prefix + "_indices")};
  const std::string offsets = prefix + "_indptr";
  if (m.offsets.size() - 1 != m.rows)
    from.fail(offsets, "has " + std::to_string(m.offsets.size()) + " numbers; expected one more than the " +
                           std::to_string(m.rows) + " rows of " + prefix + "_shape");
  for (std::int64_t r = 0; r <= m.rows; ++r) {
    const std::int64_t least = r == 0 ? 0 : m.offsets(r - 1);
    const bool is_first = r == 0 && m.offsets(r) != 0, is_last = r == m.rows && m.offsets(r) != m.index.size();
    if (is_first || is_last || m.offsets(r) < least)
      from.fail(offsets, "index " + std::to_string(r) + " is " + std::to_string(m.offsets(r)) +
                             "; expected numbers that ascend from 0 to the " + std::to_string(m.index.size()) +
                             " entries of " + prefix + "_indices");
  }
  for (std::int64_t k = 0; k < m.index.size(); ++k)
    if (m.index(k) < 0 || m.index(k) >= m.columns)
      from.fail(prefix + "_indices", "index " + std::to_string(k) + " is " + std::to_string(m.index(k)) +
                                         "; expected a column in [0, " + std::to_string(m.columns) + ")");
  return m;
}

tensor<float> read_features(const npz_of_dataset& from, bool binary) {
  const compressed_rows m = read_rows(from, "attr");
  const auto values = from.list<float>("attr_data");
  if (values.size() != m.index.size())
    from.fail("attr_data", "has " + std::to_string(values.size()) + " numbers for " + std::to_string(m.index.size()) +
                               " entries of attr_indices; expected one of each");
  const dimensions shape{m.rows, m.columns};
  const std::int64_t bytes = shape.size() * static_cast<std::int64_t>(sizeof(float));
  std::error_code unknown;
  const auto of_file = static_cast<std::int64_t>(std::filesystem::file_size(from.path, unknown));
  const std::int64_t most = from.limits.most_bytes;
  if (most > 0 ? bytes > most : detail::is_bomb(bytes, of_file))
    from.fail("attr_shape", "makes features of " + std::to_string(bytes) + " bytes from a file of " +
                                std::to_string(of_file) + "; give .limits = {" + std::to_string(bytes) +
                                "} if it holds them");
  tensor<float> x(shape);
  for (std::int64_t r = 0; r < m.rows; ++r)
    for (std::int64_t k = m.offsets(r); k < m.offsets(r + 1); ++k) x(r, m.index(k)) += values(k);  // as SciPy adds them
  for (float& value : x)
    if (binary && value > 0) value = 1;
  return x;
}

graph read_matrix(const npz_of_dataset& from) {
  const compressed_rows m = read_rows(from, "adj");
  if (m.rows != m.columns)
    from.fail("adj_shape", "is of " + std::to_string(m.rows) + " rows and " + std::to_string(m.columns) +
                               " columns; expected as many, since both are the vertices");
  std::vector<std::int64_t> src;
  for (std::int64_t r = 0; r < m.rows; ++r) src.resize(static_cast<std::size_t>(m.offsets(r + 1)), r);
  return graph::from_edges(m.rows, src, m.index).remove_self_loops();
}

graph read_pairs(const npz_of_dataset& from, std::int64_t vertices) {
  const auto pairs = from.file.array_as<std::int64_t>("edges");
  if (pairs.rank() != 2 || pairs.extent(1) != 2)
    from.fail("edges", "has shape " + to_string(pairs.shape()) + "; expected (edges, 2)");
  std::vector<std::int64_t> ends[2];
  for (std::int64_t e = 0; e < pairs.extent(0); ++e)
    for (int end = 0; end < 2; ++end) {
      const std::int64_t v = pairs(e, end);
      if (v < 0 || v >= vertices)
        from.fail("edges", "edge " + std::to_string(e) + " has vertex " + std::to_string(v) + "; expected one of " +
                               std::to_string(vertices) + " vertices");
      ends[end].push_back(v);
    }
  return graph::from_edges(vertices, ends[0], ends[1]);
}

tensor<bool> read_mask(const npz_of_dataset& from, const std::string& name, std::int64_t vertices, int split) {
  const auto masks = from.file.array_as<bool>(name);
  if (masks.rank() != 2 || masks.extent(1) != vertices)
    from.fail(name, "has shape " + to_string(masks.shape()) + "; expected (splits, " + std::to_string(vertices) + ")");
  if (split < 0 || split >= masks.extent(0))
    from.fail(name, "has " + std::to_string(masks.extent(0)) + " splits and none of the number " +
                        std::to_string(split) + "; give .split from 0 on");
  return masks.row(split).clone();
}

void read_labels(const npz_of_dataset& from, const std::string& name, std::int64_t vertices,
                 node_classification& data) {
  data.labels = from.list<std::int32_t>(name);
  if (data.labels.size() != vertices)
    from.fail(name, "has " + std::to_string(data.labels.size()) + " labels for " + std::to_string(vertices) +
                        " vertices; expected one of each");
  for (std::int64_t v = 0; v < vertices; ++v) {
    if (data.labels(v) < 0 || data.labels(v) == INT32_MAX)
      from.fail(name, "index " + std::to_string(v) + " is " + std::to_string(data.labels(v)) +
                          "; expected a class from 0 on");
    data.classes = std::max(data.classes, data.labels(v) + 1);
  }
}

}  // namespace

node_classification read_node_classification_npz(const std::string& path, const npz_dataset_options& options) try {
  const npz_of_dataset from{read_npz(path, options.limits), path, options.limits};
  node_classification data;
  data.name = std::filesystem::path(path).stem().string();
  const bool is_heterophilous = from.file.has("node_features");
  if (!is_heterophilous && !from.file.has("adj_indptr"))
    throw error("npz " + path + " has neither adj_indptr nor node_features; read_npz reads its arrays");
  if (is_heterophilous) {
    data.features = from.file.array_as<float>("node_features");
    if (data.features.rank() != 2)
      from.fail("node_features", "has shape " + to_string(data.features.shape()) + "; expected (vertices, features)");
    data.graph = read_pairs(from, data.features.extent(0));
  } else {
    data.graph = read_matrix(from);
    data.features = read_features(from, options.binary);
  }
  const std::int64_t vertices = data.graph.vertices();
  if (data.features.extent(0) != vertices)
    from.fail("attr_shape", "has " + std::to_string(data.features.extent(0)) + " rows for " + std::to_string(vertices) +
                                " vertices; expected one of each");
  if (options.undirected) data.graph = data.graph.to_undirected();
  read_labels(from, is_heterophilous ? "node_labels" : "labels", vertices, data);
  data.train = is_heterophilous ? read_mask(from, "train_masks", vertices, options.split) : tensor<bool>({vertices});
  data.val = is_heterophilous ? read_mask(from, "val_masks", vertices, options.split) : tensor<bool>({vertices});
  data.test = is_heterophilous ? read_mask(from, "test_masks", vertices, options.split) : tensor<bool>({vertices});
  return data;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
