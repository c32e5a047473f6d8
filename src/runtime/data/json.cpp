// Parsing JSON into a flat list of values; the only file that knows whose parser it is.
#include "json.hpp"  // json_file
#include "file.hpp"  // read_file
#include "word.hpp"  // in_quotes

#include <nlohmann/json.hpp>  // sax_parse

#include <iterator>  // input_iterator_tag
#include <limits>    // numeric_limits
#include <utility>   // move

namespace stg::detail {

namespace {

/// Characters of a text that count how many of them were taken.
class counted_characters {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  counted_characters(const char* at, std::size_t* taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  counted_characters& operator++() {
    ++at_, ++*taken_;
    return *this;
  }
  bool operator==(const counted_characters& other) const { return at_ == other.at_; }
  bool operator!=(const counted_characters& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* taken_;
};

}  // namespace

/// What the parser calls, value by value.
class json_builder {
 public:
  json_builder(json_file& file, std::string_view text, std::size_t begin) : file_(file), text_(text), begin_(begin) {}

  void parse() {
    const counted_characters first(text_.data(), &taken_), last(text_.data() + text_.size(), &taken_);
    nlohmann::json::sax_parse(first, last, this);
  }

  bool null() { return add(node(kind::null, before(4))); }
  bool boolean(bool value) { return add(node(kind::boolean, before(value ? 4 : 5), value ? 1 : 0)); }
  bool number_integer(std::int64_t value) { return add(node(kind::integer, number_begin(), value)); }
  bool number_unsigned(std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return number_integer(static_cast<std::int64_t>(value));
    return number_float(static_cast<double>(value), {});
  }
  bool number_float(double value, const std::string&) {
    json_file::node n = node(kind::number, number_begin());
    n.number = value;
    return add(n);
  }
  bool string(const std::string& value) {
    add(node(kind::text, before(1), static_cast<std::int64_t>(value.size())));
    file_.names_ += value;  // behind the name of the value, if it has one
    return true;
  }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(kind::object); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(kind::array); }
  bool end_array() { return close(); }
  bool key(const std::string& name) {
    key_ = file_.names_.size();
    key_size_ = static_cast<std::uint32_t>(name.size());
    file_.names_ += name;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) {
    const std::size_t at = taken_ == 0 ? 0 : taken_ - 1;
    file_.fail(begin_ + at, "",
               "is no JSON at " + in_quotes(text_.substr(at)) + "; expected a value, without NaN and comments");
  }

 private:
  using kind = json_file::kind;

  static json_file::node node(kind is, std::size_t offset, std::int64_t integer = 0) {
    json_file::node n;
    n.is = is;
    n.offset = offset;
    n.integer = integer;
    return n;
  }
  std::size_t before(std::size_t bytes) const { return begin_ + (taken_ < bytes ? 0 : taken_ - bytes); }
  /// Where the number begins that the parser has passed by, with one character behind it unless the text ends.
  std::size_t number_begin() const {
    constexpr std::string_view in_numbers = "+-.0123456789Ee";
    const auto is_in = [&](std::size_t at) { return in_numbers.find(text_[at]) != std::string_view::npos; };
    std::size_t at = taken_;
    if (at > 0 && !is_in(at - 1)) --at;
    while (at > 0 && is_in(at - 1)) --at;
    return begin_ + at;
  }
  bool add(json_file::node n) {
    if (!open_.empty()) ++file_.nodes_[open_.back()].integer;
    n.key = key_size_ == 0 ? file_.names_.size() : key_;
    n.key_size = key_size_;
    n.next = file_.nodes_.size() + 1;
    key_size_ = 0;
    file_.nodes_.push_back(n);
    return true;
  }
  bool open(kind is) {
    add(node(is, before(1)));
    open_.push_back(file_.nodes_.size() - 1);
    return true;
  }
  bool close() {
    file_.nodes_[open_.back()].next = file_.nodes_.size();
    open_.pop_back();
    return true;
  }

  json_file& file_;
  std::string_view text_;
  std::size_t begin_, taken_ = 0, key_ = 0;
  std::uint32_t key_size_ = 0;
  std::vector<std::size_t> open_;
};

json_file::json_file(const std::string& path) : json_file(path, read_file("json", path)) {}

json_file::json_file(const std::string& path, std::string_view whole) : path_(path) {
  std::string_view text = whole;
  skip_byte_order_mark("json", path, text);
  if (text.size() > std::numeric_limits<std::uint32_t>::max())
    throw error("json " + path + " has more than 4 GiB; keep such data in .npy files");
  json_builder(*this, text, whole.size() - text.size()).parse();
}

json_file::json_file(std::string kind, const std::string& path, std::string_view text, std::size_t offset)
    : kind_(std::move(kind)), path_(path) {
  json_builder(*this, text, offset).parse();
}

json_value json_file::root() const { return {*this, 0}; }

void json_file::fail(std::size_t offset, const std::string& field, const std::string& what) const {
  throw error(kind_ + " " + path_ + " offset " + std::to_string(offset) + (field.empty() ? "" : " field " + field) +
              " " + what);
}

std::string_view json_value::kind_name() const {
  constexpr std::string_view names[] = {"null",   "a boolean", "an integer", "a number",
                                        "a text", "an array",  "an object"};
  return names[static_cast<std::size_t>(node().is)];
}

void json_value::wrong_kind(const std::string& field, const char* expected) const {
  fail(field, "is " + std::string(kind_name()) + "; expected " + expected);
}

double json_value::number(const std::string& field) const {
  if (node().is == json_file::kind::integer) return static_cast<double>(node().integer);
  if (node().is != json_file::kind::number) wrong_kind(field, "a number");
  return node().number;
}

std::int64_t json_value::integer(const std::string& field) const {
  if (node().is == json_file::kind::integer) return node().integer;
  // Some writers have 3.0 for 3.
  constexpr double exact = 9007199254740992.0;  // 2^53: integers below are doubles
  if (node().is == json_file::kind::number && node().number > -exact && node().number < exact &&
      node().number == static_cast<double>(static_cast<std::int64_t>(node().number)))
    return static_cast<std::int64_t>(node().number);
  wrong_kind(field, "an integer of 64 bits");
}

bool json_value::boolean(const std::string& field) const {
  if (node().is != json_file::kind::boolean) wrong_kind(field, "true or false");
  return node().integer != 0;
}

json_value json_value::array(const std::string& field) const {
  if (!is_array()) wrong_kind(field, "an array");
  return *this;
}

json_value json_value::object(const std::string& field) const {
  if (!is_object()) wrong_kind(field, "an object");
  return *this;
}

std::string json_value::text(const std::string& field) const {
  if (node().is != json_file::kind::text) wrong_kind(field, "a text");
  return file_->names_.substr(node().key + node().key_size, static_cast<std::size_t>(node().integer));
}

std::string json_value::id(const std::string& field) const {
  if (node().is == json_file::kind::text) return "\"" + text(field);
  if (node().is != json_file::kind::integer) wrong_kind(field, "an integer or a text");
  return std::to_string(node().integer);
}

json_object::json_object(const json_value& of, const std::string& field) : of_(of.object(field)), field_(field) {
  json_value member = of.first();
  for (std::int64_t i = 0; i < of.size(); ++i, member = member.behind())
    if (!members_.emplace(member.key(), member).second)
      member.fail(field, "has " + in_quotes(member.key()) + " twice; expected it once");
}

std::optional<json_value> json_object::find(const std::string& name) const {
  const auto found = members_.find(name);
  return found == members_.end() ? std::nullopt : std::optional(found->second);
}

json_value json_object::at(const std::string& name) const {
  if (const auto found = find(name)) return *found;
  of_.fail(field_.empty() ? name : field_ + " " + name, "is missing; expected it in this object");
}

}  // namespace stg::detail
