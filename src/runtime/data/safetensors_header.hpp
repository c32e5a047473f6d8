// The header of a file of safetensors: from text, held to the file's size, and to text.
#pragma once

#include <stg/data/safetensors.hpp>  // metadata, safetensors_entry

#include <cstdint>      // int64_t
#include <optional>     // optional
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_same_v
#include <vector>       // vector

namespace stg::detail {

struct safetensors_header {
  std::vector<safetensors_entry> tensors{};  // in the order of their bytes
  stg::metadata metadata{};
};

/// The type of numbers that tensors of stg have.
template <class T>
inline constexpr safetensors_type safetensors_type_of = std::is_same_v<T, float>          ? safetensors_type::f32
                                                        : std::is_same_v<T, double>       ? safetensors_type::f64
                                                        : std::is_same_v<T, float16>      ? safetensors_type::f16
                                                        : std::is_same_v<T, bfloat16>     ? safetensors_type::bf16
                                                        : std::is_same_v<T, std::int32_t> ? safetensors_type::i32
                                                        : std::is_same_v<T, std::int64_t> ? safetensors_type::i64
                                                                                          : safetensors_type::boolean;

/// Bits of one number.
int bits_of(safetensors_type type);
/// Bytes of a tensor; none where they are beyond 64 bits or no whole number.
std::optional<std::int64_t> bytes_of(safetensors_type type, const std::vector<std::int64_t>& shape);
std::optional<safetensors_type> type_named(std::string_view name);
/// "[2, 3]": a shape of any number of axes.
std::string shape_text(const std::vector<std::int64_t>& shape);

/// The header in a file's text behind its length, for data of so many bytes behind it. Errors name the file of `path`.
safetensors_header read_header(const std::string& path, const std::string& text, std::int64_t data_bytes);
/// The length and the header, padded to a multiple of 8 bytes. Tensors in the order of their bytes.
std::string header_text(const std::vector<const safetensors_entry*>& tensors, const stg::metadata& texts);

}  // namespace stg::detail
