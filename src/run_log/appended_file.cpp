// A file that whole records are appended to: opened, cut, written.
#include "appended_file.hpp"  // appended_file

#include <algorithm>     // min
#include <cerrno>        // errno
#include <system_error>  // generic_category
#include <utility>       // exchange, move

#include <fcntl.h>     // open
#include <sys/file.h>  // flock
#include <unistd.h>    // close, ftruncate, lseek, pread, write

#include <stg/base/error.hpp>  // error

namespace stg::detail {

namespace {

constexpr int readable_by_all = 0666;  // but for the user's mask

}  // namespace

void appended_file::fail(const std::string& what, const std::string& instead) const {
  throw error("run_log: " + path_ + " cannot be " + what + ": " +
              std::error_code(errno, std::generic_category()).message() + "; " + instead);
}

appended_file appended_file::of_new(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, readable_by_all);
  appended_file made(path, file);
  if (file < 0 && errno != EEXIST) made.fail("made", "make its folder writable");
  return made;
}

appended_file appended_file::of_lines(const std::string& path) {
  appended_file opened(path, open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, readable_by_all));
  if (!opened.is_open()) opened.fail("written", "make it and its folder writable");
  if (flock(opened.file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw error("run_log: " + path +
                " is written by another log now; name a folder of its own, or log on rank 0 alone");
  opened.size_ = lseek(opened.file_, 0, SEEK_END);
  opened.cut_last_line();
  return opened;
}

appended_file::appended_file(appended_file&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      size_(other.size_),
      waiting_(std::move(other.waiting_)) {}

appended_file::~appended_file() {
  if (is_open()) close(file_);
}

std::string appended_file::first_bytes(std::size_t most) const {
  std::string bytes(std::min(most, static_cast<std::size_t>(size_)), '\0');
  const auto count = pread(file_, bytes.data(), bytes.size(), 0);
  bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return bytes;
}

void appended_file::cut_to(long long size) {
  if (ftruncate(file_, size) == 0) size_ = size;
}

void appended_file::cut_last_line() {
  constexpr long long piece = 4096;
  char bytes[piece];
  for (long long end = size_; end > 0;) {
    const long long begin = std::max(0LL, end - piece);
    const auto count = pread(file_, bytes, static_cast<std::size_t>(end - begin), begin);
    if (count != end - begin) fail("read", "check the disk");
    const std::size_t last = std::string_view(bytes, static_cast<std::size_t>(count)).rfind('\n');
    if (last != std::string_view::npos) {
      const long long whole = begin + static_cast<long long>(last) + 1;
      if (whole != size_) cut_to(whole);
      return;
    }
    end = begin;
  }
  if (size_ > 0) throw error("run_log: " + path_ + " holds no whole line and is no log; name another folder");
}

void appended_file::write() {
  std::size_t written = 0;
  while (written < waiting_.size()) {
    const auto count = ::write(file_, waiting_.data() + written, waiting_.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int reason = errno;
      cut_to(size_);
      errno = reason;
      fail("written", "free some space; what is not written is kept, and flush() tries again");
    }
    written += static_cast<std::size_t>(count);
  }
  size_ += static_cast<long long>(written);
  waiting_.clear();
}

}  // namespace stg::detail
