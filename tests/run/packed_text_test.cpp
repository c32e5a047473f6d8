// test: draft io
// Texts that gzip packed, by every reader of text: whole, in several parts, cut, damaged; and by every writer.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/edge_list.hpp>        // read_edge_list
#include <stg/data/edge_list_write.hpp>  // write_edge_list
#include <stg/data/events.hpp>           // read_events
#include <stg/data/matrix_market.hpp>    // write_matrix_market
#include <stg/data/node_link.hpp>        // read_node_link, write_node_link
#include <stg/data/table.hpp>            // read_table
#include <stg/data/temporal.hpp>         // read_graph_signal

#include <gtest/gtest.h>  // TEST

#include <fstream>   // ifstream
#include <iterator>  // istreambuf_iterator

namespace stg {
namespace {

using test::expect_error;

std::string packed_file(const std::string& name) { return STG_PEER_FILES "/" + name; }
std::string packed_bytes(const std::string& name) {
  std::ifstream stream(packed_file(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(packed_text, is_read_by_every_reader_of_text) {
  const edge_list_text edges = read_edge_list(packed_file("edges.csv.gz"));  // 0,1 · 2,1 · 1,0 in two parts
  EXPECT_EQ(edges.src, (std::vector<std::int64_t>{0, 2, 1}));
  EXPECT_EQ(edges.dst, (std::vector<std::int64_t>{1, 1, 0}));
  EXPECT_EQ(read_table(packed_file("edges.csv.gz"), {.separator = ',', .header = false}).rows(), 3);
  const auto signal = read_graph_signal(packed_file("signal.json.gz"));
  EXPECT_EQ(signal.vertices, 2);
  const auto events = read_events(packed_file("events.txt.gz"));
  EXPECT_EQ(events.time, (std::vector<double>{5, 6}));
}

TEST(packed_text, of_many_lines_is_read_to_its_end) {
  const edge_list_text edges = read_edge_list(packed_file("many.txt.gz"));  // 0 0 · 1 3 · 2 6 · …, modulo 1000
  ASSERT_EQ(edges.src.size(), 200'000u);
  for (std::int64_t e = 0; e < 200'000; ++e) {
    ASSERT_EQ(edges.src[static_cast<std::size_t>(e)], e % 1000);
    ASSERT_EQ(edges.dst[static_cast<std::size_t>(e)], 3 * e % 1000);
  }
}

TEST(packed_text, is_written_where_the_name_says_so) {
  const test::temporary_folder folder;
  std::vector<std::int32_t> src, dst;
  for (std::int32_t e = 0; e < 300'000; ++e) src.push_back(e % 1000), dst.push_back(7 * e % 1000);
  const graph g = graph::from_edges(1000, std::span<const std::int32_t>(src), std::span<const std::int32_t>(dst));
  const auto bytes_of = [](const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  write_edge_list(folder.file("g.txt"), g);
  write_edge_list(folder.file("g.txt.gz"), g);
  const std::string plain = bytes_of(folder.file("g.txt")), packed = bytes_of(folder.file("g.txt.gz"));
  EXPECT_EQ(packed.substr(0, 2), "\x1f\x8b");
  EXPECT_LT(packed.size(), plain.size() / 4);
  for (const char* name : {"g.txt", "g.txt.gz"}) {
    const edge_list_text back = read_edge_list(folder.file(name));
    ASSERT_EQ(back.src.size(), 300'000u);
    EXPECT_EQ(back.dst[299'999], 7 * 299'999 % 1000);
  }
  write_matrix_market(folder.file("g.mtx.gz"), g);
  EXPECT_EQ(read_edge_list(folder.file("g.mtx.gz")).src.size(), 300'000u);
  write_node_link(folder.file("g.json.gz"), g);
  EXPECT_EQ(read_node_link(folder.file("g.json.gz")).graph().edges(), 300'000);
  write_edge_list(folder.file("none.gz"), graph::from_edges(0, {}, {}));
  EXPECT_TRUE(read_edge_list(folder.file("none.gz")).src.empty());
  expect_error([&] { write_edge_list(folder.file("no/g.gz"), g); }, {"cannot be written: No such file"});
}

TEST(packed_text, that_is_cut_at_any_byte_or_damaged_is_refused) {
  const test::temporary_folder folder;
  const std::string good = packed_bytes("events.txt.gz");
  for (std::size_t size = 2; size < good.size(); ++size)
    expect_error([&] { read_edge_list(folder.write("cut.gz", good.substr(0, size))); },
                 {"edge list ", "cut.gz ends within its packed bytes; it is cut short"});
  std::string checksum = good, behind = good + "more", magic = good;
  checksum[good.size() - 6] ^= 1;
  expect_error([&] { read_events(folder.write("a.gz", checksum)); },
               {"a.gz is damaged near packed byte", "data check"});
  expect_error([&] { read_events(folder.write("a.gz", behind)); }, {"has other bytes behind its packed ones"});
  for (const std::string& other : {std::string(), good.substr(0, 1), std::string("0 1 5\n")})
    expect_error([&] { read_events(folder.write("a.gz", other)); }, {"a.gz is not packed by gzip, as its name says"});
  magic[2] = 9;
  expect_error([&] { read_table(folder.write("a.gz", magic)); }, {"table ", "damaged", "unknown compression method"});
  EXPECT_EQ(read_events(folder.write("a.gz", good + std::string(600, '\0'))).time.size(), 2u);  // as tapes pad it
}

}  // namespace
}  // namespace stg
