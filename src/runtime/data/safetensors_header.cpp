// Reading and holding to its rules what a file of safetensors says of itself.
#include "json.hpp"                // json_file, json_object
#include "safetensors_header.hpp"  // read_header
#include "word.hpp"                // in_quotes

#include <algorithm>  // min, sort
#include <tuple>      // tie

namespace stg::detail {

namespace {

constexpr const char* expected_entry = "an object of dtype, shape and data_offsets";

/// A number of a header: digits alone.
std::int64_t count_in_header(const json_value& value, const std::string& text, const std::string& field) {
  if (!value.is_integer() || text[value.offset() - 8] == '-')
    value.fail(field, "is " + std::string(value.is_integer() ? "negative" : value.kind_name()) +
                          "; expected a count from 0 to 2^63 - 1");
  return value.integer(field);
}

stg::metadata metadata_of(const json_value& value) {
  stg::metadata all;
  const std::string field = "__metadata__";
  const json_object members(value, field);  // for its error of a name twice
  json_value member = value.first();
  for (std::int64_t i = 0; i < value.size(); ++i, member = member.behind())
    all.texts.emplace_back(member.key(), member.text(field + " " + in_quotes(member.key())));
  return all;
}

safetensors_entry entry_of(const json_value& value, const std::string& text) {
  safetensors_entry entry;
  entry.name = value.key();
  const std::string field = "tensor " + in_quotes(entry.name);
  if (!value.is_object()) value.fail(field, "is " + std::string(value.kind_name()) + "; expected " + expected_entry);
  const json_object members(value, field);
  const json_value dtype = members.at("dtype"), shape = members.at("shape"), offsets = members.at("data_offsets");
  const std::string word = dtype.text(field + " dtype");
  const auto type = type_named(word);
  if (!type) dtype.fail(field + " dtype", "is " + in_quotes(word) + "; expected a type of safetensors, such as F32");
  entry.type = *type;
  json_value extent = shape.array(field + " shape").first();
  for (std::int64_t i = 0; i < shape.size(); ++i, extent = extent.behind())
    entry.shape.push_back(count_in_header(extent, text, field + " shape"));
  if (offsets.array(field + " data_offsets").size() != 2)
    offsets.fail(field + " data_offsets", "has " + std::to_string(offsets.size()) + " numbers; expected two");
  entry.begin = count_in_header(offsets.first(), text, field + " data_offsets");
  entry.end = count_in_header(offsets.first().behind(), text, field + " data_offsets");
  return entry;
}

/// Offsets follow one another from 0 to the end of the data, each as many bytes as type and shape say.
void check_cover(const std::string& path, const std::vector<safetensors_entry>& tensors, std::int64_t data_bytes) {
  std::int64_t end = 0;
  for (const safetensors_entry& t : tensors) {
    const auto fail = [&](const std::string& what) {
      throw error("safetensors " + path + " tensor " + in_quotes(t.name) + " " + what);
    };
    if (t.end < t.begin)
      fail("ends at " + std::to_string(t.end) + " before it begins, at " + std::to_string(t.begin) +
           "; expected an end behind the beginning");
    if (t.begin < end)
      fail("begins at " + std::to_string(t.begin) + ", within the tensor before; expected " + std::to_string(end));
    if (t.begin > end)
      fail("begins at " + std::to_string(t.begin) + ", behind a hole; expected " + std::to_string(end));
    const auto bytes = bytes_of(t.type, t.shape);
    const std::string of = std::string(name_of(t.type)) + " of shape " + shape_text(t.shape);
    if (!bytes) fail("is " + of + ", which is no whole number of bytes that a file can have; expected a smaller shape");
    if (t.end - t.begin != *bytes)
      fail("has " + std::to_string(t.end - t.begin) + " bytes; expected " + std::to_string(*bytes) + " for " + of);
    end = t.end;
  }
  if (end != data_bytes)
    throw error("safetensors " + path + " has " + std::to_string(data_bytes) + " bytes behind its header; expected " +
                std::to_string(end) + ", where its tensors end" +
                (data_bytes < end ? ", it is truncated" : ", it has trailing bytes"));
}

}  // namespace

safetensors_header read_header(const std::string& path, const std::string& text, std::int64_t data_bytes) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\n\r"), text.size());
  if (first == text.size() || text[first] != '{')
    throw error("safetensors " + path + " offset " + std::to_string(8 + first) + " is " +
                in_quotes(text.substr(first, 1)) + "; expected {, where the header begins");
  const json_file json("safetensors", path, text, 8);
  const json_value root = json.root();
  const json_object members(root, "header");  // for its error of a name twice
  safetensors_header header;
  json_value member = root.first();
  for (std::int64_t i = 0; i < root.size(); ++i, member = member.behind())
    if (member.key() == "__metadata__") header.metadata = metadata_of(member);
    else header.tensors.push_back(entry_of(member, text));
  std::sort(header.tensors.begin(), header.tensors.end(), [](const safetensors_entry& a, const safetensors_entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  check_cover(path, header.tensors, data_bytes);
  return header;
}

}  // namespace stg::detail
