// The stream of a program's calls, steps captured from it, and their time.
#pragma once

#include <cstdint>  // uint32_t
#include <memory>   // shared_ptr
#include <utility>  // forward

#include <stg/runtime/cuda/block.hpp>   // block
#include <stg/runtime/cuda/device.hpp>  // device

namespace stg::gpu {

/// A device's own stream, or a user's. Memory is given, taken back and copied on the device's own; so work on a user's
/// stream stands between `enter` and `leave`, which order the two and cost nothing for a device's own. Move-only.
class stream {
 public:
  explicit stream(std::shared_ptr<device> on);
  /// A user's stream, which must outlive this; null is the device's own. For CUDA's default streams give the handles
  /// cudaStreamLegacy and cudaStreamPerThread. Error for a stream of another device.
  stream(std::shared_ptr<device> on, stream_handle users, const purpose& why);

  const std::shared_ptr<device>& on() const { return device_; }
  api& calls() const { return device_->calls(); }
  stream_handle handle() const { return handle_; }

  void enter(const purpose& why) { order(device_->stream(), handle_, why); }
  void leave(const purpose& why) { order(handle_, device_->stream(), why); }
  void synchronize(const purpose& why);
  bool is_capturing(const purpose& why) const;

 private:
  void order(stream_handle first, stream_handle then, const purpose& why);

  std::shared_ptr<device> device_;
  stream_handle handle_;
  owned<event_handle, &api::event_destroy> done_;  // of a user's stream
};

/// Work launched on a stream once, to be launched again as a whole. It runs on the same memory, which must live as
/// long: blocks are reserved before, by running the step once.
///
///   step();                                                      // reserves what it needs
///   auto again = stg::gpu::captured_step(stream, why, [&] { step(); });
///   for (int epoch = 1; epoch < 200; ++epoch) again.launch();
///
/// While a step is captured no other thread may use the device: its launches would be part of the step. Tensors are
/// neither made nor, until the capture ends, freed; programs are of the captured stream.
///
/// Calls of programs draw random numbers of their own in each launch: in the first the numbers they would draw then and
/// there, in later ones by a count of launches on the device. So a tape is differentiated in the step that recorded it.
class captured_step {
 public:
  /// Captures the launches of `work` on the stream; nothing runs. Whatever fails, the capture is ended.
  template <class Work>
  captured_step(stream& on, const purpose& why, Work&& work) : stream_(&on), why_(why), launches_(on.on()) {
    begin_count();
    capture c(on, launches(), why);
    std::forward<Work>(work)();
    count();
    executable_ = c.end(why);
  }
  void launch();

 private:
  using executable = owned<executable_handle, &api::executable_destroy>;
  class capture {
   public:
    capture(stream& on, const std::uint32_t* launches, const purpose& why);
    capture(const capture&) = delete;
    ~capture();
    executable end(const purpose& why);

   private:
    stream& stream_;
    bool open_ = true;
  };

  void begin_count();
  void count();
  std::uint32_t* launches() { return reinterpret_cast<std::uint32_t*>(launches_.data()); }

  stream* stream_;
  purpose why_;
  block launches_;  // a number, read by the captured work
  executable executable_;
};

/// Time between two points of a stream, as the device sees it.
class timer {
 public:
  timer(stream& on, const purpose& why);
  void start();
  void stop();
  double milliseconds();  // waits for the end

 private:
  stream* stream_;
  purpose why_;
  owned<event_handle, &api::event_destroy> from_, to_;
};

/// A range in a profile, named after the user's program; nothing in programs without CUDA.
class range {
 public:
  explicit range(const char* name) : calls_(installed()) {
    if (calls_ != nullptr) calls_->range_push(name);
  }
  range(const range&) = delete;
  ~range() {
    if (calls_ != nullptr) calls_->range_pop();
  }

 private:
  api* calls_;
};

}  // namespace stg::gpu
