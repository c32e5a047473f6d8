// Which functions make snapshots on a device.
#include <stg/runtime/cuda/snapshots.hpp>

#include <atomic>  // atomic

namespace stg::gpu {

namespace {
std::atomic<const snapshot_functions*> functions_of_program{nullptr};
}  // namespace

const snapshot_functions* install_snapshots(const snapshot_functions* functions) noexcept {
  return functions_of_program.exchange(functions);
}
const snapshot_functions* installed_snapshots() noexcept { return functions_of_program; }

}  // namespace stg::gpu
