// JSON as a flat list of values, each with its place in the file: what readers of JSON walk.
#pragma once

#include <stg/base/error.hpp>  // error

#include <cstddef>        // size_t
#include <cstdint>        // int64_t, uint32_t
#include <optional>       // optional
#include <string>         // string
#include <string_view>    // string_view
#include <unordered_map>  // unordered_map
#include <vector>         // vector

namespace stg::detail {

class json_value;

/// A file of JSON. Values lie in the file's order, those of an array or an object behind it: 40 bytes for each.
class json_file {
 public:
  /// Errors: those of `read_file`, text in UTF-16, compressed data, and, with the offset, what is no JSON.
  explicit json_file(const std::string& path);
  /// A text that was read already, whose place in a file `name` says: "events.ndjson line 3".
  json_file(const std::string& name, std::string_view text);
  /// A text that lies in a file of another kind from an offset on. `kind` begins the sentences: "safetensors". Error,
  /// with the offset in the file, for what is no JSON.
  json_file(std::string kind, const std::string& path, std::string_view text, std::size_t offset);

  json_value root() const;
  /// Throws what is wrong at an offset: `field` says where in the data, such as "X step 3".
  [[noreturn]] void fail(std::size_t offset, const std::string& field, const std::string& what) const;
  const std::string& path() const { return path_; }

 private:
  friend class json_value;
  friend class json_builder;
  enum class kind : unsigned char { null, boolean, integer, number, text, array, object };
  struct node {
    kind is{};
    std::uint32_t key_size = 0;       // of the name in the object that the value is in
    std::size_t offset = 0, key = 0;  // in the file; in names_
    std::size_t next = 0;             // the value behind this one and all in it
    union {
      std::int64_t integer = 0;  // of an array or an object: how many are in it; of a text: its size
      double number;
    };
  };
  std::string kind_ = "json", path_, names_;
  std::vector<node> nodes_;
};

/// A value of a file that outlives it.
class json_value {
 public:
  json_value(const json_file& file, std::size_t at) : file_(&file), at_(at) {}

  const json_file& file() const { return *file_; }
  std::size_t offset() const { return node().offset; }
  bool is_array() const { return node().is == json_file::kind::array; }
  bool is_integer() const { return node().is == json_file::kind::integer; }
  bool is_number() const { return node().is == json_file::kind::integer || node().is == json_file::kind::number; }
  bool is_object() const { return node().is == json_file::kind::object; }
  /// "an array", "a number": for messages.
  std::string_view kind_name() const;
  /// The name of this value in its object.
  std::string_view key() const { return std::string_view(file_->names_).substr(node().key, node().key_size); }
  /// What is in an array or an object, counted and in order: the first, and from each the one behind it.
  std::int64_t size() const { return is_array() || is_object() ? node().integer : 0; }
  json_value first() const { return {*file_, at_ + 1}; }
  json_value behind() const { return {*file_, node().next}; }

  /// The value as one of a kind. `field` for errors.
  double number(const std::string& field) const;
  std::int64_t integer(const std::string& field) const;
  bool boolean(const std::string& field) const;
  json_value array(const std::string& field) const;
  json_value object(const std::string& field) const;
  std::string text(const std::string& field) const;
  /// What tells a number or a text from others: node-link data has either for ids.
  std::string id(const std::string& field) const;

  [[noreturn]] void fail(const std::string& field, const std::string& what) const {
    file_->fail(offset(), field, what);
  }

 private:
  const json_file::node& node() const { return file_->nodes_[at_]; }
  [[noreturn]] void wrong_kind(const std::string& field, const char* expected) const;

  const json_file* file_;
  std::size_t at_;
};

/// The members of an object by name. Error for a name that is there twice.
class json_object {
 public:
  json_object(const json_value& of, const std::string& field);
  std::optional<json_value> find(const std::string& name) const;
  /// Error when there is none: it has the name of the object's field before its own.
  json_value at(const std::string& name) const;

 private:
  json_value of_;
  std::string field_;
  std::unordered_map<std::string_view, json_value> members_;
};

}  // namespace stg::detail
