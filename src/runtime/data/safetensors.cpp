// Reading tensors of a file of safetensors.
#include "file.hpp"                     // open_file
#include "safetensors_header.hpp"       // read_header
#include "word.hpp"                     // in_quotes
#include "../tensor/held_values.hpp"    // holds
#include "../tensor/shortest_text.hpp"  // shortest_text

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>     // lower_bound, min, sort
#include <cerrno>        // errno
#include <numeric>       // iota
#include <system_error>  // error_code, generic_category
#include <type_traits>   // conditional_t, is_same_v, make_signed_t

#include <fcntl.h>     // open
#include <sys/stat.h>  // fstat
#include <unistd.h>    // close, pread

namespace stg {

namespace {

constexpr std::int64_t longest_safetensors_header = 100'000'000;  // the reference library's

/// All bytes from an offset on, or the reason why not.
std::string read_from(int file, std::int64_t offset, void* to, std::int64_t bytes) {
  constexpr std::int64_t at_once = std::int64_t{1} << 30;
  for (std::int64_t done = 0; done < bytes;) {
    errno = 0;
    const ssize_t now = pread(file, static_cast<char*>(to) + done,
                              static_cast<std::size_t>(std::min(bytes - done, at_once)), offset + done);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) return "cannot be read: " + std::error_code(errno, std::generic_category()).message();
    if (now == 0) return "ended after " + std::to_string(offset + done) + " bytes; leave it as it is while it is read";
    done += now;
  }
  return {};
}

}  // namespace

const std::string& metadata::at(std::string_view name) const {
  for (const auto& [key, text] : texts)
    if (key == name) return text;
  throw error("the metadata have no " + detail::in_quotes(name) + "; names of the others are in metadata.texts");
}

safetensors_file::safetensors_file(const std::string& path) try : path_(path) {
  detail::open_file("safetensors", path);  // for its errors
  const auto fail = [&](const std::string& what) { throw error("safetensors " + path + " " + what); };
  errno = 0;
  file_.number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file_.number < 0 || fstat(file_.number, &status) != 0)
    fail("cannot be opened: " + std::error_code(errno, std::generic_category()).message() + "; make it readable");
  const auto size = static_cast<std::int64_t>(status.st_size);
  if (size < 8) fail("has " + std::to_string(size) + " bytes; expected 8 for the length of its header");
  std::uint64_t length = 0;
  if (const std::string why = read_from(file_.number, 0, &length, 8); !why.empty()) fail(why);
  if (length > static_cast<std::uint64_t>(longest_safetensors_header))
    fail("says that its header has " + std::to_string(length) + " bytes; expected " +
         std::to_string(longest_safetensors_header) + " at most");
  const auto bytes = static_cast<std::int64_t>(length);
  if (bytes > size - 8)
    fail("says that its header has " + std::to_string(bytes) + " bytes, and has " + std::to_string(size - 8) +
         " behind this number; it is truncated");
  std::string text(length, '\0');
  if (const std::string why = read_from(file_.number, 8, text.data(), bytes); !why.empty()) fail(why);
  data_ = 8 + bytes;
  detail::safetensors_header header = detail::read_header(path, text, size - data_);
  tensors_ = std::move(header.tensors);
  metadata_ = std::move(header.metadata);
  by_name_.resize(tensors_.size());
  std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
  std::sort(by_name_.begin(), by_name_.end(),
            [&](std::size_t a, std::size_t b) { return tensors_[a].name < tensors_[b].name; });
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

safetensors_file::descriptor::~descriptor() {
  if (number >= 0) close(number);
}

bool safetensors_file::has(std::string_view name) const {
  const auto found = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                      [&](std::size_t i, std::string_view n) { return tensors_[i].name < n; });
  return found != by_name_.end() && tensors_[*found].name == name;
}

const safetensors_entry& safetensors_file::at(std::string_view name) const {
  const auto found = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                      [&](std::size_t i, std::string_view n) { return tensors_[i].name < n; });
  if (found != by_name_.end() && tensors_[*found].name == name) return tensors_[*found];
  const std::string near = found != by_name_.end() ? tensors_[*found].name
                           : by_name_.empty()      ? ""
                                                   : tensors_[by_name_.back()].name;
  throw error("safetensors " + path_ + " has no tensor " + detail::in_quotes(name) + " among its " +
              std::to_string(tensors_.size()) +
              (near.empty() ? "; save it first" : "; the next one by name is " + detail::in_quotes(near)));
}

void safetensors_file::fail(const safetensors_entry& tensor, const std::string& what) const {
  throw error("safetensors " + path_ + " tensor " + detail::in_quotes(tensor.name) + " " + what);
}

dimensions safetensors_file::shape_of(const safetensors_entry& tensor) const {
  if (tensor.shape.size() > static_cast<std::size_t>(max_rank))
    fail(tensor,
         "has " + std::to_string(tensor.shape.size()) + " axes; expected " + std::to_string(max_rank) + " at most");
  return dimensions(std::span<const std::int64_t>(tensor.shape));
}

void safetensors_file::copy_bytes(const safetensors_entry& tensor, std::int64_t at, void* to,
                                  std::int64_t bytes) const {
  if (const std::string why = read_from(file_.number, data_ + tensor.begin + at, to, bytes); !why.empty())
    fail(tensor, why);
}

std::vector<std::byte> safetensors_file::bytes(std::string_view name) const try {
  const safetensors_entry& tensor = at(name);
  std::vector<std::byte> all(static_cast<std::size_t>(tensor.end - tensor.begin));
  copy_bytes(tensor, 0, all.data(), tensor.end - tensor.begin);
  return all;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

/// Block by block, each value held against T. From: bool for bytes that are 0 or 1.
template <class T, class From>
void safetensors_file::convert(const safetensors_entry& tensor, stg::tensor<T>& to) const {
  using stored = std::conditional_t<std::is_same_v<From, bool>, std::uint8_t, From>;
  using narrowest = std::conditional_t<std::is_same_v<From, bool>, bool, T>;
  constexpr std::int64_t at_once = 1 << 13;
  stored values[at_once];
  for (std::int64_t i = 0; i < to.size(); i += at_once) {
    const std::int64_t count = std::min(at_once, to.size() - i);
    copy_bytes(tensor, i * std::int64_t{sizeof(stored)}, values, count * std::int64_t{sizeof(stored)});
    for (std::int64_t j = 0; j < count; ++j) {
      const auto held = [&] {
        if constexpr (std::is_same_v<stored, float16> || std::is_same_v<stored, bfloat16>)
          return static_cast<float>(values[j]);
        else return values[j];
      }();
      bool fits = detail::holds<narrowest>(held);
      if constexpr (std::is_same_v<stored, std::uint64_t>) fits = fits && held <= 0x7fff'ffff'ffff'ffffu;
      if (!fits)
        fail(tensor, "element " + std::to_string(i + j) + " is " + detail::shortest_text(held) +
                         "; expected a value that fits " +
                         std::string(name_of(detail::safetensors_type_of<narrowest>)));
      to.data()[i + j] = static_cast<T>(held);  // NOLINT(bugprone-signed-char-misuse): I8 holds numbers
    }
  }
}

template <class T> tensor<T> safetensors_file::read(std::string_view name) const try {
  const safetensors_entry& tensor = at(name);
  if (tensor.type != detail::safetensors_type_of<T>)
    fail(tensor, "is " + std::string(name_of(tensor.type)) + "; expected " +
                     std::string(name_of(detail::safetensors_type_of<T>)));
  auto t = stg::tensor<T>::for_overwrite(shape_of(tensor));
  if constexpr (std::is_same_v<T, bool>) convert<bool, bool>(tensor, t);
  else copy_bytes(tensor, 0, t.data(), t.bytes());
  return t;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T> tensor<T> safetensors_file::read_as(std::string_view name) const try {
  const safetensors_entry& tensor = at(name);
  auto t = stg::tensor<T>::for_overwrite(shape_of(tensor));
  switch (tensor.type) {
    case safetensors_type::boolean:
      convert<T, bool>(tensor, t);
      break;
    case safetensors_type::u8:
      convert<T, std::uint8_t>(tensor, t);
      break;
    case safetensors_type::i8:
      convert<T, std::int8_t>(tensor, t);
      break;
    case safetensors_type::i16:
      convert<T, std::int16_t>(tensor, t);
      break;
    case safetensors_type::u16:
      convert<T, std::uint16_t>(tensor, t);
      break;
    case safetensors_type::f16:
      convert<T, float16>(tensor, t);
      break;
    case safetensors_type::bf16:
      convert<T, bfloat16>(tensor, t);
      break;
    case safetensors_type::i32:
      convert<T, std::int32_t>(tensor, t);
      break;
    case safetensors_type::u32:
      convert<T, std::uint32_t>(tensor, t);
      break;
    case safetensors_type::f32:
      convert<T, float>(tensor, t);
      break;
    case safetensors_type::f64:
      convert<T, double>(tensor, t);
      break;
    case safetensors_type::i64:
      convert<T, std::int64_t>(tensor, t);
      break;
    case safetensors_type::u64:
      convert<T, std::uint64_t>(tensor, t);
      break;
    default:
      fail(tensor,
           "is " + std::string(name_of(tensor.type)) + ", which stg has no numbers for; store it as F16 or F32");
  }
  return t;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template tensor<float> safetensors_file::read<float>(std::string_view) const;
template tensor<double> safetensors_file::read<double>(std::string_view) const;
template tensor<float16> safetensors_file::read<float16>(std::string_view) const;
template tensor<bfloat16> safetensors_file::read<bfloat16>(std::string_view) const;
template tensor<std::int32_t> safetensors_file::read<std::int32_t>(std::string_view) const;
template tensor<std::int64_t> safetensors_file::read<std::int64_t>(std::string_view) const;
template tensor<bool> safetensors_file::read<bool>(std::string_view) const;
template tensor<float> safetensors_file::read_as<float>(std::string_view) const;
template tensor<double> safetensors_file::read_as<double>(std::string_view) const;
template tensor<std::int32_t> safetensors_file::read_as<std::int32_t>(std::string_view) const;
template tensor<std::int64_t> safetensors_file::read_as<std::int64_t>(std::string_view) const;
template tensor<bool> safetensors_file::read_as<bool>(std::string_view) const;

}  // namespace stg
