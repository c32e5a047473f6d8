// The kernels that ranks need between the units of a program: they come with a file compiled as CUDA that includes
// ranks_on_gpu.hpp, which installs them here.
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // int32_t, int64_t
#include <string_view>  // string_view

#include <stg/runtime/cuda/device.hpp>  // device

namespace stg::gpu {

/// Rows of a value and the same rows one behind the other, of one step after the other.
struct listed_rows {
  std::byte* values = nullptr;         // (steps, rows, row_bytes)
  std::byte* packed = nullptr;         // (steps, count, row_bytes)
  const std::int32_t* rows = nullptr;  // (count)
  std::int64_t count = 0, row_bytes = 0, steps = 1, step_bytes = 0;
};

/// Nodes of a sum's tree, of which pairs are joined in their order: each leaves the sum, or the larger number, in the
/// place of its first.
struct joined_nodes {
  std::byte* nodes = nullptr;           // at multiples of `stride`
  const std::int32_t* pairs = nullptr;  // (count, 2)
  std::int64_t count = 0, width = 0, stride = 0;
  enum class number : int { f32, f64, i32 } type{};
  bool adds = true;
};

/// Work on a stream of the current device; launched, not waited for.
struct rank_functions {
  void (*pack)(device&, stream_handle, const listed_rows&);
  void (*unpack)(device&, stream_handle, const listed_rows&);
  void (*join)(device&, stream_handle, const joined_nodes&);
  std::string_view architectures;  // of the compiled kernels
};

/// Installs the program's functions from now on, and returns the earlier ones. They must live as long.
const rank_functions* install_rank_functions(const rank_functions*) noexcept;
/// Null where no file of the program has any.
const rank_functions* installed_rank_functions() noexcept;

}  // namespace stg::gpu
