// Which CUDA calls are in use, and the devices that were opened through them.
#include "registry.hpp"

#include <stg/runtime/cuda.hpp>      // cuda
#include <stg/runtime/location.hpp>  // location

#include <utility>  // exchange

namespace stg::gpu {

registry& registry::get() {
  static registry& all = *new registry;  // never destroyed: tensors of static storage may go later
  return all;
}

api* installed() noexcept { return registry::get().calls; }

api* install(api* calls) {
  registry& all = registry::get();
  std::vector<std::shared_ptr<device>> closing;  // outside of the lock, and through the calls that opened them
  const std::scoped_lock lock(all.mutex);
  closing.swap(all.open);
  return std::exchange(all.calls, calls);
}

}  // namespace stg::gpu

namespace stg {

std::string to_string(location where) {
  return where.is_host() ? "the host" : "CUDA device " + std::to_string(where.device());
}

std::string spelled(location where) {
  if (where.is_host()) return "stg::host";
  return where.device() == 0 ? "stg::cuda()" : "stg::cuda(" + std::to_string(where.device()) + ")";
}

int cuda::count() noexcept {
  gpu::api* const calls = gpu::installed();
  int found = 0;
  if (calls == nullptr || calls->device_count(&found) != gpu::status::success) return 0;
  return found;
}

std::string cuda::problem(int device) { return gpu::problem(device); }

}  // namespace stg
