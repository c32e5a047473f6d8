// Mapping an .npy file: its numbers are read from the disk when they are first looked at.
#include "npy_open.hpp"  // open

#include <stg/base/error.hpp>             // error
#include <stg/data/npy.hpp>               // map_npy
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <atomic>        // atomic
#include <cerrno>        // errno
#include <system_error>  // generic_category
#include <type_traits>   // is_same_v

#include <fcntl.h>     // open
#include <sys/mman.h>  // mmap, munmap
#include <unistd.h>    // close

namespace stg {

namespace {

/// A mapping that all views of it hold together: whoever is last takes it away.
class mapping final : public detail::memory_keeper {
 public:
  mapping(void* bytes, std::size_t size) : bytes_(bytes), size_(size) {}
  bool share() noexcept override { return holders_.fetch_add(1, std::memory_order_relaxed) >= 0; }
  void free(std::byte*) noexcept override {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    munmap(bytes_, size_);
    delete this;
  }
  const std::byte* bytes() const { return static_cast<const std::byte*>(bytes_); }

 private:
  void* bytes_;
  std::size_t size_;
  std::atomic<std::int64_t> holders_{0};
};

[[noreturn]] void cannot_be_mapped(const std::string& path) {
  throw error("npy " + path + " cannot be mapped: " + std::error_code(errno, std::generic_category()).message() +
              "; read it by read_npy");
}

mapping* map_file(const std::string& path, std::size_t size) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) cannot_be_mapped(path);
  void* const bytes = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  const int why = errno;
  close(file);
  errno = why;
  if (bytes == MAP_FAILED) cannot_be_mapped(path);
  madvise(bytes, size, MADV_RANDOM);  // rows are asked for in any order: nothing of their neighbourhood is prefetched
  return new mapping(bytes, size);
}

template <class T>
constexpr npy::type mapped_type = std::is_same_v<T, float>          ? npy::type::f4
                                  : std::is_same_v<T, double>       ? npy::type::f8
                                  : std::is_same_v<T, std::int32_t> ? npy::type::i4
                                                                    : npy::type::i8;

}  // namespace

template <class T> const_tensor<T> map_npy(const std::string& path) try {
  const npy::header header = npy::open(path).header;
  if (header.type != mapped_type<T>)
    throw error("npy " + path + " field descr is " + std::string(npy::name_of(header.type)) + "; expected " +
                std::string(npy::name_of(mapped_type<T>)) + " to map it, or read it by read_npy_as");
  if (header.is_fortran && header.shape.rank() > 1)
    throw error("npy " + path + " field fortran_order is True; expected False to map it, or read it by read_npy");
  if (header.data_offset % static_cast<std::int64_t>(sizeof(T)) != 0)
    throw error("npy " + path + " offset " + std::to_string(header.data_offset) + " is where data begin; expected a " +
                "multiple of " + std::to_string(sizeof(T)) + " to map it, or read it by read_npy");
  const std::int64_t size = header.data_offset + header.shape.size() * static_cast<std::int64_t>(sizeof(T));
  mapping* const file = map_file(path, static_cast<std::size_t>(size));
  const auto* const first = reinterpret_cast<const T*>(file->bytes() + header.data_offset);
  return const_tensor<T>::view_of(first, header.shape, host, detail::share_of(file));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template const_tensor<float> map_npy<float>(const std::string&);
template const_tensor<double> map_npy<double>(const std::string&);
template const_tensor<std::int32_t> map_npy<std::int32_t>(const std::string&);
template const_tensor<std::int64_t> map_npy<std::int64_t>(const std::string&);

}  // namespace stg
