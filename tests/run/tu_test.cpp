// test: draft data, sanitized readers
// Folders of TU Dortmund's collection: read, and refused where their files disagree.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/tu.hpp>  // read_tu

#include <gtest/gtest.h>  // TEST

#include <filesystem>  // create_directory_symlink

namespace stg {
namespace {

using test::expect_error;

class tu : public testing::Test {
 protected:
  test::temporary_folder folder;
  void SetUp() override {
    put("A", "1, 2\n2, 1\n4, 5\n");
    put("graph_indicator", "1\n1\n1\n2\n2\n");
  }
  void put(const std::string& file, const std::string& text) { folder.write("D_" + file + ".txt", text); }
  /// The folder under the name of its files.
  tu_dataset read() {
    const std::string named = folder.file("D");
    std::filesystem::create_directory_symlink(folder.path(), named);
    tu_dataset data;
    try {
      data = read_tu(named + "/");
    } catch (...) {
      std::filesystem::remove(named);
      throw;
    }
    std::filesystem::remove(named);
    return data;
  }
};

TEST_F(tu, folder_has_graphs_side_by_side) {
  put("graph_labels", "-1\n1\n");
  put("node_labels", "0\n1\n2\n0\n1\n");
  put("node_attributes", "0.5, 1\n2, 3\n4, 5\n6, 7\n8, 9\r\n");
  put("edge_labels", "3\n3\n4\n");
  const tu_dataset data = read();
  EXPECT_EQ(data.set.graph.edge_list(), (edge_list{{0, 1, 3}, {1, 0, 4}}));
  EXPECT_EQ(data.set.vertex_offsets, (std::vector<std::int64_t>{0, 3, 5}));
  EXPECT_EQ(data.set.edge_offsets, (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(data.graph_labels.shape(), dimensions{2});
  EXPECT_EQ(data.graph_labels(0), -1);
  EXPECT_EQ(data.node_labels.shape(), (dimensions{5, 1}));
  EXPECT_EQ(data.node_attributes(4, 1), 9.0f);
  EXPECT_EQ(data.edge_labels(2, 0), 4);
  EXPECT_EQ(data.edge_attributes.size(), 0);
}

TEST_F(tu, files_that_disagree_are_refused) {
  const auto refused = [&](const std::string& file, const std::string& text,
                           std::initializer_list<std::string_view> parts) {
    SetUp();
    put(file, text);
    expect_error([&] { read(); }, parts);
  };
  refused("A", "1, 2\n2, 4\n", {"D_A.txt row 2 joins graph 1 to graph 2; expected ends of one graph"});
  refused("A", "4, 5\n1, 2\n", {"row 2 is of a graph before that of the row above"});
  refused("A", "1, 6\n", {"row 1 has vertex 6; expected one of 1 to 5"});
  refused("A", "0, 1\n", {"row 1 has vertex 0"});
  refused("A", "1\n", {"has 1 columns; expected two"});
  refused("A", "1, x\n", {"D_A.txt line 1 has \"x\"; expected an integer"});
  refused("graph_indicator", "1\n3\n", {"row 2 is of graph 3; expected 1 or the next"});
  refused("graph_indicator", "2\n", {"row 1 is of graph 2; expected 1,"});
  refused("graph_indicator", "1\n2\n1\n", {"row 3 is of graph 1; expected 2 or the next"});
  refused("node_labels", "1\n2\n", {"D_node_labels.txt has 2 rows; expected 5, one for each vertex"});
  std::filesystem::remove(folder.file("D_node_labels.txt"));
  refused("node_attributes", "1\n2\n3\n4\n5,\n", {"D_node_attributes.txt line 5 has \"\"; expected a number"});
  put("node_attributes", "1\n2\n3\n4\n5\n\n");  // an empty line is no row
  put("graph_indicator", "1\n1\n1\n2\n2\n\n");
  EXPECT_EQ(read().node_attributes.shape(), (dimensions{5, 1}));
  std::filesystem::remove(folder.file("D_A.txt"));
  put("node_labels", "1\n2\n3\n4\n5\n");
  expect_error([&] { read(); }, {"D_A.txt is missing"});
}

}  // namespace
}  // namespace stg
