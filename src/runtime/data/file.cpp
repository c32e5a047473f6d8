// Opening files, and the sentences of those that are none.
#include "file.hpp"  // open_file

#include <stg/base/error.hpp>  // error

#include <cerrno>        // errno
#include <filesystem>    // status
#include <system_error>  // error_code, generic_category

namespace stg::detail {

std::ifstream open_file(std::string_view kind, const std::string& path) {
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
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    fail("cannot be opened: " + std::error_code(errno, std::generic_category()).message() + "; make it readable");
  return stream;
}

std::string read_file(std::string_view kind, const std::string& path) {
  std::ifstream stream = open_file(kind, path);
  std::error_code problem;
  const auto size = std::filesystem::file_size(path, problem);
  std::string text(problem ? 0 : static_cast<std::size_t>(size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (problem || !stream) throw error(std::string(kind) + " " + path + " cannot be read to its end; check the disk");
  return text;
}

void skip_byte_order_mark(std::string_view kind, const std::string& path, std::string_view& text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw error(std::string(kind) + " " + path + " is text in UTF-16; write it in UTF-8");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
}

}  // namespace stg::detail
