// Memory of tensors and graphs on devices, and copies between places.
#include <stg/runtime/cuda/device.hpp>  // device
#include <stg/runtime/tensor.hpp>       // memory, allocate_at, copy_memory

#include <cstring>  // memmove
#include <utility>  // move

namespace stg::detail {

namespace {

/// Keeps the device open while memory of it lives.
class device_memory final : public memory_keeper {
 public:
  explicit device_memory(std::shared_ptr<gpu::device> of) : device_(std::move(of)) {}
  void free(std::byte* memory) noexcept override {
    device_->free(memory, device_->stream());
    delete this;
  }

 private:
  std::shared_ptr<gpu::device> device_;
};

}  // namespace

memory allocate_at(location where, std::int64_t bytes, bool zero, const char* what) {
  if (where.is_host()) return allocate(bytes, 1, zero);
  const gpu::purpose why{what};
  const auto on = gpu::device::open(where.device(), why);
  if (bytes == 0) return {};
  auto keeper = std::make_unique<device_memory>(on);
  memory m(static_cast<std::byte*>(on->allocate(bytes, on->stream(), why)), free_memory{keeper.get()});
  keeper.release();  // NOLINT(bugprone-unused-return-value): it goes with the memory
  if (zero) on->fill(m.get(), 0, bytes, why);
  return m;
}

void copy_memory(location to_place, void* to, location from_place, const void* from, std::int64_t bytes) {
  if (bytes == 0) return;
  const gpu::purpose why{"tensor"};
  if (to_place.is_host() && from_place.is_host()) {
    std::memmove(to, from, static_cast<std::size_t>(bytes));  // a tensor may be assigned a view of itself
  } else if (from_place.is_host()) {
    gpu::device::open(to_place.device(), why)->upload(to, from, bytes, why);
  } else {
    const auto source = gpu::device::open(from_place.device(), why);
    if (to_place.is_host()) source->download(to, from, bytes, why);
    else if (to_place == from_place) source->copy(to, from, bytes, why);
    else source->copy_to(*gpu::device::open(to_place.device(), why), to, from, bytes, why);
  }
}

}  // namespace stg::detail
