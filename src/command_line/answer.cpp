// Printing, and numbers for readers.
#include "answer.hpp"  // print

#include <cerrno>        // errno
#include <cstdio>        // snprintf
#include <system_error>  // generic_category

#include <unistd.h>  // write

#include <stg/base/error.hpp>  // error

namespace stg::command_line {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

std::string digits_for_reader(double value) {
  char digits[64];
  std::snprintf(digits, sizeof digits, value != 0 && std::abs(value) < 100 ? "%.3g" : "%.0f", value);
  return digits;
}

std::string bytes_for_reader(double bytes) {
  const char* unit = " bytes";
  for (const char* larger : {" kB", " MB", " GB", " TB"}) {
    if (bytes < 1000) break;
    bytes /= 1000;
    unit = larger;
  }
  return digits_for_reader(bytes) + unit;
}

answer answer_about(const std::string& kind, const std::string& name, const std::string& what) {
  answer all;
  all.json.add("kind", kind).add("name", name);
  all.title(name + ": " + what);
  return all;
}

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) throw gone_reader();
    if (written < 0)
      throw error("what is printed cannot be written: " + std::error_code(errno, std::generic_category()).message() +
                  "; make room for it");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace stg::command_line
