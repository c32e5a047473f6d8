// Copies by way of two pinned buffers.
#include <stg/runtime/cuda/staging.hpp>

#include <algorithm>  // min
#include <cstddef>    // byte
#include <cstring>    // memcpy
#include <utility>    // move

namespace stg::gpu {

namespace {

/// A copy that ends early leaves the device at work on a buffer: nobody may write there until it is done.
class settle {
 public:
  settle(api& calls, stream_handle on) : calls_(calls), on_(on) {}
  ~settle() {
    if (!done) calls_.stream_synchronize(on_);
  }
  bool done = false;

 private:
  api& calls_;
  stream_handle on_;
};

}  // namespace

void staging::make(const purpose& why) {
  for (buffer& b : buffers_) {
    if (b.data.get() != nullptr) continue;
    buffer made{owned<void*, &api::host_free>(calls_), owned<event_handle, &api::event_destroy>(calls_)};
    check(calls_, why, "cudaHostAlloc", calls_.host_alloc(made.data.out(), chunk_));
    check(calls_, why, "cudaEventCreate", calls_.event_create(made.copied.out(), false));
    b = std::move(made);
  }
}

void staging::record(buffer& b, stream_handle on, const purpose& why) {
  check(calls_, why, "cudaEventRecord", calls_.event_record(b.copied.get(), on));
}
void staging::wait(buffer& b, const purpose& why) {
  check(calls_, why, "cudaEventSynchronize", calls_.event_synchronize(b.copied.get()));
}

void staging::upload(void* to, const void* from, std::int64_t bytes, stream_handle on, const purpose& why) {
  if (bytes == 0) return;
  make(why);
  settle end(calls_, on);
  std::int64_t at = 0;
  for (int turn = 0; at < bytes; ++turn) {
    buffer& b = buffers_[turn % 2];
    const std::int64_t part = std::min(chunk_, bytes - at);
    if (turn >= 2) wait(b, why);
    std::memcpy(b.data.get(), static_cast<const std::byte*>(from) + at, static_cast<std::size_t>(part));
    check(calls_, why, "cudaMemcpyAsync",
          calls_.copy_async(static_cast<std::byte*>(to) + at, b.data.get(), part, direction::to_device, on));
    record(b, on, why);
    at += part;
  }
  check(calls_, why, "cudaStreamSynchronize", calls_.stream_synchronize(on));
  end.done = true;
}

void staging::download(void* to, const void* from, std::int64_t bytes, stream_handle on, const purpose& why) {
  if (bytes == 0) return;
  make(why);
  settle end(calls_, on);
  const std::int64_t parts = (bytes + chunk_ - 1) / chunk_;
  const auto size_of = [&](std::int64_t part) { return std::min(chunk_, bytes - part * chunk_); };
  for (std::int64_t asked = 0, part = 0; part < parts; ++part) {
    for (; asked < parts && asked < part + 2;
         ++asked) {  // the device fills one buffer while the host empties the other
      buffer& b = buffers_[asked % 2];
      check(calls_, why, "cudaMemcpyAsync",
            calls_.copy_async(b.data.get(), static_cast<const std::byte*>(from) + asked * chunk_, size_of(asked),
                              direction::to_host, on));
      record(b, on, why);
    }
    buffer& b = buffers_[part % 2];
    wait(b, why);
    std::memcpy(static_cast<std::byte*>(to) + part * chunk_, b.data.get(), static_cast<std::size_t>(size_of(part)));
  }
  end.done = true;
}

}  // namespace stg::gpu
