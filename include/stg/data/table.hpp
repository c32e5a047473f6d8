// Reading tables from text: CSV files, and lists with columns separated by tabs or blanks.
#pragma once

#include <concepts>          // constructible_from, integral
#include <cstdint>           // int64_t
#include <functional>        // equal_to, hash
#include <initializer_list>  // initializer_list
#include <ranges>            // input_range
#include <span>              // span
#include <string>            // string
#include <string_view>       // string_view
#include <type_traits>       // remove_cvref_t
#include <unordered_map>     // unordered_map
#include <utility>           // move
#include <vector>            // vector

#include <stg/runtime/tensor.hpp>  // tensor

namespace stg {

/// The form of a table. Rules on quotes hold for every separator but ' '.
struct table_format {
  /// Between fields: ',', ';', '\t', '|', …; ' ' stands for blanks and tabs, any number of them. 0 takes the one of
  /// tab, semicolon, comma that the first line has outside of quotes, in this order; where it has none, a comma, or a
  /// semicolon if that is the decimal point.
  char separator = 0;
  bool header = true;        ///< whether the first line has the columns' names
  char comment = 0;          ///< lines that begin with it are skipped; 0: none are
  char decimal_point = '.';  ///< ',' in the tables of some systems, whatever the locale
  /// An empty line, or, between blanks, a line of blanks, is no row; not in a table of one column either: there an
  /// empty field is written "". As in pandas. false: it is a row of one empty field.
  bool skip_blank_lines = true;
};

/// A column of a table: its name in the header, or its number from 0 on.
class table_column {
 public:
  table_column(int number) : number_(number) {}
  table_column(const char* name) : table_column(std::string(name)) {}
  table_column(std::string name) : is_name_(true), name_(std::move(name)) {}
  table_column(std::string_view name) : table_column(std::string(name)) {}
  bool is_name() const { return is_name_; }  // may be empty, as pandas's for row numbers
  int number() const { return number_; }
  const std::string& name() const { return name_; }

 private:
  bool is_name_ = false;
  int number_ = -1;
  std::string name_;
};

/// Columns of a table, side by side: a list or any range of names or numbers, all, or all but some.
///
///   table.tensor_of({"age", "height", 7});
///   table.tensor_of(std::views::iota(1, table.columns()));
///   table.tensor_of(stg::all_columns);
///   table.tensor_of(stg::all_columns_but({"id", "class"}));
class table_columns {
 public:
  table_columns(std::initializer_list<table_column> columns) : named_(columns) {}
  template <std::ranges::input_range Columns>
    requires std::constructible_from<table_column, std::ranges::range_reference_t<Columns>> table_columns(
        Columns&& columns) {
      for (auto&& column : columns) {
        if constexpr (std::integral<std::remove_cvref_t<decltype(column)>>)
          named_.emplace_back(static_cast<int>(column));
        else named_.emplace_back(column);
      }
    }
  /// All columns except `columns`, from left to right.
  static table_columns all_but(table_columns columns) {
    columns.are_left_out_ = !columns.are_left_out_;
    return columns;
  }
  const std::vector<table_column>& named() const& { return named_; }
  std::vector<table_column> named() && { return std::move(named_); }
  /// Whether the named ones are left out, and all others meant.
  bool are_left_out() const { return are_left_out_; }

 private:
  std::vector<table_column> named_;
  bool are_left_out_ = false;
};
/// All columns of a table, from left to right, and all but some.
struct all_columns_t {
  operator table_columns() const { return table_columns::all_but({}); }
};
inline constexpr all_columns_t all_columns = all_columns_t();
inline table_columns all_columns_but(table_columns columns) { return table_columns::all_but(std::move(columns)); }

/// A table as text; its columns are read one by one. Errors of reading a column: no such column, or two of one name;
/// and, naming file, line and column, a field that is no number. Numbers are read alike in every locale: 1, -2.5, 1e-3,
/// nan, inf.
///
///   auto table = stg::read_table("follows.csv");             // who,whom,since,"how often"
///   stg::vertex_names people;
///   auto src = people.add(table.words("who")), dst = people.add(table.words("whom"));
///   auto graph = stg::graph::from_edges(people.size(), src, dst);
///   auto weights = graph.edge_values(table.tensor_of({"how often"}));
class text_table {
 public:
  std::int64_t rows() const { return static_cast<std::int64_t>(lines_.size()); }
  int columns() const { return columns_; }
  /// The names in the header; none without one.
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() && { return std::move(names_); }

  /// A column as it stands, without quotes. Views of the table's text: valid while the table lives where it is.
  /// Those of a temporary, read_table("a.csv").words("who"), are strings of your own.
  std::vector<std::string_view> words(const table_column& column) const&;
  std::vector<std::string> words(const table_column& column) const&&;
  /// A column of integers of 64 bits. An empty field is an error, or `missing` if given, here and below.
  ///
  ///   auto labels = papers.integers("class", -1);             // -1 where nobody knows
  std::vector<std::int64_t> integers(const table_column& column) const;
  std::vector<std::int64_t> integers(const table_column& column, std::int64_t missing) const;
  /// A column of numbers.
  std::vector<double> numbers(const table_column& column) const;
  std::vector<double> numbers(const table_column& column, double missing) const;
  /// Columns of numbers side by side, (rows, columns): features of vertices or of edges. Errors also for a column that
  /// is left out and missing.
  ///
  ///   auto X = users.tensor_of({"age", "height", 7});
  ///   auto Y = signal.tensor_of(stg::all_columns_but({"time"}));
  tensor<float> tensor_of(const table_columns& columns) const;
  tensor<float> tensor_of(const table_columns& columns, double missing) const;

 private:
  friend text_table read_table(const std::string&, const table_format&);
  class reader;
  struct field {
    std::size_t begin, size;
  };  // in text_

  std::string_view at(std::int64_t row, int column) const;
  int find(const table_column&) const;
  std::int64_t integer(std::int64_t row, int column, const std::int64_t* missing) const;
  double number(std::int64_t row, int column, const double* missing) const;
  std::vector<std::int64_t> integers_of(int column, const std::int64_t* missing) const;
  std::vector<double> numbers_of(int column, const double* missing) const;
  std::vector<int> numbers_of(const table_columns& columns) const;
  tensor<float> side_by_side(const table_columns& columns, const double* missing) const;
  [[noreturn]] void fail(std::int64_t line, int column, const std::string& what) const;

  std::string path_, text_;
  std::vector<std::string> names_;
  std::vector<field> fields_;        // row by row
  std::vector<std::int64_t> lines_;  // of each row's beginning
  int columns_ = 0;
  char decimal_point_ = '.';
};

/// Reads a table as RFC 4180 and what is in use have it: a field in double quotes may hold separators and ends of
/// lines, and
/// "" in it stands for one quote; blanks around fields belong to them, but for the separator ' ', which knows no
/// quotes. Lines end with \n or \r\n, blank ones and a UTF-8 byte order mark are skipped. Errors name file,
/// line and column: what is no file, text in UTF-16, a line with more or fewer fields than the first, a quote that does
/// not end, text after a quote, a quote within a field that does not begin with one, a carriage return within a line,
/// no header.
///
///   auto a = stg::read_table("messages.tsv", {.separator = '\t', .header = false});
///   auto b = stg::read_table("soc-sign-bitcoin.txt", {.separator = ' ', .header = false, .comment = '#'});
text_table read_table(const std::string& path, const table_format& format = {});

/// Names of vertices, numbered from 0 on in the order in which they are added.
///
///   stg::vertex_names people;
///   auto src = people.add(table.words("from")), dst = people.add(table.words("to"));    // 0, 1, 2, …
///   people.names()[src[0]];                                                             // the first one's name
class vertex_names {
 public:
  /// The number of a name; a new name gets the next.
  std::int64_t add(std::string_view name);
  /// The number of a known name. Error for an unknown one.
  std::int64_t find(std::string_view name) const;
  /// The numbers of several.
  std::vector<std::int64_t> add(std::span<const std::string_view> names);
  std::vector<std::int64_t> find(std::span<const std::string_view> names) const;
  std::vector<std::int64_t> add(std::span<const std::string> names);
  std::vector<std::int64_t> find(std::span<const std::string> names) const;
  /// How many there are: the vertices of the graph.
  std::int64_t size() const { return static_cast<std::int64_t>(names_.size()); }
  /// The name of each number.
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() && { return std::move(names_); }

 private:
  struct hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int64_t, hash, std::equal_to<>> numbers_;
};

}  // namespace stg
