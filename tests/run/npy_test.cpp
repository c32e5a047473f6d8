// test: draft data, sanitized readers
// .npy files: written and read back, converted, and refused when they are malformed.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/npy.hpp>  // map_npy, read_npy, write_npy

#include <gtest/gtest.h>  // TEST

#include <algorithm>   // equal
#include <cmath>       // isinf, isnan
#include <filesystem>  // create_symlink
#include <limits>      // numeric_limits

namespace stg {
namespace {

using namespace std::string_literals;
using test::expect_error;

/// A file with a dictionary of one's own; `data` follows the padded header.
std::string npy_text(const std::string& dictionary, const std::string& data) {
  std::string header = dictionary;
  while ((10 + header.size()) % 64 != 63) header += ' ';
  header += '\n';
  std::string text = "\x93NUMPY\x01\x00"s;
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  return text + header + data;
}

std::string npy_array(const std::string& descr, const std::string& shape, const std::string& data) {
  return npy_text("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", data);
}

template <class T> std::string bytes_of(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

class npy : public testing::Test {
 protected:
  test::temporary_folder folder;
  std::string write(const std::string& contents) { return folder.write("a.npy", contents); }
};

template <class T> void round_trip(const std::string& path, const dimensions& shape) {
  tensor<T> t(shape);
  for (std::int64_t i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>(i % 3);
  write_npy(path, t);
  const auto back = read_npy<T>(path);
  EXPECT_EQ(back.shape(), shape);
  EXPECT_TRUE(std::equal(t.begin(), t.end(), back.begin(), back.end()));
}

TEST_F(npy, round_trips_every_type_and_rank) {
  for (const dimensions& shape : {dimensions{}, dimensions{3}, dimensions{0}, dimensions{4, 0}, dimensions{2, 3},
                                  dimensions{2, 1, 3}, dimensions{2, 2, 2, 2}, dimensions{1, 2, 3, 4, 5}}) {
    round_trip<float>(folder.file("f"), shape);
    round_trip<double>(folder.file("d"), shape);
    round_trip<std::int32_t>(folder.file("i"), shape);
    round_trip<std::int64_t>(folder.file("l"), shape);
    round_trip<bool>(folder.file("b"), shape);
  }
}

TEST_F(npy, reads_what_numpy_writes) {
  // numpy.save of numpy.array([[1, -2, 3]], dtype=numpy.int32)
  const auto t = read_npy<std::int32_t>(write(npy_array("<i4", "(1, 3)", bytes_of<std::int32_t>({1, -2, 3}))));
  EXPECT_EQ(t.shape(), (dimensions{1, 3}));
  EXPECT_EQ(t(0, 1), -2);
  const auto other_order = npy_text("{\"shape\": (1,), 'fortran_order':False,'descr':'<f8'}", bytes_of<double>({2.5}));
  EXPECT_EQ(read_npy<double>(write(other_order)).item(), 2.5);
  EXPECT_EQ(read_npy<float>(write(npy_array("<f4", "()", bytes_of<float>({4})))).rank(), 0);
}

TEST_F(npy, writes_what_numpy_reads) {
  write_npy(folder.file("x"), tensor<float>::from({2}, {1, 2}));
  std::ifstream stream(folder.file("x"), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(text, npy_array("<f4", "(2,)", bytes_of<float>({1, 2})));
  EXPECT_EQ((text.size() - 8) % 64, 0u);
}

TEST_F(npy, converts_every_stored_type) {
  EXPECT_EQ(read_npy_as<std::int32_t>(write(npy_array("<u2", "(2,)", bytes_of<std::uint16_t>({7, 65535}))))(1), 65535);
  EXPECT_EQ(read_npy_as<float>(write(npy_array("|u1", "(2,)", "\x01\xff"s)))(1), 255.0f);
  EXPECT_EQ(read_npy_as<double>(write(npy_array("<i8", "(1,)", bytes_of<std::int64_t>({-5}))))(0), -5.0);
  EXPECT_EQ(read_npy_as<std::int32_t>(write(npy_array("|i1", "(1,)", "\xff"s)))(0), -1);
  EXPECT_EQ(read_npy_as<std::int32_t>(write(npy_array("<f4", "(1,)", bytes_of<float>({3}))))(0), 3);
  EXPECT_EQ(read_npy_as<float>(write(npy_array("<f8", "(1,)", bytes_of<double>({0.1}))))(0), 0.1f);
  EXPECT_EQ(read_npy_as<float>(write(npy_array("<i4", "(1,)", bytes_of<std::int32_t>({-9}))))(0), -9.0f);
  EXPECT_EQ(read_npy_as<std::int32_t>(write(npy_array("|b1", "(2,)", "\x00\x01"s)))(1), 1);
  EXPECT_TRUE(read_npy_as<bool>(write(npy_array("<i4", "(1,)", bytes_of<std::int32_t>({1}))))(0));
  constexpr std::int64_t large = (std::int64_t{1} << 53) + 1;
  const auto i8 = write(npy_array("<i8", "(1,)", bytes_of<std::int64_t>({large})));
  EXPECT_EQ(read_npy<std::int64_t>(i8)(0), large);
  EXPECT_EQ(read_npy_as<std::int64_t>(i8)(0), large);
  EXPECT_EQ(read_npy_as<std::int64_t>(write(npy_array("<f8", "(1,)", bytes_of<double>({-0x1p63}))))(0), INT64_MIN);
  const auto beyond = write(npy_array("<f8", "(1,)", bytes_of<double>({0x1p63})));
  expect_error([&] { read_npy_as<std::int64_t>(beyond); }, {beyond, "element 0", "<i8"});
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isinf(read_npy_as<float>(write(npy_array("<f8", "(1,)", bytes_of<double>({inf}))))(0)));
  EXPECT_TRUE(std::isnan(read_npy_as<float>(write(npy_array("<f8", "(1,)", bytes_of<double>({inf - inf}))))(0)));
}

TEST_F(npy, in_fortran_order_is_put_in_c_order) {
  const auto cube = read_npy<std::int32_t>(STG_PEER_FILES "/cube.npy");  // 0, 1, 2, … of (2, 3, 4)
  for (int i = 0; i < 24; ++i) ASSERT_EQ(cube.data()[i], i);
  const auto reals = read_npy_as<double>(STG_PEER_FILES "/cube.npy");
  for (int i = 0; i < 24; ++i) ASSERT_EQ(reals.data()[i], i);
  expect_error([] { map_npy<std::int32_t>(STG_PEER_FILES "/cube.npy"); }, {"fortran_order is True", "read_npy"});
  const auto wrong = write(npy_text("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2)}",
                                    bytes_of<double>({1, 2, 3.5, 4})));  // the third number is that of row 0, column 1
  expect_error([&] { read_npy_as<std::int32_t>(wrong); }, {"element 1 is 3.5"});
}

TEST_F(npy, half_numbers_and_unsigned_ones_are_converted) {
  EXPECT_EQ(read_npy_as<float>(write(npy_array("<f2", "(1,)", "\x00\x3e"s)))(0), 1.5f);
  EXPECT_EQ(float(read_npy<float16>(write(npy_array("<f2", "(1,)", "\x00\x3e"s)))(0)), 1.5f);
  EXPECT_EQ(read_npy_as<std::int64_t>(write(npy_array("<u8", "(1,)", "\xff\xff\xff\xff\xff\xff\xff\x7f"s)))(0),
            INT64_MAX);
  const auto beyond = write(npy_array("<u8", "(1,)", "\x00\x00\x00\x00\x00\x00\x00\x80"s));
  expect_error([&] { read_npy_as<std::int64_t>(beyond); },
               {"element 0 is 9223372036854775808; expected a value that fits <i8"});
}

TEST_F(npy, converts_more_than_one_buffer) {
  tensor<double> t({40000});
  for (int i = 0; i < 40000; ++i) t(i) = i;
  write_npy(folder.file("x"), t);
  const auto ints = read_npy_as<std::int32_t>(folder.file("x"));
  for (int i = 0; i < 40000; ++i) ASSERT_EQ(ints(i), i);
}

TEST_F(npy, conversion_names_the_element_that_does_not_fit) {
  const auto i8 = write(npy_array("<i8", "(3,)", bytes_of<std::int64_t>({0, 1, std::int64_t{1} << 31})));
  expect_error([&] { read_npy_as<std::int32_t>(i8); }, {i8, "element 2", "2147483648", "<i4"});
  const auto f4 = write(npy_array("<f4", "(1,)", bytes_of<float>({1.5f})));
  expect_error([&] { read_npy_as<std::int32_t>(f4); }, {"element 0", "1.5", "<i4"});
  const auto nan = write(npy_array("<f4", "(1,)", bytes_of<float>({std::numeric_limits<float>::quiet_NaN()})));
  expect_error([&] { read_npy_as<std::int32_t>(nan); }, {"element 0", "nan"});
  const std::string tiny = write(npy_array("<f8", "(1,)", bytes_of<double>({1e-9})));
  expect_error([&] { read_npy_as<std::int32_t>(tiny); }, {"element 0 is 1e-09; expected a value that fits <i4"});
  const auto f8 = write(npy_array("<f8", "(1,)", bytes_of<double>({1e300})));
  expect_error([&] { read_npy_as<float>(f8); }, {"element 0", "<f4"});
  const auto u1 = write(npy_array("|u1", "(2,)", "\x01\x02"s));
  expect_error([&] { read_npy_as<bool>(u1); }, {"element 1", "is 2", "|b1"});
}

TEST_F(npy, an_integer_that_a_float_or_double_would_round_is_refused) {
  constexpr std::int64_t exact = std::int64_t{1} << 53, most = std::numeric_limits<std::int64_t>::max();
  const auto even = write(npy_array("<i8", "(4,)", bytes_of<std::int64_t>({exact, -exact, exact + 2, -most - 1})));
  EXPECT_EQ(read_npy_as<double>(even)(2), 9007199254740994.0);
  EXPECT_EQ(read_npy_as<double>(even)(3), -0x1p63);
  const auto narrow = write(npy_array("<i4", "(2,)", bytes_of<std::int32_t>({1 << 24, (1 << 24) + 1})));
  expect_error([&] { read_npy_as<float>(narrow); }, {"element 1", "16777217", "<f4"});
  for (const std::int64_t odd : {exact + 1, -exact - 1, most}) {
    const auto path = write(npy_array("<i8", "(2,)", bytes_of<std::int64_t>({0, odd})));
    expect_error([&] { read_npy_as<double>(path); }, {path, "element 1", std::to_string(odd), "<f8"});
    expect_error([&] { read_npy_as<float>(path); }, {path, "element 1", std::to_string(odd), "<f4"});
  }
}

TEST_F(npy, a_bool_that_is_neither_zero_nor_one_is_refused) {
  const auto path = write(npy_array("|b1", "(2,)", "\x01\x07"s));
  expect_error([&] { read_npy<bool>(path); }, {path, "element 1", "is 7"});
  expect_error([&] { read_npy_as<bool>(path); }, {path, "element 1", "is 7", "|b1"});
  expect_error([&] { read_npy_as<std::int32_t>(path); }, {path, "element 1", "is 7", "|b1"});
  expect_error([&] { read_npy_as<float>(path); }, {path, "element 1", "is 7", "|b1"});
  expect_error([&] { read_npy_as<double>(path); }, {path, "element 1", "is 7", "|b1"});
}

TEST_F(npy, the_exact_type_is_required) {
  const auto path = write(npy_array("<f8", "(1,)", bytes_of<double>({1})));
  expect_error([&] { read_npy<float>(path); }, {path, "descr", "<f8", "expected <f4"});
}

TEST_F(npy, missing_files_and_folders_are_refused) {
  expect_error([&] { read_npy<float>(folder.file("none.npy")); }, {"none.npy", "missing"});
  expect_error([] { read_npy<float>(""); }, {"stg: npy has an empty path; give that of a file"});
  expect_error([] { write_npy("", tensor<float>({1})); }, {"npy has an empty path"});
  expect_error([&] { write_npy(folder.file("none/a.npy"), tensor<float>({1})); },
               {"none/a.npy cannot be written: No such file or directory; make its folder writable"});
  expect_error([] { write_npy("/dev/full", tensor<float>({1})); },
               {"npy /dev/full cannot be written to its end: No space left on device; what is there is no whole file"});
  expect_error([&] { read_npy<float>(folder.path()); }, {folder.path(), "is a folder; expected a file"});
  expect_error([&] { read_npy<float>(write("")); }, {"a.npy is empty; expected a file that begins with \\x93NUMPY"});
  std::filesystem::create_symlink("loop.npy", folder.file("loop.npy"));
  expect_error([&] { read_npy<float>(folder.file("loop.npy")); }, {"loop.npy cannot be opened: ", "symbolic links"});
  std::filesystem::create_symlink("gone.npy", folder.file("link.npy"));
  expect_error([&] { read_npy<float>(folder.file("link.npy")); }, {"link.npy is missing"});
  expect_error([] { read_npy<float>("/dev/null"); }, {"/dev/null is a device"});
  expect_error([&] { write_npy(folder.file("no/such/folder.npy"), tensor<float>({1})); }, {"folder.npy", "written"});
}

struct malformed {
  const char* name;
  std::string text;
  std::initializer_list<std::string_view> parts;
};

TEST_F(npy, malformed_files_are_refused) {
  const std::string four = bytes_of<float>({1}), good = npy_array("<f4", "(1,)", four);
  const auto with_byte = [&](std::size_t at, char c) {
    std::string text = good;
    text[at] = c;
    return text;
  };
  const auto dictionary = [&](const std::string& d) { return npy_text(d, four); };
  const malformed cases[] = {
      {"empty file", "", {"is empty", "\\x93NUMPY"}},
      {"short magic", "\x93NUM", {"offset 0", "magic"}},
      {"foreign file",
       "PK\x03\x04 this is a zip",
       {"offset 0 has the magic string \"PK\\x03\\x04 t\"; expected \\x93NUMPY"}},
      {"preamble cut", good.substr(0, 9), {"offset 9", "preamble", "10 bytes"}},
      {"version 2", with_byte(6, 2), {"offset 6", "version 2.0", "expected 1.0"}},
      {"version 1.1", with_byte(7, 1), {"offset 6", "version 1.1"}},
      {"header longer than the file", with_byte(9, 127), {"offset 8", "header of", "the file has"}},
      {"header cut", good.substr(0, 40), {"offset 8", "118 bytes", "30"}},
      {"order is no bool",
       dictionary("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }"),
       {"fortran_order", "expected False or True"}},
      {"big endian", npy_array(">f4", "(1,)", four), {"descr \">f4\"", "expected one of <f2"}},
      {"objects", npy_array("|O", "(1,)", four), {"descr \"|O\", Python's objects"}},
      {"complex", npy_array("<c8", "(1,)", four + four), {"descr \"<c8\""}},
      {"empty type", npy_array("", "(1,)", four), {"descr \"\""}},
      {"structured type",
       dictionary("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }"),
       {"structured"}},
      {"truncated data", good.substr(0, good.size() - 1), {"3 bytes of data", "expected 4", "truncated"}},
      {"no data", good.substr(0, good.size() - 4), {"0 bytes of data", "truncated"}},
      {"trailing bytes", good + "x", {"5 bytes of data", "expected 4", "trailing"}},
      {"overflow of the product", npy_array("<f4", "(4294967296, 4294967296)", four), {"shape", "2^59"}},
      {"overflow of the bytes", npy_array("<f8", "(1152921504606846976, 16)", four), {"shape", "2^59"}},
      {"overflow of an extent", npy_array("<f4", "(99999999999999999999,)", four), {"64 bits"}},
      {"huge but consistent", npy_array("<f8", "(576460752303423488,)", four), {"4 bytes of data", "truncated"}},
      {"negative extent", npy_array("<f4", "(-1,)", four), {"negative extent -1"}},
      {"six axes", npy_array("<f4", "(1, 1, 1, 1, 1, 1)", four), {"6 axes", "at most 5"}},
      {"shape of words", npy_array("<f4", "(one,)", four), {"no number"}},
      {"shape unclosed", dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (1,"), {"the shape needs one"}},
      {"shape is no tuple", npy_array("<f4", "[1]", four), {"\"[\"", "expected \"(\""}},
      {"no shape", dictionary("{'descr': '<f4', 'fortran_order': False, }"), {"without shape"}},
      {"no descr", dictionary("{'fortran_order': False, 'shape': (1,), }"), {"without descr"}},
      {"no order", dictionary("{'descr': '<f4', 'shape': (1,), }"), {"without fortran_order"}},
      {"unknown key", dictionary("{'descr': '<f4', 'colour': 'red'}"), {"key \"colour\""}},
      {"key twice", dictionary("{'shape': (1,), 'shape': (1,)}"), {"\"shape\" twice"}},
      {"unclosed quote", dictionary("{'descr"), {"does not end"}},
      {"no dictionary", dictionary("hello"), {"offset 10", "expected \"{\""}},
      {"empty dictionary", dictionary(""), {"expected \"{\""}},
      {"text after it",
       dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x"),
       {"after the header's }"}},
  };
  for (const malformed& m : cases) {
    SCOPED_TRACE(m.name);
    const auto path = write(m.text);
    expect_error([&] { read_npy<float>(path); }, m.parts);
    expect_error([&] { read_npy_as<double>(path); }, m.parts);
    expect_error([&] { read_npy<float>(path); }, {path});
  }
}

TEST_F(npy, no_prefix_of_a_file_is_accepted) {
  const std::string good = npy_array("<i4", "(2, 2)", bytes_of<std::int32_t>({1, 2, 3, 4}));
  for (std::size_t size = 0; size < good.size(); ++size) {
    const auto path = write(good.substr(0, size));
    EXPECT_THROW(read_npy<std::int32_t>(path), error) << size;
  }
}

TEST_F(npy, no_changed_byte_of_a_header_reads_past_a_buffer) {
  const std::string good = npy_array("<i4", "(2, 2)", bytes_of<std::int32_t>({1, 2, 3, 4}));
  for (std::size_t at = 0; at < 128; ++at)
    for (const char c : {'\0', '9', '(', ')', '\'', ',', '}', '{', '-', '\xff'}) {
      std::string text = good;
      text[at] = c;
      const auto path = write(text);
      try {
        EXPECT_EQ(read_npy_as<double>(path).size() >= 0, true);
      } catch (const error&) {  // refused, or read as another array of the same size; the sanitizers watch
      }
    }
}

TEST_F(npy, mapped_numbers_are_those_that_are_read) {
  auto t = tensor<double>::for_overwrite({50, 7});
  for (std::int64_t i = 0; i < t.size(); ++i) t.data()[i] = static_cast<double>(i) / 3;
  write_npy(folder.file("x"), t);
  const_tensor<double> row;
  {
    const auto mapped = map_npy<double>(folder.file("x"));
    ASSERT_EQ(mapped.shape(), t.shape());
    EXPECT_TRUE(std::equal(mapped.begin(), mapped.end(), t.begin()));
    row = mapped.row(49);
  }
  std::filesystem::remove(folder.file("x"));  // neither the file's name nor its first view is needed any more
  EXPECT_TRUE(std::equal(row.begin(), row.end(), t.row(49).begin()));
  write_npy(folder.file("none"), tensor<std::int32_t>({0, 4}));
  EXPECT_EQ(map_npy<std::int32_t>(folder.file("none")).shape(), (dimensions{0, 4}));
}

TEST_F(npy, what_cannot_be_mapped_is_refused) {
  write_npy(folder.file("x"), tensor<float>({3}));
  expect_error([&] { map_npy<double>(folder.file("x")); }, {"<f4", "expected <f8", "read_npy_as"});
  expect_error([&] { map_npy<float>(folder.file("none.npy")); }, {"none.npy", "missing"});
  const std::string text =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } \n";  // of an old NumPy: data at 10 + length
  const std::string head =
      std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size()) + std::string(1, '\0') + text;
  const std::string crooked = folder.write("crooked.npy", head + std::string(4, '\0'));
  ASSERT_NE(head.size() % 4, 0u);
  EXPECT_EQ(read_npy<float>(crooked).size(), 1);
  expect_error([&] { map_npy<float>(crooked); }, {"multiple of 4", "read_npy"});
  folder.write("short.npy", head.substr(0, head.size()) + std::string(3, '\0'));
  expect_error([&] { map_npy<float>(folder.file("short.npy")); }, {"truncated"});
}

}  // namespace
}  // namespace stg
