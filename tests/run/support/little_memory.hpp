// A process that has so many bytes left. Not under sanitizers, whose address space is no measure of memory.
#pragma once

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define STG_LIMITS_ADDRESSES 1

#include <sys/resource.h>  // setrlimit
#include <sys/wait.h>      // waitpid
#include <unistd.h>        // fork

#include <cstddef>  // size_t
#include <cstdio>   // fopen, fscanf
#include <cstdlib>  // free, malloc
#include <new>      // placement new

namespace stg::test {

/// For as long as it lives there are about so many bytes: as many addresses more, of which and of all that was free
/// before everything is taken but these, in pieces that lie where they lay.
class little_memory {
 public:
  explicit little_memory(std::size_t bytes) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit now = before_;
    now.rlim_cur = addresses() + bytes;
    setrlimit(RLIMIT_AS, &now);
    for (std::size_t size = std::size_t{1} << 24; size >= sizeof(piece); size /= 2)
      while (void* const memory = std::malloc(size)) taken_ = new (memory) piece{taken_, size};
    give_back(bytes);
  }
  little_memory(const little_memory&) = delete;
  little_memory& operator=(const little_memory&) = delete;
  ~little_memory() {
    setrlimit(RLIMIT_AS, &before_);
    give_back(static_cast<std::size_t>(-1));
  }

 private:
  struct piece {
    piece* next;
    std::size_t bytes;
  };
  static rlim_t addresses() {
    long pages = 0;
    std::FILE* const sizes = std::fopen("/proc/self/statm", "r");
    if (sizes == nullptr || std::fscanf(sizes, "%ld", &pages) != 1) std::abort();
    std::fclose(sizes);
    return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  }
  /// The smallest pieces first.
  void give_back(std::size_t bytes) {
    for (std::size_t given = 0; taken_ != nullptr && given < bytes;) {
      piece* const last = taken_;
      taken_ = last->next;
      given += last->bytes;
      std::free(last);
    }
  }

  rlimit before_{};
  piece* taken_ = nullptr;
};

}  // namespace stg::test
#else
#define STG_LIMITS_ADDRESSES 0
#endif
