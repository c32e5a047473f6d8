// Bringing files to the disk, and to their places by one rename.
#include <stg/base/error.hpp>             // error
#include <stg/data/file_replacement.hpp>  // file_replacement

#include <algorithm>     // find, min
#include <cerrno>        // errno
#include <exception>     // exception
#include <memory>        // unique_ptr
#include <string_view>   // string_view
#include <system_error>  // error_code, generic_category

#include <dirent.h>    // opendir, readdir
#include <fcntl.h>     // open
#include <sys/file.h>  // flock
#include <sys/stat.h>  // fstat, stat
#include <unistd.h>    // close, fsync, ftruncate, unlink, write

namespace stg::detail {

namespace {

namespace fs = std::filesystem;

fs::path saving_in(const fs::path& folder) { return folder / ".saving"; }
fs::path saved_in(const fs::path& folder) { return folder / ".saved"; }

[[noreturn]] void cannot_make(const fs::path& folder, const std::error_code& why) {
  throw error("folder " + folder.string() + " cannot be made: " + why.message() + "; give one in a writable folder");
}
[[noreturn]] void fail(const char* kind, const fs::path& path, const char* what, const std::error_code& why) {
  throw error(std::string(kind) + " " + path.string() + " cannot be " + what + ": " + why.message() +
              "; make its folder writable, with room for it");
}

/// Waits until a file, or a folder's names, are on the disk.
void sync(const fs::path& path) {
  errno = 0;
  const int descriptor = open(path.empty() ? "." : path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
  const std::error_code why(errno, std::generic_category());
  if (descriptor >= 0) close(descriptor);
  if (!synced && why != std::errc::invalid_argument)  // which file systems say that have nothing to wait for
    fail("file", path, "brought to the disk", why);
}

/// Makes a folder, with those above it, whose names are on the disk then.
void make_folder(const fs::path& folder) {
  std::error_code problem;
  if (folder.empty() || fs::is_directory(folder, problem)) return;
  make_folder(folder.parent_path());
  fs::create_directory(folder, problem);
  if (problem) cannot_make(folder, problem);
  sync(folder.parent_path());
}

struct close_listing {
  void operator()(DIR* listing) const { closedir(listing); }
};
/// What is in a folder. Not by std::filesystem's iterators: those of libstdc++ end the process where there is no
/// memory.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> all;
  const std::unique_ptr<DIR, close_listing> listing(opendir(folder.c_str()));
  if (listing == nullptr) fail("folder", folder, "read", std::error_code(errno, std::generic_category()));
  while (const dirent* const entry = readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") all.push_back(folder / name);
  }
  return all;
}
bool is_folder(const fs::path& path) {
  std::error_code unknown;
  return fs::is_directory(fs::symlink_status(path, unknown));
}

/// Calls body(path) for each file and folder below one.
template <class Body> void each_below(const fs::path& folder, const Body& body) {
  for (const fs::path& path : entries_of(folder)) {
    body(path);
    if (is_folder(path)) each_below(path, body);
  }
}

/// A file, or a folder with what is in it; nothing where it is not there.
void remove_whole(const fs::path& path) {
  if (is_folder(path))
    for (const fs::path& each : entries_of(path)) remove_whole(each);
  std::error_code problem;
  fs::remove(path, problem);
  if (problem) fail("folder", path, "removed", problem);
}

/// Moves files that replace others to their places. Readers find all of them after each move, and a disk has moves in
/// their order, so none needs to be waited for.
void finish_moving(const fs::path& folder) {
  const fs::path saved = saved_in(folder);
  std::error_code problem;
  if (!fs::is_directory(saved, problem)) return;
  std::vector<fs::path> files;
  each_below(saved, [&](const fs::path& path) {
    std::error_code unknown;
    if (!fs::is_directory(path, unknown)) files.push_back(path.lexically_relative(saved));
  });
  for (const fs::path& file : files) {
    make_folder((folder / file).parent_path());
    fs::rename(saved / file, folder / file, problem);
    if (problem) fail("file", folder / file, "put in place", problem);
  }
  remove_whole(saved);
}

const fs::path& made(const fs::path& folder) {
  make_folder(folder);
  return folder;
}

}  // namespace

folder_lock::folder_lock(const fs::path& folder, use what)
    : folder_(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0) return;
  const int how = what == use::writing ? LOCK_EX : LOCK_SH;
  while (flock(folder_, how) != 0 && errno == EINTR) continue;
}

folder_lock::~folder_lock() {
  if (folder_ < 0) return;
  flock(folder_, LOCK_UN);  // a child that was forked meanwhile has this descriptor, too
  close(folder_);
}

file_replacement::file_replacement(const fs::path& folder)
    : folder_(folder), lock_(made(folder), folder_lock::use::writing) {
  finish_moving(folder_);
  remove_whole(saving_in(folder_));
}

file_replacement::~file_replacement() {
  try {
    remove_whole(saving_in(folder_));
  } catch (const std::exception&) {  // the next one begins with it
  }
}

std::string file_replacement::path_of(const std::string& name) {
  const fs::path file = folder_ / name, part = saving_in(folder_) / name;
  std::error_code problem;
  if (std::find(names_.begin(), names_.end(), name) != names_.end())
    throw error("file " + file.string() + " is written twice; give each of two a folder of its own");
  if (fs::is_directory(file, problem))
    throw error("file " + file.string() + " cannot be put in place: a folder has its name; remove it");
  make_folder(file.parent_path());  // now, since nothing is to go wrong once files are saved
  fs::create_directories(part.parent_path(), problem);
  if (problem) cannot_make(part.parent_path(), problem);
  names_.push_back(name);
  return part.string();
}

void file_replacement::put_in_place() {
  if (names_.empty()) return;
  const fs::path saving = saving_in(folder_);
  each_below(saving, sync);
  sync(saving);
  std::error_code problem;
  fs::rename(saving, saved_in(folder_), problem);
  if (problem) fail("folder", saving, "renamed", problem);
  names_.clear();
  sync(folder_);
  finish_moving(folder_);
}

one_file_replacement::one_file_replacement(const fs::path& path) : path_(path), part_(path.string() + ".saving") {
  std::error_code problem;
  if (fs::is_directory(path_, problem))
    throw error("file " + path_.string() + " cannot be put in place: a folder has its name; remove it");
  make_folder(path_.parent_path());
  for (;;) {
    errno = 0;
    file_ = open(part_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) fail("file", part_, "written", std::error_code(errno, std::generic_category()));
    while (flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
    struct stat mine, named;  // whoever was waited for may have renamed it
    if (fstat(file_, &mine) == 0 && stat(part_.c_str(), &named) == 0 && mine.st_ino == named.st_ino) break;
    close(file_);
  }
  if (ftruncate(file_, 0) != 0) fail("file", part_, "emptied", std::error_code(errno, std::generic_category()));
}

one_file_replacement::~one_file_replacement() {
  if (file_ < 0) return;
  unlink(part_.c_str());
  flock(file_, LOCK_UN);  // a child that was forked meanwhile has this descriptor, too
  close(file_);
}

void one_file_replacement::write(const void* data, std::size_t bytes) {
  constexpr std::size_t at_once = std::size_t{1} << 30;  // of which the system takes no more than 2 GiB
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    errno = 0;
    const ssize_t done = ::write(file_, at, std::min(bytes, at_once));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("file", path_, "written to its end", std::error_code(errno, std::generic_category()));
    at += done, bytes -= static_cast<std::size_t>(done);
  }
}

void one_file_replacement::put_in_place() {
  errno = 0;
  if (fsync(file_) != 0) fail("file", path_, "brought to the disk", std::error_code(errno, std::generic_category()));
  std::error_code problem;
  fs::rename(part_, path_, problem);
  if (problem) fail("file", path_, "put in place", problem);
  flock(file_, LOCK_UN);
  close(file_);
  file_ = -1;
  sync(path_.parent_path());
}

std::string whole_file(const fs::path& folder, const std::string& name) {
  const fs::path saved = saved_in(folder) / name;
  std::error_code problem;
  return (fs::exists(saved, problem) ? saved : folder / name).string();
}

std::vector<fs::path> whole_files::folders() const { return {folder_, saved_in(folder_)}; }

}  // namespace stg::detail
