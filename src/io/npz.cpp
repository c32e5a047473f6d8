// Arrays of .npz files: entries of a ZIP archive, which libzip finds and zlib unpacks.
#include "../runtime/data/file.hpp"      // open_file
#include "../runtime/data/npy_open.hpp"  // open, read_elements
#include "../runtime/data/word.hpp"      // in_quotes
#include "inflate.hpp"                   // inflated, is_bomb

#include <stg/base/error.hpp>             // error
#include <stg/data/npz.hpp>               // read_npz
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <zip.h>   // zip_open
#include <zlib.h>  // crc32

#include <algorithm>  // find, max, min
#include <limits>     // numeric_limits
#include <utility>    // move

namespace stg {

namespace {

using detail::byte_source;
using detail::in_quotes;

/// The bytes of an entry as they lie in the archive, packed or not.
class entry_bytes final : public byte_source {
 public:
  /// name: begins the sentences.
  entry_bytes(zip_t* archive, std::uint64_t index, std::int64_t size, std::string name)
      : file_(zip_fopen_index(archive, index, ZIP_FL_COMPRESSED)), size_(size), name_(std::move(name)) {
    if (file_ == nullptr) throw error(name_ + " cannot be read: " + zip_strerror(archive) + "; fetch the file again");
  }
  ~entry_bytes() override { zip_fclose(file_); }

  std::size_t read(char* to, std::size_t most) override {
    std::size_t filled = 0;
    while (filled < most) {
      const zip_int64_t count = zip_fread(file_, to + filled, most - filled);
      if (count < 0) throw error(name_ + " cannot be read: " + zip_file_strerror(file_) + "; fetch the file again");
      if (count == 0) break;
      filled += static_cast<std::size_t>(count);
    }
    taken_ += static_cast<std::int64_t>(filled);
    return filled;
  }
  std::int64_t size() const override { return size_; }
  std::int64_t taken() const override { return taken_; }

 private:
  zip_file_t* file_;
  std::int64_t size_, taken_ = 0;
  std::string name_;
};

/// Bytes whose number and checksum are known: both are held to what the archive says when the last one is read.
class checked_bytes final : public byte_source {
 public:
  checked_bytes(std::unique_ptr<byte_source> bytes, std::int64_t size, std::uint32_t checksum, std::string name)
      : bytes_(std::move(bytes)), left_(size), checksum_(checksum), name_(std::move(name)) {}

  std::size_t read(char* to, std::size_t most) override {
    const std::size_t filled = bytes_->read(to, std::min(most, static_cast<std::size_t>(left_)));
    left_ -= static_cast<std::int64_t>(filled);
    sum_ = static_cast<std::uint32_t>(crc32_z(sum_, reinterpret_cast<const Bytef*>(to), filled));
    if (left_ > 0) return filled;
    char more = 0;
    if (bytes_->read(&more, 1) > 0)
      throw error(name_ + " unpacks to more bytes than the archive says; it is damaged, fetch the file again");
    if (sum_ != checksum_)
      throw error(name_ + " has another checksum than the archive says; it is damaged, fetch the file again");
    return filled;
  }
  std::int64_t size() const override { return bytes_->size(); }
  std::int64_t taken() const override { return bytes_->taken(); }

 private:
  std::unique_ptr<byte_source> bytes_;
  std::int64_t left_;
  std::uint32_t checksum_, sum_ = 0;
  std::string name_;
};

}  // namespace

struct npz_file::archive {
  archive(std::string of, zip_t* opened, const unpacking_limits& limit)
      : path(std::move(of)), zip(opened), limits(limit) {}
  archive(const archive&) = delete;
  archive& operator=(const archive&) = delete;
  ~archive() { zip_discard(zip); }

  std::string path;
  zip_t* zip;
  unpacking_limits limits;
  std::vector<std::uint64_t> places{};  // of the arrays, as names_ has them
};

struct npz_file::entry {
  std::string name;  // for sentences, which begin with "npy "
  npy::opened array;
};

namespace {

/// What the archive says of an entry. Errors: what no .npz file has.
zip_stat_t stat_of(zip_t* archive, std::uint64_t index, const std::string& name) {
  zip_stat_t known;
  constexpr std::uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_CRC |
                                   ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if (zip_stat_index(archive, index, 0, &known) != 0 || (known.valid & needed) != needed)
    throw error(name + " has an entry without a size; fetch the file again");
  return known;
}

/// The name of the array in an entry, and nothing of an entry without one.
std::string array_name(std::string_view entry) {
  constexpr std::string_view ending = ".npy";
  if (!entry.ends_with(ending)) return {};
  return std::string(entry.substr(0, entry.size() - ending.size()));
}

void check_size(const zip_stat_t& known, std::int64_t most, const std::string& name) {
  // An entry that is deflated has at most 1032 bytes for each packed one, and a few more.
  constexpr std::uint64_t most_times = 1032, head = 64, huge = std::uint64_t{1} << 62;
  const bool is_stored = known.comp_method == ZIP_CM_STORE;
  if (known.comp_size > huge || known.size > huge ||
      (is_stored ? known.size != known.comp_size : known.size / most_times > known.comp_size + head))
    throw error(name + " claims " + std::to_string(known.size) + " bytes, which " + std::to_string(known.comp_size) +
                " packed ones cannot hold; fetch the file again");
  const auto size = static_cast<std::int64_t>(known.size), packed = static_cast<std::int64_t>(known.comp_size);
  if (most > 0 ? size > most : detail::is_bomb(size, packed))
    throw error(name + " claims " + std::to_string(size) + " bytes when unpacked, from " + std::to_string(packed) +
                "; give .most_bytes = " + std::to_string(size) + " if it holds them");
}

[[noreturn]] void fail_to_open(const std::string& path, int code) {
  const auto file = detail::open_file("npz", path);  // what is no file has its sentence
  char head[2] = {};
  const bool is_pickle = file->read(head, 2) == 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
  if (is_pickle)
    throw error("npz " + path +
                " is a pickle, which only Python reads; convert it: python3 -c \"import numpy, pickle; " +
                "numpy.savez('data.npz', *pickle.load(open('" + path + "', 'rb'), encoding='latin1'))\"");
  zip_error_t problem;
  zip_error_init_with_code(&problem, code);
  const std::string reason = zip_error_strerror(&problem);
  zip_error_fini(&problem);
  throw error("npz " + path + " is no whole ZIP archive: " + reason + "; expected a file of numpy.savez");
}

}  // namespace

npz_file read_npz(const std::string& path, const unpacking_limits& limits) try {
  detail::open_file("npz", path);
  int code = 0;
  zip_t* const zip = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (zip == nullptr) fail_to_open(path, code);
  npz_file file;
  file.archive_ = std::make_shared<npz_file::archive>(path, zip, limits);
  const std::string what = "npz " + path;
  const zip_int64_t entries = zip_get_num_entries(zip, 0);
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(std::max<zip_int64_t>(entries, 0)); ++i) {
    std::string name = array_name(stat_of(zip, i, what).name);
    if (name.empty()) continue;
    if (file.has(name)) throw error(what + " has two arrays " + in_quotes(name) + "; expected one");
    file.names_.push_back(std::move(name));
    file.archive_->places.push_back(i);
  }
  return file;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

bool npz_file::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

npz_file::entry npz_file::open(std::string_view name) const {
  if (archive_ == nullptr) throw error("npz of no file has no array " + in_quotes(name) + "; make it by read_npz");
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    constexpr std::size_t most = 8;
    std::string all;
    for (std::size_t i = 0; i < std::min(names_.size(), most); ++i) all += (i == 0 ? "" : ", ") + in_quotes(names_[i]);
    if (names_.size() > most) all += " and " + std::to_string(names_.size() - most) + " more";
    throw error("npz " + archive_->path + " has no array " + in_quotes(name) + "; it has " +
                (names_.empty() ? "none" : all));
  }
  const std::uint64_t place = archive_->places[static_cast<std::size_t>(found - names_.begin())];
  const std::string in_file = archive_->path + " array " + in_quotes(name), what = "npz " + in_file;
  const zip_stat_t known = stat_of(archive_->zip, place, what);
  if (known.encryption_method != ZIP_EM_NONE) throw error(what + " is encrypted; write it without a password");
  if (known.comp_method != ZIP_CM_STORE && known.comp_method != ZIP_CM_DEFLATE)
    throw error(what + " is packed by method " + std::to_string(known.comp_method) +
                "; write it by numpy.savez_compressed");
  check_size(known, archive_->limits.most_bytes, what);

  const auto size = static_cast<std::int64_t>(known.size), packed = static_cast<std::int64_t>(known.comp_size);
  std::unique_ptr<byte_source> bytes = std::make_unique<entry_bytes>(archive_->zip, place, packed, what);
  if (known.comp_method == ZIP_CM_DEFLATE) bytes = detail::inflated(std::move(bytes), detail::packed::deflated, what);
  bytes = std::make_unique<checked_bytes>(std::move(bytes), size, known.crc, what);
  return {in_file, npy::open(std::move(bytes), size, in_file)};
}

dimensions npz_file::shape(std::string_view name) const { return open(name).array.header.shape; }
std::string npz_file::type(std::string_view name) const {
  return std::string(npy::name_of(open(name).array.header.type));
}

template <class T> tensor<T> npz_file::array(std::string_view name) const try {
  entry e = open(name);
  return npy::read_elements<T>(e.array, e.name);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
template <class T> tensor<T> npz_file::array_as(std::string_view name) const try {
  entry e = open(name);
  return npy::read_elements_as<T>(e.array, e.name);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

#define STG_ARRAYS_OF(T)                                         \
  template tensor<T> npz_file::array<T>(std::string_view) const; \
  template tensor<T> npz_file::array_as<T>(std::string_view) const;
STG_ARRAYS_OF(float)
STG_ARRAYS_OF(double)
STG_ARRAYS_OF(std::int32_t)
STG_ARRAYS_OF(std::int64_t)
STG_ARRAYS_OF(bool)
STG_ARRAYS_OF(float16)
#undef STG_ARRAYS_OF

}  // namespace stg
