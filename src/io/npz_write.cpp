// Writing .npz files: an array's header and its elements, each as libzip asks for them.
#include "../runtime/data/npy_open.hpp"  // format_header, type_of
#include "../runtime/data/word.hpp"      // in_quotes

#include <stg/base/error.hpp>             // error
#include <stg/data/npz.hpp>               // write_npz
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <zip.h>  // zip_open

#include <string_view>  // string_view
#include <utility>      // move

namespace stg {

template <class T>
npz_array::npz_array(std::string name, const const_tensor<T>& values)
    : name_(std::move(name)),
      head_(npy::format_header(npy::type_of<T>(), values.shape())),
      bytes_(reinterpret_cast<const char*>(values.begin())),  // on a device: an error
      size_(values.bytes()) {}

template npz_array::npz_array(std::string, const const_tensor<float>&);
template npz_array::npz_array(std::string, const const_tensor<double>&);
template npz_array::npz_array(std::string, const const_tensor<std::int32_t>&);
template npz_array::npz_array(std::string, const const_tensor<std::int64_t>&);
template npz_array::npz_array(std::string, const const_tensor<bool>&);
template npz_array::npz_array(std::string, const const_tensor<float16>&);

namespace {

[[noreturn]] void cannot_be_written(const std::string& path, const std::string& reason) {
  throw error("npz " + path + " cannot be written: " + reason + "; make its folder writable");
}

/// An archive that is written when it is closed, and else not at all.
class new_archive {
 public:
  explicit new_archive(const std::string& path) : path_(path) {
    int code = 0;
    zip_ = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (zip_ != nullptr) return;
    zip_error_t problem;
    zip_error_init_with_code(&problem, code);
    const std::string reason = zip_error_strerror(&problem);
    zip_error_fini(&problem);
    cannot_be_written(path, reason);
  }
  new_archive(const new_archive&) = delete;
  new_archive& operator=(const new_archive&) = delete;
  ~new_archive() {
    if (zip_ != nullptr) zip_discard(zip_);
  }

  /// Parts of memory that outlives this, as one entry.
  void add(const std::string& name, const zip_buffer_fragment_t* parts, bool deflated) {
    zip_source_t* const source = zip_source_buffer_fragment(zip_, parts, 2, 0);
    const zip_int64_t at = source == nullptr ? -1 : zip_file_add(zip_, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (source != nullptr && at < 0) zip_source_free(source);
    constexpr zip_uint16_t first_day = 1 << 5 | 1;  // of 1980, as NumPy has it: equal arrays are equal files
    const auto index = static_cast<zip_uint64_t>(at);
    if (at < 0 || zip_file_set_dostime(zip_, index, 0, first_day, 0) != 0 ||
        zip_set_file_compression(zip_, index, deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0) != 0)
      cannot_be_written(path_, zip_strerror(zip_));
  }
  void write() {
    if (zip_close(zip_) != 0) cannot_be_written(path_, zip_strerror(zip_));
    zip_ = nullptr;
  }

 private:
  const std::string& path_;
  zip_t* zip_ = nullptr;
};

void check_names(const std::string& path, const std::vector<std::string>& names) {
  if (path.empty()) throw error("npz has an empty path; give that of a file");
  if (names.empty()) throw error("npz " + path + " would have no array; give one or more");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || names[i].find_first_of(std::string_view("/\\\0", 3)) != std::string::npos)
      throw error("npz " + path + " has an array " + detail::in_quotes(names[i]) + "; give a name without slashes");
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j])
        throw error("npz " + path + " has two arrays " + detail::in_quotes(names[i]) + "; give each its name");
  }
}

}  // namespace

void write_npz(const std::string& path, const std::vector<npz_array>& arrays, bool deflated) try {
  std::vector<std::string> names;
  for (const npz_array& a : arrays) names.push_back(a.name_);
  check_names(path, names);
  new_archive archive(path);
  for (const npz_array& a : arrays) {
    // libzip reads what it is given by a pointer that is not const.
    auto* const head = reinterpret_cast<zip_uint8_t*>(const_cast<char*>(a.head_.data()));
    auto* const bytes = reinterpret_cast<zip_uint8_t*>(const_cast<char*>(a.bytes_));
    const zip_buffer_fragment_t parts[] = {{head, a.head_.size()}, {bytes, static_cast<zip_uint64_t>(a.size_)}};
    archive.add(a.name_ + ".npy", parts, deflated);
  }
  archive.write();
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
