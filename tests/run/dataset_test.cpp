// test: draft data, sanitized readers
// Data sets: the folder format, its cross-checks, the search, the karate club and Cora itself.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/dataset.hpp>      // load_node_classification
#include <stg/data/karate.hpp>       // karate_club
#include <stg/data/npy.hpp>          // write_npy
#include <stg/runtime/accuracy.hpp>  // accuracy

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // count
#include <cmath>      // nanf
#include <cstdlib>    // setenv
#include <iostream>   // cerr
#include <optional>   // optional

namespace stg {
namespace {

using test::expect_error;
using ints = tensor<std::int32_t>;

/// Sets an environment variable and puts back what was there.
class environment_variable {
 public:
  environment_variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  ~environment_variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  environment_variable(const environment_variable&) = delete;
  environment_variable& operator=(const environment_variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// A folder with three vertices, edges 0->1, 0->2, 2->0, and two classes.
class dataset : public testing::Test {
 protected:
  void SetUp() override {
    put("adj_indptr", ints::from({4}, {0, 2, 2, 3}));
    put("adj_indices", ints::from({3}, {1, 2, 0}));
    put("feat_indptr", ints::from({4}, {0, 1, 1, 3}));
    put("feat_indices", ints::from({3}, {4, 0, 1}));
    put("labels", ints::from({3}, {1, 0, 1}));
    put("train", ints::from({1}, {0}));
    put("val", ints::from({1}, {1}));
    put("test", ints::from({2}, {0, 2}));
  }
  template <class T> void put(const std::string& name, const tensor<T>& t) { write_npy(folder.file(name + ".npy"), t); }
  void drop(const std::string& name) { std::filesystem::remove(folder.file(name + ".npy")); }
  node_classification read() { return read_node_classification(folder.path(), "three"); }
  void expect_refused(std::initializer_list<std::string_view> parts) {
    expect_error([&] { read(); }, parts);
  }

  test::temporary_folder folder;
};

TEST_F(dataset, reads_a_folder) {
  const node_classification d = read();
  EXPECT_EQ(d.name, "three");
  EXPECT_EQ(d.classes, 2);
  EXPECT_EQ(d.graph.edge_list(), (edge_list{{0, 0, 2}, {1, 2, 0}}));
  EXPECT_EQ(d.features.shape(), (dimensions{3, 5}));
  EXPECT_EQ(d.features(0, 4), 1);
  EXPECT_EQ(d.features(2, 1), 1);
  EXPECT_EQ(std::count(d.features.begin(), d.features.end(), 0.0f), 12);
  EXPECT_EQ(d.labels(0), 1);
  EXPECT_TRUE(d.train(0) && !d.train(1) && d.val(1) && d.test(0) && !d.test(1) && d.test(2));
}

TEST_F(dataset, reads_feature_values_and_counts) {
  put("feat_values", tensor<float>::from({3}, {0.5f, 2, 3}));
  EXPECT_EQ(read().features(0, 4), 0.5f);
  folder.write("feat_values.npy", "");
  std::string text = "\x93NUMPY";
  text += std::string("\x01\x00\x76\x00", 4);
  text += "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }";
  text.resize(127, ' ');
  folder.write("feat_values.npy", text + "\n\x07\x08\x09");
  EXPECT_EQ(read().features(2, 1), 9.0f);
}

TEST_F(dataset, reads_bit_features) {
  drop("feat_indptr");
  put("feat_bits", ints::from({3, 2}, {0b1, 0, 0, 0, 0b10, 0b100}));  // columns 0; none; 1 and 10
  const node_classification d = read();
  EXPECT_EQ(d.features.shape(), (dimensions{3, 11}));
  EXPECT_EQ(d.features(0, 0), 1);
  EXPECT_EQ(d.features(2, 1), 1);
  EXPECT_EQ(d.features(2, 10), 1);
  EXPECT_EQ(std::count(d.features.begin(), d.features.end(), 1.0f), 3);
}

TEST_F(dataset, features_and_splits_are_optional) {
  drop("feat_indptr");
  expect_refused({"feat_indptr.npy is missing"});
  for (const char* name : {"feat_indices", "train", "val", "test"}) drop(name);
  const node_classification d = read();
  EXPECT_EQ(d.features.shape(), (dimensions{3, 0}));
  EXPECT_EQ(std::count(d.test.begin(), d.test.end(), true), 0);
  EXPECT_EQ(d.test.size(), 3);
}

TEST_F(dataset, is_written_and_read_back) {
  put("feat_values", tensor<float>::from({3}, {0.5f, -2, 1e-30f}));
  node_classification d = read();
  d.features(2, 4) = 0;  // the last column stays one
  const std::string path = folder.file("written");
  write_node_classification(path, d);
  const node_classification back = read_node_classification(path, "three");
  EXPECT_EQ(back.graph.edge_list(), d.graph.edge_list());
  EXPECT_EQ(back.features.shape(), d.features.shape());
  EXPECT_TRUE(std::equal(d.features.begin(), d.features.end(), back.features.begin()));
  EXPECT_TRUE(std::equal(d.labels.begin(), d.labels.end(), back.labels.begin()));
  EXPECT_TRUE(std::equal(d.train.begin(), d.train.end(), back.train.begin()));
  EXPECT_TRUE(std::equal(d.val.begin(), d.val.end(), back.val.begin()));
  EXPECT_TRUE(std::equal(d.test.begin(), d.test.end(), back.test.begin()));

  d.features = tensor<float>({3, 0});  // in the place of the other
  d.graph = graph::from_edges(3, {2, 0, 2}, {2, 1, 0});
  write_node_classification(path, d);
  EXPECT_EQ(read_node_classification(path, "three").features.shape(), (dimensions{3, 0}));
  EXPECT_EQ(read_node_classification(path, "three").graph.edge_list(), (edge_list{{0, 2, 2}, {1, 2, 0}}));

  d.labels(1) = -1;
  expect_error([&] { write_node_classification(path, d); }, {"written would have label -1 of vertex 1"});
  d.labels = ints::from({2}, {0, 0});
  expect_error([&] { write_node_classification(path, d); }, {"labels of shape (2,); expected a row for each of 3"});
  d.labels = ints({3});
  d.features = tensor<float>({3, 65537});
  expect_error([&] { write_node_classification(path, d); }, {"(3, 65537); expected at most 65536 columns"});
  expect_error([&] { write_node_classification("", d); }, {"data folder has an empty path"});
}

TEST_F(dataset, required_files_are_named) {
  drop("labels");
  expect_refused({"labels.npy", "missing"});
  expect_error([&] { read_node_classification(folder.file("none"), "none"); },
               {"data folder ", "none is missing; expected a folder of .npy files"});
  expect_error([&] { read_node_classification(folder.file("adj_indptr.npy"), "none"); }, {"adj_indptr.npy is a file"});
  expect_error([&] { read_node_classification("", "none"); }, {"data folder has an empty path"});
}

TEST_F(dataset, offsets_are_checked) {
  put("adj_indptr", ints::from({4}, {0, 2, 1, 3}));
  expect_refused({"adj_indptr.npy", "index 2", "is 1 after 2"});
  put("adj_indptr", ints::from({4}, {1, 2, 2, 3}));
  expect_refused({"adj_indptr.npy", "index 0 is 1", "expected 0"});
  put("adj_indptr", ints::from({4}, {0, 2, 2, 4}));
  expect_refused({"adj_indptr.npy", "index 3 is 4", "expected 3", "adj_indices"});
  put("adj_indptr", ints({0}));
  expect_refused({"adj_indptr.npy", "empty"});
  put("adj_indptr", ints({2, 2}));
  expect_refused({"adj_indptr.npy", "(2, 2)", "one axis"});
}

TEST_F(dataset, vertices_are_checked) {
  put("adj_indices", ints::from({3}, {1, 3, 0}));
  expect_refused({"adj_indices.npy", "index 1", "vertex 3", "[0, 3)"});
  put("adj_indices", ints::from({3}, {1, 2, -1}));
  expect_refused({"adj_indices.npy", "index 2", "vertex -1"});
}

TEST_F(dataset, features_are_checked) {
  put("feat_values", tensor<float>({2}));
  expect_refused({"feat_values.npy", "2 values", "expected 3"});
  drop("feat_values");
  put("feat_indices", ints::from({3}, {4, -1, 1}));
  expect_refused({"feat_indices.npy", "index 1", "column -1"});
  put("feat_indptr", ints::from({3}, {0, 1, 3}));
  put("feat_indices", ints::from({3}, {4, 0, 1}));
  expect_refused({"feat_indptr.npy", "2 vertices", "expected 3"});
  drop("feat_indptr");
  put("feat_bits", ints({2, 1}));
  expect_refused({"feat_bits.npy", "2 vertices"});
  put("feat_bits", ints::from({3, 2}, {0, 1, 2, 256, 4, 5}));
  expect_refused({"feat_bits.npy element 3 is 256; expected a byte"});
}

TEST_F(dataset, a_feature_is_given_once) {
  put("feat_indices", ints::from({3}, {4, 1, 1}));
  expect_refused({"feat_indices.npy index 2 is column 1 of vertex 2 again; expected it once"});
}

TEST_F(dataset, labels_are_checked) {
  put("labels", ints::from({2}, {0, 1}));
  expect_refused({"labels.npy", "2 vertices", "expected 3"});
  put("labels", ints::from({3}, {0, -1, 1}));
  expect_refused({"labels.npy", "index 1", "label -1"});
  put("labels", ints::from({3}, {0, 1, INT32_MAX}));
  expect_refused({"labels.npy", "index 2", "label 2147483647"});
}

TEST_F(dataset, splits_are_checked) {
  put("test", ints::from({2}, {0, 3}));
  expect_refused({"test.npy", "index 1 is id 3", "[0, 3)"});
}

TEST_F(dataset, an_empty_graph_is_read) {
  put("adj_indptr", ints::from({1}, {0}));
  put("adj_indices", ints({0}));
  put("labels", ints({0}));
  for (const char* name : {"feat_indptr", "feat_indices", "train", "val", "test"}) drop(name);
  EXPECT_EQ(read().graph.vertices(), 0);
}

TEST(mask_of, marks_ids_and_checks_them) {
  const auto mask = mask_of(ints::from({3}, {0, 4, 4}), 5);
  const std::vector<std::int32_t> ids = {0, 4};
  for (const auto& same : {mask_of({0, 4}, 5), mask_of(ids, 5), mask_of(std::vector<std::int64_t>{4, 0}, 5),
                           mask_of(tensor<std::int64_t>::from({2}, {0, 4}), 5)})
    EXPECT_TRUE(std::equal(mask.begin(), mask.end(), same.begin()));
  EXPECT_EQ(std::count(mask.begin(), mask.end(), true), 2);
  EXPECT_TRUE(mask(0) && mask(4));
  expect_error([] { mask_of(ints::from({2}, {0, 5}), 5); }, {"mask_of", "index 1", "id 5", "[0, 5)"});
  expect_error([] { mask_of(ints::from({1}, {-1}), 5); }, {"id -1"});
}

TEST(normalize_rows, divides_by_the_sum) {
  auto x = tensor<float>::from({3, 2}, {1, 3, 0, 0, 2, 0});
  normalize_rows(x);
  EXPECT_EQ(x(0, 0), 0.25f);
  EXPECT_EQ(x(0, 1), 0.75f);
  EXPECT_EQ(x(1, 0), 0.0f);
  EXPECT_EQ(x(2, 0), 1.0f);
  tensor<float> none({0, 3});
  normalize_rows(none);
  tensor<float> scalar(dimensions{});
  expect_error([&] { normalize_rows(scalar); }, {"normalize_rows"});
}

TEST(accuracy, counts_masked_rows) {
  const float nan = std::nanf("");
  const auto logits = tensor<float>::from({5, 2}, {2, 1, 1, 2, 3, 3, nan, 1, 0, 9});
  const auto labels = ints::from({5}, {0, 1, 0, 1, 0});
  EXPECT_EQ(accuracy(logits, labels, tensor<bool>::from({5}, {true, true, false, false, false})), 1.0);
  EXPECT_EQ(accuracy(logits, labels, tensor<bool>::from({5}, {true, true, true, true, true})), 0.6);
  EXPECT_EQ(accuracy(logits, labels, tensor<bool>({5})), 0.0);
  expect_error([&] { accuracy(logits, ints({4}), tensor<bool>({5})); }, {"labels", "(4,)", "(5,)"});
  expect_error([&] { accuracy(logits, labels, tensor<bool>({5, 1})); }, {"mask", "(5, 1)"});
  expect_error(
      [&] {
        accuracy(logits, ints::from({5}, {0, 0, 2, 0, 0}), tensor<bool>::full({5}, true));
      },
      {"label 2", "vertex 2", "[0, 2)"});
}

TEST(find_dataset, looks_in_the_argument_then_the_environment_then_the_cache) {
  test::temporary_folder argument, data, cache;
  const environment_variable a("STG_DATA_DIR", data.path().c_str()), b("XDG_CACHE_HOME", cache.path().c_str());
  const std::vector<std::string> places{argument.file("tiny"), data.file("tiny"), cache.file("stg/tiny")};

  search_result found = find_dataset("tiny", argument.path());
  EXPECT_EQ(found.folder, "");
  EXPECT_EQ(found.places, places);
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    std::filesystem::create_directories(*place);
    EXPECT_EQ(find_dataset("tiny", argument.path()).folder, *place);
  }
  EXPECT_EQ(find_dataset("tiny").folder, data.file("tiny"));
}

TEST(find_dataset, the_cache_is_under_home_by_default) {
  test::temporary_folder home;
  const environment_variable a("STG_DATA_DIR", nullptr), b("XDG_CACHE_HOME", nullptr), c("HOME", home.path().c_str());
  const search_result found = find_dataset("tiny");
  ASSERT_EQ(found.places.size(), 2u);
  EXPECT_NE(found.places[0].find("STG_DATA_DIR"), std::string::npos);
  EXPECT_EQ(found.places[1], home.file(".cache/stg/tiny"));
}

TEST(find_dataset, an_absent_data_set_carries_its_places) {
  test::temporary_folder empty;
  const environment_variable a("STG_DATA_DIR", empty.path().c_str()), b("XDG_CACHE_HOME", empty.path().c_str());
  try {
    load_node_classification("tiny");
    FAIL() << "found";
  } catch (const dataset_not_found& e) {
    EXPECT_EQ(e.places, (std::vector{empty.file("tiny"), empty.file("stg/tiny")}));
    EXPECT_NE(std::string(e.what()).find(empty.file("tiny")), std::string::npos);
  }
  expect_error([] { find_dataset("../etc"); }, {"\"../etc\""});
  expect_error([] { find_dataset(""); }, {"name"});
}

TEST(karate_club, is_zacharys) {
  const node_classification club = karate_club();
  EXPECT_EQ(club.graph.vertices(), 34);
  EXPECT_EQ(club.graph.edges(), 156);
  EXPECT_EQ(club.graph.to_undirected().edges(), 156);
  EXPECT_EQ(club.graph.coalesce().edge_list(), club.graph.edge_list());
  EXPECT_EQ(club.graph.in_degrees()[33], 17);
  EXPECT_EQ(club.graph.in_degrees()[0], 16);
  EXPECT_EQ(club.graph.in_degrees()[11], 1);
  EXPECT_EQ(club.features.shape(), (dimensions{34, 34}));
  EXPECT_EQ(club.features(7, 7), 1);
  EXPECT_EQ(std::count(club.features.begin(), club.features.end(), 0.0f), 34 * 33);
  EXPECT_EQ(club.classes, 4);
  EXPECT_EQ(std::count(club.labels.begin(), club.labels.end(), 0), 13);
  EXPECT_EQ(std::count(club.labels.begin(), club.labels.end(), 1), 12);
  EXPECT_EQ(std::count(club.train.begin(), club.train.end(), true), 4);
  EXPECT_TRUE(club.train(0) && club.train(4) && club.train(8) && club.train(24));
  EXPECT_EQ(std::count(club.test.begin(), club.test.end(), true), 30);
}

TEST(karate_club, has_two_factions_of_seventeen) {
  const node_classification club = karate_club(karate_labels::factions);
  EXPECT_EQ(club.classes, 2);
  EXPECT_EQ(std::count(club.labels.begin(), club.labels.end(), 0), 17);
  EXPECT_EQ(club.labels(0), 0);
  EXPECT_EQ(club.labels(33), 1);
  EXPECT_TRUE(club.train(0) && club.train(9));
}

TEST(cora, is_planetoids) {
  const search_result found = find_dataset("cora");
  if (found.folder.empty()) {
    std::cerr << "\n**** CORA IS NOT HERE: its loader is NOT tested. Looked for:\n";
    for (const std::string& place : found.places) std::cerr << "****   " << place << '\n';
    GTEST_SKIP() << "set STG_DATA_DIR to the folder that holds cora/";
  }
  node_classification cora = load_node_classification("cora");
  EXPECT_EQ(cora.graph.vertices(), 2708);
  EXPECT_EQ(cora.graph.edges(), 10556);
  EXPECT_EQ(cora.graph.to_undirected().edges(), 10556);
  EXPECT_EQ(cora.graph.add_self_loops().edges(), 10556 + 2708);
  EXPECT_EQ(cora.features.shape(), (dimensions{2708, 1433}));
  EXPECT_EQ(std::count(cora.features.begin(), cora.features.end(), 1.0f), 49216);
  EXPECT_EQ(cora.classes, 7);
  const std::int64_t sizes[] = {351, 217, 418, 818, 426, 298, 180};
  for (int c = 0; c < 7; ++c) EXPECT_EQ(std::count(cora.labels.begin(), cora.labels.end(), c), sizes[c]);
  EXPECT_EQ(std::count(cora.train.begin(), cora.train.end(), true), 140);
  EXPECT_EQ(std::count(cora.val.begin(), cora.val.end(), true), 500);
  EXPECT_EQ(std::count(cora.test.begin(), cora.test.end(), true), 1000);
  EXPECT_TRUE(cora.train(139) && cora.val(140) && cora.test(1708) && cora.test(2707) && !cora.test(1707));
  normalize_rows(cora.features);
  double sum = 0;
  for (int j = 0; j < 1433; ++j) sum += cora.features(5, j);
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST(every_data_set, is_read) {
  for (const char* name : {"citeseer", "pubmed", "amazon_photo", "cora_ml", "coauthor_phy", "polblogs"}) {
    if (find_dataset(name).folder.empty()) continue;
    SCOPED_TRACE(name);
    EXPECT_NO_THROW(load_node_classification(name));
  }
}

}  // namespace
}  // namespace stg
