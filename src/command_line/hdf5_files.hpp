// Files of HDF5, where the program is built with its library; else a sentence.
#pragma once

#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/base/error.hpp>  // error
#include <stg/data/hdf5.hpp>   // hdf5_datasets, read_hdf5_as

namespace stg::command_line {

inline bool is_hdf5(std::string_view path) { return path.ends_with(".h5") || path.ends_with(".hdf5"); }

#ifdef STG_WITH_HDF5
inline std::vector<hdf5_dataset> datasets_of(const std::string& path) { return hdf5_datasets(path); }

template <class T> tensor<T> hdf5_values(const std::string& path, const std::string& dataset) {
  return read_hdf5_as<T>(path, dataset);
}
#else
[[noreturn]] inline void lacks_hdf5(const std::string& path) {
  throw error("hdf5 " + path +
              " is not read, as this stg was built without HDF5; install libhdf5-dev and build it anew");
}
inline std::vector<hdf5_dataset> datasets_of(const std::string& path) { lacks_hdf5(path); }

template <class T> tensor<T> hdf5_values(const std::string& path, const std::string&) { lacks_hdf5(path); }
#endif

}  // namespace stg::command_line
