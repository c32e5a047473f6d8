// Files of a reader, cut at every byte and with each byte changed in turn: an error sentence, or the value that is
// right.
#pragma once

#include "../temporary_folder.hpp"  // temporary_folder

#include <stg/base/error.hpp>  // error

#include <gtest/gtest.h>  // ADD_FAILURE, FAIL

#include <algorithm>   // max
#include <cstddef>     // size_t
#include <cstdint>     // int64_t
#include <exception>   // exception
#include <filesystem>  // recursive_directory_iterator, relative
#include <fstream>     // ifstream
#include <functional>  // function
#include <iterator>    // istreambuf_iterator
#include <optional>    // optional
#include <sstream>     // istringstream, ostringstream
#include <string>      // string, getline
#include <utility>     // pair
#include <vector>      // vector

namespace stg::test {

/// What a file says about itself.
enum class knows {
  its_sum,   ///< length and checksum: every cut and every changed byte is found, or changes nothing
  its_end,   ///< length: every cut is found
  its_lines  ///< neither: one that is cut behind a line is a good file, whose lines are the first of the whole one's
};

/// Good files of a reader, below an existing folder, and their contents as text; with `its_lines` a line for each
/// line of the file, with numbers as they stand there.
struct good_files {
  std::string reader;
  knows about;
  std::function<void(const temporary_folder&)> write;
  std::function<std::string(const std::string& folder)> read;
};

/// The shape and the numbers of a tensor of either type.
template <class Tensor> std::string text_of(const Tensor& t) {
  std::ostringstream text;
  for (const std::int64_t extent : t.shape()) text << extent << " × ";
  for (const auto x : t) text << x << ' ';
  return text.str() + "\n";
}
template <class T> std::string text_of(const std::vector<T>& all) {
  std::ostringstream text;
  for (const T& x : all) text << x << ' ';
  return text.str() + "\n";
}
/// A line for each row, with one number of each list that has any.
template <class... T> std::string lines_of(const std::vector<T>&... lists) {
  std::ostringstream text;
  std::size_t rows = 0;
  ((rows = std::max(rows, lists.size())), ...);
  for (std::size_t row = 0; row < rows; ++row) {
    const char* between = "";
    ((row < lists.size() ? void(text << between << lists[row]) : void(), between = " "), ...);
    text << '\n';
  }
  return text.str();
}

inline std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}
/// Whether lines are the first of others, of which the last may be cut.
inline bool are_first_lines(const std::string& text, const std::string& of) {
  const std::vector<std::string> some = split_lines(text), all = split_lines(of);
  if (some.size() > all.size()) return false;
  for (std::size_t i = 0; i < some.size(); ++i)
    if (i + 1 < some.size() ? some[i] != all[i] : all[i].rfind(some[i], 0) != 0) return false;
  return true;
}

/// What a reader gives of a folder: nothing where it refuses, as it should refuse.
inline std::optional<std::string> read_or_refused(const good_files& good, const std::string& folder,
                                                  const std::string& how) {
  try {
    return good.read(folder);
  } catch (const error& e) {
    const std::string said = e.what();
    if (said.rfind("stg: ", 0) != 0 || said.find(folder) == std::string::npos)
      ADD_FAILURE() << good.reader << ", " << how << ": not a sentence with the file: " << said;
  } catch (const std::exception& e) {
    ADD_FAILURE() << good.reader << ", " << how << ": an error of another kind: " << e.what();
  }
  return {};
}

inline void check_damaged(const good_files& good) {
  const temporary_folder folder(folder_in_memory());
  good.write(folder);
  const std::string whole = good.read(folder.path());
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (!entry.is_regular_file()) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files.emplace_back(std::filesystem::relative(entry.path(), folder.path()).string(),
                       std::string(std::istreambuf_iterator<char>(stream), {}));
  }
  if (files.empty()) FAIL() << good.reader << " has no file";
  int refused = 0;
  for (const auto& [file, bytes] : files) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      folder.write(file, bytes.substr(0, size));
      const std::string how = file + " cut to " + std::to_string(size) + " of " + std::to_string(bytes.size());
      const auto read = read_or_refused(good, folder.path(), how);
      refused += read ? 0 : 1;
      const bool is_right =
          !read || *read == whole || (good.about == knows::its_lines && are_first_lines(*read, whole));
      if (!is_right) ADD_FAILURE() << good.reader << ", " << how << ", gives\n" << *read << "and whole\n" << whole;
    }
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (const int change : {0x01, 0xff}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ change);
        folder.write(file, changed);
        const std::string how = file + " with byte " + std::to_string(at) + " ^ " + std::to_string(change);
        const auto read = read_or_refused(good, folder.path(), how);
        if (good.about == knows::its_sum && read && *read != whole)
          ADD_FAILURE() << good.reader << ", " << how << ", gives\n" << *read << "and unchanged\n" << whole;
      }
    folder.write(file, bytes);
  }
  EXPECT_EQ(good.read(folder.path()), whole) << good.reader << ": the files are whole again";
  EXPECT_TRUE(refused > 0 || good.about == knows::its_lines) << good.reader << ": no cut was refused";
}

}  // namespace stg::test
