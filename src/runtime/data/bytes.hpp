// Bytes one after another: of a file, or of what is packed in one.
#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // int64_t
#include <memory>   // unique_ptr
#include <string>   // string

namespace stg::detail {

/// Bytes in order. Errors name the file.
class byte_source {
 public:
  byte_source() = default;
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;
  virtual ~byte_source() = default;

  /// Fills `to` with the next bytes: `most` of them, or all that are left. Returns how many.
  virtual std::size_t read(char* to, std::size_t most) = 0;
  /// How many bytes the file has, and how many of them were taken so far: packed ones where it is packed.
  virtual std::int64_t size() const = 0;
  virtual std::int64_t taken() const = 0;
};

/// Unpacks a text that gzip packed. `name` begins the sentences: "table edges.csv.gz".
using gunzip = std::unique_ptr<byte_source> (*)(std::unique_ptr<byte_source> packed, const std::string& name);
/// Called by the library stg::io as the program starts; without it, packed texts are refused.
void unpack_texts_by(gunzip) noexcept;

}  // namespace stg::detail
