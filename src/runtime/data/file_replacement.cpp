// Putting the files of a checkpoint in the place of those before them.
#include <stg/base/error.hpp>             // error
#include <stg/data/file_replacement.hpp>  // file_replacement

#include <filesystem>    // create_directories, rename
#include <system_error>  // error_code

namespace stg::detail {

namespace {

std::string with_part(const std::string& file) { return file + ".part"; }

}  // namespace

std::string file_replacement::part_of(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) throw error("folder " + folder.string() + " cannot be made: " + failed.message());
  files_.push_back(file);
  return with_part(file);
}

void file_replacement::put_in_place() {
  for (const std::string& file : files_) {
    std::error_code failed;
    std::filesystem::rename(with_part(file), file, failed);
    if (failed)
      throw error("checkpoint file " + file + " cannot be put in place: " + failed.message() +
                  "; make its folder writable");
  }
  files_.clear();
}

file_replacement::~file_replacement() {
  std::error_code ignored;
  for (const std::string& file : files_) std::filesystem::remove(with_part(file), ignored);
}

}  // namespace stg::detail
