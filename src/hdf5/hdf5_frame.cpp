// Frames of pandas in HDF5, format "fixed": a group with the axes and a block of values.
#include <stg/data/hdf5.hpp>

#include <stg/base/error.hpp>  // error

#include "hdf5_file.hpp"  // file

namespace stg {

namespace {

using hdf5::dataset;
using hdf5::file;
using hdf5::handle;

/// Integers of a list, which pandas writes in 64 bits.
std::vector<std::int64_t> integers_of(const file& from, const std::string& path, const dataset& d) {
  const hdf5::number_type n = from.numbers_of(path, d);
  if (!n.is_integer || n.is_boolean || (!n.is_signed && n.bytes == 8))
    from.fail(path, "is of " + n.said() + "; expected integers of up to 64 bits");
  from.require_bytes(path, d, sizeof(std::int64_t));
  std::vector<std::int64_t> all(static_cast<std::size_t>(d.shape.size()));
  H5Eclear2(H5E_DEFAULT);
  if (!all.empty() && H5Dread(d.id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0)
    from.fail_by_library(path, "cannot be read");
  return all;
}

dataset open_list(const file& from, const std::string& path) {
  dataset d = from.open(path);
  if (d.shape.rank() != 1) from.fail(path, "has shape " + to_string(d.shape) + "; expected one axis");
  return d;
}

/// Names of columns: texts of one length, or integers as digits.
std::vector<std::string> names_of(const file& from, const std::string& path) {
  const dataset d = open_list(from, path);
  std::vector<std::string> names;
  if (H5Tget_class(d.type) == H5T_INTEGER) {
    for (const std::int64_t n : integers_of(from, path, d)) names.push_back(std::to_string(n));
    return names;
  }
  if (H5Tget_class(d.type) != H5T_STRING || H5Tis_variable_str(d.type) != 0)
    from.fail(
        path,
        "holds neither texts of one length nor integers; let pandas name columns by texts, df.columns.astype(str)");
  const std::size_t length = H5Tget_size(d.type);
  from.require_bytes(path, d, length);
  std::string all(static_cast<std::size_t>(d.shape.size()) * length, '\0');
  H5Eclear2(H5E_DEFAULT);
  if (!all.empty() && H5Dread(d.id, d.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0)
    from.fail_by_library(path, "cannot be read");
  for (std::size_t at = 0; at < all.size(); at += length) {
    const std::string name = all.substr(at, length);
    names.push_back(name.substr(0, name.find('\0')));
  }
  return names;
}

/// Nanoseconds in a unit of pandas' datetime64, 0: none. "datetime64" alone is of before pandas 2, in nanoseconds.
std::int64_t unit_of(const std::string& kind) {
  if (kind == "datetime64" || kind == "datetime64[ns]") return 1;
  return kind == "datetime64[us]"   ? 1'000
         : kind == "datetime64[ms]" ? 1'000'000
         : kind == "datetime64[s]"  ? 1'000'000'000
                                    : 0;
}

std::vector<std::int64_t> times_of(const file& from, const std::string& path) {
  const dataset d = open_list(from, path);
  const std::string kind = from.attribute(path, "kind");
  const std::int64_t unit = unit_of(kind);
  if (unit == 0)
    from.fail(path, "is an index of kind \"" + kind +
                        "\"; expected times, datetime64; read_hdf5 reads block0_values without them");
  auto times = integers_of(from, path, d);
  for (std::size_t i = 0; i < times.size(); ++i)
    if (__builtin_mul_overflow(times[i], unit, &times[i]))
      from.fail(path, "row " + std::to_string(i) + " is a time beyond the years 1677 to 2262, which nanoseconds count");
  return times;
}

std::string only_frame(const file& from) {
  const auto all = from.frames();
  if (all.size() == 1) return all[0].first;
  if (all.empty()) from.fail("has no frame of pandas; read_hdf5 reads a dataset by its path");
  std::string names;
  for (const auto& [name, type] : all) names += (names.empty() ? "" : ", ") + name;
  from.fail("has several frames: " + names + "; name one");
}

}  // namespace

hdf5_frame read_hdf5_frame(const std::string& path, const std::string& key) {
  hdf5_frame frame;
  std::string group = key;
  {
    const hdf5::library_use use;
    const file from(path);
    if (group.empty()) group = only_frame(from);
    if (!from.has(group)) from.open(group + "/axis0");  // the sentence says what there is
    const std::string type = from.attribute(group, "pandas_type");
    if (type != "frame")
      from.fail("group \"" + group + "\" is " +
                (type == "frame_table" ? "a frame in format \"table\"" : "no frame of pandas") +
                "; write df.to_hdf(path, key=\"df\", format=\"fixed\")");
    if (from.has(group + "/block1_values"))
      from.fail("group \"" + group + "\" has columns of several types; write df.astype(\"float64\").to_hdf(...)");
    frame.columns = names_of(from, group + "/axis0");
    frame.times = times_of(from, group + "/axis1");
    if (names_of(from, group + "/block0_items") != frame.columns)
      from.fail(group + "/block0_items", "has other columns than axis0, or another order; expected the same");
  }
  frame.values = read_hdf5_as<double>(path, group + "/block0_values");
  const dimensions expected{static_cast<std::int64_t>(frame.times.size()),
                            static_cast<std::int64_t>(frame.columns.size())};
  if (frame.values.shape() != expected)
    throw error("hdf5 " + path + " dataset \"" + group + "/block0_values\" has shape " +
                to_string(frame.values.shape()) + "; expected " + to_string(expected) + ", of axis1 and axis0");
  return frame;
}

}  // namespace stg
