// test: draft io, sanitized readers
// .npz files: NumPy's own read, ours read back, and refused when they are damaged, cut or claim too much.
#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/npz.hpp>  // read_npz, write_npz

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // equal
#include <cmath>      // isinf
#include <fstream>    // ifstream
#include <iterator>   // istreambuf_iterator

namespace stg {
namespace {

using test::expect_error;

std::string peer_file(const std::string& name) { return STG_PEER_FILES "/" + name; }
std::string bytes_of_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(npz, of_numpy_has_every_type_stored_and_deflated) {
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    const npz_file file = read_npz(peer_file(name));
    EXPECT_EQ(file.names().size(), 14u);
    EXPECT_EQ(file.names()[0], "f2");
    EXPECT_EQ(file.type("u4"), "<u4");
    EXPECT_EQ(file.shape("f4"), (dimensions{2, 3}));
    EXPECT_EQ(float(file.array<float16>("f2")(2)), 65504.0f);
    EXPECT_EQ(file.array_as<double>("f2")(1), -2.0);
    EXPECT_TRUE(std::isinf(file.array_as<float>("f2")(3)));
    EXPECT_EQ(file.array<float>("f4")(1, 2), 1.25f);
    EXPECT_EQ(file.array<double>("f8").item(), 1e300);
    EXPECT_EQ(file.array_as<std::int32_t>("i1")(0), -128);
    EXPECT_EQ(file.array_as<float>("i2")(0), -32768.0f);
    EXPECT_EQ(file.array<std::int32_t>("i4")(1, 0), -2);
    EXPECT_EQ(file.array<std::int64_t>("i8")(1), INT64_MIN);
    EXPECT_EQ(file.array_as<std::int32_t>("u1")(1), 255);
    EXPECT_EQ(file.array_as<std::int32_t>("u2")(1), 65535);
    EXPECT_EQ(file.array_as<std::int64_t>("u4")(1), 4294967295);
    EXPECT_EQ(file.array_as<std::int64_t>("u8")(1), INT64_MAX);
    EXPECT_TRUE(file.array<bool>("b1")(2));
    EXPECT_EQ(file.array_as<float>("empty").shape(), (dimensions{0, 4}));
    const auto turned = file.array<std::int64_t>("transposed");  // [[0 2 4] [1 3 5]]
    EXPECT_EQ(turned.shape(), (dimensions{2, 3}));
    EXPECT_EQ(turned(0, 2), 4);
    EXPECT_EQ(file.array_as<float>("transposed")(1, 0), 1.0f);
  }
  EXPECT_EQ(read_npz(peer_file("unnamed.npz")).names(), (std::vector<std::string>{"arr_0", "arr_1"}));
}

TEST(npz, says_what_an_array_is_that_stg_does_not_take) {
  const npz_file file = read_npz(peer_file("beyond.npz"));
  expect_error([&] { file.array_as<std::int64_t>("u8"); },
               {"beyond.npz array \"u8\" element 1 is 9223372036854775808; expected a value that fits <i8"});
  expect_error([&] { file.array_as<float>("u8"); }, {"element 1 is 9223372036854775808"});
  expect_error([&] { file.array_as<float>("objects"); }, {"array \"objects\" offset", "Python's objects", "astype"});
  expect_error([&] { file.array_as<float>("words"); }, {"descr \"<U1\"; expected one of <f2"});
  expect_error([&] { file.array<float>("y"); }, {"has no array \"y\"; it has \"u8\", \"objects\", \"words\""});
  expect_error([&] { file.array<float>("u8"); }, {"field descr is <u8; expected <f4"});
  expect_error([] { npz_file().array<float>("x"); }, {"npz of no file"});
  expect_error([] { read_npz(peer_file("lzma.npz")).array<std::int64_t>("a"); }, {"packed by method 14"});
}

TEST(npz, is_written_and_read_back) {
  const test::temporary_folder folder;
  const auto x = tensor<float>::from({2, 2}, {1, 2.5f, -3, 4});
  const auto y = tensor<std::int64_t>::from({3}, {7, 8, INT64_MIN});
  auto zeros = tensor<float>({1000, 100});
  for (const bool deflated : {false, true}) {
    const auto path = folder.file("a.npz");
    write_npz(path, {{"x", x}, {"y", y}, {"zeros", zeros}, {"half", tensor<float16>({2})}}, deflated);
    const npz_file file = read_npz(path);
    EXPECT_EQ(file.names(), (std::vector<std::string>{"x", "y", "zeros", "half"}));
    const auto back = file.array<float>("x");
    EXPECT_TRUE(std::equal(x.begin(), x.end(), back.begin(), back.end()));
    EXPECT_EQ(file.array<std::int64_t>("y")(2), INT64_MIN);
    EXPECT_EQ(file.array<float>("zeros").shape(), (dimensions{1000, 100}));
    EXPECT_EQ(file.array<float16>("half").shape(), dimensions{2});
    EXPECT_EQ(bytes_of_file(path).size() < 100'000, deflated);
  }
  const std::string bytes = bytes_of_file(folder.file("a.npz"));
  EXPECT_EQ(bytes.substr(10, 4), std::string("\0\0\x21\0", 4)) << "NumPy's date: equal arrays are equal files";
  std::string twice = bytes;
  for (std::size_t at; (at = twice.find("y.npy")) != std::string::npos;) twice[at] = 'x';
  expect_error([&] { read_npz(folder.write("twice.npz", twice)); }, {"twice.npz has two arrays \"x\"; expected one"});
  expect_error([&] { write_npz("", {{"x", x}}); }, {"npz has an empty path"});
  expect_error([&] { write_npz(folder.file("b.npz"), {}); }, {"would have no array"});
  expect_error([&] { write_npz(folder.file("b.npz"), {{"x", x}, {"x", y}}); }, {"two arrays \"x\""});
  expect_error([&] { write_npz(folder.file("b.npz"), {{"a/b", x}}); }, {"\"a/b\"; give a name without slashes"});
  expect_error([&] { write_npz(folder.file("no/b.npz"), {{"x", x}}); }, {"cannot be written", "folder writable"});
}

TEST(npz, of_no_archive_is_refused) {
  const test::temporary_folder folder;
  expect_error([&] { read_npz(folder.file("no.npz")); }, {"no.npz is missing; expected a file"});
  expect_error([&] { read_npz(folder.path()); }, {"is a folder"});
  expect_error([&] { read_npz(folder.write("text", "a,b\n")); }, {"is no whole ZIP archive", "numpy.savez"});
  expect_error([&] { read_npz(folder.write("a.pkl", std::string("\x80\x04K\x01.", 5))); },
               {"is a pickle", "python3 -c", "pickle.load"});
}

/// The two fields of an entry's size, in its head and in the archive's directory, with a size of one's own.
std::string with_claimed_size(std::string archive, std::uint32_t size) {
  const auto put = [&](std::size_t at) {
    for (int i = 0; i < 4; ++i) archive[at + static_cast<std::size_t>(i)] = static_cast<char>(size >> 8 * i & 0xff);
  };
  put(archive.find("PK\x03\x04") + 22);
  put(archive.find("PK\x01\x02") + 24);
  return archive;
}

TEST(npz, that_claims_more_than_it_holds_takes_no_memory) {
  const test::temporary_folder folder;
  write_npz(folder.file("a.npz"), {{"x", tensor<float>({64, 1024})}}, true);  // 256 KiB, packed to 300 bytes
  const std::string good = bytes_of_file(folder.file("a.npz"));
  const auto impossible = folder.write("b.npz", with_claimed_size(good, 4'000'000'000));
  expect_error([&] { read_npz(impossible).array<float>("x"); }, {"claims 4000000000 bytes", "cannot hold"});
  const auto larger = folder.write("c.npz", with_claimed_size(good, 262'144 + 132));
  expect_error([&] { read_npz(larger).array<float>("x"); }, {"262148 bytes of data; expected 262144"});
  expect_error([] { read_npz(peer_file("longer.npz")).array<std::int64_t>("a"); },
               {"longer.npz array \"a\" unpacks to more bytes than the archive says"});
  expect_error([&] { read_npz(folder.file("a.npz"), {.most_bytes = 1000}).array<float>("x"); },
               {"claims 262272 bytes when unpacked", "give .most_bytes = 262272"});
  EXPECT_EQ(read_npz(folder.file("a.npz"), {.most_bytes = 262'272}).array<float>("x").size(), 65536);
}

}  // namespace
}  // namespace stg
