// Updates of parameters and counters on a device: the kernels come with files compiled as CUDA, which install them
// here.
#pragma once

#include <span>         // span
#include <string_view>  // string_view

#include <stg/runtime/cuda/device.hpp>  // device
#include <stg/runtime/optimizer.hpp>    // parameter_update, sgd_options, adam_options

namespace stg::gpu {

/// Launches of updates on the current device, on the stream of the device's work at the moment.
struct update_functions {
  void (*sgd)(device&, std::span<const stg::detail::parameter_update>, const sgd_options&);
  void (*adam)(device&, std::span<const stg::detail::parameter_update>, const adam_options&, stg::detail::decay_of,
               stg::detail::adam_progress*);
  using of_sets = void (*)(device&, std::span<const stg::detail::parameter_update>, double);
  of_sets add, scale, limit;  // as detail::add_scaled and its like in gradients.hpp
  double (*squares)(device&, location, std::span<const stg::detail::parameter_update>);
  void (*count)(device&, std::uint32_t* launches, stream_handle);  // adds 1
  std::string_view architectures;                                  // of the compiled kernels
};

/// Installs the program's functions from now on, and returns the earlier ones. They must live as long.
const update_functions* install_updates(const update_functions*) noexcept;

/// Launched, not waited for. Errors: no file of the program was compiled as CUDA, and errors of the device.
void update_sgd(location, std::span<const stg::detail::parameter_update>, const sgd_options&);
void update_adam(location, std::span<const stg::detail::parameter_update>, const adam_options&, stg::detail::decay_of,
                 stg::detail::adam_progress*);

/// Of gradient sets, as in gradients.hpp: the first three launched, not waited for. Errors: the same.
void add_scaled(location, std::span<const stg::detail::parameter_update>, double factor);
void scale(location, std::span<const stg::detail::parameter_update>, double factor);
void limit(location, std::span<const stg::detail::parameter_update>, double most);
double sum_of_squares(location, std::span<const stg::detail::parameter_update>);

/// Adds 1 when the stream comes to it. Nothing if no file of the program was compiled as CUDA, since then nothing draws
/// random numbers there.
void count_launch(device&, std::uint32_t* launches, stream_handle);

}  // namespace stg::gpu
