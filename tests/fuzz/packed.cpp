// Bytes as packed files: ZIP archives of arrays, and texts that gzip packed.
#include "readers.hpp"  // fuzz_npz
#include "records.hpp"  // demand, folder, may_refuse

#include <stg/base/error.hpp>                    // error
#include <stg/data/edge_list.hpp>                // read_edge_list
#include <stg/data/node_classification_npz.hpp>  // read_node_classification_npz
#include <stg/data/npz.hpp>                      // read_npz
#include <stg/data/ogb.hpp>                      // read_ogb
#include <stg/data/table.hpp>                    // read_table

#include <zlib.h>  // crc32, deflate

#include <algorithm>   // find
#include <array>       // array
#include <filesystem>  // create_directories
#include <span>        // span
#include <string>      // string
#include <vector>      // vector

namespace stg::test {

namespace {

void append_number(std::string& to, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> 8 * i & 0xff);
}

/// A ZIP archive of one stored entry, whose checksum is right: a fuzzer finds none by itself.
std::string archive_of(std::string_view entry) {
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(entry.data()), entry.size());
  const std::string name = "a.npy";
  std::string fields;  // version, flags, method, time, date, checksum, sizes, length of the name, none of the rest
  for (const int value : {20, 0, 0, 0, 33}) append_number(fields, static_cast<std::uint64_t>(value), 2);
  append_number(fields, sum, 4);
  for (int i = 0; i < 2; ++i) append_number(fields, entry.size(), 4);
  append_number(fields, name.size(), 2);
  append_number(fields, 0, 2);
  std::string text = "PK\x03\x04" + fields + name + std::string(entry), directory = "PK\x01\x02\x14";
  directory += '\0' + fields + std::string(14, '\0') + name;  // no comment, first disk, no attributes, at offset 0
  std::string end = "PK\x05\x06" + std::string(4, '\0');
  for (int i = 0; i < 2; ++i) append_number(end, 1, 2);
  append_number(end, directory.size(), 4);
  append_number(end, text.size(), 4);
  return text + directory + end + std::string(2, '\0');
}

std::string packed_by_gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// The bytes behind the first, made whole where the first is odd.
std::string made_whole(std::string_view bytes, std::string (*whole)(std::string_view)) {
  if (bytes.empty()) return {};
  const bool is_odd = (bytes[0] & 1) != 0;
  bytes.remove_prefix(1);
  return is_odd ? whole(bytes) : std::string(bytes);
}

}  // namespace

void fuzz_npz(std::string_view bytes) {
  const std::string path = folder().write("a.npz", made_whole(bytes, archive_of));
  may_refuse([&] {
    const npz_file file = read_npz(path);
    for (const std::string& name : file.names()) {
      may_refuse([&] { file.array<float>(name); });
      may_refuse([&] { file.array_as<std::int64_t>(name); });
      may_refuse([&] { file.array_as<bool>(name); });
      may_refuse([&] {
        const auto t = file.array_as<double>(name);
        demand(t.shape() == file.shape(name), "an array of the shape that its header has");
        demand(t.size() <= static_cast<std::int64_t>(1100 * bytes.size()), "more numbers than the file can hold");
      });
    }
  });
}

void fuzz_gzip(std::string_view bytes) {
  const std::string path = folder().write("a.gz", made_whole(bytes, packed_by_gzip));
  may_refuse([&] {
    const edge_list_text e = read_edge_list(path);
    demand(e.src.size() == e.dst.size(), "as many sources as destinations");
  });
  may_refuse([&] {
    const text_table t = read_table(path, {.separator = ',', .header = false});
    demand(t.rows() <= static_cast<std::int64_t>(1100 * bytes.size()), "more rows than the file can hold");
  });
}

void fuzz_dataset_npz(std::string_view bytes) {
  constexpr std::array names = {"adj_indptr",  "adj_indices", "adj_shape",  "attr_indptr",   "attr_indices",
                                "attr_shape",  "attr_data",   "labels",     "node_features", "node_labels",
                                "train_masks", "val_masks",   "test_masks", "edges"};
  std::vector<tensor<std::int64_t>> values;
  std::vector<std::string> of;
  for (byte_stream from(bytes); !from.ended();) {
    const std::string name = names[static_cast<std::size_t>(from.next()) % names.size()];
    const bool is_matrix = from.next() % 2 == 1;
    const std::vector<std::int64_t> numbers = from.ends(from.next() % 32);
    if (std::find(of.begin(), of.end(), name) != of.end()) continue;
    const auto count = static_cast<std::int64_t>(numbers.size()) / (is_matrix ? 2 : 1);
    const dimensions shape = is_matrix ? dimensions{count, 2} : dimensions{count};
    values.push_back(
        tensor<std::int64_t>::from(shape, std::span(numbers).first(static_cast<std::size_t>(shape.size()))));
    of.push_back(name);
  }
  may_refuse([&] {
    std::vector<npz_array> arrays;
    for (std::size_t i = 0; i < of.size(); ++i) arrays.emplace_back(of[i], values[i]);
    write_npz(folder().file("d.npz"), arrays);
    const node_classification d = read_node_classification_npz(folder().file("d.npz"));
    demand(d.labels.size() == d.graph.vertices() && d.train.size() == d.graph.vertices(), "a label for each vertex");
    demand(d.features.extent(0) == d.graph.vertices(), "features of each vertex");
  });
}

void fuzz_ogb(std::string_view bytes) {
  constexpr std::array files = {
      "raw/edge.csv",          "raw/num-node-list.csv",     "raw/num-edge-list.csv",
      "raw/node-feat.csv",     "raw/edge-feat.csv",         "raw/node-label.csv",
      "raw/num-node-dict.csv", "raw/triplet-type-list.csv", "raw/relations/a___r___b/edge.csv",
      "split/s/train.csv",     "split/s/valid.csv",         "split/s/test.csv"};
  std::filesystem::create_directories(folder().file("raw/relations/a___r___b"));
  std::filesystem::create_directories(folder().file("split/s"));
  write_texts(bytes, files);
  may_refuse([&] {
    const ogb_dataset d = read_ogb(folder().path(), {.add_inverse_edges = bytes.size() % 2 == 1});
    demand(d.set().vertex_offsets.back() == d.graph().vertices(), "a graph for each vertex");
    demand(d.set().edge_offsets.back() == d.graph().edges(), "a graph for each edge");
    may_refuse([&] { d.vertex_values<float>("node-feat"); });
    may_refuse([&] { d.edge_values<std::int64_t>("edge-feat"); });
    may_refuse([&] { d.labels<float>(); });
    may_refuse([&] { d.split("s"); });
  });
  may_refuse([&] {
    const ogb_kinds_dataset d = read_ogb_kinds(folder().path());
    for (const relation_names& r : d.graph().relations()) demand(d.graph().relation(r.name).edges() >= 0, "its edges");
  });
}

}  // namespace stg::test
