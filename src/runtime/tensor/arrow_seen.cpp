// Arrow's structs, understood: formats, children, offsets, nulls.
#include "arrow_seen.hpp"  // seen_columns

#include <charconv>     // from_chars
#include <span>         // span
#include <string_view>  // string_view

#include <stg/base/error.hpp>  // error

namespace stg::detail {

namespace {

struct number_format {
  std::string_view format;
  arrow_kind kind;
  int bits;
  const char* name;
};
constexpr number_format numbers[] = {{"c", arrow_kind::signed_integer, 8, "int8"},
                                     {"C", arrow_kind::unsigned_integer, 8, "uint8"},
                                     {"s", arrow_kind::signed_integer, 16, "int16"},
                                     {"S", arrow_kind::unsigned_integer, 16, "uint16"},
                                     {"i", arrow_kind::signed_integer, 32, "int32"},
                                     {"I", arrow_kind::unsigned_integer, 32, "uint32"},
                                     {"l", arrow_kind::signed_integer, 64, "int64"},
                                     {"L", arrow_kind::unsigned_integer, 64, "uint64"},
                                     {"e", arrow_kind::real, 16, "float16"},
                                     {"f", arrow_kind::real, 32, "float32"},
                                     {"g", arrow_kind::real, 64, "float64"},
                                     {"b", arrow_kind::boolean, 1, "bool"},
                                     {"tdD", arrow_kind::signed_integer, 32, "date32"},
                                     {"tdm", arrow_kind::signed_integer, 64, "date64"},
                                     {"tts", arrow_kind::signed_integer, 32, "time32"},
                                     {"ttm", arrow_kind::signed_integer, 32, "time32"},
                                     {"ttu", arrow_kind::signed_integer, 64, "time64"},
                                     {"ttn", arrow_kind::signed_integer, 64, "time64"}};
struct other_format {
  std::string_view begin;
  const char* name;
};
constexpr other_format others[] = {{"u", "text"},      {"U", "text"},     {"vu", "text"},    {"z", "bytes"},
                                   {"Z", "bytes"},     {"vz", "bytes"},   {"w:", "bytes"},   {"n", "nulls"},
                                   {"d:", "decimals"}, {"+l", "lists"},   {"+L", "lists"},   {"+v", "lists"},
                                   {"+m", "a map"},    {"+u", "a union"}, {"+s", "structs"}, {"+r", "runs"}};

[[noreturn]] void contradiction(const std::string& name, const std::string& what) {
  throw error("arrow: column \"" + name + "\" " + what + "; the structs contradict themselves");
}

/// a · b + c, of what a column says.
std::int64_t place(const std::string& name, std::int64_t a, std::int64_t b, std::int64_t c) {
  std::int64_t all = 0;
  if (__builtin_mul_overflow(a, b, &all) || __builtin_add_overflow(all, c, &all))
    contradiction(name, "has more elements than 2^63");
  return all;
}

void require_sound(const std::string& name, const ArrowSchema& schema, const ArrowArray& array) {
  if (schema.format == nullptr) contradiction(name, "has no format");
  if (array.length < 0 || array.offset < 0 || array.n_buffers < 0 || array.n_children < 0)
    contradiction(name, "has a length or an offset below 0");
  place(name, 1, array.length, array.offset);
  if (schema.n_children != array.n_children)
    contradiction(name, "has " + std::to_string(schema.n_children) + " children in its schema and " +
                            std::to_string(array.n_children) + " in its array");
  for (std::int64_t i = 0; i < array.n_children; ++i)
    if (schema.children == nullptr || array.children == nullptr || schema.children[i] == nullptr ||
        array.children[i] == nullptr)
      contradiction(name, "has no child " + std::to_string(i));
  if (array.n_buffers > 0 && array.buffers == nullptr) contradiction(name, "has no buffers");
}

/// A level's nulls, where there may be any. first: its first element that is asked for, without its own offset.
void add_nulls(arrow_column_seen& to, const ArrowArray& array, std::int64_t first) {
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return;
  to.nulls.push_back({static_cast<const std::uint8_t*>(array.buffers[0]), place(to.name, 1, first, array.offset), 1});
}

void take_format(arrow_column_seen& to, const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) {
    to.type = "a dictionary";
    return;
  }
  for (const number_format& n : numbers)
    if (format == n.format) to.type = n.name, to.kind = n.kind, to.bits = n.bits;
  for (const auto& [begin, name] : {std::pair("ts", "timestamp"), std::pair("tD", "duration")})
    if (format.starts_with(begin) && format.size() > 2)
      to.type = std::string(name) + "[" + format[2] + (format[2] == 's' ? "]" : "s]"),
      to.kind = arrow_kind::signed_integer, to.bits = 64;
  for (const other_format& o : others)
    if (to.type.empty() && format.starts_with(o.begin)) to.type = o.name;
  if (to.type.empty()) to.type = "format \"" + std::string(format.substr(0, 16)) + "\"";
}

/// Goes down lists of one length to the numbers. rows: how many, from `first` on, without the array's own offset.
void see(arrow_column_seen& to, const ArrowSchema& outer, const ArrowArray& outer_array, std::int64_t first,
         std::int64_t rows) {
  const ArrowSchema* schema = &outer;
  const ArrowArray* array = &outer_array;
  std::vector<std::int64_t> axes = {rows};
  std::int64_t count = rows;
  while (true) {
    require_sound(to.name, *schema, *array);
    if (place(to.name, 1, first, count) > array->length)
      contradiction(to.name, "has " + std::to_string(array->length) + " elements where " +
                                 std::to_string(first + count) + " are asked for");
    add_nulls(to, *array, first);
    const std::string_view format = schema->format;
    std::int64_t each = 0;
    const bool is_list =
        format.starts_with("+w:") &&
        std::from_chars(format.data() + 3, format.data() + format.size(), each).ptr == format.data() + format.size();
    if (!is_list || schema->dictionary != nullptr) break;
    if (each < 0 || array->n_children != 1)
      contradiction(to.name, "is a list of " + std::to_string(each) + " without one child");
    first = place(to.name, place(to.name, 1, first, array->offset), each, 0);
    count = place(to.name, count, each, 0);
    for (arrow_nulls& level : to.nulls) level.numbers_of_each = place(to.name, level.numbers_of_each, each, 0);
    axes.push_back(each);
    schema = schema->children[0];
    array = array->children[0];
  }
  take_format(to, *schema);
  for (std::size_t a = 1; a < axes.size(); ++a) to.type += '[' + std::to_string(axes[a]) + ']';
  if (axes.size() > static_cast<std::size_t>(max_rank)) to.kind = arrow_kind::other;
  if (to.kind == arrow_kind::other) return;
  to.shape = dimensions(std::span<const std::int64_t>(axes));
  to.first = place(to.name, 1, first, array->offset);
  if (array->n_buffers != 2)
    contradiction(to.name, "of " + to.type + " has " + std::to_string(array->n_buffers) + " buffers for 2");
  to.data = static_cast<const std::uint8_t*>(array->buffers[1]);
  if (to.data == nullptr && count > 0)
    contradiction(to.name, "has " + std::to_string(count) + " elements and no memory");
}

}  // namespace

std::vector<arrow_column_seen> seen_columns(const ArrowSchema& schema, const ArrowArray& array) {
  const auto name_of = [](const ArrowSchema& s) { return std::string(s.name == nullptr ? "" : s.name); };
  require_sound(name_of(schema), schema, array);
  std::vector<arrow_column_seen> columns;
  if (std::string_view(schema.format) != "+s" || schema.dictionary != nullptr) {
    columns.emplace_back().name = name_of(schema);
    see(columns.back(), schema, array, 0, array.length);
    return columns;
  }
  for (std::int64_t i = 0; i < array.n_children; ++i) {
    arrow_column_seen& now = columns.emplace_back();
    now.name = name_of(*schema.children[i]);
    add_nulls(now, array, 0);
    see(now, *schema.children[i], *array.children[i], array.offset, array.length);
  }
  return columns;
}

}  // namespace stg::detail
