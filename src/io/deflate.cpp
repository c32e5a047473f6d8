// zlib's deflate for texts that are written with gzip's head and checksum.
#include "../runtime/data/bytes.hpp"  // packer, pack_texts_by

#include <zlib.h>  // deflate

#include <algorithm>  // min
#include <limits>     // numeric_limits
#include <memory>     // make_unique, unique_ptr
#include <new>        // bad_alloc

namespace stg::detail {

namespace {

class gzip_packer final : public packer {
 public:
  gzip_packer() {
    constexpr int window = 15, with_gzip_head = 16, memory = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window + with_gzip_head, memory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~gzip_packer() override { deflateEnd(&stream_); }

  void pack(std::string_view bytes, bool is_end, std::string& to) override {
    do {
      const std::size_t part = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = static_cast<uInt>(part);
      bytes.remove_prefix(part);
      pack_part(is_end && bytes.empty() ? Z_FINISH : Z_NO_FLUSH, to);
    } while (!bytes.empty());
  }

 private:
  void pack_part(int flush, std::string& to) {
    char room[1 << 14];
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(room);
      stream_.avail_out = sizeof room;
      deflate(&stream_, flush);  // has room, and so no error
      to.append(room, sizeof room - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
};

std::unique_ptr<packer> gzip_packed() { return std::make_unique<gzip_packer>(); }

const bool texts_are_packed = (pack_texts_by(gzip_packed), true);

}  // namespace

}  // namespace stg::detail

/// Programs that link stg::io ask the linker for this function, and so get text writers with gzip.
extern "C" bool stg_io_packs_texts() { return stg::detail::texts_are_packed; }
