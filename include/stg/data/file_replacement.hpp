// Files that replace others together: all of them or none.
#pragma once

#include <stg/data/npy.hpp>  // write_npy

#include <string>  // string
#include <vector>  // vector

namespace stg::detail {

/// Each file is written as NAME.npy.part beside the one that it is to replace, and put in the place of that when all
/// are whole. What goes wrong before leaves the earlier ones as they were, and removes what was begun.
class file_replacement {
 public:
  file_replacement() = default;
  file_replacement(const file_replacement&) = delete;
  file_replacement& operator=(const file_replacement&) = delete;
  ~file_replacement();

  /// Writes what lies anywhere; makes its folder.
  template <class T> void write(const std::string& file, const tensor<T>& values) {
    const std::string part = part_of(file);
    if (values.place().is_host()) write_npy(part, values);
    else write_npy(part, values.to(host));
  }
  void put_in_place();

 private:
  std::string part_of(const std::string& file);

  std::vector<std::string> files_;
};

}  // namespace stg::detail
