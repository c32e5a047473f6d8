// test: draft data, sanitized readers
// Edge lists as text and Matrix Market files: what is read, and the line where one is wrong.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/edge_list.hpp>  // read_edge_list

#include <gtest/gtest.h>  // TEST

#include <locale>  // numpunct

namespace stg {
namespace {

using test::expect_error;

TEST(edge_list_text, reads_words_comments_and_weights) {
  test::temporary_folder folder;
  const auto plain = read_edge_list(folder.write("a", "# from to\n0 1\n\n  3\t2  \r\n% other\n1,0\n"));
  EXPECT_EQ(plain.src, (std::vector<std::int64_t>{0, 3, 1}));
  EXPECT_EQ(plain.dst, (std::vector<std::int64_t>{1, 2, 0}));
  EXPECT_TRUE(plain.weights.empty());
  EXPECT_EQ(plain.vertices(), 4);
  const auto weighted = read_edge_list(folder.write("b", "0 1 0.5\n1 , 2\t, -3e2 ,"));
  EXPECT_EQ(weighted.weights, (std::vector<double>{0.5, -300}));
  EXPECT_EQ(read_edge_list(folder.write("s", "+3 +1 +1e-400\n")).src[0], 3) << "as in tables";
  EXPECT_EQ(read_edge_list(folder.write("t", "0 1 -1e-400\n")).weights[0], 0);
  EXPECT_EQ(read_edge_list(folder.write("c", "")).vertices(), 0);
  EXPECT_EQ(read_edge_list(folder.write("d", "4294967296 1\n")).src[0], 4294967296);
}

TEST(edge_list_text, names_file_and_line) {
  test::temporary_folder folder;
  const auto refuse = [&](const char* text, std::initializer_list<std::string_view> parts) {
    const auto path = folder.write("e", text);
    expect_error([&] { read_edge_list(path); }, parts);
    expect_error([&] { read_edge_list(path); }, {path});
  };
  refuse("0 1\n2\n", {"line 2", "no destination"});
  refuse("0 1\n# c\nx 1\n", {"line 3", "source \"x\""});
  refuse("from to\n", {"line 1 has source \"from\"; expected a 64-bit integer; read_table takes headers and names"});
  refuse("0 1.5\n", {"line 1", "destination \"1.5\""});
  refuse("0 -1\n", {"line 1", "destination -1"});
  refuse("0 99999999999999999999\n", {"line 1", "64-bit"});
  refuse("0 1 heavy\n", {"line 1", "weight \"heavy\""});
  refuse("0 1\n0,,5\n", {"line 2 has no destination; expected: src dst [weight]"});
  refuse(",0,1\n", {"line 1 has no source"});
  refuse("0 1,,5\n", {"line 1 has more than three words"});
  refuse("0 1 1e400\n", {"line 1 has weight \"1e400\"; expected a number"});
  refuse("0 +-1\n", {"line 1 has destination \"+-1\"; expected a 64-bit integer"});
  refuse("\x1b[2J 1\n", {"has source \"\\x1b[2J\"; expected"});
  refuse("0 1 \xe4\x01\n", {"has weight \"\\xe4\\x01\"; expected"});
  refuse("0 1 2 3\n", {"line 1", "more than three"});
  refuse("0 1 2\n1 0\n", {"line 2", "no weight"});
  refuse("0 1\n1 0 2\n", {"line 2", "has a weight"});
  refuse("0\r1\n", {"line 1", "has a carriage return within; expected lines that end with \\n or \\r\\n"});
  refuse("0 1\r1 2\r", {"line 1", "carriage return"});
  refuse(
      "\xff\xfe"
      "0",
      {"is text in UTF-16; write it in UTF-8"});
  refuse("0 1 0,5\n", {"more than three words", "{.separator = ' ', .header = false, .decimal_point = ','}"});
  expect_error([&] { read_edge_list(folder.file("none")); }, {"none", "missing"});
  expect_error([&] { read_edge_list(""); }, {"stg: edge list has an empty path; give that of a file"});
  expect_error([&] { read_edge_list(folder.path()); }, {"edge list " + folder.path() + " is a folder"});
}

TEST(edge_list_text, refuses_lines_of_counts) {
  test::temporary_folder folder;
  const auto refuse = [&](const char* text, std::initializer_list<std::string_view> parts) {
    expect_error([&] { read_edge_list(folder.write("c", text)); }, parts);
  };
  refuse("# vertices, edges\n3 5\n0 1\n1 2\n2 0\n0 2\n2 1\n",
         {"c line 2 counts the rows behind it; take it out, or put it behind one of them if it is an edge"});
  refuse("3 3 3\n2 1 0.5\n3 1 0.25\n3 3 4\n", {"c line 1 counts the rows behind it"});
  refuse("5\n0 1\n", {"line 1 has no destination; expected: src dst [weight], and no line of counts"});
  refuse("4 4\n2 4\n1 3\n2 4\n1 3\n", {"line 1 counts the rows behind it"});  // METIS: a circle
  refuse("4 6\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n",                                 // and all of four
         {"line 2 has a weight; expected none as on the lines before, and no line of counts, as METIS files have it"});
  refuse("3 2 1\n2 7\n1 7 3 7\n2 7\n", {"line 2 has no weight; expected one", "METIS"});
  for (const std::string edges : {"1 2\n0 1\n1 0\n", "2 1\n0 1\n", "3 4\n0 1\n1 2\n2 3\n3 0\n", "3 2\n2 1\n1 0\n",
                                  "1 0 1\n0 1 1\n", "0 2\n1 2\n", "5 5\n"})
    EXPECT_EQ(read_edge_list(folder.write("e", edges)).src.size(), std::count(edges.begin(), edges.end(), '\n'));
}

/// Edges of a text as "src>dst" or "src>dst(weight)".
std::string edges_of(const edge_list_text& e) {
  std::string all;
  for (std::size_t i = 0; i < e.src.size(); ++i) {
    all += (i == 0 ? "" : " ") + std::to_string(e.src[i]) + '>' + std::to_string(e.dst[i]);
    if (!e.weights.empty()) all += '(' + std::to_string(e.weights[i]).substr(0, 5) + ')';
  }
  return all;
}

TEST(edge_list_text, reads_matrix_market_files) {
  test::temporary_folder folder;
  const auto read = [&](const std::string& text) { return read_edge_list(folder.write("a.mtx", text)); };
  const auto symmetric =
      read("%%MatrixMarket matrix coordinate real symmetric\n% made for this test\n3 3 3\n2 1 0.5\n3 1 0.25\n3 3 4\n");
  EXPECT_EQ(edges_of(symmetric), "1>0(0.500) 0>1(0.500) 2>0(0.250) 0>2(0.250) 2>2(4.000)");
  EXPECT_EQ(symmetric.vertices(), 3);
  const auto general = read("%%MatrixMarket matrix coordinate real general\n4 4 2\n1 2 1e-3\n2 1 -7\n");
  EXPECT_EQ(edges_of(general), "0>1(0.001) 1>0(-7.00)");
  EXPECT_EQ(general.vertices(), 4) << "the last ones have no edge";
  EXPECT_EQ(edges_of(read("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 +3\n")),
            "1>0(3.000) 0>1(-3.00)");
  const auto pattern = read(
      "\xef\xbb\xbf%%matrixmarket MATRIX Coordinate pattern symmetric\r\n%\r\n\r\n  3\t3 3 \r\n\r\n2 1\r\n% c\r\n 3 "
      "2\r\n3 3");
  EXPECT_EQ(edges_of(pattern), "1>0 0>1 2>1 1>2 2>2");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real general\n5 5 0\n").vertices(), 5);
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real general\n0 0 0\n").vertices(), 0);
  EXPECT_EQ(edges_of(read("% no banner\n%%MatrixMarket matrix coordinate real general\n0 1\n")), "0>1");
}

TEST(edge_list_text, names_the_line_of_a_matrix_that_is_wrong) {
  test::temporary_folder folder;
  const auto refuse = [&](const std::string& text, std::string_view part) {
    const std::string path = folder.write("a.mtx", text);
    expect_error([&] { read_edge_list(path); }, {"edge list " + path + " line ", part});
  };
  const auto banner = [](const std::string& words) { return "%%MatrixMarket " + words + "\n"; };
  refuse(banner("matrix array real general"), "line 1 has format \"array\"; expected coordinate: ");
  refuse(banner("vector coordinate real general"), "line 1 has object \"vector\"; expected matrix");
  refuse(banner("matrix coordinate complex general"), "has field \"complex\"; expected real, integer or pattern");
  refuse(banner("matrix coordinate real hermitian"), "has symmetry \"hermitian\"; expected general, symmetric or");
  refuse(banner("matrix coordinate real"), "has symmetry \"\"; expected general");
  refuse(banner("matrix coordinate pattern skew-symmetric"), "is of a skew-symmetric pattern");
  refuse(banner("matrix coordinate real general more"), "has more than five words");
  const std::string real = banner("matrix coordinate real general"),
                    symmetric = banner("matrix coordinate real symmetric");
  refuse(real, "line 1 is the last; expected a line of sizes");
  for (const char* text : {"", "%%Matrix"})  // as a file is that is cut
    expect_error([&] { read_edge_list(folder.write("a.mtx", text)); },
                 {"a.mtx has no %%MatrixMarket in its first line"});
  refuse(real + "3 4 1\n", "line 2 is of 3 rows and 4 columns; expected as many");
  refuse(real + "3 3\n", "has entries \"\"; expected an integer from 0 to");
  refuse(real + "-3 3 1\n", "has rows \"-3\"");
  refuse(real + "3 3 1 1\n", "has more than three words; expected sizes");
  refuse(real + "3 3 1\n0 1 1\n", "line 3 has row \"0\"; expected an integer from 1 to 3");
  refuse(real + "3 3 1\n1 4 1\n", "line 3 has column \"4\"; expected an integer from 1 to 3");
  refuse(real + "3 3 1\n1 2 x\n", "has value \"x\"; expected a number");
  refuse(real + "3 3 1\n1 2\n", "has value \"\"");
  refuse(real + "3 3 1\n1 2 3 4\n", "has more words; expected row column value");
  refuse(real + "3 3 1\n1 2 3\n%\n2 1 3\n", "line 5 is entry 2; line 2 says 1");
  refuse(real + "3 3 2\n1 2 3\n", "line 3 is the last; expected 2 entries, as line 2 says, and found 1");
  refuse(symmetric + "3 3 1\n1 2 3\n", "line 3 is above the diagonal of a symmetric matrix");
  refuse(banner("matrix coordinate real skew-symmetric") + "3 3 1\n2 2 3\n", "is on the diagonal of a skew-symmetric");
  refuse(banner("matrix coordinate integer general") + "3 3 1\n2 2 0.5\n", "has value \"0.5\"; expected an integer");
  refuse(banner("matrix coordinate integer general") + "3 3 1\n2 2 9007199254740993\n", "that a double holds");
  refuse(banner("matrix coordinate pattern general") + "3 3 1\n2 2 1\n", "has more words; expected row column");
}

/// Numbers as much of Europe writes them, in every stream that is made meanwhile.
struct decimal_comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(edge_list_text, means_the_same_in_every_locale_and_from_every_system) {
  test::temporary_folder folder;
  const std::locale before = std::locale::global(std::locale(std::locale(), new decimal_comma));
  const auto edges = read_edge_list(folder.write("a", "\xef\xbb\xbf# from to\r\n1000 1 0.5\r\n2,0,1.5\r\n"));
  std::locale::global(before);
  EXPECT_EQ(edges.src, (std::vector<std::int64_t>{1000, 2}));
  EXPECT_EQ(edges.weights, (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(read_edge_list(folder.write("b",
                                        "\xef\xbb\xbf"
                                        "3 4\r\n"))
                .src[0],
            3);
}

}  // namespace
}  // namespace stg
