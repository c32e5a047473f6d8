// Reading a data set's folder, each file checked against the others.
#include <stg/base/error.hpp>             // error
#include <stg/data/dataset.hpp>           // node_classification
#include <stg/data/npy.hpp>               // read_npy_as
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>   // max
#include <filesystem>  // exists, is_directory
#include <numeric>     // accumulate
#include <vector>      // vector

namespace stg {

namespace {

/// One folder: paths in it, and errors that begin with a file's name.
struct folder {
  std::string path;

  std::string file(const std::string& name) const { return path + "/" + name + ".npy"; }
  bool has(const std::string& name) const {
    std::error_code status;
    return std::filesystem::exists(file(name), status);
  }
  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    throw error("data file " + file(name) + " " + what);
  }
  template <class T> tensor<T> list(const std::string& name) const {  // (n)
    tensor<T> t = read_npy_as<T>(file(name));
    if (t.rank() != 1) fail(name, "has shape " + to_string(t.shape()) + "; expected one axis");
    return t;
  }
  /// Offsets of a CSR, (rows + 1), into `count` entries of the file `of`.
  tensor<std::int32_t> offsets(const std::string& name, const std::string& of, std::int64_t count) const {
    tensor<std::int32_t> t = list<std::int32_t>(name);
    if (t.size() == 0) fail(name, "is empty; expected one offset more than vertices");
    if (t(0) != 0) fail(name, "index 0 is " + std::to_string(t(0)) + "; expected 0");
    for (std::int64_t i = 1; i < t.size(); ++i)
      if (t(i) < t(i - 1))
        fail(name, "index " + std::to_string(i) + " is " + std::to_string(t(i)) + " after " + std::to_string(t(i - 1)) +
                       "; expected ascending offsets");
    if (const std::int64_t last = t.size() - 1; t(last) != count)
      fail(name, "index " + std::to_string(last) + " is " + std::to_string(t(last)) + "; expected " +
                     std::to_string(count) + ", the length of " + of + ".npy");
    return t;
  }
};

graph read_graph(const folder& from) {
  const tensor<std::int32_t> dst = from.list<std::int32_t>("adj_indices");
  const tensor<std::int32_t> offsets = from.offsets("adj_indptr", "adj_indices", dst.size());
  const std::int64_t vertices = offsets.size() - 1;
  for (std::int64_t e = 0; e < dst.size(); ++e)
    if (dst(e) < 0 || dst(e) >= vertices)
      from.fail("adj_indices", "index " + std::to_string(e) + " is vertex " + std::to_string(dst(e)) +
                                   "; expected one in [0, " + std::to_string(vertices) + ")");
  std::vector<std::int32_t> src(static_cast<std::size_t>(dst.size()));
  for (std::int64_t v = 0; v < vertices; ++v)
    std::fill(src.begin() + offsets(v), src.begin() + offsets(v + 1), static_cast<std::int32_t>(v));
  return graph::from_edges(vertices, std::span<const std::int32_t>(src),
                           std::span<const std::int32_t>(dst.data(), src.size()));
}

void check_rows(const folder& from, const std::string& name, std::int64_t rows, std::int64_t vertices) {
  if (rows != vertices)
    from.fail(name, "is for " + std::to_string(rows) + " vertices; expected " + std::to_string(vertices) +
                        ", as in adj_indptr.npy");
}

tensor<float> sparse_features(const folder& from, std::int64_t vertices) {
  const tensor<std::int32_t> columns = from.list<std::int32_t>("feat_indices");
  const tensor<std::int32_t> offsets = from.offsets("feat_indptr", "feat_indices", columns.size());
  check_rows(from, "feat_indptr", offsets.size() - 1, vertices);
  std::int32_t width = 0;
  for (std::int64_t i = 0; i < columns.size(); ++i) {
    if (columns(i) < 0 || columns(i) > 65535)
      from.fail("feat_indices", "index " + std::to_string(i) + " is column " + std::to_string(columns(i)) +
                                    "; expected one in [0, 65536)");
    width = std::max(width, columns(i) + 1);
  }
  const bool weighted = from.has("feat_values");
  const tensor<float> values = weighted ? from.list<float>("feat_values") : tensor<float>();
  if (weighted && values.size() != columns.size())
    from.fail("feat_values", "has " + std::to_string(values.size()) + " values; expected " +
                                 std::to_string(columns.size()) + ", the length of feat_indices.npy");
  tensor<float> x({vertices, width});
  std::vector<std::int64_t> last(static_cast<std::size_t>(width), -1);  // the vertex that had a column last
  for (std::int64_t v = 0; v < vertices; ++v)
    for (std::int64_t i = offsets(v); i < offsets(v + 1); ++i) {
      std::int64_t& had = last[static_cast<std::size_t>(columns(i))];
      if (had == v)
        from.fail("feat_indices", "index " + std::to_string(i) + " is column " + std::to_string(columns(i)) +
                                      " of vertex " + std::to_string(v) + " again; expected it once");
      had = v;
      x(v, columns(i)) = weighted ? values(i) : 1.0f;
    }
  return x;
}

tensor<float> bit_features(const folder& from, std::int64_t vertices) {
  const tensor<std::int32_t> bits = read_npy_as<std::int32_t>(from.file("feat_bits"));
  if (bits.rank() != 2) from.fail("feat_bits", "has shape " + to_string(bits.shape()) + "; expected (vertices, bytes)");
  check_rows(from, "feat_bits", bits.extent(0), vertices);
  for (std::int64_t i = 0; i < bits.size(); ++i)
    if (const std::int32_t byte = bits.data()[i]; byte < 0 || byte > 255)
      from.fail("feat_bits", "element " + std::to_string(i) + " is " + std::to_string(byte) + "; expected a byte");
  const std::int64_t bytes = bits.extent(1);
  const auto bit = [&](std::int64_t v, std::int64_t j) { return bits(v, j / 8) >> (j % 8) & 1; };
  std::int64_t width = 8 * bytes;
  const auto used = [&](std::int64_t j) {
    for (std::int64_t v = 0; v < vertices; ++v)
      if (bit(v, j)) return true;
    return false;
  };
  while (width > 0 && !used(width - 1)) --width;
  tensor<float> x({vertices, width});
  for (std::int64_t v = 0; v < vertices; ++v)
    for (std::int64_t j = 0; j < width; ++j) x(v, j) = static_cast<float>(bit(v, j));
  return x;
}

tensor<bool> read_mask(const folder& from, const std::string& name, std::int64_t vertices) {
  if (!from.has(name)) return tensor<bool>({vertices});
  const tensor<std::int32_t> ids = from.list<std::int32_t>(name);
  try {
    return mask_of(ids, vertices);
  } catch (const error& e) {
    from.fail(name, std::string(e.what()).substr(sizeof("stg: mask_of: ") - 1));
  }
}

}  // namespace

node_classification read_node_classification(const std::string& path, const std::string& name) try {
  if (path.empty()) throw error("data folder has an empty path; give that of a folder of .npy files");
  std::error_code status;
  if (!std::filesystem::is_directory(path, status))
    throw error("data folder " + path + (std::filesystem::exists(path, status) ? " is a file" : " is missing") +
                "; expected a folder of .npy files");
  const folder from{path};
  node_classification data;
  data.name = name;
  data.graph = read_graph(from);
  const std::int64_t vertices = data.graph.vertices();
  data.features = from.has("feat_indptr") ? sparse_features(from, vertices)
                  : from.has("feat_bits") ? bit_features(from, vertices)
                  : from.has("feat_indices")
                      ? sparse_features(from, vertices)  // which says that their offsets are missing
                      : tensor<float>({vertices, 0});
  data.labels = from.list<std::int32_t>("labels");
  check_rows(from, "labels", data.labels.size(), vertices);
  constexpr std::int32_t most_classes = 65536;
  for (std::int64_t v = 0; v < vertices; ++v) {
    const std::int32_t label = data.labels(v);
    if (label < 0 || label >= most_classes)
      from.fail("labels", "index " + std::to_string(v) + " is label " + std::to_string(label) +
                              "; expected one in [0, " + std::to_string(most_classes) + ")");
    data.classes = std::max(data.classes, label + 1);
  }
  data.train = read_mask(from, "train", vertices);
  data.val = read_mask(from, "val", vertices);
  data.test = read_mask(from, "test", vertices);
  return data;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

node_classification load_node_classification(const std::string& name, const std::string& root) try {
  search_result found = find_dataset(name, root);
  if (found.folder.empty()) throw dataset_not_found(name, std::move(found.places));
  return read_node_classification(found.folder, name);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void normalize_rows(tensor<float>& x) {
  if (x.rank() == 0) throw error("normalize_rows of a tensor of shape (); give (rows, ...)");
  detail::require_host(x.shape(), x.place());
  const std::int64_t rows = x.extent(0), width = rows == 0 ? 0 : x.size() / rows;
  for (std::int64_t r = 0; r < rows; ++r) {
    float* row = x.data() + r * width;
    double sum = 0;
    for (std::int64_t j = 0; j < width; ++j) sum += row[j];
    if (sum == 0) continue;
    for (std::int64_t j = 0; j < width; ++j) row[j] = static_cast<float>(row[j] / sum);
  }
}

void normalize_rows(sparse_tensor<float>& x) {
  detail::require_host(x.shape(), x.place());
  const sparse_rows<float>& rows = x.view().by_row;
  const auto count = static_cast<std::size_t>(rows.count), entries = static_cast<std::size_t>(rows.entries());
  std::vector<float> value(rows.value, rows.value + entries);
  for (std::size_t r = 0; r < count; ++r) {
    const auto begin = value.begin() + rows.offsets[r], end = value.begin() + rows.offsets[r + 1];
    const double sum = std::accumulate(begin, end, 0.0);
    if (sum == 0) continue;
    for (auto at = begin; at != end; ++at) *at = static_cast<float>(*at / sum);
  }
  x = sparse_tensor<float>::from_rows(x.shape(), {rows.offsets, count + 1}, {rows.index, entries}, value);
}

}  // namespace stg
