// Copies between pageable and device memory by way of pinned memory, the only kind a device reads by itself.
#pragma once

#include <cstdint>  // int64_t

#include <stg/runtime/cuda/check.hpp>  // purpose, owned

namespace stg::gpu {

/// Two pinned buffers: while the device copies one, the host copies the other. Made by the first copy. Not safe to use
/// from several threads.
class staging {
 public:
  /// chunk: bytes of one buffer.
  explicit staging(api& calls, std::int64_t chunk = std::int64_t{4} << 20) : calls_(calls), chunk_(chunk) {}

  /// Both are complete on return. The device of the stream must be the current one.
  void upload(void* to, const void* from, std::int64_t bytes, stream_handle on, const purpose& why);
  void download(void* to, const void* from, std::int64_t bytes, stream_handle on, const purpose& why);

 private:
  struct buffer {
    owned<void*, &api::host_free> data;
    owned<event_handle, &api::event_destroy> copied;
  };
  void make(const purpose& why);
  void record(buffer& b, stream_handle on, const purpose& why);
  void wait(buffer& b, const purpose& why);

  api& calls_;
  std::int64_t chunk_;
  buffer buffers_[2];
};

}  // namespace stg::gpu
