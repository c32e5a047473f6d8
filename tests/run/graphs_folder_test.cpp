// test: draft data, sanitized readers
// Graphs of several kinds in folders: what is written is read again, and what is wrong is named with its file.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/graphs_folder.hpp>  // read_graphs, write_graphs
#include <stg/dsl/kinds.hpp>           // vertex_set, relation

#include <gtest/gtest.h>  // TEST

#include <algorithm>   // copy, equal
#include <filesystem>  // create_directory, exists
#include <string>      // string
#include <vector>      // vector

namespace stg {
namespace {

using test::expect_error, test::temporary_folder;

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;

template <class T> tensor<T> counted(const dimensions& shape) {
  tensor<T> t(shape);
  for (std::int64_t i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>(i + 1);
  return t;
}
template <class A, class B> bool are_equal(const A& a, const B& b) {
  return a.shape() == b.shape() && std::equal(a.begin(), a.end(), b.begin());
}

graphs academia() {
  graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 4).add_vertices("a \xc3\xa9 set", 0);
  g.add_edges(writes, {0, 1, 1, 2}, {3, 0, 1, 0});
  return g.add_edges("cites", "paper", "paper", std::vector<std::int64_t>{}, std::vector<std::int64_t>{});
}

TEST(graphs_folder, keeps_what_was_written) {
  const temporary_folder folder;
  const std::string path = folder.file("new/academia");
  const graphs g = academia();
  const auto words = counted<float>({4, 3});
  const auto topics = counted<std::int64_t>({4});
  const auto share = g.edge_values(writes, counted<double>({4, 2}));
  write_graphs(path, g).write(paper, "words", words).write(paper, "topic", topics).write(writes, "share", share);

  const graphs_folder data = read_graphs(path);
  EXPECT_EQ(data.graph().vertex_sets(), g.vertex_sets());
  EXPECT_EQ(data.graph().relations(), g.relations());
  EXPECT_EQ(data.graph().vertices(author), 3);
  EXPECT_EQ(data.graph().relation(writes).edge_list(), g.relation(writes).edge_list());
  EXPECT_EQ(data.graph().relation("cites").edges(), 0);
  EXPECT_EQ(data.arrays("paper"), (std::vector<std::string>{"topic", "words"}));
  EXPECT_EQ(data.arrays("writes"), (std::vector<std::string>{"share"}));
  EXPECT_EQ(data.arrays("author"), (std::vector<std::string>{}));
  EXPECT_TRUE(are_equal(data.vertex_values<float>(paper, "words"), words));
  EXPECT_TRUE(are_equal(data.vertex_values<std::int32_t>(paper, "topic"), counted<std::int32_t>({4}))) << "converted";
  EXPECT_TRUE(are_equal(data.mapped_vertex_values<float>(paper, "words"), words));
  const auto shares = data.edge_values<double>(writes, "share");
  EXPECT_TRUE(are_equal(shares.values(), share.values()));
  EXPECT_EQ(shares.edge_identity(), share.edge_identity());

  write_graphs(path, graphs().add_vertices(author, 3));  // another graph, beside arrays that are there
  EXPECT_EQ(read_graphs(path).graph().relations().size(), 0u);
  EXPECT_TRUE(std::filesystem::exists(path + "/paper/words.npy"));
}

TEST(graphs_folder, is_named_by_what_is_wrong_when_arrays_are_read) {
  const temporary_folder folder;
  graphs_folder data = write_graphs(folder.path(), academia());
  data.write(paper, "words", counted<float>({4, 3}));
  expect_error([&] { data.vertex_values<float>(paper, "year"); }, {"paper/year.npy is missing"});
  expect_error([&] { data.vertex_values<float>("book", "words"); }, {"no vertex set 'book'"});
  expect_error([&] { data.edge_values<float>("paper", "words"); }, {"no relation 'paper'"});
  expect_error([&] { data.arrays("book"); }, {"no relation 'book'"});
  expect_error([&] { data.vertex_values<float>(paper, "../author/known"); },
               {"'../author/known' is no name of an array"});
  expect_error([&] { data.edge_values<std::int64_t>(writes, "edges"); }, {"'edges' are those of relation 'writes'"});
  expect_error([&] { data.mapped_vertex_values<double>(paper, "words"); }, {"paper/words.npy", "<f4; expected <f8"});
  expect_error([&] { data.write(paper, "few", counted<float>({3})); },
               {"paper/few.npy has shape (3,)", "vertex set 'paper' has 4 vertices"});
  EXPECT_FALSE(std::filesystem::exists(folder.file("paper/few.npy")));
  write_npy<float>(folder.file("paper/few.npy"), counted<float>({3}));
  expect_error([&] { data.vertex_values<float>(paper, "few"); }, {"paper/few.npy has shape (3,)"});
  write_npy<float>(folder.file("writes/share.npy"), counted<float>({2, 4}));
  expect_error([&] { data.edge_values<float>(writes, "share"); },
               {"writes/share.npy has shape (2, 4)", "relation 'writes' has 4 edges"});
  write_npy<float>(folder.file("paper/half.npy"), tensor<float>::full({4}, 0.5f));
  expect_error([&] { data.vertex_values<std::int32_t>(paper, "half"); }, {"paper/half.npy", "0.5"});
}

TEST(graphs_folder, refuses_to_write_what_it_could_not_read) {
  const temporary_folder folder;
  for (const char* name : {"a/b", "..", "a\"b", "a\nb", ".hidden", "a\\b"}) {
    expect_error([&] { write_graphs(folder.path(), graphs().add_vertices(name, 1)); }, {"is no name of a folder"});
    expect_error([&] { write_graphs(folder.path(), academia().add_reverse(name, "writes")); },
                 {"is no name of a folder"});
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("graph.json")));
  expect_error([&] { write_graphs(folder.path(), graphs().add_vertices("\xff", 1)); }, {"graph.json", "is no JSON"});
  const std::string file = folder.write("file", "");
  expect_error([&] { write_graphs(file + "/below", academia()); }, {"file cannot be made: "});
}

/// A folder of a graph.json, and the edges of one relation.
class made_folder {
 public:
  explicit made_folder(const std::string& manifest) {
    folder_.write("graph.json", manifest);
    std::filesystem::create_directory(folder_.file("writes"));
    edges({2, 2}, {0, 1, 0, 1});
  }
  void edges(const dimensions& shape, std::initializer_list<std::int64_t> ends) {
    tensor<std::int64_t> t(shape);
    std::copy(ends.begin(), ends.end(), t.begin());
    write_npy(folder_.file("writes/edges.npy"), t);
  }
  void expect(std::initializer_list<std::string_view> parts) const {
    expect_error([&] { read_graphs(folder_.path()); }, parts);
  }
  const temporary_folder& files() const { return folder_; }

 private:
  temporary_folder folder_;
};

TEST(graphs_folder, names_field_and_offset_of_what_is_wrong_in_its_json) {
  const temporary_folder empty;
  expect_error([&] { read_graphs(empty.file("nothing")); }, {"nothing is no folder; expected one of graph.json"});
  expect_error([&] { read_graphs(empty.path()); }, {"graph.json is missing"});
  made_folder("{").expect({"graph.json offset 0", "is no JSON"});
  made_folder("[]").expect({"graph.json offset 0", "an array; expected an object"});
  made_folder("{}").expect({"field vertex_sets is missing"});
  made_folder(R"({"vertex_sets": {}})").expect({"field relations is missing"});
  made_folder(R"({"vertex_sets": [3]})").expect({"offset 16 field vertex_sets is an array; expected an object"});
  made_folder(R"({"vertex_sets": {"a": -1}})")
      .expect({"offset 22 field vertex_sets a is -1; expected 0 to 2147483647"});
  // No file of some bytes takes gigabytes.
  made_folder(R"({"vertex_sets": {"a": 2147483647}, "relations": {}})")
      .expect({"field vertex_sets a is 2147483647", "bytes are too small"});
  made_folder(R"({"vertex_sets": {"a": 2147483648}})").expect({"field vertex_sets a is 2147483648"});
  made_folder(R"({"vertex_sets": {"a": 1e99}})").expect({"field vertex_sets a is a number; expected an integer"});
  made_folder(R"({"vertex_sets": {"a": "3"}})").expect({"field vertex_sets a is a text; expected an integer"});
  made_folder(R"({"vertex_sets": {"a": 1, "a": 1}})").expect({"field vertex_sets has \"a\" twice"});
  made_folder(R"({"vertex_sets": {"../a": 1}})")
      .expect({"field vertex_sets has a name that is none; expected 1 to 62"});
  made_folder(R"({"vertex_sets": {"": 1}})").expect({"has a name that is none"});
  made_folder("{\"vertex_sets\": {\"" + std::string(63, 'a') + "\": 1}}").expect({"has a name that is none"});
  const auto of_relations = [](const std::string& relations) {
    return R"({"vertex_sets": {"author": 2, "paper": 2}, "relations": )" + relations + "}";
  };
  made_folder(of_relations("3")).expect({"field relations is an integer; expected an object"});
  made_folder(of_relations(R"({"writes": "author"})")).expect({"field relations writes is a text; expected an array"});
  made_folder(of_relations(R"({"writes": ["author"]})"))
      .expect({R"(field relations writes has 1 ends; expected ["source set", "destination set"])"});
  made_folder(of_relations(R"({"writes": ["author", 1]})"))
      .expect({"field relations writes is an integer; expected a"});
  made_folder(of_relations(R"({"writes": ["author", "book"]})"))
      .expect({"offset 83 field relations writes has destination 'book'; expected one of vertex_sets"});
  made_folder(of_relations(R"({"writes": ["editor", "paper"]})")).expect({"has source 'editor'"});
  made_folder(of_relations(R"({"paper": ["author", "paper"]})"))
      .expect({"relations paper has the name of a vertex set"});
  made_folder(of_relations(R"({"..": ["author", "paper"]})")).expect({"field relations has a name that is none"});
  made_folder(of_relations(R"({"reviews": ["author", "paper"]})")).expect({"reviews/edges.npy is missing"});
}

TEST(graphs_folder, names_the_edge_that_is_wrong) {
  made_folder folder(R"({"vertex_sets": {"author": 3, "paper": 2}, "relations": {"writes": ["author", "paper"]}})");
  EXPECT_EQ(read_graphs(folder.files().path()).graph().edges(writes), 2);
  folder.edges({2, 3}, {0, 2, 3, 0, 1, 0});
  folder.expect({"writes/edges.npy: relation 'writes' edge 2 has source 3; vertex set 'author' has 3 vertices"});
  folder.edges({2, 1}, {0, 2});
  folder.expect({"writes/edges.npy: relation 'writes' edge 0 has destination 2; vertex set 'paper' has 2"});
  folder.edges({2, 1}, {-1, 0});
  folder.expect({"source -1"});
  folder.edges({3, 2}, {0, 0, 0, 0, 0, 0});
  folder.expect({"writes/edges.npy has shape (3, 2); expected (2, edges), sources first"});
  folder.edges({4}, {0, 0, 0, 0});
  folder.expect({"has shape (4,)"});
  write_npy<float>(folder.files().file("writes/edges.npy"), tensor<float>::full({2, 1}, 0.5f));
  folder.expect({"writes/edges.npy", "0.5"});
}

}  // namespace
}  // namespace stg
