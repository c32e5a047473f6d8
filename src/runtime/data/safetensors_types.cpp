// Types of numbers in files of safetensors, and headers as text.
#include "safetensors_header.hpp"  // bytes_of, header_text

#include <array>    // array
#include <cstring>  // memcpy
#include <limits>   // numeric_limits

namespace stg {

namespace {

struct type_row {
  std::string_view name;
  int bits;
};
constexpr std::array<type_row, 22> types{
    {{"BOOL", 8},    {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6},     {"U8", 8},          {"I8", 8},
     {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
     {"U16", 16},    {"F16", 16},    {"BF16", 16},   {"I32", 32},        {"U32", 32},        {"F32", 32},
     {"C64", 64},    {"F64", 64},    {"I64", 64},    {"U64", 64}}};

/// A text as JSON, escaped as the reference library does.
std::string as_json_text(std::string_view text) {
  constexpr std::string_view from = "\"\\\b\f\n\r\t", to = "\"\\bfnrt", digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (const auto at = from.find(c); at != std::string_view::npos) out.append({'\\', to[at]});
    else if (byte < 0x20) out.append("\\u00").append({digits[byte >> 4], digits[byte & 15]});
    else out += c;
  }
  return out += '"';
}

}  // namespace

std::string_view name_of(safetensors_type type) { return types[static_cast<std::size_t>(type)].name; }

namespace detail {

int bits_of(safetensors_type type) { return types[static_cast<std::size_t>(type)].bits; }

std::optional<safetensors_type> type_named(std::string_view name) {
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i].name == name) return static_cast<safetensors_type>(i);
  return std::nullopt;
}

std::optional<std::int64_t> bytes_of(safetensors_type type, const std::vector<std::int64_t>& shape) {
  std::int64_t bits = 1;
  for (const std::int64_t extent : shape)
    if (__builtin_mul_overflow(bits, extent, &bits)) return std::nullopt;
  if (__builtin_mul_overflow(bits, bits_of(type), &bits) || bits % 8 != 0) return std::nullopt;
  return bits / 8;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(shape[i]);
  }
  return text += ']';
}

std::string header_text(const std::vector<const safetensors_entry*>& tensors, const stg::metadata& texts) {
  std::string text(8, '\0');
  text += '{';
  if (!texts.texts.empty()) {
    text += "\"__metadata__\":{";
    for (const auto& [name, value] : texts.texts) text += as_json_text(name) + ':' + as_json_text(value) + ',';
    text.back() = '}';
    text += ',';
  }
  for (const safetensors_entry* t : tensors)
    text += as_json_text(t->name) + ":{\"dtype\":\"" + std::string(name_of(t->type)) +
            "\",\"shape\":" + shape_text(t->shape) + ",\"data_offsets\":[" + std::to_string(t->begin) + ',' +
            std::to_string(t->end) + "]},";
  if (text.back() == ',') text.pop_back();
  text += '}';
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t bytes = text.size() - 8;
  std::memcpy(text.data(), &bytes, 8);
  return text;
}

}  // namespace detail
}  // namespace stg
