// The way from a rank's device to those of the others: by NCCL, or through the memory of the hosts.
#pragma once

#include <stg/base/error.hpp>            // error
#include <stg/runtime/communicator.hpp>  // awaited, communicator, message_room
#include <stg/runtime/cuda/block.hpp>    // block
#include <stg/runtime/cuda/device.hpp>   // device
#include <stg/runtime/cuda/nccl.hpp>     // nccl

#include <cstddef>  // byte
#include <cstdint>  // int64_t, uint64_t
#include <memory>   // shared_ptr, unique_ptr
#include <string>   // string
#include <vector>   // vector

namespace stg::gpu {

/// Bytes on this device that another rank is sent, or room for those that it sends.
struct bytes_with_rank {
  int rank = 0;
  std::byte* data = nullptr;
  std::int64_t bytes = 0;
};

using owned_event = owned<event_handle, &api::event_destroy>;

/// What is exchanged at one place of a program.
struct device_messages {
  std::uint64_t tag = 0;
  awaited names{};
  std::vector<bytes_with_rank> sent{}, taken{};
  std::vector<message_room> rooms{};  // of those taken through the host
  owned_event done{};                 // of those that NCCL moves
  bool is_under_way = false;
};

/// Messages of this rank's device. One call at a time.
class device_link {
 public:
  device_link(communicator& of, std::shared_ptr<device> here) : ranks(of), on(std::move(here)) {}
  device_link(const device_link&) = delete;
  virtual ~device_link() = default;

  virtual bool is_nccl() const = 0;
  /// Sends what the stream has packed by then, and says where what comes is to lie. All ranks post in the same order.
  virtual void post(device_messages& m, stream_handle from) = 0;
  /// What the stream does later finds there what has come.
  virtual void take(device_messages& m, stream_handle to) = 0;
  /// Waits until it has. Errors name the messages, and the rank that failed.
  virtual void finish(device_messages& m) = 0;
  /// After an error: nothing waits for this rank any more, and it sends nothing.
  virtual void give_up() noexcept {}

  /// Memory for messages, which work of the stream may use at once.
  block take_block(std::int64_t bytes, stream_handle used_by);
  void keep(block&& memory) { spare_.push_back(std::move(memory)); }
  /// What the second stream does from now on comes after what the first one has by now.
  void order(stream_handle first, stream_handle then);

  communicator& ranks;
  const std::shared_ptr<device> on;
  std::string why_by_host{};

 protected:
  owned_event event();
  void keep_event(owned_event&& e) { events_.push_back(std::move(e)); }

 private:
  std::vector<block> spare_{};
  std::vector<owned_event> events_{};
};

/// Errors, the same on all ranks, where NCCL is asked for and cannot be had.
std::shared_ptr<device_link> make_device_link(communicator& ranks, std::shared_ptr<device> on, bool may_be_nccl,
                                              bool may_be_host);

}  // namespace stg::gpu
