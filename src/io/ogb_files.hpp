// The files of one of OGB's folders: the same arrays as packed text, or in archives of NumPy's.
#pragma once

#include <stg/base/error.hpp>      // error
#include <stg/data/npz.hpp>        // npz_file
#include <stg/data/ogb.hpp>        // ogb_split
#include <stg/runtime/tensor.hpp>  // tensor

#include <optional>  // optional
#include <string>    // string
#include <vector>    // vector

namespace stg::detail {

class ogb_files {
 public:
  /// Error for a folder without raw/.
  explicit ogb_files(const std::string& folder);

  /// Whether vertices are of several kinds, and arrays are in archives.
  bool has_kinds() const { return has_kinds_; }
  bool is_binary() const { return is_binary_; }
  /// The file of a name in raw/, as text where it is there.
  std::string text_file(std::string_view name) const;
  bool has_text(std::string_view name) const;
  /// Rows of raw/NAME.csv.gz. Error where it is missing.
  template <class T> tensor<T> rows(std::string_view name) const;
  template <class T> tensor<T> list(std::string_view name) const;
  /// An array of raw/ARCHIVE.npz, as rows of a matrix: one axis becomes one column.
  template <class T> tensor<T> array(std::string_view archive, std::string_view name) const;
  /// Edges: (2, edges).
  tensor<std::int64_t> pairs(std::string_view archive, std::string_view name) const;
  npz_file archive(std::string_view name) const;
  bool has_archive(std::string_view name) const;

  /// Error for so many vertices that the folder's files have not a byte for each: a file of some bytes would take as
  /// much memory as it says. Up to 4,194,304 are taken as they are.
  void check_vertices(std::int64_t vertices) const;

  /// Error when an array, `what`, has not a row for each of `count`; of is "vertex", "edge".
  void check_rows(const std::string& what, std::int64_t rows, std::int64_t count, const char* of) const;

  std::vector<std::string> splits() const;
  /// Of vertices or graphs, or of a vertex set's: `count` of them, called `of`. Error for a row that is none of them.
  ogb_split split(std::string_view name, std::optional<std::string_view> set, std::int64_t count, const char* of) const;

  [[noreturn]] void fail(const std::string& what) const { throw error("ogb folder " + folder_ + " " + what); }

 private:
  std::string folder_;
  bool has_kinds_ = false, is_binary_ = false;
};

}  // namespace stg::detail
