// Tables of Arrow's C data interface: columns as tensors.
#include <stg/arrow.hpp>

#include <bit>          // bit_cast
#include <cstring>      // memcpy
#include <optional>     // optional
#include <type_traits>  // is_same_v

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include "arrow_seen.hpp"     // arrow_column_seen
#include "held_values.hpp"    // holds
#include "shortest_text.hpp"  // shortest_text

namespace stg {

namespace {

using detail::arrow_column_seen;
using detail::arrow_kind;

template <class T> const char* name_of_type() {
  if constexpr (std::is_same_v<T, float>) return "float32";
  else if constexpr (std::is_same_v<T, double>) return "float64";
  else if constexpr (std::is_same_v<T, float16>) return "float16";
  else if constexpr (std::is_same_v<T, bool>) return "bool";
  else return sizeof(T) == 4 ? "int32" : "int64";
}

[[noreturn]] void fail(const arrow_column_seen& c, const std::string& what) {
  throw error("arrow: column \"" + c.name + "\" " + what);
}

void require_numbers(const arrow_column_seen& c) {
  if (c.kind == arrow_kind::other)
    fail(c, "is of " + c.type +
                "; expected numbers, or lists of one length of them; in pyarrow: column.cast(...), or "
                "dictionary_decode()");
}

/// Where an element lies, for messages: its row, and its place in a list.
std::string place_of(const arrow_column_seen& c, std::int64_t element) {
  const std::int64_t each = c.shape[0] == 0 ? 1 : c.shape.size() / c.shape[0];
  return "row " + std::to_string(element / each) +
         (each == 1 ? "" : ", element " + std::to_string(element % each) + ",");
}

template <class V> V value_at(const arrow_column_seen& c, std::int64_t element) {
  V value{};
  std::memcpy(&value, c.data + (c.first + element) * static_cast<std::int64_t>(sizeof(V)), sizeof(V));
  return value;
}

/// Calls action with an element as the widest number of its kind.
template <class Action> void with_value(const arrow_column_seen& c, std::int64_t element, const Action& action) {
  if (c.kind == arrow_kind::boolean) {
    const std::int64_t at = c.first + element;
    return action(static_cast<std::int64_t>(c.data[at / 8] >> (at % 8) & 1));
  }
  if (c.kind == arrow_kind::real) {
    if (c.bits == 16) return action(static_cast<double>(static_cast<float>(value_at<float16>(c, element))));
    return action(c.bits == 32 ? static_cast<double>(value_at<float>(c, element)) : value_at<double>(c, element));
  }
  if (c.kind == arrow_kind::unsigned_integer) {
    if (c.bits == 64) return action(value_at<std::uint64_t>(c, element));
    return action(c.bits == 8    ? std::int64_t{value_at<std::uint8_t>(c, element)}
                  : c.bits == 16 ? std::int64_t{value_at<std::uint16_t>(c, element)}
                                 : std::int64_t{value_at<std::uint32_t>(c, element)});
  }
  action(c.bits == 8    ? std::int64_t{value_at<std::int8_t>(c, element)}
         : c.bits == 16 ? std::int64_t{value_at<std::int16_t>(c, element)}
         : c.bits == 32 ? std::int64_t{value_at<std::int32_t>(c, element)}
                        : value_at<std::int64_t>(c, element));
}

/// Writes a column's elements as T, `step` apart.
template <class T> void convert(const arrow_column_seen& c, std::optional<double> missing, T* to, std::int64_t step) {
  require_numbers(c);
  if (missing && !detail::holds<T>(*missing))
    fail(c, "is to have " + detail::shortest_text(*missing) + " for nulls, which no " + name_of_type<T>() + " is");
  for (std::int64_t i = 0; i < c.shape.size(); ++i) {
    if (c.is_null(i)) {
      if (!missing) fail(c, place_of(c, i) + " is null; give what stands for it: column_as<T>(name, 0)");
      to[i * step] = static_cast<T>(*missing);
      continue;
    }
    with_value(c, i, [&](auto value) {
      if (!detail::holds<T>(value))
        fail(c, place_of(c, i) + " is " + detail::shortest_text(value) + "; expected a value that fits " +
                    name_of_type<T>());
      to[i * step] = static_cast<T>(value);
    });
  }
}

/// A share of a table's memory.
class held_table final : public detail::shared_keeper {
 public:
  explicit held_table(std::shared_ptr<detail::arrow_memory> of) : of_(std::move(of)) {}

 private:
  ~held_table() override = default;
  std::shared_ptr<detail::arrow_memory> of_;
};

}  // namespace

arrow_table::arrow_table(ArrowSchema* schema, ArrowArray* array) {
  const auto release = [](auto* s) {
    if (s != nullptr && s->release != nullptr) s->release(s);
  };
  const std::unique_ptr<ArrowSchema, decltype(release)> schema_to_end(schema, release);
  std::unique_ptr<ArrowArray, decltype(release)> array_to_end(array, release);
  if (schema == nullptr || array == nullptr || schema->release == nullptr || array->release == nullptr)
    throw error("arrow: there is no schema or no array: null, or released already; each goes into one table");
  memory_ = std::make_shared<detail::arrow_memory>(ArrowArray{});
  memory_->array = *array;
  array->release = nullptr;  // moved
  columns_ = detail::seen_columns(*schema, memory_->array);
  rows_ = memory_->array.length;
}
arrow_table::arrow_table(arrow_table&&) noexcept = default;
arrow_table& arrow_table::operator=(arrow_table&&) noexcept = default;
arrow_table::~arrow_table() = default;

std::vector<std::string> arrow_table::names() const {
  std::vector<std::string> all;
  for (const arrow_column_seen& c : columns_) all.push_back(c.name);
  return all;
}
bool arrow_table::has(std::string_view name) const {
  for (const arrow_column_seen& c : columns_)
    if (c.name == name) return true;
  return false;
}
const arrow_column_seen& arrow_table::find(std::string_view name) const {
  const arrow_column_seen* found = nullptr;
  std::string all;
  for (const arrow_column_seen& c : columns_) {
    if (c.name == name && found != nullptr) fail(c, "is there twice; rename one");
    if (c.name == name) found = &c;
    all += (all.empty() ? "" : ", ") + c.name;
  }
  if (found == nullptr)
    throw error("arrow: there is no column \"" + std::string(name) + "\"; there are " + (all.empty() ? "none" : all));
  return *found;
}
std::string arrow_table::type(std::string_view name) const { return find(name).type; }

template <class T> const_tensor<T> arrow_table::column(std::string_view name) const {
  const arrow_column_seen& c = find(name);
  require_numbers(c);
  constexpr bool is_real = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, float16>;
  if (c.kind != (is_real ? arrow_kind::real : arrow_kind::signed_integer) || c.bits != 8 * static_cast<int>(sizeof(T)))
    fail(c, "is of " + c.type + ", no view of which has " + name_of_type<T>() + "; copy it: column_as<T>(name)");
  for (std::int64_t i = 0; !c.nulls.empty() && i < c.shape.size(); ++i)
    if (c.is_null(i)) fail(c, place_of(c, i) + " is null; copy it with what stands for nulls: column_as<T>(name, 0)");
  const std::uint8_t* const data =
      c.data == nullptr ? nullptr : c.data + c.first * static_cast<std::int64_t>(sizeof(T));
  if (std::bit_cast<std::uintptr_t>(data) % alignof(T) != 0)
    fail(c, "lies at an address that no " + std::string(name_of_type<T>()) + " lies at; copy it: column_as<T>(name)");
  try {
    auto* const keeper = new held_table(memory_);
    detail::memory share(reinterpret_cast<std::byte*>(keeper), detail::free_memory{keeper});
    return const_tensor<T>::view_of(reinterpret_cast<const T*>(data), c.shape, host, std::move(share));
  } catch (const std::bad_alloc&) {
    detail::no_memory();
  }
}

template <class T> tensor<T> arrow_table::column_as(std::string_view name, std::optional<double> missing) const {
  const arrow_column_seen& c = find(name);
  require_numbers(c);
  auto t = tensor<T>::for_overwrite(c.shape);
  convert(c, missing, t.data(), 1);
  return t;
}

template <class T>
tensor<T> arrow_table::columns_as(std::initializer_list<std::string_view> names, std::optional<double> missing) const {
  const auto count = static_cast<std::int64_t>(names.size());
  auto t = tensor<T>::for_overwrite({rows_, count});
  std::int64_t at = 0;
  for (const std::string_view name : names) {
    const arrow_column_seen& c = find(name);
    require_numbers(c);
    if (c.shape.rank() != 1) fail(c, "is of " + c.type + "; columns side by side are of one number for each row");
    convert(c, missing, t.data() + at++, count);
  }
  return t;
}

#define STG_ARROW_TYPE(T)                                                                   \
  template tensor<T> arrow_table::column_as(std::string_view, std::optional<double>) const; \
  template tensor<T> arrow_table::columns_as(std::initializer_list<std::string_view>, std::optional<double>) const;
STG_ARROW_TYPE(float)
STG_ARROW_TYPE(double)
STG_ARROW_TYPE(float16)
STG_ARROW_TYPE(std::int32_t)
STG_ARROW_TYPE(std::int64_t)
STG_ARROW_TYPE(bool)
#undef STG_ARROW_TYPE
template const_tensor<float> arrow_table::column(std::string_view) const;
template const_tensor<double> arrow_table::column(std::string_view) const;
template const_tensor<float16> arrow_table::column(std::string_view) const;
template const_tensor<std::int32_t> arrow_table::column(std::string_view) const;
template const_tensor<std::int64_t> arrow_table::column(std::string_view) const;

}  // namespace stg
