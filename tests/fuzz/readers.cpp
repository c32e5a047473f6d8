// Bytes as the files that stg reads: each reader is given what a fuzzer made.
#include "readers.hpp"  // fuzz_npy

#include "../run/temporary_folder.hpp"  // temporary_folder

#include <stg/base/error.hpp>      // error
#include <stg/data/dataset.hpp>    // read_node_classification
#include <stg/data/edge_list.hpp>  // read_edge_list
#include <stg/data/npy.hpp>        // read_npy
#include <stg/data/table.hpp>      // read_table

#include <algorithm>   // min
#include <array>       // array
#include <filesystem>  // remove
#include <stdexcept>   // logic_error
#include <string>      // string

namespace stg::test {

namespace {

/// One folder for all calls: making one for each would take most of the time.
const temporary_folder& folder() {
  static const temporary_folder made;
  return made;
}

/// Runs action and lets it refuse.
template <class Action> void may_refuse(Action action) {
  try {
    action();
  } catch (const error&) {
  }
}

void demand(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

/// Files of a data set, by the first byte of a record.
constexpr std::array names = {"adj_indptr", "adj_indices", "feat_indptr", "feat_indices", "feat_values",
                              "feat_bits",  "labels",      "train",       "val",          "test"};
struct element_type {
  const char* name;
  std::size_t bytes;
};
constexpr std::array types = {element_type{"<i4", 4}, element_type{"|u1", 1}, element_type{"<u2", 2},
                              element_type{"<i8", 8}, element_type{"<f4", 4}, element_type{"|b1", 1}};

std::string header_of(const std::string& type, const std::string& shape) {
  std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  const char length[] = {static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return std::string("\x93NUMPY\x01\x00", 8) + std::string(length, 2) + text;
}

}  // namespace

void fuzz_npy(std::string_view bytes) {
  const std::string path = folder().write("a.npy", bytes);
  may_refuse([&] { read_npy<float>(path); });
  may_refuse([&] { read_npy<std::int32_t>(path); });
  may_refuse([&] { read_npy<bool>(path); });
  may_refuse([&] { read_npy_as<float>(path); });
  may_refuse([&] { read_npy_as<std::int32_t>(path); });
  may_refuse([&] { read_npy_as<bool>(path); });
  may_refuse([&] {
    const auto t = read_npy_as<double>(path);
    demand(t.bytes() <= static_cast<std::int64_t>(8 * bytes.size()), "more numbers than the file has bytes");
  });
}

void fuzz_edge_list(std::string_view bytes) {
  const std::string path = folder().write("edges.txt", bytes);
  may_refuse([&] {
    const edge_list_text e = read_edge_list(path);
    demand(e.src.size() == e.dst.size(), "as many sources as destinations");
    demand(e.weights.empty() || e.weights.size() == e.src.size(), "a weight for each edge or none");
    if (e.vertices() <= 100'000) {  // the graph's memory is that of its vertices, which the text may number as it likes
      const graph g = graph::from_edges(e.vertices(), e.src, e.dst);
      demand(g.edges() == static_cast<std::int64_t>(e.src.size()), "a graph of all edges");
    }
  });
}

void fuzz_table(std::string_view bytes) {
  const int how = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
  if (!bytes.empty()) bytes.remove_prefix(1);
  const std::string path = folder().write("table.csv", bytes);
  constexpr std::string_view separators(",;\t |\0xa", 8);
  const table_format format{separators[static_cast<std::size_t>(how & 7)], (how & 8) != 0, (how & 16) != 0 ? '#' : '\0',
                            (how & 32) != 0 ? ',' : '.', (how & 64) == 0};
  may_refuse([&] {
    const text_table t = read_table(path, format);
    demand(!format.header || static_cast<int>(t.names().size()) == t.columns(), "a name for each column");
    std::size_t characters = 0, cells = 0;
    vertex_names names;
    for (int c = 0; c < t.columns(); ++c) {
      const auto words = t.words(c);
      demand(static_cast<std::int64_t>(words.size()) == t.rows(), "a word of each row");
      for (const std::string_view word : words) characters += word.size();
      cells += words.size();
      const auto numbers = names.add(words);
      demand(names.find(words) == numbers, "names keep their numbers");
      may_refuse([&] { demand(t.numbers(c, 0.5).size() == words.size(), "a number of each row"); });
      may_refuse([&] { demand(t.integers(c).size() == words.size(), "an integer of each row"); });
      may_refuse([&] { demand(t.tensor_of({c}).shape() == dimensions({t.rows(), 1}), "a tensor of the rows"); });
    }
    demand(characters <= bytes.size(), "more characters than the file has");
    demand(cells <= bytes.size() + 1, "more fields than separators and ends of lines");
  });
}

/// Records: name, type + 8 if the array has two axes, count, and `count` elements, (count / 2, 2) of them with two
/// axes. Counts are taken modulo 128, and the last record may be cut.
void fuzz_dataset(std::string_view bytes) {
  for (const char* name : names) std::filesystem::remove(folder().file(std::string(name) + ".npy"));
  while (bytes.size() >= 3) {
    const auto at = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
    const std::string name = names[at(0) % names.size()];
    const element_type type = types[at(1) % 8 % types.size()];
    const bool two_axes = (at(1) & 8) != 0;
    std::size_t count = at(2) % 128;
    bytes.remove_prefix(3);
    count = std::min(count, bytes.size() / type.bytes);
    if (two_axes) count -= count % 2;
    const std::string shape = two_axes ? "(" + std::to_string(count / 2) + ", 2)" : "(" + std::to_string(count) + ",)";
    std::string file = header_of(type.name, shape);
    file += bytes.substr(0, count * type.bytes);
    folder().write(name + ".npy", file);
    bytes.remove_prefix(count * type.bytes);
  }
  may_refuse([&] {
    const node_classification d = read_node_classification(folder().path(), "made");
    demand(d.labels.size() == d.graph.vertices(), "a label for each vertex");
    demand(d.train.size() == d.graph.vertices(), "a mask over the vertices");
  });
}

}  // namespace stg::test
