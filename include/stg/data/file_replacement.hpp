// Files of a folder, replaced together: all of them or none, whenever the process ends.
#pragma once

#include <stg/data/npy.hpp>  // write_npy

#include <filesystem>  // path
#include <string>      // string
#include <vector>      // vector

namespace stg::detail {

/// A folder while it is written by one alone, or read by some: conflicting users wait, in this process or a second one.
/// The system ends it with the process. A missing folder, or a file system without locks, holds up nobody.
class folder_lock {
 public:
  enum class use { reading, writing };
  folder_lock(const std::filesystem::path& folder, use what);
  folder_lock(const folder_lock&) = delete;
  folder_lock& operator=(const folder_lock&) = delete;
  ~folder_lock();

 private:
  int folder_;
};

/// New files are written into FOLDER/.saving. Once all are whole and on the disk, the folder is renamed FOLDER/.saved:
/// in this moment readers find the new files, all of them. Each then moves to its place; if the moves are cut short,
/// readers find the others in .saved, and the next replacement moves them. Names are relative to the folder.
///
///   detail::file_replacement files("run");
///   files.write("W.npy", W);
///   files.write("adam/numbers.npy", numbers);
///   files.put_in_place();
class file_replacement {
 public:
  /// Makes the folder, waits for its readers and writers, and finishes or removes the remains of an earlier process.
  /// Error: a folder that cannot be made.
  explicit file_replacement(const std::filesystem::path& folder);
  file_replacement(const file_replacement&) = delete;
  file_replacement& operator=(const file_replacement&) = delete;
  /// Removes files that were not put in place.
  ~file_replacement();

  /// The path to write the file of this name to. Errors: a folder of the name, a name given twice, a folder that cannot
  /// be made.
  std::string path_of(const std::string& name);
  /// Writes a value from any place.
  template <class T> void write(const std::string& name, const const_tensor<T>& values) {
    const std::string path = path_of(name);
    if (values.place().is_host()) write_npy(path, values);
    else write_npy(path, values.to(host));
  }
  /// Errors: a file that cannot be brought to the disk or renamed, with the folder's old files kept; and a file that
  /// cannot be moved to its place, with the new ones found by readers.
  void put_in_place();

 private:
  std::filesystem::path folder_;
  folder_lock lock_;
  std::vector<std::string> names_{};
};

/// One file, replaced at once: it is written beside the old one, as PATH.saving, brought to the disk and renamed. A
/// second writer of the file waits. A killed process leaves its PATH.saving, and the next writer begins it anew.
///
///   detail::one_file_replacement file("gcn.safetensors");
///   file.write(bytes.data(), bytes.size());
///   file.put_in_place();
class one_file_replacement {
 public:
  /// Makes the folders above. Errors: a folder of the name, and a file that cannot be written.
  explicit one_file_replacement(const std::filesystem::path& path);
  one_file_replacement(const one_file_replacement&) = delete;
  one_file_replacement& operator=(const one_file_replacement&) = delete;
  /// Removes a file that was not put in place.
  ~one_file_replacement();

  /// Behind what was written before. Error: a full disk.
  void write(const void* data, std::size_t bytes);
  /// Errors: a file that cannot be brought to the disk or renamed, with the old one kept.
  void put_in_place();

 private:
  std::filesystem::path path_, part_;
  int file_ = -1;
};

/// The file of a name after the last replacement, in any place.
std::string whole_file(const std::filesystem::path& folder, const std::string& name);

/// The files of the last replacement, unchanged while this lives.
class whole_files {
 public:
  explicit whole_files(const std::filesystem::path& folder)
      : folder_(folder), lock_(folder, folder_lock::use::reading) {}
  std::string path_of(const std::string& name) const { return whole_file(folder_, name); }
  /// Their folders.
  std::vector<std::filesystem::path> folders() const;

 private:
  std::filesystem::path folder_;
  folder_lock lock_;
};

}  // namespace stg::detail
