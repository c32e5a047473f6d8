// Bytes as files of HDF5: datasets and attributes that HDF5's library writes, read again. Its own parsing is not
// fuzzed: of some thousand files whose bytes are changed at random, a few make version 1.10 read out of bounds.
#include "readers.hpp"  // fuzz_hdf5
#include "records.hpp"  // byte_stream, demand, folder, may_refuse

#include <stg/data/hdf5.hpp>  // read_hdf5, read_hdf5_as, read_hdf5_frame

#include <hdf5.h>  // H5Fcreate

#include <algorithm>  // min
#include <array>      // array
#include <string>     // string
#include <vector>     // vector

namespace stg::test {

namespace {

constexpr std::array paths = {"df/axis0", "df/axis1", "df/block0_items", "df/block0_values", "df/block1_values", "x"};
constexpr std::array texts = {"frame", "frame_table", "datetime64", "datetime64[s]", "integer", ""};

hid_t type_of(int byte) {
  const hid_t types[] = {H5T_STD_I64LE, H5T_IEEE_F64LE, H5T_STD_U64BE, H5T_IEEE_F32BE,
                         H5T_STD_I8LE,  H5T_STD_U16LE,  H5T_C_S1};
  const hid_t type = H5Tcopy(types[byte % 7]);
  if (byte % 7 == 6) H5Tset_size(type, static_cast<std::size_t>(1 + byte / 7 % 5));
  return type;
}

/// A dataset of a record: path, type, layout, count, then the bytes of its elements.
void add_dataset(hid_t file, byte_stream& from) {
  const char* const path = paths[static_cast<std::size_t>(from.next()) % paths.size()];
  const hid_t type = type_of(from.next());
  const int how = from.next(), count = from.next() % 32;
  const auto n = static_cast<hsize_t>(count);
  std::vector<hsize_t> shape = {n};
  if (how % 4 == 1) shape = {n / 2, 2};
  if (how % 4 == 2) shape = {n / 3, 3};
  if (how % 4 == 3) shape = {};
  std::string elements;
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(count, 1)) * H5Tget_size(type); ++i)
    elements += static_cast<char>(from.next());
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE), made = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  if (how / 4 % 2 == 1 && !shape.empty()) {
    const std::vector<hsize_t> chunk(shape.size(), static_cast<hsize_t>(1 + how / 8 % 4));
    H5Pset_chunk(made, static_cast<int>(chunk.size()), chunk.data());
    if (how / 32 % 2 == 1) H5Pset_deflate(made, 1);
  }
  const hid_t d = H5Dcreate2(file, path, type, space, links, made, H5P_DEFAULT);
  if (d >= 0 && how / 64 % 2 == 0) H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data());
  if (d >= 0) H5Dclose(d);
  H5Pclose(made);
  H5Pclose(links);
  H5Sclose(space);
  H5Tclose(type);
}

void add_text(hid_t file, byte_stream& from) {
  const bool is_of_group = from.next() % 2 == 0;
  const std::string text = texts[static_cast<std::size_t>(from.next()) % texts.size()];
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, std::max<std::size_t>(1, text.size()));
  const hid_t a = H5Acreate_by_name(file, is_of_group ? "df" : "df/axis1", is_of_group ? "pandas_type" : "kind", type,
                                    space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (a >= 0) H5Awrite(a, type, text.data());
  if (a >= 0) H5Aclose(a);
  H5Sclose(space);
  H5Tclose(type);
}

}  // namespace

void fuzz_hdf5(std::string_view bytes) {
  const std::string path = folder().file("a.h5");
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // most records are refused when they are written twice
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (byte_stream from(bytes); !from.ended();) {
    if (from.next() % 4 == 0) add_text(file, from);
    else add_dataset(file, from);
  }
  H5Fclose(file);
  may_refuse([&] {
    const hdf5_frame frame = read_hdf5_frame(path);
    demand(frame.values.extent(0) == static_cast<std::int64_t>(frame.times.size()), "a row for each time");
    demand(frame.values.extent(1) == static_cast<std::int64_t>(frame.columns.size()), "a column for each name");
  });
  for (const hdf5_dataset& d : hdf5_datasets(path)) {
    may_refuse([&] { demand(read_hdf5<double>(path, d.path).shape() == d.shape, "the shape that is listed"); });
    may_refuse(
        [&] { demand(read_hdf5_as<std::int32_t>(path, d.path).shape() == d.shape, "the shape that is listed"); });
    may_refuse([&] { demand(read_hdf5_as<float>(path, d.path).shape() == d.shape, "the shape that is listed"); });
  }
}

}  // namespace stg::test
