// Calls of the system that change files, counted: one of them can end the process, or fail as on a full disk. Included
// by one file of a program, whose library calls these functions in place of the system's.
#pragma once

#include <cerrno>        // errno
#include <cstdarg>       // va_list
#include <cstdio>        // FILE
#include <cstdlib>       // abort
#include <filesystem>    // read_symlink
#include <string>        // string
#include <system_error>  // error_code
#include <vector>        // vector

#include <dlfcn.h>     // dlsym
#include <fcntl.h>     // open
#include <sys/stat.h>  // mkdir
#include <sys/uio.h>   // writev
#include <sys/wait.h>  // waitpid
#include <unistd.h>    // fork, write

namespace stg::test {

/// What becomes of the call that is counted down to.
enum class call_end { nothing, killed, failed };

class file_calls {
 public:
  /// Runs action in a child process that ends, as by a signal, in its k-th call, of writing with half of it done; false
  /// when it makes fewer.
  template <class Action> static bool killed_in(int k, const Action& action) {
    const pid_t child = fork();
    if (child == 0) {
      left_ = k, end_ = call_end::killed;
      action();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return false;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != killed_status) std::abort();  // by something else
    return true;
  }
  /// Runs action, whose k-th call fails; false when it makes fewer.
  template <class Action> static bool failed_in(int k, const Action& action) {
    left_ = k, end_ = call_end::failed;
    action();
    end_ = call_end::nothing;
    return left_ <= 0;
  }

  /// Whether this call is to fail. before_end() is what is still done of one that ends the process.
  template <class Before> static bool fails(const Before& before_end) {
    if (end_ == call_end::nothing || --left_ != 0) return false;
    if (end_ == call_end::failed) {
      errno = ENOSPC;
      return true;
    }
    before_end();
    _exit(killed_status);
  }
  static bool fails() {
    return fails([] {});
  }
  /// Files and folders that were brought to the disk since the list was emptied, or would have been: tests do not wait.
  static std::vector<std::string>& synced() {
    static std::vector<std::string> paths;
    return paths;
  }
  template <class Function> static Function* real(Function*, const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  }

 private:
  static constexpr int killed_status = 77;
  static inline int left_ = 0;
  static inline call_end end_ = call_end::nothing;
};

}  // namespace stg::test

#define STG_FILE_CALL(name, parameters, arguments)                         \
  extern "C" int name parameters {                                         \
    static auto* const real = stg::test::file_calls::real(&::name, #name); \
    return stg::test::file_calls::fails() ? -1 : real arguments;           \
  }
STG_FILE_CALL(rename, (const char* from, const char* to) noexcept, (from, to))
STG_FILE_CALL(mkdir, (const char* path, mode_t mode) noexcept, (path, mode))
STG_FILE_CALL(unlink, (const char* path) noexcept, (path))
STG_FILE_CALL(unlinkat, (int folder, const char* path, int flags) noexcept, (folder, path, flags))
STG_FILE_CALL(rmdir, (const char* path) noexcept, (path))
STG_FILE_CALL(remove, (const char* path) noexcept, (path))
#undef STG_FILE_CALL

extern "C" int fsync(int file) {
  if (stg::test::file_calls::fails()) return -1;
  std::error_code unknown;
  const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), unknown);
  stg::test::file_calls::synced().push_back(path.string());
  return 0;
}

extern "C" int open(const char* path, int flags, ...) {
  static auto* const real = stg::test::file_calls::real(&::open, "open");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return stg::test::file_calls::fails() ? -1 : real(path, flags, mode);
}

#define STG_OPENS_STREAM(name)                                             \
  extern "C" std::FILE* name(const char* path, const char* mode) {         \
    static auto* const real = stg::test::file_calls::real(&::name, #name); \
    return stg::test::file_calls::fails() ? nullptr : real(path, mode);    \
  }
STG_OPENS_STREAM(fopen)
STG_OPENS_STREAM(fopen64)
#undef STG_OPENS_STREAM

extern "C" ssize_t write(int file, const void* bytes, std::size_t count) {
  static auto* const real = stg::test::file_calls::real(&::write, "write");
  return stg::test::file_calls::fails([&] { real(file, bytes, count / 2); }) ? -1 : real(file, bytes, count);
}
extern "C" ssize_t writev(int file, const iovec* parts, int count) {
  static auto* const real = stg::test::file_calls::real(&::writev, "writev");
  return stg::test::file_calls::fails([&] { real(file, parts, count / 2); }) ? -1 : real(file, parts, count);
}
