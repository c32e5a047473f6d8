// Records of event files. Numbers of fields are those of event.proto, summary.proto, tensor.proto and the plugin's
// hparams.
#include "event_records.hpp"  // framed

#include <bit>          // bit_cast
#include <concepts>     // unsigned_integral
#include <type_traits>  // decay_t, is_same_v

#include "crc32c.hpp"  // masked_crc32c

namespace stg::detail {

namespace {

template <std::unsigned_integral U> void append_little_endian(std::string& to, U value) {
  for (std::size_t i = 0; i < sizeof(U); ++i) to += static_cast<char>(value >> 8 * i & 0xFF);
}

/// A message of protocol buffers, field by field.
class message {
 public:
  message& integer(int field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  message& real(int field, double value) {
    key(field, 1);
    append_little_endian(bytes_, std::bit_cast<std::uint64_t>(value));
    return *this;
  }
  message& real(int field, float value) {
    key(field, 5);
    append_little_endian(bytes_, std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  message& text(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  message& part(int field, const message& value) { return text(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void key(int field, int wire_type) { varint(static_cast<std::uint64_t>(field << 3 | wire_type)); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_{};
};

message event(double time, std::int64_t step) { return message().real(1, time).integer(2, step); }

/// google.protobuf.Value.
message value_of(const hyper_parameter& setting) {
  return std::visit(
      [](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) return message().integer(4, v);
        else if constexpr (std::is_same_v<T, std::string>) return message().text(3, v);
        else return message().real(2, static_cast<double>(v));
      },
      setting.value);
}

}  // namespace

std::string framed(std::string_view bytes) {
  std::string record;
  append_little_endian(record, static_cast<std::uint64_t>(bytes.size()));
  append_little_endian(record, masked_crc32c(record));
  record += bytes;
  append_little_endian(record, masked_crc32c(bytes));
  return record;
}

std::string version_record(double time) { return framed(message().real(1, time).text(3, "brain.Event:2").bytes()); }

std::string session_record(double time, std::int64_t step) {
  constexpr int start = 1;
  return framed(event(time, step).part(7, message().integer(1, start)).bytes());
}

std::string scalar_record(double time, std::int64_t step, std::string_view name, double value) {
  const message one = message().text(1, name).real(2, static_cast<float>(value));
  return framed(event(time, step).part(5, message().part(1, one)).bytes());
}

std::string hyper_parameters_record(double time, const std::vector<hyper_parameter>& settings) {
  message start;
  for (const hyper_parameter& setting : settings)
    start.part(1, message().text(1, setting.name).part(2, value_of(setting)));
  start.real(5, time);
  const message content = message().integer(1, 0).part(3, start);
  const message metadata = message().part(1, message().text(1, "hparams").text(2, content.bytes()));
  constexpr int float_type = 1;
  const message nothing = message().integer(1, float_type).part(2, message().part(2, message().integer(1, 0)));  // (0,)
  const message one = message().text(1, "_hparams_/session_start_info").part(9, metadata).part(8, nothing);
  return framed(event(time, 0).part(5, message().part(1, one)).bytes());
}

}  // namespace stg::detail
