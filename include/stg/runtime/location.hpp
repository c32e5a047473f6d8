// Where numbers lie: in the host's memory or on a CUDA device.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <limits>  // numeric_limits
#include <string>  // string

namespace stg {

/// A memory: the host's, or a device's. Tensors and graphs lie in one, and move by `to(...)` alone.
class location {
 public:
  constexpr location() = default;  // the host's
  static constexpr location on_device(int device) { return location(device); }

  constexpr bool is_host() const { return device_ == host_number; }
  /// The number of the device, as CUDA counts them.
  constexpr int device() const { return device_; }
  bool operator==(const location&) const = default;

 private:
  static constexpr int host_number = std::numeric_limits<int>::min();
  constexpr explicit location(int device) : device_(device) {}
  int device_ = host_number;
};

/// x.to(stg::host)
inline constexpr location host{};

/// "the host", "CUDA device 1".
std::string to_string(location);
/// What a user writes to get there: "stg::host", "stg::cuda()", "stg::cuda(1)".
std::string spelled(location);

}  // namespace stg
