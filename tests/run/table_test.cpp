// test: draft data, sanitized readers
// Tables: fields as other systems write them, columns as numbers, names as vertices, and where a mistake is.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/table.hpp>  // read_table

#include <gmock/gmock.h>  // ElementsAre
#include <gtest/gtest.h>  // TEST

#include <algorithm>    // equal
#include <cmath>        // isnan, signbit
#include <limits>       // numeric_limits
#include <locale>       // numpunct
#include <random>       // mt19937
#include <ranges>       // drop, iota
#include <string>       // string
#include <type_traits>  // is_same_v
#include <vector>       // vector

namespace stg {
namespace {

using test::expect_error;
using testing::ElementsAre;

class table : public testing::Test {
 protected:
  test::temporary_folder folder;
  text_table read(std::string_view text, const table_format& format = {}) {
    return read_table(folder.write("t.csv", text), format);
  }
  void refuse(std::string_view text, std::initializer_list<std::string_view> parts, const table_format& format = {}) {
    const std::string path = folder.write("t.csv", text);
    expect_error([&] { read_table(path, format); }, parts);
    expect_error([&] { read_table(path, format); }, {"stg: table " + path});
  }
};

TEST_F(table, has_columns_by_name_and_by_number) {
  const text_table t = read("who,whom,since,how often\nann,bob,1999,0.5\nbob,cy,-3,2e3\nann,cy,+7, 1 \n");
  EXPECT_EQ(t.rows(), 3);
  EXPECT_EQ(t.columns(), 4);
  EXPECT_THAT(t.names(), ElementsAre("who", "whom", "since", "how often"));
  EXPECT_THAT(t.words("whom"), ElementsAre("bob", "cy", "cy"));
  EXPECT_THAT(t.words(0), ElementsAre("ann", "bob", "ann"));
  EXPECT_THAT(t.integers("since"), ElementsAre(1999, -3, 7));
  EXPECT_THAT(t.numbers(std::string("how often")), ElementsAre(0.5, 2000, 1));
  const auto both = t.tensor_of({"how often", 2});
  EXPECT_EQ(both.shape(), dimensions({3, 2}));
  EXPECT_EQ(both(1, 0), 2000);
  EXPECT_EQ(both(1, 1), -3);
  const text_table moved = read("a\n1\n");
  EXPECT_THAT(moved.integers(0), ElementsAre(1));
  EXPECT_THAT(read(",a\n0,x\n1,y\n").integers(""), ElementsAre(0, 1)) << "the numbers of rows, as pandas writes them";
}

TEST_F(table, gives_columns_of_ranges_all_and_all_but_some) {
  const text_table t = read("id,a,b,c\nx,1,2,3\ny,4,5,6\n");
  const auto expect_rows = [](const tensor<float>& found, std::vector<float> wanted) {
    ASSERT_EQ(found.shape(), dimensions({2, static_cast<std::int64_t>(wanted.size()) / 2}));
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), found.begin()));
  };
  expect_rows(t.tensor_of(std::vector<std::string>{"c", "a"}), {3, 1, 6, 4});
  expect_rows(t.tensor_of(std::vector<std::string_view>{"c", "a"}), {3, 1, 6, 4});
  expect_rows(t.tensor_of(std::views::iota(1, 4)), {1, 2, 3, 4, 5, 6});
  expect_rows(t.tensor_of(std::vector<int>{2}), {2, 5});
  const char* const words[] = {"b", "b"};
  expect_rows(t.tensor_of(words), {2, 2, 5, 5});
  expect_rows(t.tensor_of(t.names() | std::views::drop(2)), {2, 3, 5, 6});
  expect_rows(t.tensor_of(all_columns_but({"id"})), {1, 2, 3, 4, 5, 6});
  expect_rows(t.tensor_of(all_columns_but({"id", 2, "id"})), {1, 3, 4, 6});
  expect_rows(t.tensor_of(all_columns_but(std::vector<std::string>{"id", "a"})), {2, 3, 5, 6});
  expect_rows(t.tensor_of(all_columns_but(all_columns_but({"c"}))), {3, 6});
  expect_rows(t.tensor_of(all_columns_but(all_columns)), {});
  expect_rows(read("a,b\n1,\n,4\n").tensor_of(all_columns, -1), {1, -1, -1, 4});
  const std::vector<std::string> none;
  expect_rows(t.tensor_of(none), {});
  expect_error([&] { t.tensor_of(all_columns); }, {"column 0 \"id\" has \"x\""});
  expect_error([&] { t.tensor_of(all_columns_but({"z"})); }, {"\"z\""});
  expect_error([&] { t.tensor_of(std::views::iota(3, 5)); }, {"column 4"});
}

TEST_F(table, may_be_a_temporary) {
  const auto words = read("a\nlonger than what a string holds without memory of its own\n").words("a");
  static_assert(std::is_same_v<decltype(words), const std::vector<std::string>>);
  EXPECT_THAT(words, ElementsAre("longer than what a string holds without memory of its own"));
  for (const std::string& name : read("who,whom\n").names()) EXPECT_TRUE(name.starts_with("who"));
  vertex_names people;
  EXPECT_THAT(people.add(read("who\nann\nbob\n").words("who")), ElementsAre(0, 1));
  EXPECT_THAT(people.find(read("who\nbob\n").words("who")), ElementsAre(1));
}

TEST_F(table, skips_blank_lines_or_takes_them_for_empty_fields) {
  const std::string text = "a\n1\n\n\r\n4\n";
  EXPECT_THAT(read(text).integers("a"), ElementsAre(1, 4));
  EXPECT_THAT(read("a\n1\n\"\"\n4").numbers("a", -1), ElementsAre(1, -1, 4)) << "as csv of Python and pandas write";
  const text_table all = read(text, {.skip_blank_lines = false});
  EXPECT_THAT(all.numbers("a", -1), ElementsAre(1, -1, -1, 4)) << "what ends the last line begins no other one";
  EXPECT_THAT(read(" \n1\n", {.separator = ' ', .header = false, .skip_blank_lines = false}).words(0),
              ElementsAre("", "1"));
  refuse("a,b\n\n1,2\n", {"line 2 column 0 \"a\" is the last; expected 2 columns"}, {.skip_blank_lines = false});
  expect_error([&] { all.integers("a"); }, {"line 3 column 0 \"a\" is empty; expected a 64-bit integer, or give what"});
}

TEST_F(table, takes_what_stands_for_a_missing_number) {
  const text_table t = read("x,class\n1.5,2\n,\n 3 , \n");
  EXPECT_THAT(t.integers("class", -1), ElementsAre(2, -1, -1));
  EXPECT_THAT(t.numbers("x", 0.5), ElementsAre(1.5, 0.5, 3));
  const auto X = t.tensor_of({"x", "class"}, std::nan(""));
  EXPECT_EQ(X(2, 0), 3);
  EXPECT_TRUE(std::isnan(X(1, 0)) && std::isnan(X(1, 1)) && std::isnan(X(2, 1)));
  expect_error([&] { t.tensor_of({"x"}); }, {"line 3 column 0 \"x\" is empty; expected a number, or give what stands"});
  expect_error([&] { read("x\nno\n").integers("x", -1); }, {"has \"no\"; expected a 64-bit integer"});
}

TEST_F(table, numbers_too_small_are_zero) {
  const auto x = read("x\n1e-400\n-1e-400\n4e-324\n0.0e99999\n1e-99999999999999999999\n").numbers("x");
  EXPECT_THAT(x, ElementsAre(0, 0, std::numeric_limits<double>::denorm_min(), 0, 0));
  EXPECT_TRUE(std::signbit(x[1]));
  EXPECT_THAT(read("x;y\n1,5e-400;\n", {.decimal_point = ','}).numbers("x"), ElementsAre(0));
  EXPECT_EQ(read("x\n1e-60\n").tensor_of({"x"})(0, 0), 0);
  for (const char* large : {"1e400", "-1e400", "1e99999999999999999999"})
    expect_error([&] { read(std::string("x\n") + large).numbers("x"); }, {large, "expected a number"});
}

TEST_F(table, reads_quotes_as_rfc_4180_has_them) {
  const text_table t = read("\"a,b\",c\r\n\"say \"\"yes\"\"\",\"\"\r\n\"two\r\nlines\",3\r\nplain,\"4\"");
  EXPECT_THAT(t.names(), ElementsAre("a,b", "c"));
  EXPECT_THAT(t.words(0), ElementsAre("say \"yes\"", "two\r\nlines", "plain"));
  EXPECT_THAT(t.words("c"), ElementsAre("", "3", "4"));
  EXPECT_THAT(t.numbers("c", -1), ElementsAre(-1, 3, 4));
  const text_table one = read("\"\"\"\"\n", {.header = false});
  EXPECT_THAT(one.words(0), ElementsAre("\""));
}

TEST_F(table, finds_its_separator) {
  EXPECT_EQ(read("a\tb,c\n1\t2\n").columns(), 2);
  EXPECT_EQ(read("a;b,c\n1,5;2\n").columns(), 2);
  EXPECT_EQ(read("\"a;b\",c\n1,2\n").columns(), 2);
  EXPECT_EQ(read("a\n1\n").columns(), 1);
  EXPECT_EQ(read("a|b\n1|2\n", {.separator = '|'}).columns(), 2);
  EXPECT_THAT(read(" 1\t 2 \n\n3 4\n", {.separator = ' ', .header = false}).integers(1), ElementsAre(2, 4));
  EXPECT_THAT(read("say \"x\" y\n", {.separator = ' ', .header = false}).words(1), ElementsAre("\"x\""));
  EXPECT_THAT(read("#no\na,b\n# 1\n2,#\n", {.comment = '#'}).words("b"), ElementsAre("#"));
}

TEST_F(table, may_be_empty) {
  EXPECT_EQ(read("a,b\n").rows(), 0);
  EXPECT_EQ(read("a,b\n").columns(), 2);
  EXPECT_EQ(read("a,b").tensor_of({"a"}).shape(), dimensions({0, 1}));
  EXPECT_EQ(read("", {.header = false}).columns(), 0);
  EXPECT_THAT(read("a,b,\n,,\n").words(2), ElementsAre(""));
  EXPECT_THAT(read("a,b\n1,").words(1), ElementsAre(""));
  EXPECT_EQ(read("a\n\n\n1\n\r\n").rows(), 1) << "lines of nothing are skipped";
}

/// Numbers as much of Europe writes them, in every stream that is made meanwhile.
struct decimal_comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST_F(table, means_the_same_in_every_locale_and_from_every_system) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new decimal_comma));
  const text_table t = read("\xef\xbb\xbfx;y\r\n1.5;-2.25\r\n");
  const text_table comma = read("x;y\n1,5;-2,25e1\n", {.decimal_point = ','});
  const auto x = t.numbers("x"), y = comma.numbers("y");
  std::locale::global(before);
  EXPECT_THAT(x, ElementsAre(1.5));
  EXPECT_THAT(y, ElementsAre(-22.5));
  EXPECT_THAT(comma.tensor_of({"x"})(0, 0), 1.5f);
  EXPECT_THAT(read("x\n1,5\n", {.decimal_point = ','}).numbers("x"), ElementsAre(1.5));
  EXPECT_THAT(read("x,y\n\"1,5\",2\n", {.decimal_point = ','}).numbers("x"), ElementsAre(1.5));
  expect_error([&] { read("x\n1.000\n", {.decimal_point = ','}).numbers("x"); },
               {"has \"1.000\"; expected a number, or give .decimal_point = '.'"});
  expect_error([&] { comma.integers("x"); }, {"has \"1,5\"; expected a 64-bit integer"});
  expect_error([&] { read("x;y\n1,5;2\n").numbers("x"); }, {"expected a number, or give .decimal_point = ','"});
  refuse("x,y\n1,5,2,5\n",
         {"line 2 column 3 is the last; expected 2 columns, as in the first line; give .separator: "
          "',' is the decimal point"},
         {.decimal_point = ','});
  expect_error([&] { t.integers("x"); }, {"has \"1.5\"; expected a 64-bit integer"});
  const auto special = read("x\nnan\ninf\n-inf\n").numbers(0);
  EXPECT_TRUE(std::isnan(special[0]));
  EXPECT_EQ(special[1], HUGE_VAL);
}

TEST_F(table, reads_what_it_is_written_as) {
  std::mt19937 random(7);
  const std::string alphabet = "ab,;\t| \"\r\n\xc3\xa4";
  for (int round = 0; round < 300; ++round) {
    const char separator = ",;\t|"[random() % 4];
    const std::string end = random() % 2 ? "\n" : "\r\n";
    const int columns = 1 + static_cast<int>(random() % 4), rows = static_cast<int>(random() % 6);
    std::vector<std::string> cells;
    std::string text;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        std::string cell(random() % 6, ' ');
        for (char& letter : cell) letter = alphabet[random() % alphabet.size()];
        const bool needs = cell.find_first_of("\"\r\n" + std::string(1, separator)) != std::string::npos;
        if (needs || columns == 1 || random() % 3 == 0) {
          text += '"';
          for (const char letter : cell) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
          text += '"';
        } else {
          text += cell;
        }
        text += c + 1 < columns ? std::string(1, separator) : r + 1 < rows || random() % 2 ? end : "";
        cells.push_back(cell);
      }
    const text_table t = read(text, {.separator = separator, .header = false});
    ASSERT_EQ(t.rows(), rows) << text;
    for (int c = 0; c < t.columns(); ++c) {
      const auto words = t.words(c);
      for (int r = 0; r < rows; ++r)
        ASSERT_EQ(words[static_cast<std::size_t>(r)], cells[static_cast<std::size_t>(r * columns + c)]) << text;
    }
  }
}

TEST_F(table, says_where_a_mistake_is) {
  refuse("a,b\n1,2\n1,2,3\n", {"line 3 column 2 is the last; expected 2 columns, as in the first line"});
  refuse("a,b\n1\n", {"line 2 column 0 \"a\" is the last; expected 2 columns"});
  refuse("a\n1,2\n", {"line 2 column 1 is the last; expected 1 column, as in the first line"});
  refuse("a,b\n\"1\n2\n", {"line 2 column 0 \"a\" begins a quote that does not end"});
  refuse("a,b\n\"x\ny\",\"1\"2\n", {"line 3 column 1 \"b\" has text behind its quotes"});
  refuse("a,b\n1,2\"\n", {"line 2 column 1 \"b\" has a quote within; put the field in quotes, and write \"\" for one"});
  refuse("a,b\r1,2\r", {"line 1 column 1 has a carriage return within; expected lines that end with \\n or \\r\\n"});
  refuse("1 2\r3 4", {"line 1 column 1 has a carriage return"}, {.separator = ' ', .header = false});
  refuse("", {"is empty; expected a line with names of columns"});
  refuse("\xef\xbb\xbf\n", {"is empty"});
  refuse("%%MatrixMarket matrix coordinate real general\n1 1 0\n", {"is a Matrix Market file; read_edge_list reads it"},
         {.comment = '%'});
  refuse(
      "\xff\xfe"
      "a",
      {"is text in UTF-16; write it in UTF-8"});
  expect_error([&] { read_table(folder.file("none")); }, {"none is missing"});
  expect_error([&] { read_table(folder.path()); }, {"is a folder"});
  expect_error([&] { read_table(""); }, {"stg: table has an empty path; give that of a file"});
  expect_error([&] { read("a\n", {.separator = '"'}); }, {"has a quote or the end of a line for a separator"});
  expect_error([&] { read("a\n", {.decimal_point = ';'}); }, {"neither '.' nor ','"});

  const text_table t = read("x,y,x\n\"1\n\",,abc\n2,3,1e999\n4,1e300,\x01\n");
  expect_error([&] { t.words("z"); }, {"has no column \"z\"; it has \"x\", \"y\", \"x\""});
  expect_error([&] { t.words("x"); }, {"has two columns \"x\"; give the number of one, 0 or 2"});
  expect_error([&] { t.words(3); }, {"has no column 3; columns are 0 to 2"});
  expect_error([&] { t.words(-1); }, {"has no column -1"});
  expect_error([&] { t.words(""); }, {"has no column \"\"; it has \"x\", \"y\", \"x\""});
  expect_error([&] { read("a\n").words(1); }, {"has no column 1; its only one is 0"});
  expect_error([&] { read("", {.header = false}).words(0); }, {"t.csv has no columns; it is empty"});
  expect_error([&] { read("a,b,c,d,e,f,g,h,i,j\n").words("z"); }, {"\"g\", \"h\" and 2 more"});
  expect_error([&] { read("1\n", {.header = false}).words("x"); }, {"it was read without a header: give a number"});
  expect_error([&] { t.numbers("y"); }, {"line 2 column 1 \"y\" is empty; expected a number, or give what stands for"});
  expect_error([&] { t.numbers(2); }, {"line 2 column 2 \"x\" has \"abc\"; expected a number"});
  expect_error([&] { t.integers("y"); }, {"line 2 column 1 \"y\" is empty; expected a 64-bit integer, or give what"});
  const text_table wide = read("x\n1e300\n1e999\n+-1\n");
  expect_error([&] { wide.tensor_of({"x"}); }, {"line 2 column 0 \"x\" has \"1e300\"; expected a number that float"});
  expect_error([&] { wide.numbers("x"); }, {"line 3 column 0 \"x\" has \"1e999\"; expected a number"});
  expect_error([&] { read("x\n+-1\n").numbers("x"); }, {"has \"+-1\""});
  expect_error([&] { read("x\n99999999999999999999\n").integers("x"); }, {"64-bit"});
  expect_error([&] { read("x\n\"a\nb\"\n").numbers("x"); }, {"has \"a\\nb\""});
}

TEST_F(table, shows_what_files_hold_as_text) {
  const auto shows = [&](const std::string& word, std::string_view shown) {
    expect_error([&] { read("x\n" + word + "\n").numbers("x"); }, {shown});
  };
  shows("\x1b[2J\x7f\t", "has \"\\x1b[2J\\x7f\\t\"; expected");
  shows("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "has \"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");  // 2, 3, 4 bytes
  shows("\xe4\xff", "has \"\\xe4\\xff\"");                                                        // Latin-1
  shows("\xc0\xaf\xed\xa0\x80", "has \"\\xc0\\xaf\\xed\\xa0\\x80\"");           // too long a form, half of a pair
  shows("\xf4\x90\x80\x80\xe2\x82", "has \"\\xf4\\x90\\x80\\x80\\xe2\\x82\"");  // beyond the last, cut off
  shows("\xc2\x9b\xe2\x80\xae", "has \"\\xc2\\x9b\\xe2\\x80\\xae\"");           // a control of 8 bits, right to left
  shows("a\\n", "has \"a\\\\n\"");
  shows("\"a\"\"b\"", "has \"a\\\"b\"");
  const std::string letters(23, 'a');
  shows(letters + "\xc3\xa4", "has \"" + letters + "\xc3\xa4\"; expected");
  shows(letters + "\xc3\xa4z", "has \"" + letters + "\xc3\xa4\"...; expected");
  expect_error([&] { read("\x1b[2J\n").words("x"); }, {"it has \"\\x1b[2J\""});
  expect_error([&] { vertex_names().find("\x07"); }, {"no vertex has the name \"\\x07\""});
}

TEST_F(table, names_become_vertices) {
  vertex_names people;
  const text_table t = read("who,whom\nann,bob\nbob,cy\nann,cy\n");
  EXPECT_THAT(people.add(t.words("who")), ElementsAre(0, 1, 0));
  EXPECT_THAT(people.add(t.words("whom")), ElementsAre(1, 2, 2));
  EXPECT_EQ(people.size(), 3);
  EXPECT_THAT(people.names(), ElementsAre("ann", "bob", "cy"));
  EXPECT_EQ(people.find("cy"), 2);
  EXPECT_THAT(people.find(read("x\ncy\nann\n").words("x")), ElementsAre(2, 0));
  expect_error([&] { people.find("dee"); }, {"no vertex has the name \"dee\"; add it, or leave its row out"});
  EXPECT_EQ(people.size(), 3);
}

}  // namespace
}  // namespace stg
