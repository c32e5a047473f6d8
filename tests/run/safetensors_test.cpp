// test: draft data, sanitized readers
// Files of safetensors: what is read, what is refused with which sentence, and that written bytes are the reference's.
#include <stg/data/safetensors.hpp>

#include <gtest/gtest.h>  // TEST

#include <cstring>     // memcpy
#include <filesystem>  // exists
#include <fstream>     // ifstream
#include <iterator>    // istreambuf_iterator
#include <limits>      // numeric_limits
#include <string>      // string
#include <vector>      // vector

#include "expect_error.hpp"      // expect_error
#include "temporary_folder.hpp"  // temporary_folder

namespace stg {
namespace {

using test::expect_error;
using test::temporary_folder;

std::string with_length(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string all(8, '\0');
  std::memcpy(all.data(), &length, 8);
  return all + header + data;
}
std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
template <class... T> std::string bytes_of_numbers(T... x) {
  std::string all;
  (all.append(reinterpret_cast<const char*>(&x), sizeof x), ...);
  return all;
}

/// What safetensors 0.8.0 writes of three arrays and two texts.
const std::string of_reference = with_length(
    R"({"__metadata__":{"z":"1","a":"é\u0001\"\\/)"
    "\x7f"
    R"("},"c":{"dtype":"F64","shape":[],"data_offsets":[0,8]},)"
    R"("b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},"a":{"dtype":"U8","shape":[3],"data_offsets":[16,19]}} )",
    bytes_of_numbers(1.5, 2.0f, -3.0f) + std::string("\1\2\377"));

TEST(safetensors, of_the_reference_are_read_and_written_to_the_bit) {
  const temporary_folder folder;
  const safetensors_file file(folder.write("reference.safetensors", of_reference));
  ASSERT_EQ(file.tensors().size(), 3u);
  EXPECT_EQ(file.tensors()[0].name, "c");
  EXPECT_EQ(name_of(file.at("a").type), "U8");
  EXPECT_EQ(file.at("b").shape, std::vector<std::int64_t>{2});
  EXPECT_EQ(file.read<double>("c")(), 1.5);
  EXPECT_EQ(file.read<float>("b")(1), -3);
  EXPECT_EQ(file.read_as<std::int32_t>("a")(2), 255);
  EXPECT_EQ(file.metadata().at("a"), "é\x01\"\\/\x7f");
  expect_error([&] { file.metadata().at("b"); }, {"the metadata have no \"b\""});

  safetensors_writer copy(folder.file("copy.safetensors"));
  copy.write(file.metadata());
  copy.write("a", file, "a");
  const auto b = file.read<float>("b");
  copy.write("b", b);
  copy.write("c", file.read<double>("c"));
  EXPECT_FALSE(std::filesystem::exists(copy.path())) << "nothing is there before all of it";
  copy.put_in_place();
  EXPECT_EQ(contents(copy.path()), of_reference);
  EXPECT_FALSE(std::filesystem::exists(copy.path() + ".saving"));
}

TEST(safetensors, of_nothing_are_files) {
  const temporary_folder folder;
  EXPECT_TRUE(safetensors_file(folder.write("a.safetensors", with_length(" {\n}\t", ""))).tensors().empty());
  safetensors_writer(folder.file("a.safetensors")).put_in_place();
  EXPECT_EQ(contents(folder.file("a.safetensors")), with_length("{}      ", ""));
  EXPECT_TRUE(safetensors_file(folder.file("a.safetensors")).tensors().empty());
  expect_error([&] { safetensors_file(folder.file("a.safetensors")).at("W"); },
               {"a.safetensors has no tensor \"W\" among its 0"});
}

/// A file of one tensor.
std::string one(const std::string& type, const std::string& shape, const std::string& data) {
  return with_length(R"({"W":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":[0,)" +
                         std::to_string(data.size()) + "]}}",
                     data);
}

TEST(safetensors, of_all_types_are_read_as_what_holds_their_numbers) {
  const temporary_folder folder;
  const auto read_as = [&]<class T>(const std::string& type, const std::string& data, std::vector<T> expected) {
    SCOPED_TRACE(type);
    const safetensors_file file(
        folder.write("a.safetensors", one(type, '[' + std::to_string(expected.size()) + ']', data)));
    const auto t = file.read_as<T>("W");
    EXPECT_EQ(std::vector<T>(t.begin(), t.end()), expected);
  };
  read_as("BOOL", {1, 0}, std::vector<float>{1, 0});
  read_as("U8", {1, '\xff'}, std::vector<std::int32_t>{1, 255});
  read_as("I8", {1, '\xff'}, std::vector<float>{1, -1});
  read_as("I16", bytes_of_numbers(std::int16_t{-300}), std::vector<float>{-300});
  read_as("U16", bytes_of_numbers(std::uint16_t{65535}), std::vector<std::int32_t>{65535});
  read_as("I32", bytes_of_numbers(-7), std::vector<double>{-7});
  read_as("U32", bytes_of_numbers(4294967295u), std::vector<std::int64_t>{4294967295});
  read_as("I64", bytes_of_numbers(std::int64_t{-5}), std::vector<std::int32_t>{-5});
  read_as("U64", bytes_of_numbers(std::uint64_t{1} << 40), std::vector<double>{0x1p40});
  read_as("F16", bytes_of_numbers(std::uint16_t{0x3c00}), std::vector<float>{1});
  read_as("BF16", bytes_of_numbers(std::uint16_t{0x3f80}), std::vector<float>{1});
  read_as("F32", bytes_of_numbers(0.5f), std::vector<double>{0.5});
  read_as("F64", bytes_of_numbers(0.1), std::vector<float>{0.1f});

  const auto refuses = [&]<class T>(T, const std::string& type, const std::string& shape, const std::string& data,
                                    std::string_view part) {
    const safetensors_file file(folder.write("a.safetensors", one(type, shape, data)));
    expect_error([&] { file.read_as<T>("W"); }, {"a.safetensors tensor \"W\" ", part});
  };
  refuses(0, "U64", "[1]", bytes_of_numbers(std::uint64_t{1} << 63),
          "element 0 is 9223372036854775808; expected a value that fits I32");
  refuses(0.0f, "U64", "[1]", bytes_of_numbers((std::uint64_t{1} << 53) + 1), "element 0 is 9007199254740993");
  refuses(std::int64_t{0}, "U64", "[1]", bytes_of_numbers(~std::uint64_t{0}), "that fits I64");
  refuses(0, "F32", "[1]", bytes_of_numbers(0.5f), "element 0 is 0.5; expected a value that fits I32");
  refuses(0.0f, "F64", "[1]", bytes_of_numbers(1e300), "element 0 is 1e+300; expected a value that fits F32");
  refuses(false, "BOOL", "[1]", {2}, "element 0 is 2; expected a value that fits BOOL");
  refuses(0.0f, "BOOL", "[1]", {2}, "expected a value that fits BOOL");
  for (const char* type : {"F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"})
    refuses(0.0f, type, "[1]", {1}, std::string("is ") + type + ", which stg has no numbers for");
  refuses(0.0f, "F4", "[2]", {1}, "is F4, which stg has no numbers for; store it as F16 or F32");
  refuses(0.0f, "F6_E2M3", "[4]", {1, 2, 3}, "is F6_E2M3, which");
  refuses(0.0f, "F6_E3M2", "[4]", {1, 2, 3}, "is F6_E3M2, which");
  refuses(0.0f, "C64", "[1]", bytes_of_numbers(1.0), "is C64, which");
  refuses(0.0f, "F32", "[1,1,1,1,1,1]", bytes_of_numbers(1.0f), "has 6 axes; expected 5 at most");
}

template <class T> void expect_type(const temporary_folder& folder, std::string_view type) {
  const auto t = tensor<T>::from({2, 2}, {T(0), T(1), T(1), T(0)});
  safetensors_writer writer(folder.file("a.safetensors"));
  writer.write("W", t);
  writer.put_in_place();
  const safetensors_file file(writer.path());
  EXPECT_EQ(name_of(file.at("W").type), type);
  const auto read = file.read<T>("W");
  EXPECT_EQ(read.shape(), t.shape());
  EXPECT_EQ(std::memcmp(read.data(), t.data(), static_cast<std::size_t>(t.bytes())), 0);
  if (type != "F32") expect_error([&] { file.read<float>("W"); }, {"is " + std::string(type) + "; expected F32"});
}

TEST(safetensors, of_each_type_of_a_tensor_are_read_as_written) {
  const temporary_folder folder;
  expect_type<float>(folder, "F32");
  expect_type<double>(folder, "F64");
  expect_type<float16>(folder, "F16");
  expect_type<bfloat16>(folder, "BF16");
  expect_type<std::int32_t>(folder, "I32");
  expect_type<std::int64_t>(folder, "I64");
  expect_type<bool>(folder, "BOOL");
}

struct hostile {
  const char* header;
  std::size_t data;  // bytes behind the header
  const char* says;
};
const hostile hostile_files[] = {
    // no JSON, or none of an object
    {"", 0, "offset 8 is \"\"; expected {"},
    {" [", 0, "offset 9 is \"[\"; expected {"},
    {"[]", 0, "offset 8 is \"[\"; expected {"},
    {"\xef\xbb\xbf{}", 0, "expected {"},
    {"{", 0, "is no JSON"},
    {"{}}", 0, "offset 10 is no JSON at \"}\""},
    {"{} x", 0, "offset 11 is no JSON at \"x\""},
    {"{\"W\":}", 0, "is no JSON at \"}\""},
    {"{\"W\":NaN}", 0, "is no JSON"},
    {"{'W':1}", 0, "is no JSON at \"'W':1}\""},
    {"{\"\xff\":1}", 0, "is no JSON"},
    {"{\"\\ud800\":1}", 0, "is no JSON"},
    {"{\"a\nb\":1}", 0, "is no JSON"},
    {"{/* c */}", 0, "is no JSON"},
    // names twice
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"W":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 2,
     "field header has \"W\" twice; expected it once"},
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"\u0057":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
     1, "has \"W\" twice"},
    {R"({"__metadata__":{"a":"1"},"__metadata__":{"a":"1"}})", 0, "has \"__metadata__\" twice"},
    {R"({"__metadata__":{"a":"1","a":"2"}})", 0, "field __metadata__ has \"a\" twice"},
    {R"({"W":{"dtype":"U8","dtype":"I8","shape":[1],"data_offsets":[0,1]}})", 1, "tensor \"W\" has \"dtype\" twice"},
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"data_offsets":[0,1]}})", 1, "\"data_offsets\" twice"},
    // metadata
    {R"({"__metadata__":[]})", 0, "field __metadata__ is an array; expected an object"},
    {R"({"__metadata__":{"a":1}})", 0, "field __metadata__ \"a\" is an integer; expected a text"},
    {R"({"__metadata__":{"a":{"b":"c"}}})", 0, "is an object; expected a text"},
    {R"({"__metadata__":{"a":null}})", 0, "is null; expected a text"},
    // entries
    {R"({"W":1})", 0, "field tensor \"W\" is an integer; expected an object of dtype"},
    {R"({"W":[]})", 0, "is an array; expected an object of dtype"},
    {R"({"W":{}})", 0, "field tensor \"W\" dtype is missing"},
    {R"({"W":{"dtype":"U8","data_offsets":[0,1]}})", 1, "shape is missing"},
    {R"({"W":{"dtype":"U8","shape":[1]}})", 1, "data_offsets is missing"},
    {R"({"W":{"dtype":"U7","shape":[1],"data_offsets":[0,1]}})", 1, "dtype is \"U7\"; expected a type of safetensors"},
    {R"({"W":{"dtype":"f32","shape":[1],"data_offsets":[0,4]}})", 4, "dtype is \"f32\""},
    {R"({"W":{"dtype":8,"shape":[1],"data_offsets":[0,1]}})", 1, "dtype is an integer; expected a text"},
    {R"({"W":{"dtype":"U8","shape":1,"data_offsets":[0,1]}})", 1, "shape is an integer; expected an array"},
    {R"({"W":{"dtype":"U8","shape":{"0":1},"data_offsets":[0,1]}})", 1, "shape is an object; expected an array"},
    {R"({"W":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1, "shape is negative; expected a count"},
    {R"({"W":{"dtype":"U8","shape":[-0],"data_offsets":[0,0]}})", 0, "shape is negative"},
    {R"({"W":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})", 1, "shape is a number; expected a count"},
    {R"({"W":{"dtype":"U8","shape":[1e0],"data_offsets":[0,1]}})", 1, "shape is a number"},
    {R"({"W":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}})", 1, "shape is a text"},
    {R"({"W":{"dtype":"U8","shape":[null],"data_offsets":[0,1]}})", 1, "shape is null"},
    {R"({"W":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,1]}})", 1, "shape is a number"},
    {R"({"W":{"dtype":"U8","shape":[18446744073709551617],"data_offsets":[0,1]}})", 1, "shape is a number"},
    {R"({"W":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0, "no whole number of bytes"},
    {R"({"W":{"dtype":"F64","shape":[1152921504606846976],"data_offsets":[0,0]}})", 0, "no whole number of bytes"},
    {R"({"W":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}})", 2, "F4 of shape [3], which is no whole number"},
    {R"({"W":{"dtype":"F6_E2M3","shape":[2],"data_offsets":[0,2]}})", 2, "no whole number of bytes"},
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", 1, "data_offsets has 1 numbers; expected two"},
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":[0,1,1]}})", 1, "data_offsets has 3 numbers"},
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":"01"}})", 1, "data_offsets is a text; expected an array"},
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":[0,1.5]}})", 1, "data_offsets is a number"},
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":[-1,0]}})", 1, "data_offsets is negative"},
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":[18446744073709551615,0]}})", 1, "data_offsets is a number"},
    // offsets beside shapes, one another and the file
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", 1, "tensor \"W\" ends at 0 before it begins, at 1"},
    {R"({"W":{"dtype":"U8","shape":[2],"data_offsets":[0,1]}})", 1, "has 1 bytes; expected 2 for U8 of shape [2]"},
    {R"({"W":{"dtype":"U8","shape":[],"data_offsets":[0,2]}})", 2, "has 2 bytes; expected 1 for U8 of shape []"},
    {R"({"W":{"dtype":"F32","shape":[0,5],"data_offsets":[0,20]}})", 20, "expected 0 for F32 of shape [0,5]"},
    {R"({"W":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 2, "begins at 1, behind a hole; expected 0"},
    {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})", 3,
     "tensor \"b\" begins at 2, behind a hole; expected 1"},
    {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})", 3,
     "tensor \"b\" begins at 1, within the tensor before; expected 2"},
    {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", 2,
     "tensor \"b\" begins at 0, within the tensor before"},
    {R"({"W":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 3,
     "has 3 bytes behind its header; expected 4, where its tensors end, it is truncated"},
    {R"({"W":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 5,
     "expected 4, where its tensors end, it has trailing bytes"},
    {R"({"W":{"dtype":"U8","shape":[9223372036854775807],"data_offsets":[0,9223372036854775807]}})", 3,
     "no whole number of bytes"},
    {R"({})", 1, "has 1 bytes behind its header; expected 0"},
};

TEST(safetensors, that_break_a_rule_are_refused_with_a_sentence) {
  static_assert(std::size(hostile_files) >= 40);
  const temporary_folder folder;
  for (const hostile& h : hostile_files) {
    SCOPED_TRACE(h.header);
    const std::string path = folder.write("a.safetensors", with_length(h.header, std::string(h.data, '\0')));
    expect_error([&] { safetensors_file file(path); }, {"safetensors ", "a.safetensors ", h.says});
  }
  const auto lying = [&](std::uint64_t length, std::string_view says) {
    std::string all = with_length("{}", "");
    std::memcpy(all.data(), &length, 8);
    const std::string path = folder.write("a.safetensors", all);
    expect_error([&] { safetensors_file file(path); }, {"a.safetensors ", says});
  };
  lying(3, "says that its header has 3 bytes, and has 2 behind this number; it is truncated");
  lying(100'000'000, "says that its header has 100000000 bytes, and has 2");
  lying(100'000'001, "says that its header has 100000001 bytes; expected 100000000 at most");
  lying(std::numeric_limits<std::uint64_t>::max(), "expected 100000000 at most");
  expect_error([&] { safetensors_file file(folder.file("none")); }, {"none is missing; expected a file"});
  expect_error([&] { safetensors_file file(folder.path()); }, {"is a folder; expected a file"});
}

TEST(safetensors, that_are_cut_at_any_byte_are_refused) {
  const temporary_folder folder;
  for (std::size_t n = 0; n < of_reference.size(); ++n) {
    const std::string path = folder.write("a.safetensors", of_reference.substr(0, n));
    expect_error([&] { safetensors_file file(path); }, {"safetensors ", "a.safetensors "});
  }
}

TEST(safetensors, of_names_that_a_file_cannot_have_are_not_written) {
  const temporary_folder folder;
  safetensors_writer file(folder.file("a.safetensors"));
  const tensor<float> t({2});
  file.write("W", t);
  expect_error([&] { file.write("W", t); }, {"tensor \"W\" is written twice"});
  expect_error([&] { file.write("__metadata__", t); }, {"keeps texts under the name __metadata__"});
  expect_error([&] { file.write("a\xff", t); }, {"is given the name \"a\\xff\", which is no UTF-8"});
  expect_error([&] { file.write(metadata{{{"a", "1"}, {"a", "2"}}}); }, {"has the text \"a\" twice"});
  expect_error([&] { file.write(metadata{{{"b", "\xc3"}}}); }, {"which is no UTF-8"});
  std::filesystem::create_directories(folder.file("b.safetensors"));
  expect_error([&] { safetensors_writer(folder.file("b.safetensors")).put_in_place(); },
               {"b.safetensors cannot be put in place: a folder has its name; remove it"});
}

}  // namespace
}  // namespace stg
