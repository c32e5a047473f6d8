// Opening an .npy file, and holding its size against what its header says.
#include "file.hpp"      // open_file
#include "npy_open.hpp"  // open

#include <stg/base/error.hpp>  // error

#include <algorithm>  // min
#include <utility>    // move

namespace stg::npy {

namespace {

/// The bytes of a header, from the first on.
std::string read_head(detail::byte_source& bytes, std::int64_t size) {
  std::string head;
  for (int part = 0; part < 2; ++part) {
    const std::size_t before = head.size();
    head.resize(std::min(bytes_of_header(head), static_cast<std::size_t>(size)));
    head.resize(before + bytes.read(head.data() + before, head.size() - before));
  }
  return head;
}

}  // namespace

opened open(const std::string& path) {
  auto file = detail::open_file("npy", path);
  const std::int64_t size = file->size();
  if (size == 0) throw error("npy " + path + " is empty; expected a file that begins with \\x93NUMPY");
  return open(std::move(file), size, path);
}

opened open(std::unique_ptr<detail::byte_source> bytes, std::int64_t size, const std::string& path) {
  opened array{std::move(bytes), {}};
  array.header = parse_header(read_head(*array.bytes, size), path);
  const header& h = array.header;
  const std::int64_t found = size - h.data_offset, expected = h.shape.size() * bytes_of(h.type);
  if (found != expected)
    throw error("npy " + path + " offset " + std::to_string(h.data_offset) + " has " + std::to_string(found) +
                " bytes of data; expected " + std::to_string(expected) + " for shape " + to_string(h.shape) + " of " +
                std::string(name_of(h.type)) + (found < expected ? ", it is truncated" : ", it has trailing bytes"));
  return array;
}

}  // namespace stg::npy
