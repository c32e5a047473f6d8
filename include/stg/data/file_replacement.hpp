// Files of a folder that are replaced together: all of them or none, whenever the process ends.
#pragma once

#include <stg/data/npy.hpp>  // write_npy

#include <filesystem>  // path
#include <string>      // string
#include <vector>      // vector

namespace stg::detail {

/// A folder while it is written by one alone, or read by some: whoever would disturb waits, in this process or another.
/// The system ends it with the process. A folder that is not there, or whose file system has no locks, holds up nobody.
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

/// New files are written into FOLDER/.saving. Once all are whole and on the disk, that folder is renamed FOLDER/.saved:
/// in this moment readers find the new files, all of them. Each then moves to its place; where that is cut short,
/// readers find the others in .saved, and the next replacement moves them. Names are relative to the folder.
///
///   detail::file_replacement files("run");
///   files.write("W.npy", W);
///   files.write("adam/numbers.npy", numbers);
///   files.put_in_place();
class file_replacement {
 public:
  /// Makes the folder, waits for its readers and writers, and finishes or removes what an earlier process left there.
  /// Error: a folder that cannot be made.
  explicit file_replacement(const std::filesystem::path& folder);
  file_replacement(const file_replacement&) = delete;
  file_replacement& operator=(const file_replacement&) = delete;
  /// Removes what was not put in place.
  ~file_replacement();

  /// Where to write what is to have this name. Errors: a folder of that name, a name given twice, a folder that cannot
  /// be made.
  std::string path_of(const std::string& name);
  /// Writes what lies anywhere.
  template <class T> void write(const std::string& name, const const_tensor<T>& values) {
    const std::string path = path_of(name);
    if (values.place().is_host()) write_npy(path, values);
    else write_npy(path, values.to(host));
  }
  /// Errors: what cannot be brought to the disk or renamed, and then the folder's files are those of before; and a file
  /// that cannot be moved to its place, and then the new ones are what readers find.
  void put_in_place();

 private:
  std::filesystem::path folder_;
  folder_lock lock_;
  std::vector<std::string> names_{};
};

/// The file of a name among those that the last replacement left, wherever it lies.
std::string whole_file(const std::filesystem::path& folder, const std::string& name);

/// The files that the last replacement left, which stay as they are while this lives.
class whole_files {
 public:
  explicit whole_files(const std::filesystem::path& folder)
      : folder_(folder), lock_(folder, folder_lock::use::reading) {}
  std::string path_of(const std::string& name) const { return whole_file(folder_, name); }
  /// Where they lie.
  std::vector<std::filesystem::path> folders() const;

 private:
  std::filesystem::path folder_;
  folder_lock lock_;
};

}  // namespace stg::detail
