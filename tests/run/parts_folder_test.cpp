// test: draft ranks
// Parts of a cut graph in files: what ranks compute of them has the bits of the graph in memory, and no file that is
// cut short, changed or of another cut is read.
#include "expect_error.hpp"      // expect_error
#include "sampling/support.hpp"  // drawn, drawn_graph
#include "temporary_folder.hpp"  // folder_in_memory, temporary_folder

#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/parts_folder.hpp>       // read_parts, write_parts
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/stg.hpp>                            // the language

#include <gtest/gtest.h>  // TEST

#include <cstddef>     // byte
#include <filesystem>  // recursive_directory_iterator
#include <fstream>     // ifstream
#include <iterator>    // istreambuf_iterator
#include <string>      // string
#include <vector>      // vector

namespace stg {
namespace {

namespace fs = std::filesystem;
using test::drawn, test::drawn_graph, test::expect_error, test::temporary_folder;

constexpr auto x = trainable(vertex_feature<"x", f64, 5>);
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto w = trainable(edge_feature<"w", f64>);
constexpr auto W = parameter<"W", f64, 5, 5>;

/// Along both directions, with random numbers, degrees and sums over all.
constexpr auto loss = [](auto v) {
  auto e = v.in_edges();
  auto out = v.out_edges();
  auto h = tanh(rsqrt(v.in_degree() + 1.0) * sum(e.src(dropout(matmul(v(x), W), 0.2)) * e(w)));
  auto y = sum(out.dst(h) * out(w)) - mean(h, all_vertices);
  return sum(sum(y * y, axis<0>) * (cast<f64>(v(known)) + 0.5), all_vertices);
};

struct task {
  graph on = drawn_graph(120, 900, 3);
  cut parts = cut::by_ranges(on, 5);
  tensor<double> X = drawn({120, 5}, 4);
  tensor<bool> mask = [] {
    tensor<bool> m({120});
    for (std::int64_t v = 0; v < 120; ++v) m(v) = v % 3 == 0;
    return m;
  }();
  edge_values<double> weights = on.edge_values(drawn({900}, 5));
};

using bytes = std::vector<std::byte>;
template <class T> void append(bytes& to, const const_tensor<T>& t) {
  const auto* const first = reinterpret_cast<const std::byte*>(t.data());
  to.insert(to.end(), first, first + t.bytes());
}

bytes step_on(const distributed_graph& part, const tensor<double>& X, const tensor<bool>& mask,
              const edge_values<double>& weights) {
  auto params = parameters<loss>();
  initialize(params, 1);
  auto step = value_and_grad<loss>();
  step.seed(3);
  auto now = step(part, x = X, known = mask, w = weights, params);
  bytes all;
  append(all, const_tensor<double>(tensor<double>::from({1}, {now.loss})));
  append(all, now.gradients[W]);
  append(all, part.gathered(now.gradients[x]));
  append(all, now.gradients[w].values());
  return all;
}

TEST(parts_folder, has_the_bits_of_the_graph_in_memory) {
  const task t;
  const temporary_folder folder;
  write_parts(folder.path(), t.parts).write("x", t.X).write("known", t.mask).write("w", t.weights);
  for (const int ranks : {1, 2, 3, 5})
    run_ranks(ranks, [&](communicator& here) {
      const distributed_graph expected(t.parts, here);
      const parts_folder parts = read_parts(folder.path());
      EXPECT_EQ(parts.vertices(), 120);
      EXPECT_EQ(parts.edges(), 900);
      EXPECT_EQ(parts.parts(), 5);
      const distributed_graph found = parts.part(here);
      ASSERT_TRUE(std::ranges::equal(found.global_vertices(), expected.global_vertices()));
      EXPECT_EQ(found.edge_identity(), expected.edge_identity());
      EXPECT_EQ(step_on(found, parts.rows<double>(found, "x"), parts.rows<bool>(found, "known"),
                        parts.edge_rows<double>(found, "w")),
                step_on(expected, expected.rows(t.X), expected.rows(t.mask), expected.edge_rows(t.weights)));
      EXPECT_EQ(found.edge_rows(t.weights).values().size(), expected.edges());
      const vertex_owners owners = parts.owners(here), in_memory(t.parts, here);
      EXPECT_EQ(owners.number_of_cut(), in_memory.number_of_cut());
      const tensor<double> own = parts.own_rows<double>(owners, "x");
      EXPECT_TRUE(std::ranges::equal(own, gather(t.X, in_memory.own_vertices())));
    });
}

std::string contents_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
std::vector<fs::path> files_of(const std::string& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) all.push_back(entry.path());
  return all;
}
/// Everything that a folder has, on one rank.
void read_all(const std::string& folder) {
  run_ranks(1, [&](communicator& here) {
    const parts_folder parts = read_parts(folder);
    const distributed_graph part = parts.part(here);
    (void)parts.rows<double>(part, "x");
    (void)parts.rows<bool>(part, "known");
    (void)parts.edge_rows<double>(part, "w");
  });
}

TEST(parts_folder, refuses_files_that_are_cut_short) {
  const graph on = drawn_graph(12, 40, 3);
  const temporary_folder folder(test::folder_in_memory());
  write_parts(folder.path(), cut::by_ranges(on, 2))
      .write("x", drawn({12, 1}, 1))
      .write("known", tensor<bool>({12}))
      .write("w", on.edge_values(drawn({40}, 2)));
  read_all(folder.path());
  std::int64_t lengths = 0;
  for (const fs::path& file : files_of(folder.path())) {
    const std::string whole = contents_of(file);
    for (std::size_t length = 0; length < whole.size(); ++length, ++lengths) {
      fs::resize_file(file, length);
      expect_error([&] { read_all(folder.path()); }, {file.parent_path().filename().string()});
      std::ofstream(file, std::ios::binary) << whole;
    }
    fs::remove(file);
    expect_error([&] { read_all(folder.path()); }, {file.filename().string()});
    std::ofstream(file, std::ios::binary) << whole;
  }
  EXPECT_GT(lengths, 3000);
}

/// A bit of any number changes what the folder says of its contents.
TEST(parts_folder, refuses_files_that_were_changed) {
  const graph on = drawn_graph(12, 40, 3);
  const temporary_folder folder(test::folder_in_memory());
  write_parts(folder.path(), cut::by_ranges(on, 2));
  constexpr std::size_t header = 128;
  for (const fs::path& file : files_of(folder.path())) {
    const std::string whole = contents_of(file);
    for (std::size_t at = header; at < whole.size(); ++at) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      std::ofstream(file, std::ios::binary) << changed;
      expect_error([&] { run_ranks(1, [&](communicator& here) { (void)read_parts(folder.path()).part(here); }); },
                   {"parts", "write the parts anew"});
    }
    std::ofstream(file, std::ios::binary) << whole;
  }
}

TEST(parts_folder, refuses_another_version_and_another_cut) {
  const task t;
  const temporary_folder folder, other;
  write_parts(folder.path(), t.parts).write("x", t.X);
  write_parts(other.path(), cut::by_ranges(t.on, 4));
  const auto read = [&] {
    run_ranks(2, [&](communicator& here) {
      const parts_folder parts = read_parts(folder.path());
      (void)parts.rows<double>(parts.part(here), "x");
    });
  };
  read();
  const fs::path of_part = fs::path(folder.path()) / "part_1" / "part.npy";
  const std::string whole = contents_of(of_part);
  std::ofstream(of_part, std::ios::binary) << contents_of(fs::path(other.path()) / "part_1" / "part.npy");
  expect_error(read, {"part_1/part.npy is of another cut; write the parts anew"});
  std::string changed = whole;
  changed[128] = 2;
  std::ofstream(of_part, std::ios::binary) << changed;
  expect_error(read, {"part_1/part.npy is of version 2, and this is version 1"});
  std::ofstream(of_part, std::ios::binary) << whole;
  read();
  write_parts(folder.path(), cut::by_ranges(t.on, 4));
  expect_error(read, {"x.cut.npy were written for another cut; write them anew"});
  expect_error([] { (void)read_parts("/nowhere"); }, {"/nowhere/parts.npy"});
}

TEST(parts_folder, refuses_values_that_are_not_its_graphs) {
  const task t;
  const temporary_folder folder;
  parts_folder parts = write_parts(folder.path(), t.parts);
  expect_error([&] { parts.write("x", drawn({7, 2}, 1)); }, {"x has shape (7, 2), expected 120 rows"});
  expect_error([&] { parts.write("../x", t.X); }, {"\"../x\" is no name of a file"});
  const graph other = drawn_graph(120, 900, 9);
  expect_error([&] { parts.write("w", other.edge_values(drawn({900}, 1))); },
               {"w has values of another graph's edges"});
  expect_error([&] { run_ranks(6, [&](communicator& here) { (void)read_parts(folder.path()).part(here); }); },
               {"parts: 6 ranks of a graph that is cut into 5 parts"});
  run_ranks(1, [&](communicator& here) {
    expect_error([&] { (void)parts.rows<double>(parts.part(here), "y"); }, {"y.cut.npy"});
  });
}

}  // namespace
}  // namespace stg
