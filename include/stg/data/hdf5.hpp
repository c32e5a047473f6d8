// Reading HDF5 files: datasets by path, and frames as pandas writes them. Of the library stg::hdf5.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // int64_t
#include <string>   // string
#include <vector>   // vector

namespace stg {

// Both readers of datasets name the file and the dataset in errors: no file, not HDF5, a file cut short, no dataset at
// the path (the known ones are listed), a type or a shape without a tensor, packed bytes that are damaged or of a
// filter beyond HDF5's library, data in other files, sizes beyond the file's bytes. Datasets
// may lie in one piece or in chunks, deflated or not, in either order of bytes. T is float, double, std::int32_t,
// std::int64_t, bool (as h5py writes it) or float16.

/// The dataset of a path whose type is T's.
///
///   auto speed = stg::read_hdf5<double>("metr-la.h5", "df/block0_values");   // (steps, sensors)
template <class T> tensor<T> read_hdf5(const std::string& file, const std::string& dataset);

/// The dataset of a path, of any type of integers or reals of up to 64 bits, converted to T. Errors also, with the
/// element's index, for a value that T does not hold, as in `read_npy_as`.
template <class T> tensor<T> read_hdf5_as(const std::string& file, const std::string& dataset);

/// A dataset of a file.
struct hdf5_dataset {
  std::string path{};
  std::string type{};  // "float64", "int32", "bool"; empty where no tensor can be read of it
  dimensions shape{};
  std::string why{};  // no tensor can be read: the sentence of the reader
};
/// All datasets of a file, in the order of their paths; nothing of their elements is read.
///
///   for (const auto& d : stg::hdf5_datasets("metr-la.h5")) std::cout << d.path << ' ' << d.type << '\n';
std::vector<hdf5_dataset> hdf5_datasets(const std::string& file);

/// A table of numbers over time.
struct hdf5_frame {
  std::vector<std::string> columns{};  // (columns): names, or numbers as digits
  std::vector<std::int64_t> times{};   // (rows): nanoseconds since 1970, as the clock at the place of measurement shows
  tensor<double> values{};             // (rows, columns)
};

/// A frame as pandas' to_hdf(…, format="fixed") writes it, with times as its index: METR-LA and PEMS-BAY as DCRNN has
/// them. key: its group in the file, "df" and "speed" there; where it is empty, the only frame of the file. Errors
/// also: no frame or several, columns of several types, another index than times, a frame in format "table".
///
///   auto frame = stg::read_hdf5_frame("metr-la.h5");        // values (34272, 207), columns: ids of sensors
///   auto speed = frame.values.to<float>();
hdf5_frame read_hdf5_frame(const std::string& file, const std::string& key = {});

}  // namespace stg
