// Opening devices, their memory, and copies.
#include <stg/runtime/cuda/device.hpp>
#include <stg/runtime/location.hpp>  // location

#include "registry.hpp"

#include <algorithm>  // min
#include <cstdio>     // snprintf

namespace stg::gpu {

namespace {

constexpr const char* still_works = "; programs still run on the CPU: stg::compile<model>()";

/// 12080 is 12.8.
std::string version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

std::string size_text(std::int64_t bytes) {
  constexpr const char* units[] = {"KiB", "MiB", "GiB"};
  int unit = 0;
  double n = static_cast<double>(bytes) / 1024;
  for (; unit < 2 && n >= 1024; ++unit) n /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %s", n, units[unit]);
  return text;
}

/// Whether code for architecture `built`, a word such as 75, 90a-real or 80-virtual, runs on compute capability
/// major.minor. A letter ties code to one architecture, or to one family of them.
bool runs_on(std::string_view built, int major, int minor) {
  int number = 0;
  std::size_t at = 0;
  for (; at < built.size() && built[at] >= '0' && built[at] <= '9'; ++at) number = number * 10 + (built[at] - '0');
  if (at == 0) return true;  // native, all: whoever built it knows
  const bool specific = at < built.size() && built[at] != '-';
  const std::size_t dash = built.find('-');
  const std::string_view kind = dash == std::string_view::npos ? std::string_view() : built.substr(dash + 1);
  const int here = major * 10 + minor;
  if (specific) return number / 10 == major && number <= here;
  if (kind != "real" && number <= here) return true;
  return kind != "virtual" && number / 10 == major && number <= here;
}

}  // namespace

std::string problem(int device) {
  api* const calls = installed();
  if (calls == nullptr)
    return std::string("stg: this program holds no CUDA; build it with stg_add_program and STG_CUDA=ON") + still_works;
  int count = 0;
  const status s = calls->device_count(&count);
  if (s == status::insufficient_driver) {
    int driver = 0, runtime = 0;
    if (calls->driver_version(&driver) != status::success || driver == 0)
      return std::string("stg: no CUDA driver is installed") + still_works;
    if (calls->runtime_version(&runtime) != status::success) runtime = 0;
    return "stg: the CUDA driver is for CUDA " + version(driver) + ", this program is of CUDA " + version(runtime) +
           "; install a newer driver" + still_works;
  }
  if (s == status::no_device || (s == status::success && count == 0))
    return std::string("stg: there is no CUDA device") + still_works;
  if (s != status::success)
    return "stg: cudaGetDeviceCount failed: " + calls->error_text(s) + " (" + calls->error_name(s) + ")" + still_works;
  if (device < 0 || device >= count)
    return "stg: there is no CUDA device " + std::to_string(device) + "; this machine has " +
           (count == 1 ? "device 0 alone" : "0 to " + std::to_string(count - 1));
  return "";
}

current_device::current_device(api& calls, int device, const purpose& why) : calls_(calls) {
  check(calls, why, "cudaGetDevice", calls.get_device(&before_));
  changed_ = before_ != device;
  if (!changed_) return;
  const status s = calls.set_device(device);
  if (s != status::success) calls.set_device(before_);  // a device that cannot be used may be the current one even so
  check(calls, why, "cudaSetDevice", s);
}
current_device::~current_device() {
  if (changed_) calls_.set_device(before_);
}

std::shared_ptr<device> device::open(int index, const purpose& why) {
  registry& all = registry::get();
  const std::scoped_lock lock(all.mutex);
  const auto at = static_cast<std::size_t>(index);
  if (index >= 0 && at < all.open.size() && all.open[at] != nullptr) return all.open[at];
  const std::string wrong = gpu::problem(index);
  if (!wrong.empty()) throw error(wrong.substr(5));  // error says `stg: ` itself
  auto opened = std::make_shared<device>(*all.calls, index, why);
  if (all.open.size() <= at) all.open.resize(at + 1);
  all.open[at] = opened;
  return opened;
}

device::device(api& calls, int index, const purpose& why)
    : calls_(calls), index_(index), pool_(calls), stream_(calls), staging_(calls) {
  check(calls, why, "cudaGetDeviceProperties", calls.properties(index, &properties_));
  const current_device here(calls, index, why);
  check(calls, why, "cudaMemPoolCreate", calls.pool_create(pool_.out(), index));
  check(calls, why, "cudaStreamCreate", calls.stream_create(stream_.out()));
}

void device::check_architectures(std::string_view built, const purpose& why) const {
  for (std::size_t from = 0; from <= built.size();) {
    const std::size_t comma = std::min(built.find(',', from), built.size());
    if (runs_on(built.substr(from, comma - from), properties_.major, properties_.minor)) return;
    from = comma + 1;
  }
  const std::string here = std::to_string(properties_.major) + std::to_string(properties_.minor);
  throw error(to_string(why) + ": this program was built for the architectures " + std::string(built) + "; " +
              to_string(location::on_device(index_)) + ", " + properties_.name +
              ", needs STG_CUDA_ARCHITECTURES=" + here);
}

void device::captures(stream_handle from, const std::uint32_t* launches) {
  captured_ = from;
  launches_ = launches;
  if (from != nullptr) return;
  const std::scoped_lock lock(given_back_);
  for (const auto& [data, on] : freed_after_capture_) calls_.free_async(data, on);
  freed_after_capture_.clear();
}

void* device::allocate(std::int64_t bytes, stream_handle on, const purpose& why) {
  if (bytes == 0) return nullptr;
  if (is_captured())
    throw error(
        to_string(why) +
        ": a captured step needs more memory than there is; run it once before the capture, and call programs " +
        "with into(), into tensors that were there before");
  void* data = nullptr;
  status s = calls_.malloc_async(&data, bytes, pool_.get(), on);
  if (s == status::out_of_memory) {
    calls_.last_error();  // so that no later check finds it
    check(calls_, why, "cudaStreamSynchronize", calls_.stream_synchronize(on));
    check(calls_, why, "cudaMemPoolTrimTo", calls_.pool_trim(pool_.get()));
    s = calls_.malloc_async(&data, bytes, pool_.get(), on);
  }
  if (s == status::out_of_memory) {
    calls_.last_error();
    std::int64_t free = -1, total = -1;
    const current_device here(calls_, index_, why);
    check(calls_, why, "cudaMemGetInfo", calls_.memory_info(&free, &total));
    throw out_of_memory(to_string(why) + " needs " + size_text(bytes) + " on " +
                            to_string(location::on_device(index_)) + "; " + size_text(free) + " of " +
                            size_text(total) + " are free: use fewer vertices or features",
                        bytes, free, total);
  }
  check(calls_, why, "cudaMallocAsync", s);
  return data;
}

void device::free(void* data, stream_handle on) noexcept {
  if (data == nullptr) return;
  const std::scoped_lock lock(given_back_);
  if (is_captured()) freed_after_capture_.emplace_back(data, on);
  else calls_.free_async(data, on);
}

void device::upload(void* to, const void* from, std::int64_t bytes, const purpose& why) {
  const std::scoped_lock lock(copying_);
  const current_device here(calls_, index_, why);
  staging_.upload(to, from, bytes, stream(), why);
}
void device::download(void* to, const void* from, std::int64_t bytes, const purpose& why) {
  const std::scoped_lock lock(copying_);
  const current_device here(calls_, index_, why);
  staging_.download(to, from, bytes, stream(), why);
}
void device::copy(void* to, const void* from, std::int64_t bytes, const purpose& why) {
  if (bytes == 0) return;
  check(calls_, why, "cudaMemcpyAsync", calls_.copy_async(to, from, bytes, direction::on_device, stream()));
  synchronize(why);
}
void device::copy_to(device& other, void* to, const void* from, std::int64_t bytes, const purpose& why) {
  if (bytes == 0) return;
  other.synchronize(why);  // whoever used that memory before is done
  check(calls_, why, "cudaMemcpyPeerAsync", calls_.copy_peer_async(to, other.index_, from, index_, bytes, stream()));
  synchronize(why);
}
void device::fill(void* data, int byte, std::int64_t bytes, const purpose& why) {
  if (bytes == 0) return;
  check(calls_, why, "cudaMemsetAsync", calls_.fill_async(data, byte, bytes, stream()));
  synchronize(why);
}
void device::synchronize(const purpose& why) {
  check(calls_, why, "cudaStreamSynchronize", calls_.stream_synchronize(stream()));
}

}  // namespace stg::gpu
