// A file that whole records are appended to.
#pragma once

#include <cstddef>      // size_t
#include <string>       // string
#include <string_view>  // string_view

namespace stg::detail {

/// Bytes lie in memory until `write`. If a disk is full, the file is cut back to whole records and the bytes stay in
/// memory.
class appended_file {
 public:
  /// A new file; false in `is_open` where the name is taken.
  static appended_file of_new(const std::string& path);
  /// A file of lines, made or gone on with: what stands behind the last end of a line, left by a process that was ended
  /// while it wrote, is cut off. Errors: a file that cannot be opened, one that another log has open.
  static appended_file of_lines(const std::string& path);
  appended_file(appended_file&& other) noexcept;
  appended_file& operator=(appended_file&&) = delete;
  ~appended_file();

  bool is_open() const { return file_ >= 0; }
  /// Whether there was nothing in it.
  bool is_empty() const { return size_ == 0 && waiting_.empty(); }
  /// The bytes that the file begins with, so many at most.
  std::string first_bytes(std::size_t most) const;
  /// A whole record.
  void add(std::string_view record) { waiting_ += record; }
  std::size_t waiting() const { return waiting_.size(); }
  /// Errors name the file: a full disk.
  void write();

 private:
  appended_file(std::string path, int file) : path_(std::move(path)), file_(file) {}
  void cut_to(long long size);
  void cut_last_line();
  [[noreturn]] void fail(const std::string& what, const std::string& instead) const;

  std::string path_;
  int file_ = -1;
  long long size_ = 0;
  std::string waiting_{};
};

}  // namespace stg::detail
