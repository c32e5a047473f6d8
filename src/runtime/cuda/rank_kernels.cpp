// Which kernels pack rows of other ranks.
#include <stg/runtime/cuda/rank_kernels.hpp>

#include <atomic>  // atomic

namespace stg::gpu {

namespace {
std::atomic<const rank_functions*> functions_for_ranks{nullptr};
}  // namespace

const rank_functions* install_rank_functions(const rank_functions* functions) noexcept {
  return functions_for_ranks.exchange(functions);
}
const rank_functions* installed_rank_functions() noexcept { return functions_for_ranks; }

}  // namespace stg::gpu
