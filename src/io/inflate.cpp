// zlib's inflate as a source of bytes; gzip's texts for all readers of text.
#include "inflate.hpp"  // inflated

#include <stg/base/error.hpp>  // error

#include <zlib.h>  // inflate

#include <algorithm>  // min
#include <limits>     // numeric_limits
#include <new>        // bad_alloc
#include <utility>    // move
#include <vector>     // vector

namespace stg::detail {

namespace {

class inflater final : public byte_source {
 public:
  inflater(std::unique_ptr<byte_source> bytes, packed how, std::string name)
      : bytes_(std::move(bytes)),
        how_(how),
        name_(std::move(name)),
        room_(std::min(at_once, static_cast<std::size_t>(bytes_->size()) + 1)) {
    constexpr int window = 15, with_gzip_head = 16;
    if (inflateInit2(&stream_, how == packed::gzip ? window + with_gzip_head : -window) != Z_OK) throw std::bad_alloc();
  }
  ~inflater() override { inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t most) override {
    std::size_t filled = 0;
    while (filled < most && !ended_) {
      const std::size_t part = std::min<std::size_t>(most - filled, std::numeric_limits<uInt>::max());
      stream_.next_out = reinterpret_cast<Bytef*>(to + filled);
      stream_.avail_out = static_cast<uInt>(part);
      unpack();
      filled += part - stream_.avail_out;
    }
    unpacked_ += static_cast<std::int64_t>(filled);
    if (how_ == packed::gzip && is_bomb(unpacked_, bytes_->size()))
      throw error(name_ + " unpacks to more than " + std::to_string(unpacked_) + " bytes from " +
                  std::to_string(bytes_->size()) + "; gunzip it first if that is what it holds");
    return filled;
  }
  std::int64_t size() const override { return bytes_->size(); }
  std::int64_t taken() const override { return bytes_->taken() - static_cast<std::int64_t>(stream_.avail_in); }

 private:
  static constexpr std::size_t at_once = std::size_t{1} << 17;

  /// Whether there are packed bytes to go on with.
  bool fill() {
    if (stream_.avail_in > 0) return true;
    stream_.next_in = reinterpret_cast<Bytef*>(room_.data());
    stream_.avail_in = static_cast<uInt>(bytes_->read(room_.data(), room_.size()));
    return stream_.avail_in > 0;
  }
  void unpack() {
    if (!fill()) throw error(name_ + " ends within its packed bytes; it is cut short, fetch it again");
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END) {
      end_part();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw error(name_ + " is damaged near packed byte " + std::to_string(taken()) + ": " +
                  (stream_.msg == nullptr ? "it needs a dictionary" : stream_.msg) + "; fetch it again");
    }
  }
  /// Behind a part: gzip's files may have several, with zeros behind the last.
  void end_part() {
    ended_ = true;
    if (how_ == packed::deflated) return;
    while (fill() && *stream_.next_in == 0) ++stream_.next_in, --stream_.avail_in;
    if (stream_.avail_in == 0) return;
    if (*stream_.next_in != 0x1f)
      throw error(name_ + " has other bytes behind its packed ones, from byte " + std::to_string(taken()) +
                  "; fetch it again");
    ended_ = false;
    inflateReset(&stream_);
  }

  std::unique_ptr<byte_source> bytes_;
  packed how_;
  std::string name_;
  std::vector<char> room_;
  z_stream stream_{};
  std::int64_t unpacked_ = 0;
  bool ended_ = false;
};

std::unique_ptr<byte_source> gunzipped(std::unique_ptr<byte_source> bytes, const std::string& name) {
  return inflated(std::move(bytes), packed::gzip, name);
}

const bool texts_are_unpacked = (unpack_texts_by(gunzipped), true);

}  // namespace

std::unique_ptr<byte_source> inflated(std::unique_ptr<byte_source> bytes, packed how, const std::string& name) {
  return std::make_unique<inflater>(std::move(bytes), how, name);
}

}  // namespace stg::detail

/// Programs that link stg::io ask the linker for this function, and so get text readers with gzip.
extern "C" bool stg_io_unpacks_texts() { return stg::detail::texts_are_unpacked; }
