// A CUDA device that has been opened: its memory, its stream, and copies to and from it.
#pragma once

#include <atomic>       // atomic
#include <cstddef>      // byte
#include <cstdint>      // int64_t
#include <memory>       // shared_ptr
#include <mutex>        // mutex
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // pair
#include <vector>       // vector

#include <stg/runtime/cuda/check.hpp>    // purpose, owned
#include <stg/runtime/cuda/staging.hpp>  // staging

namespace stg::gpu {

/// One sentence on why a device cannot be used, empty when it can: no CUDA in the program, no driver, a driver older
/// than the toolkit, no device, no device of that number.
std::string problem(int device);

/// Makes a device the current one of this thread, and the earlier one again in the end. Kernels are launched, and
/// streams and events made, on the current device.
class current_device {
 public:
  current_device(api& calls, int device, const purpose& why);
  current_device(const current_device&) = delete;
  ~current_device();

 private:
  api& calls_;
  int before_;
  bool changed_;
};

/// An open device. One object is shared by all its users; safe to use from several threads. Memory comes from a pool of
/// its own and is ordered by a stream: the device's, unless a different one is given.
class device {
 public:
  /// Error when there is a `problem`, or when a call fails; then nothing is left open.
  static std::shared_ptr<device> open(int index, const purpose& why = {});
  device(api& calls, int index, const purpose& why);  // the first open

  api& calls() const { return calls_; }
  int index() const { return index_; }
  const device_properties& properties() const { return properties_; }
  stream_handle stream() const { return stream_.get(); }
  /// The stream for work without a stream of its own: the device's own, or the captured stream.
  stream_handle launches_on() const { return captured_ == nullptr ? stream() : captured_.load(); }
  /// A number on the device, the count of launches of the step that is being captured; null when none is.
  const std::uint32_t* launches() const { return launches_; }
  /// Whether a step is being captured, by any thread. Its memory is from before.
  bool is_captured() const { return captured_ != nullptr; }
  void captures(stream_handle from, const std::uint32_t* launches);  // null: no more

  /// Error unless a program built for these architectures, spelled as CMake does in one line ("75,80-real"), runs here:
  /// code for the same major and no newer minor version, or intermediate code for no newer one.
  void check_architectures(std::string_view built, const purpose& why) const;

  /// Memory, 256-byte aligned, null for 0 bytes. When there is none, idle memory is given back to the device and the
  /// call made again; then out_of_memory. Error while a step is captured: a graph launched again must find its memory
  /// in place. Memory given back meanwhile is freed when the capture ends.
  void* allocate(std::int64_t bytes, stream_handle on, const purpose& why);
  void free(void* data, stream_handle on) noexcept;

  /// Copies on the device's own stream, through pinned memory if the host takes part; complete on return.
  void upload(void* to, const void* from, std::int64_t bytes, const purpose& why);
  void download(void* to, const void* from, std::int64_t bytes, const purpose& why);
  void copy(void* to, const void* from, std::int64_t bytes, const purpose& why);
  void copy_to(device& other, void* to, const void* from, std::int64_t bytes, const purpose& why);
  void fill(void* data, int byte, std::int64_t bytes, const purpose& why);
  void synchronize(const purpose& why);

 private:
  api& calls_;
  int index_;
  device_properties properties_;
  owned<pool_handle, &api::pool_destroy> pool_;
  owned<stream_handle, &api::stream_destroy> stream_;
  std::atomic<stream_handle> captured_{nullptr};
  std::atomic<const std::uint32_t*> launches_{nullptr};
  std::mutex given_back_;  // guards the following
  std::vector<std::pair<void*, stream_handle>> freed_after_capture_;
  std::mutex copying_;
  staging staging_;
};

}  // namespace stg::gpu
