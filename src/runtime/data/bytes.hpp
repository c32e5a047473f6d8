// Bytes one after another: of a file, or of what is packed in one, read or written.
#pragma once

#include <cstddef>      // size_t
#include <cstdint>      // int64_t
#include <memory>       // unique_ptr
#include <string>       // string
#include <string_view>  // string_view

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

/// Packs bytes as they come.
class packer {
 public:
  packer() = default;
  packer(const packer&) = delete;
  packer& operator=(const packer&) = delete;
  virtual ~packer() = default;

  /// Appends packed bytes to `to`: of these, of earlier ones, or, at the end of all, of those that are left.
  virtual void pack(std::string_view bytes, bool is_end, std::string& to) = 0;
};
using gzip = std::unique_ptr<packer> (*)();
/// Likewise for texts that are written.
void pack_texts_by(gzip) noexcept;
/// A packer for a path with the end .gz, else null. Error without stg::io; its sentence begins with `name`.
std::unique_ptr<packer> packer_for(const std::string& path, const std::string& name);

/// Whether unpacked bytes are so many more than the packed ones that only a file made to fill a memory has them.
inline bool is_bomb(std::int64_t unpacked, std::int64_t packed) {
  constexpr std::int64_t least = std::int64_t{1} << 30, times = 250;
  return unpacked > least && unpacked / times > packed;
}

}  // namespace stg::detail
