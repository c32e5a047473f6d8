// Opening files, and the sentences of those that are none.
#include "file.hpp"  // open_file

#include <stg/base/error.hpp>  // error

#include <algorithm>     // max, min
#include <atomic>        // atomic
#include <cerrno>        // errno
#include <filesystem>    // status
#include <system_error>  // error_code, generic_category

#include <fcntl.h>     // open
#include <sys/stat.h>  // fstat
#include <unistd.h>    // close, pread, read

namespace stg::detail {

namespace {

std::string reason() { return std::error_code(errno, std::generic_category()).message(); }

class file_source final : public byte_source {
 public:
  file_source(std::string name, int file, std::int64_t size) : name_(std::move(name)), file_(file), size_(size) {}
  ~file_source() override { close(file_); }

  std::size_t read(char* to, std::size_t most) override {
    std::size_t filled = 0;
    while (filled < most) {
      const auto count = ::read(file_, to + filled, most - filled);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw error(name_ + " cannot be read to its end: " + reason() + "; check the disk");
      if (count == 0) break;
      filled += static_cast<std::size_t>(count);
    }
    taken_ += static_cast<std::int64_t>(filled);
    return filled;
  }
  std::int64_t size() const override { return size_; }
  std::int64_t taken() const override { return taken_; }
  /// Whether the file begins with two bytes, none of which is taken.
  bool begins_with(char first, char second) const {
    char bytes[2];
    return pread(file_, bytes, 2, 0) == 2 && bytes[0] == first && bytes[1] == second;
  }

 private:
  std::string name_;
  int file_;
  std::int64_t size_, taken_ = 0;
};

std::unique_ptr<file_source> opened_file(std::string_view kind, const std::string& path) {
  const auto fail = [&](const std::string& what) { throw error(std::string(kind) + " " + path + " " + what); };
  if (path.empty()) throw error(std::string(kind) + " has an empty path; give that of a file");
  std::error_code problem;
  switch (std::filesystem::status(path, problem).type()) {
    case std::filesystem::file_type::regular:
      break;
    case std::filesystem::file_type::not_found:
      fail("is missing; expected a file");
      break;
    case std::filesystem::file_type::directory:
      fail("is a folder; expected a file");
      break;
    case std::filesystem::file_type::none:
      fail("cannot be opened: " + problem.message() + "; expected a file");
      break;
    default:
      fail("is a device, a pipe or a socket; expected a file");
  }
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat known {};
  if (file < 0) fail("cannot be opened: " + reason() + "; make it readable");
  const bool has_size = fstat(file, &known) == 0;
  auto source = std::make_unique<file_source>(std::string(kind) + " " + path, file, has_size ? known.st_size : 0);
  if (!has_size) fail("cannot be opened: " + reason() + "; make it readable");
  return source;
}

constinit std::atomic<gunzip> unpacking{nullptr};
constinit std::atomic<gzip> packing{nullptr};

}  // namespace

void unpack_texts_by(gunzip unpack) noexcept { unpacking.store(unpack); }
void pack_texts_by(gzip pack) noexcept { packing.store(pack); }

std::unique_ptr<packer> packer_for(const std::string& path, const std::string& name) {
  if (!path.ends_with(".gz")) return nullptr;
  const gzip pack = packing.load();
  if (pack == nullptr) throw error(name + " is to be packed by gzip; link the library stg::io, or leave .gz out");
  return pack();
}

std::unique_ptr<byte_source> open_file(std::string_view kind, const std::string& path) {
  return opened_file(kind, path);
}

std::unique_ptr<byte_source> open_text(std::string_view kind, const std::string& path) {
  auto file = opened_file(kind, path);
  const std::string name = std::string(kind) + " " + path;
  if (!file->begins_with('\x1f', '\x8b')) {
    if (path.ends_with(".gz"))  // cut to nothing, or damaged: as text it would be one without a row
      throw error(name + " is not packed by gzip, as its name says; fetch it again, or take .gz off its name");
    return file;
  }
  const gunzip unpack = unpacking.load();
  if (unpack == nullptr) throw error(name + " is packed by gzip; link the library stg::io, or write gunzip -k " + path);
  return unpack(std::move(file), name);
}

std::string read_file(std::string_view kind, const std::string& path) {
  const auto source = open_text(kind, path);
  std::string text;
  std::size_t filled = 0;
  constexpr std::size_t least = 1 << 12;
  auto room = static_cast<std::size_t>(source->size()) + 1;  // one more, which shows that the text ends
  while (true) {
    text.resize(room);
    filled += source->read(text.data() + filled, room - filled);
    if (filled < room) break;
    room = std::max(least, 2 * room);
  }
  text.resize(filled);
  return text;
}

void skip_byte_order_mark(std::string_view kind, const std::string& path, std::string_view& text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw error(std::string(kind) + " " + path + " is text in UTF-16; write it in UTF-8");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
}

}  // namespace stg::detail
