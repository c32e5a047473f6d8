// Opening an .npy file, and holding its size against what its header says.
#include "file.hpp"      // open_file
#include "npy_open.hpp"  // open

#include <stg/base/error.hpp>  // error

#include <algorithm>     // min
#include <filesystem>    // file_size
#include <system_error>  // error_code

namespace stg::npy {

opened open(const std::string& path) {
  opened file{detail::open_file("npy", path), {}};
  std::error_code status;
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, status));
  if (status) throw error("npy " + path + " cannot be opened: " + status.message() + "; make it readable");
  if (size == 0) throw error("npy " + path + " is empty; expected a file that begins with \\x93NUMPY");

  constexpr std::int64_t longest_header = 10 + 65535;
  std::string head(static_cast<std::size_t>(std::min(size, longest_header)), '\0');
  file.stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (!file.stream)
    throw error("npy " + path + " offset 0 cannot be read; expected " + std::to_string(head.size()) + " bytes");
  file.header = parse_header(head, path);

  const header& h = file.header;
  const std::int64_t found = size - h.data_offset, expected = h.shape.size() * bytes_of(h.type);
  if (found != expected)
    throw error("npy " + path + " offset " + std::to_string(h.data_offset) + " has " + std::to_string(found) +
                " bytes of data; expected " + std::to_string(expected) + " for shape " + to_string(h.shape) + " of " +
                std::string(name_of(h.type)) + (found < expected ? ", it is truncated" : ", it has trailing bytes"));
  file.stream.seekg(h.data_offset);
  return file;
}

}  // namespace stg::npy
