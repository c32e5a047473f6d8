// Updates of parameters and counters on a device: the kernels come with files that are compiled as CUDA, which install
// them here.
#pragma once

#include <span>         // span
#include <string_view>  // string_view

#include <stg/runtime/cuda/device.hpp>  // device
#include <stg/runtime/optimizer.hpp>    // parameter_update

namespace stg::gpu {

/// Launches of updates on a device that is the current one, on the stream that work of the device goes to at the
/// moment.
struct update_functions {
  void (*sgd)(device&, std::span<const stg::detail::parameter_update>, const sgd_options&);
  void (*adam)(device&, std::span<const stg::detail::parameter_update>, const adam_options&,
               stg::detail::adam_progress*);
  void (*count)(device&, std::uint32_t* launches, stream_handle);  // adds 1
  std::string_view architectures;                                  // that they were compiled for
};

/// Gives the functions that this program has from now on, and returns those of before. They must live as long.
const update_functions* install_updates(const update_functions*) noexcept;

/// Launched, not waited for. Errors: no file of the program was compiled as CUDA, and those of the device.
void update_sgd(location, std::span<const stg::detail::parameter_update>, const sgd_options&);
void update_adam(location, std::span<const stg::detail::parameter_update>, const adam_options&,
                 stg::detail::adam_progress*);

/// Adds 1 when the stream comes to it. Nothing where no file of the program was compiled as CUDA, since then nothing
/// draws random numbers there.
void count_launch(device&, std::uint32_t* launches, stream_handle);

}  // namespace stg::gpu
