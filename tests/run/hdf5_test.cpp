// test: draft io
// HDF5: datasets of all types and layouts, frames of pandas, and what is wrong with a file. Files are written by HDF5's
// library.
#include <stg/data/hdf5.hpp>  // read_hdf5

#include <gmock/gmock.h>  // ElementsAre
#include <gtest/gtest.h>  // TEST
#include <hdf5.h>         // H5Fcreate

#include <cmath>    // isnan
#include <fstream>  // ifstream
#include <random>   // mt19937
#include <string>   // string
#include <thread>   // thread
#include <vector>   // vector

#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

namespace stg {
namespace {

using test::expect_error;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// How a dataset lies in its file.
struct layout {
  std::vector<hsize_t> chunk{};
  int deflate = 0;
  hid_t type_in_file = H5I_INVALID_HID;  // the one in memory
  bool is_written = true;
};

/// A file that is written, closed at the end.
class written {
 public:
  explicit written(const std::string& path) : id_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  written(const written&) = delete;
  ~written() { H5Fclose(id_); }
  operator hid_t() const { return id_; }

  void add(const std::string& name, hid_t type, const std::vector<hsize_t>& shape, const void* data,
           const layout& as = {}) {
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), made = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    if (!as.chunk.empty()) H5Pset_chunk(made, static_cast<int>(as.chunk.size()), as.chunk.data());
    if (as.deflate > 0) H5Pset_deflate(made, static_cast<unsigned>(as.deflate));
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t in_file = as.type_in_file >= 0 ? as.type_in_file : type;
    const hid_t d = H5Dcreate2(id_, name.c_str(), in_file, space, links, made, H5P_DEFAULT);
    if (as.is_written) H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(d);
    H5Sclose(space);
    H5Pclose(made);
    H5Pclose(links);
  }
  void add_text(const std::string& object, const char* name, const std::string& text) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, text.size());
    const hid_t a = H5Acreate_by_name(id_, object.c_str(), name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, type, text.data());
    H5Aclose(a);
    H5Sclose(space);
    H5Tclose(type);
  }
  void add_names(const std::string& name, const std::vector<std::string>& names, std::size_t length) {
    std::string all;
    for (std::string n : names) n.resize(length), all += n;
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length);
    add(name, type, {names.size()}, all.data());
    H5Tclose(type);
  }

 private:
  hid_t id_;
};

std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
template <class T> std::vector<T> list_of(const const_tensor<T>& t) { return std::vector<T>(t.begin(), t.end()); }

const std::vector<double> speeds = {64.5, 0, 71.25, 60, 50.5, 1e-3};

void write_frame(const std::string& path, const std::string& key = "df", const std::string& kind = "datetime64",
                 const std::string& type = "frame") {
  written file(path);
  const std::vector<std::int64_t> times = {1330560000000000000, 1330560300000000000};
  file.add_names(key + "/axis0", {"773869", "767541", "7"}, 6);
  file.add_names(key + "/block0_items", {"773869", "767541", "7"}, 6);
  file.add(key + "/axis1", H5T_NATIVE_INT64, {2}, times.data());
  file.add(key + "/block0_values", H5T_NATIVE_DOUBLE, {2, 3}, speeds.data(), {.chunk = {1, 3}, .deflate = 5});
  file.add_text(key, "pandas_type", type);
  file.add_text(key + "/axis1", "kind", kind);
}

TEST(hdf5, reads_datasets_of_every_layout) {
  const test::temporary_folder folder;
  const std::string path = folder.file("a.h5");
  std::vector<double> many(3000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i) / 8;
  {
    written file(path);
    file.add("g/plain", H5T_NATIVE_DOUBLE, {2, 3}, speeds.data());
    file.add("chunks", H5T_NATIVE_DOUBLE, {1000, 3}, many.data(), {.chunk = {64, 2}});
    file.add("deflated", H5T_NATIVE_DOUBLE, {1000, 3}, many.data(),
             {.chunk = {300, 3}, .deflate = 9, .type_in_file = H5T_IEEE_F64BE});
    file.add("scalar", H5T_NATIVE_DOUBLE, {}, &speeds[2]);
    file.add("nothing", H5T_NATIVE_DOUBLE, {0, 4}, nullptr);
    file.add("unwritten", H5T_NATIVE_DOUBLE, {2, 2}, nullptr, {.is_written = false});
    file.add("six", H5T_NATIVE_DOUBLE, {1, 1, 1, 1, 1, 1}, speeds.data());
  }
  EXPECT_EQ(read_hdf5<double>(path, "g/plain").shape(), (dimensions{2, 3}));
  EXPECT_EQ(list_of(read_hdf5<double>(path, "/g/plain")), speeds);
  EXPECT_EQ(list_of(read_hdf5<double>(path, "chunks")), many);
  EXPECT_EQ(list_of(read_hdf5<double>(path, "deflated")), many);
  EXPECT_EQ(list_of(read_hdf5_as<float>(path, "deflated")), std::vector<float>(many.begin(), many.end()));
  EXPECT_EQ(read_hdf5<double>(path, "scalar").item(), 71.25);
  EXPECT_EQ(read_hdf5<double>(path, "nothing").shape(), (dimensions{0, 4}));
  EXPECT_THAT(list_of(read_hdf5<double>(path, "unwritten")), ElementsAre(0, 0, 0, 0));
  std::vector<std::string> listed;
  for (const hdf5_dataset& d : hdf5_datasets(path))
    listed.push_back(d.path + ' ' + d.type + to_string(d.shape) + d.why);
  EXPECT_THAT(listed, ElementsAre("chunks float64(1000, 3)", "deflated float64(1000, 3)", "g/plain float64(2, 3)",
                                  "nothing float64(0, 4)", "scalar float64()",
                                  AllOf(StartsWith("six ()stg: hdf5 "), HasSubstr("\"six\" has 6 axes")),
                                  "unwritten float64(2, 2)"));
  expect_error([&] { (void)read_hdf5<double>(path, "six"); }, {"a.h5", "\"six\" has 6 axes"});
  expect_error([&] { (void)read_hdf5<double>(path, "g/other"); },
               {"no dataset \"g/other\"; it has chunks, deflated, g/plain"});
  expect_error([&] { (void)read_hdf5<double>(path, "plain/below"); }, {"no dataset \"plain/below\""});
  expect_error([&] { (void)read_hdf5<double>(path, "g"); }, {"\"g\" cannot be opened: not a dataset"});
  expect_error([&] { (void)read_hdf5<double>(path, ""); }, {"no path"});
}

/// The reader converts rows piece by piece: an array of several pieces, whose chunks end elsewhere.
TEST(hdf5, converts_arrays_of_several_pieces) {
  const test::temporary_folder folder;
  const std::string path = folder.file("a.h5");
  std::vector<std::int32_t> many(500'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int32_t>(7 * i % 100'003);
  const double beyond_float = 16'777'217;
  {
    written file(path);
    file.add("many", H5T_NATIVE_INT32, {50'000, 10}, many.data(), {.chunk = {777, 10}});
    file.add("wide", H5T_NATIVE_DOUBLE, {1}, &beyond_float);
  }
  EXPECT_EQ(list_of(read_hdf5_as<double>(path, "many")), std::vector<double>(many.begin(), many.end()));
  EXPECT_EQ(list_of(read_hdf5_as<std::int64_t>(path, "wide")), std::vector<std::int64_t>{16'777'217});
  EXPECT_EQ(hdf5_datasets(path).at(0).type, "int32");
}

TEST(hdf5, reads_every_type_and_rounds_no_integer) {
  const test::temporary_folder folder;
  const std::string path = folder.file("types.h5");
  const std::vector<std::int64_t> numbers = {-7, 100};
  const std::vector<std::uint64_t> large = {5, std::uint64_t{1} << 63};
  const std::vector<double> odd = {0.5, std::nan("")};
  const std::int64_t rounded = (std::int64_t{1} << 53) + 1;
  const std::vector<signed char> truths = {1, 0, 1};
  {
    written file(path);
    const std::pair<const char*, hid_t> types[] = {{"i1", H5T_STD_I8LE},   {"i2", H5T_STD_I16BE},
                                                   {"i4", H5T_STD_I32LE},  {"i8", H5T_STD_I64BE},
                                                   {"f4", H5T_IEEE_F32BE}, {"f8", H5T_IEEE_F64LE}};
    for (const auto& [name, type] : types)
      file.add(name, H5T_NATIVE_INT64, {2}, numbers.data(), {.type_in_file = type});
    file.add("u8", H5T_NATIVE_UINT64, {2}, large.data());
    file.add("u2", H5T_NATIVE_UINT64, {1}, large.data(), {.type_in_file = H5T_STD_U16LE});
    file.add("odd", H5T_NATIVE_DOUBLE, {2}, odd.data(), {.type_in_file = H5T_IEEE_F32LE});
    file.add("rounded", H5T_NATIVE_INT64, {1}, &rounded);
    const hid_t f2 = H5Tcopy(H5T_IEEE_F32LE), truth = H5Tenum_create(H5T_NATIVE_INT8);
    H5Tset_fields(f2, 15, 10, 5, 0, 10);
    H5Tset_size(f2, 2);
    H5Tset_ebias(f2, 15);
    file.add("f2", H5T_NATIVE_DOUBLE, {2}, speeds.data(), {.type_in_file = f2});
    const signed char no = 0, yes = 1;
    H5Tenum_insert(truth, "FALSE", &no);
    H5Tenum_insert(truth, "TRUE", &yes);
    file.add("b1", truth, {3}, truths.data());
    const hid_t colour = H5Tenum_create(H5T_NATIVE_INT8);
    const signed char two = 2;
    for (const auto& [name, value] : {std::pair("RED", &no), {"GREEN", &yes}, {"BLUE", &two}})
      H5Tenum_insert(colour, name, value);
    file.add("colour", colour, {3}, truths.data());
    file.add_names("text", {"a", "bc"}, 2);
    const hid_t odd_type = H5Tcopy(H5T_STD_I32LE);
    H5Tset_precision(odd_type, 12);
    file.add("i12", H5T_NATIVE_INT64, {2}, numbers.data(), {.type_in_file = odd_type});
    for (const hid_t t : {f2, truth, colour, odd_type}) H5Tclose(t);
  }
  for (const char* name : {"i1", "i2", "i4", "i8", "f4", "f8"}) {
    EXPECT_EQ(list_of(read_hdf5_as<std::int64_t>(path, name)), numbers) << name;
    EXPECT_THAT(list_of(read_hdf5_as<float>(path, name)), ElementsAre(-7, 100)) << name;
  }
  EXPECT_THAT(list_of(read_hdf5<std::int32_t>(path, "i4")), ElementsAre(-7, 100));
  EXPECT_EQ(list_of(read_hdf5<std::int64_t>(path, "i8")), numbers);
  EXPECT_THAT(list_of(read_hdf5<float>(path, "f4")), ElementsAre(-7, 100));
  EXPECT_THAT(list_of(read_hdf5<float16>(path, "f2")), ElementsAre(float16(64.5f), float16(0.f)));
  EXPECT_THAT(list_of(read_hdf5_as<double>(path, "f2")), ElementsAre(64.5, 0));
  EXPECT_THAT(list_of(read_hdf5<bool>(path, "b1")), ElementsAre(true, false, true));
  EXPECT_THAT(list_of(read_hdf5_as<std::int32_t>(path, "b1")), ElementsAre(1, 0, 1));
  EXPECT_THAT(list_of(read_hdf5_as<std::int32_t>(path, "u2")), ElementsAre(5));
  EXPECT_TRUE(std::isnan(read_hdf5_as<double>(path, "odd")(1)));
  expect_error([&] { (void)read_hdf5_as<std::int32_t>(path, "colour"); }, {"\"colour\" is of an enumeration"});
  expect_error([&] { (void)read_hdf5<double>(path, "i4"); }, {"\"i4\" is of int32; expected float64, or read_hdf5_as"});
  expect_error([&] { (void)read_hdf5<std::int32_t>(path, "u2"); }, {"\"u2\" is of uint16; expected int32"});
  expect_error([&] { (void)read_hdf5_as<std::int64_t>(path, "u8"); },
               {"element 1 is 9223372036854775808", "fits int64"});
  expect_error([&] { (void)read_hdf5_as<std::int32_t>(path, "odd"); }, {"element 0 is 0.5", "fits int32"});
  expect_error([&] { (void)read_hdf5_as<double>(path, "rounded"); }, {"element 0 is 9007199254740993", "fits float64"});
  expect_error([&] { (void)read_hdf5_as<bool>(path, "i4"); }, {"element 0 is -7", "fits bool"});
  expect_error([&] { (void)read_hdf5_as<double>(path, "text"); }, {"\"text\" is of text; expected integers or reals"});
  expect_error([&] { (void)read_hdf5_as<double>(path, "i12"); },
               {"\"i12\" is of integers of 4 bytes in a form of their own"});
}

TEST(hdf5, reads_frames_of_pandas) {
  const test::temporary_folder folder;
  const std::string path = folder.file("metr-la.h5");
  write_frame(path);
  const hdf5_frame frame = read_hdf5_frame(path);
  EXPECT_THAT(frame.columns, ElementsAre("773869", "767541", "7"));
  EXPECT_THAT(frame.times, ElementsAre(1330560000000000000, 1330560300000000000));
  EXPECT_EQ(frame.values.shape(), (dimensions{2, 3}));
  EXPECT_EQ(list_of(frame.values), speeds);
  write_frame(path, "speed", "datetime64[us]");
  expect_error([&] { read_hdf5_frame(path); }, {"axis1\" row 0 is a time beyond the years"});
  write_frame(path, "speed", "integer");
  expect_error([&] { read_hdf5_frame(path, "speed"); }, {"an index of kind \"integer\"; expected times"});
  write_frame(path, "df", "datetime64", "frame_table");
  expect_error([&] { read_hdf5_frame(path); }, {"a frame in format \"table\"", "format=\"fixed\""});
  expect_error([&] { read_hdf5_frame(path, "speed"); }, {"no dataset \"speed/axis0\"; it has df/axis0"});
  write_frame(path);
  {
    const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Lcreate_soft("/df/block0_values", id, "/df/block1_values", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(id);
  }
  expect_error([&] { read_hdf5_frame(path); }, {"columns of several types"});
  { written nothing(path); }
  expect_error([&] { read_hdf5_frame(path); }, {"has no frame of pandas"});
}

/// Files of pandas 3.1 itself (peer_files/write_hdf5.py): texts as names, and packed, with integers as names.
TEST(hdf5, reads_files_that_pandas_wrote) {
  for (const char* name : {"metr_la.h5", "pems_bay.h5"}) {
    const hdf5_frame frame = read_hdf5_frame(std::string(STG_PEER_FILES "/") + name);
    EXPECT_THAT(frame.columns,
                name[0] == 'm' ? ElementsAre("773869", "767541", "717447") : ElementsAre("400001", "400017", "400030"));
    ASSERT_EQ(frame.times.size(), 6u);
    EXPECT_EQ(frame.times[0], 1330560000000000000);
    EXPECT_EQ(frame.times[5] - frame.times[4], 300'000'000'000);
    ASSERT_EQ(frame.values.shape(), (dimensions{6, 3}));
    for (std::int64_t r = 0; r < 6; ++r)
      for (std::int64_t c = 0; c < 3; ++c) EXPECT_EQ(frame.values(r, c), static_cast<double>(10 * r + c) + 0.25);
  }
}

TEST(hdf5, says_what_is_wrong_with_a_file) {
  const test::temporary_folder folder;
  expect_error([&] { hdf5_datasets(folder.file("none.h5")); }, {"none.h5 is missing"});
  expect_error([&] { hdf5_datasets(folder.write("adj_mx.pkl", std::string("\x80\x02]q\x01.", 6))); },
               {"is a pickle", "numpy.save(\"adj_mat.npy\", pickle.load("});
  expect_error([&] { hdf5_datasets(folder.write("a.csv", "1,2\n")); },
               {"a.csv cannot be opened", "expected a file of HDF5"});
  const std::string path = folder.file("a.h5"), packed = folder.file("packed.h5");
  {
    written file(path);
    const hsize_t size = 16;
    const hid_t made = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, nullptr);
    H5Pset_external(made, folder.file("other").c_str(), 0, H5F_UNLIMITED);
    H5Dclose(H5Dcreate2(file, "outside", H5T_NATIVE_INT8, space, H5P_DEFAULT, made, H5P_DEFAULT));
    H5Lcreate_external(folder.file("packed.h5").c_str(), "x", file, "link", H5P_DEFAULT, H5P_DEFAULT);
    const hid_t none = H5Screate(H5S_NULL);
    H5Dclose(H5Dcreate2(file, "null", H5T_NATIVE_INT8, none, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    file.add("huge", H5T_NATIVE_DOUBLE, {std::uint64_t{1} << 40, 1024}, nullptr,
             {.chunk = {4, 4}, .is_written = false});
    file.add("overflow", H5T_NATIVE_DOUBLE, {std::uint64_t{1} << 40, std::uint64_t{1} << 40}, nullptr,
             {.chunk = {4, 4}, .is_written = false});
    for (const hid_t id : {space, none}) H5Sclose(id);
    const hid_t of_its_own = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t four = 4;
    H5Pset_chunk(of_its_own, 1, &four);
    H5Pset_filter(of_its_own, 307, H5Z_FLAG_OPTIONAL, 0, nullptr);
    const hid_t line = H5Screate_simple(1, &four, nullptr);
    H5Dclose(H5Dcreate2(file, "bzip2", H5T_NATIVE_INT8, line, H5P_DEFAULT, of_its_own, H5P_DEFAULT));
    H5Sclose(line);
    H5Pclose(of_its_own);
    H5Pclose(made);
  }
  {
    written file(packed);
    const std::vector<std::int32_t> zeros(512);
    file.add("x", H5T_NATIVE_INT32, {512}, zeros.data(), {.chunk = {512}, .deflate = 9});
  }
  expect_error([&] { (void)read_hdf5_as<double>(path, "outside"); }, {"\"outside\" has its data in other files"});
  expect_error([&] { (void)read_hdf5_as<double>(path, "link"); }, {"\"link\" is a link to another file"});
  expect_error([&] { (void)read_hdf5_as<double>(path, "bzip2"); },
               {"\"bzip2\" is packed by filter 307", "write it with gzip"});
  expect_error([&] { (void)read_hdf5_as<double>(path, "null"); }, {"has no elements and no shape"});
  expect_error([&] { (void)read_hdf5<double>(path, "huge"); }, {"claims shape (1099511627776, 1024)"});
  expect_error([&] { (void)read_hdf5<double>(path, "overflow"); }, {"more than 2^63 elements"});
  std::string bytes = text_of(packed);
  const std::size_t zlib = bytes.find("\x78\xda");
  ASSERT_NE(zlib, std::string::npos);
  bytes[zlib + 4] ^= 0x55;
  expect_error([&] { (void)read_hdf5_as<double>(folder.write("damaged.h5", bytes), "x"); },
               {"\"x\" cannot be read", "damaged"});
}

TEST(hdf5, refuses_a_file_that_is_cut_anywhere) {
  const test::temporary_folder folder(test::folder_in_memory());
  write_frame(folder.file("whole.h5"));
  const std::string whole = text_of(folder.file("whole.h5"));
  for (std::size_t size = 0; size < whole.size(); size += 1 + size % 13)
    expect_error([&] { read_hdf5_frame(folder.write("cut.h5", whole.substr(0, size))); }, {"cut.h5"});
}

/// A changed byte among the numbers gives another number or an error; no byte beyond the file is read.
TEST(hdf5, takes_any_bytes_as_numbers) {
  const test::temporary_folder folder(test::folder_in_memory());
  write_frame(folder.file("whole.h5"));
  std::string whole = text_of(folder.file("whole.h5"));
  const std::size_t packed = whole.find("\x78\x5e");
  ASSERT_NE(packed, std::string::npos);
  std::mt19937 random(7);
  int refused = 0;
  for (int k = 0; k < 300; ++k) {
    std::string bytes = whole;
    bytes[packed + random() % 16] = static_cast<char>(random());
    try {
      EXPECT_EQ(read_hdf5_frame(folder.write("other.h5", bytes)).values.size(), 6);
    } catch (const error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(hdf5, leaves_its_users_settings_alone_and_takes_threads_in_turn) {
  const test::temporary_folder folder;
  const std::string path = folder.file("a.h5");
  write_frame(path);
  H5E_auto2_t before = nullptr, after = nullptr;
  void *of_before = nullptr, *of_after = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &of_before);
  testing::internal::CaptureStderr();
  expect_error([&] { (void)read_hdf5<double>(path, "no"); }, {"no dataset"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  H5Eget_auto2(H5E_DEFAULT, &after, &of_after);
  EXPECT_EQ(before, after);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) EXPECT_EQ(list_of(read_hdf5_frame(path).values), speeds);
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace
}  // namespace stg
