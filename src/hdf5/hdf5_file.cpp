// Files and datasets of HDF5: opening, what they are, what is wrong with them.
#include "hdf5_file.hpp"  // file

#include <algorithm>   // max, min
#include <filesystem>  // file_size
#include <span>        // span

#include <stg/base/error.hpp>  // error

#include "../runtime/data/bytes.hpp"  // is_bomb
#include "../runtime/data/file.hpp"   // open_file

namespace stg::hdf5 {

namespace {

std::mutex& of_the_library() {
  static std::mutex one;
  return one;
}

/// The first reason that the library gave.
std::string reason() {
  std::string said;
  const auto take = [](unsigned, const H5E_error2_t* of, void* to) -> herr_t {
    auto& text = *static_cast<std::string*>(to);
    if (text.empty() && of->desc != nullptr) text = of->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &said);
  return said.empty() ? "HDF5 gives no reason" : said;
}

/// Opens a file after a look at what it begins with: messages for what is no HDF5 are our own.
handle opened(const std::string& path) {
  std::string first(8, '\0');
  const auto bytes = detail::open_file("hdf5", path);
  first.resize(bytes->read(first.data(), first.size()));
  if (first.starts_with('\x80'))
    throw error(
        "hdf5 " + path +
        " is a pickle, which runs as a program when it is read; in Python, of DCRNN's adj_mx.pkl: import numpy, "
        "pickle; numpy.save(\"adj_mat.npy\", pickle.load(open(\"adj_mx.pkl\", \"rb\"), encoding=\"latin1\")[2])");
  const handle list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(list, true, true);  // a disk without locks can be read all the same
  H5Eclear2(H5E_DEFAULT);
  handle id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, list), H5Fclose);
  if (!id.is_open())
    throw error("hdf5 " + path + " cannot be opened: " + reason() + "; expected a file of HDF5 that is whole");
  return id;
}

/// Links that lead into other files are followed nowhere.
handle without_other_files() {
  handle list(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  const auto refuse = [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t {
    return -1;
  };
  H5Pset_elink_cb(list, refuse, nullptr);
  return list;
}

/// What a visit collects.
struct names_found {
  std::vector<std::string> names{};
  static constexpr std::size_t most = 100'000;
};

/// Calls of C must not throw.
template <class Action> herr_t as_c(const Action& action) noexcept {
  try {
    return action();
  } catch (...) {
    return -1;
  }
}

}  // namespace

library_use::library_use() : lock_(of_the_library()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &of_print_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
library_use::~library_use() { H5Eset_auto2(H5E_DEFAULT, print_, of_print_); }

std::string number_type::said() const {
  if (is_boolean) return "bool";
  return (is_integer ? is_signed ? "int" : "uint" : "float") + std::to_string(8 * bytes);
}

file::file(const std::string& path) : path_(path), id_(opened(path)) {}

void file::fail(const std::string& what) const { throw error("hdf5 " + path_ + " " + what); }
void file::fail(const std::string& dataset, const std::string& what) const {
  throw error("hdf5 " + path_ + " dataset \"" + dataset + "\" " + what);
}
void file::fail_by_library(const std::string& dataset, const std::string& what) const {
  const std::string why = reason();
  const bool is_later = why.find("bad version number") != std::string::npos;
  fail(dataset,
       what + ": " + why + (is_later ? "; write it for HDF5 1.10, libver=\"v110\"" : "; the file may be damaged"));
}

bool file::has(const std::string& path) const {
  for (std::size_t end = path.find('/', 1);;
       end = path.find('/', end + 1)) {  // a link below nothing is an error to HDF5
    if (H5Lexists(id_, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

dataset file::open(const std::string& path) const {
  if (path.empty()) fail("is given no path of a dataset; write one, such as df/block0_values");
  if (!has(path)) {
    std::string all;
    const auto found = datasets();
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 8); ++i) all += (i == 0 ? "" : ", ") + found[i];
    fail("has no dataset \"" + path + "\"; it has " + (all.empty() ? "none" : all) + (found.size() > 8 ? ", ..." : ""));
  }
  H5L_info_t link{};
  if (H5Lget_info(id_, path.c_str(), &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_EXTERNAL)
    fail(path, "is a link to another file; read it there");
  const handle list = without_other_files();  // closed after the reason is asked for, which a call forgets
  H5Eclear2(H5E_DEFAULT);
  handle id(H5Dopen2(id_, path.c_str(), list), H5Dclose);
  if (!id.is_open()) fail_by_library(path, "cannot be opened");
  handle type(H5Dget_type(id), H5Tclose), space(H5Dget_space(id), H5Sclose);
  if (!type.is_open() || !space.is_open()) fail_by_library(path, "cannot be opened");
  dataset d{std::move(id), std::move(type), std::move(space)};
  d.shape = shape_of(path, d);
  return d;
}

dimensions file::shape_of(const std::string& path, const dataset& d) const {
  const handle made(H5Dget_create_plist(d.id), H5Pclose);
  if (H5Pget_layout(made) == H5D_VIRTUAL || H5Pget_external_count(made) > 0)
    fail(path, "has its data in other files; write one that holds them");
  for (unsigned i = 0; static_cast<int>(i) < H5Pget_nfilters(made); ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    char name[32] = "";
    const H5Z_filter_t filter = H5Pget_filter2(made, i, &flags, &values, nullptr, sizeof name, name, &config);
    if (H5Zfilter_avail(filter) <= 0)
      fail(path, "is packed by filter " + std::to_string(filter) + " (" + name +
                     "), which HDF5's library lacks; write it with gzip");
  }
  if (H5Sget_simple_extent_type(d.space) == H5S_NULL) fail(path, "has no elements and no shape; expected an array");
  const int rank = H5Sget_simple_extent_ndims(d.space);
  if (rank < 0) fail_by_library(path, "has no shape");
  if (rank > max_rank)
    fail(path, "has " + std::to_string(rank) + " axes; a tensor has 0 to " + std::to_string(max_rank));
  hsize_t extents[max_rank + 1] = {};
  H5Sget_simple_extent_dims(d.space, extents, nullptr);
  std::int64_t axes[max_rank + 1] = {}, all = 1;
  for (int a = 0; a < rank; ++a) {
    const bool is_held = extents[a] <= static_cast<hsize_t>(INT64_MAX);
    axes[a] = static_cast<std::int64_t>(extents[a]);
    if (!is_held || __builtin_mul_overflow(all, axes[a], &all))
      fail(path, "claims more than 2^63 elements; the file may be damaged");
  }
  return dimensions(std::span<const std::int64_t>(axes, static_cast<std::size_t>(rank)));
}

void file::require_bytes(const std::string& path, const dataset& d, std::size_t element_bytes) const {
  std::int64_t bytes = 0;
  const bool is_held = !__builtin_mul_overflow(d.shape.size(), static_cast<std::int64_t>(element_bytes), &bytes);
  const auto packed = static_cast<std::int64_t>(std::min<hsize_t>(H5Dget_storage_size(d.id), INT64_MAX));
  std::error_code problem;
  const auto of_file = static_cast<std::int64_t>(std::filesystem::file_size(path_, problem));
  if (!is_held || detail::is_bomb(bytes, std::min(packed, of_file)))
    fail(path, "claims shape " + to_string(d.shape) + ", which its " + std::to_string(packed) +
                   " bytes in the file do not make; the file may be damaged");
  const handle made(H5Dget_create_plist(d.id), H5Pclose);
  hsize_t chunk[max_rank + 1] = {};
  if (H5Pget_layout(made) != H5D_CHUNKED) return;
  const int rank = H5Pget_chunk(made, max_rank, chunk);
  std::int64_t of_chunk = static_cast<std::int64_t>(element_bytes);
  for (int a = 0; a < std::min(rank, max_rank); ++a)
    if (__builtin_mul_overflow(of_chunk, static_cast<std::int64_t>(chunk[a]), &of_chunk)) of_chunk = INT64_MAX;
  if (detail::is_bomb(of_chunk, of_file))
    fail(path, "claims chunks of " + std::to_string(of_chunk) + " bytes; the file may be damaged");
}

number_type file::numbers_of(const std::string& path, const dataset& d) const {
  number_type n{.bytes = H5Tget_size(d.type)};
  const H5T_class_t kind = H5Tget_class(d.type);
  if (kind == H5T_ENUM) {  // h5py's bool: int8 of FALSE and TRUE
    const handle base(H5Tget_super(d.type), H5Tclose);
    n.is_boolean = n.bytes == 1 && H5Tget_nmembers(d.type) == 2;
    n.is_integer = true;
    if (!n.is_boolean) fail(path, "is of an enumeration; expected numbers");
    return n;
  }
  if (kind != H5T_INTEGER && kind != H5T_FLOAT)
    fail(path, std::string("is of ") +
                   (kind == H5T_STRING     ? "text"
                    : kind == H5T_COMPOUND ? "records"
                    : kind == H5T_VLEN     ? "lists"
                                           : "another type") +
                   "; expected integers or reals");
  n.is_integer = kind == H5T_INTEGER;
  n.is_signed = n.is_integer && H5Tget_sign(d.type) == H5T_SGN_2;
  const bool is_real = H5Tequal(d.type, H5T_IEEE_F64LE) > 0 || H5Tequal(d.type, H5T_IEEE_F64BE) > 0 ||
                       H5Tequal(d.type, H5T_IEEE_F32LE) > 0 || H5Tequal(d.type, H5T_IEEE_F32BE) > 0 ||
                       (n.bytes == 2 && H5Tget_ebias(d.type) == 15);
  const bool is_whole = n.bytes == 1 || n.bytes == 2 || n.bytes == 4 || n.bytes == 8;
  if (n.is_integer ? !is_whole || H5Tget_precision(d.type) != 8 * n.bytes : !is_real)
    fail(path, "is of " + std::string(n.is_integer ? "integers" : "reals") + " of " + std::to_string(n.bytes) +
                   " bytes in a form of their own; expected numbers as NumPy has them");
  return n;
}

std::vector<std::string> file::datasets() const {
  names_found found;
  const auto take = [](hid_t, const char* name, const H5O_info_t* info, void* to) -> herr_t {
    return as_c([&]() -> herr_t {
      auto& all = static_cast<names_found*>(to)->names;
      if (info->type == H5O_TYPE_DATASET) all.emplace_back(name);
      return all.size() < names_found::most ? 0 : 1;
    });
  };
  H5Eclear2(H5E_DEFAULT);
  if (H5Ovisit2(id_, H5_INDEX_NAME, H5_ITER_INC, take, &found, H5O_INFO_BASIC) < 0)
    fail("cannot be read: " + reason() + "; the file may be damaged");
  return std::move(found.names);
}

std::string file::attribute(const std::string& object, const char* name) const {
  if (H5Aexists_by_name(id_, object.c_str(), name, H5P_DEFAULT) <= 0) return {};
  const handle of(H5Aopen_by_name(id_, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const handle type(H5Aget_type(of), H5Tclose);
  constexpr std::size_t most = 4096;
  if (!type.is_open() || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || H5Tget_size(type) > most)
    return {};
  const handle space(H5Aget_space(of), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1) return {};
  std::string text(H5Tget_size(type), '\0');
  if (H5Aread(of, type, text.data()) < 0) return {};
  return text.substr(0, text.find('\0'));
}

std::vector<std::pair<std::string, std::string>> file::frames() const {
  names_found found;
  const auto take = [](hid_t, const char* name, const H5L_info_t* info, void* to) -> herr_t {
    return as_c([&]() -> herr_t {
      auto& all = static_cast<names_found*>(to)->names;
      if (info->type == H5L_TYPE_HARD) all.emplace_back(name);
      return all.size() < names_found::most ? 0 : 1;
    });
  };
  H5Eclear2(H5E_DEFAULT);
  if (H5Literate(id_, H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &found) < 0)
    fail("cannot be read: " + reason() + "; the file may be damaged");
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string& name : found.names)
    if (const std::string type = attribute(name, "pandas_type"); !type.empty()) all.emplace_back(name, type);
  return all;
}

}  // namespace stg::hdf5
