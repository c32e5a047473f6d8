// A folder for one test's files, removed when the test ends.
#pragma once

#include <cstddef>       // size_t
#include <cstdlib>       // mkdtemp
#include <filesystem>    // path, remove_all
#include <fstream>       // ofstream
#include <stdexcept>     // runtime_error
#include <string>        // string
#include <string_view>   // string_view
#include <system_error>  // error_code

namespace stg::test {

/// Where the system keeps files in memory, for tests that write thousands; where it has no such place, any.
inline std::filesystem::path folder_in_memory() {
  std::error_code problem;
  const std::filesystem::path memory = "/dev/shm";
  return std::filesystem::is_directory(memory, problem) ? memory : std::filesystem::temp_directory_path();
}

class temporary_folder {
 public:
  explicit temporary_folder(const std::filesystem::path& in = std::filesystem::temp_directory_path()) {
    std::string name = (in / "stg_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path() const { return path_.string(); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view contents) const {
    std::ofstream(path_ / name, std::ios::binary).write(contents.data(), static_cast<std::streamsize>(contents.size()));
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace stg::test
