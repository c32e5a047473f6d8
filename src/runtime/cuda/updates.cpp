// Updates of parameters on a device, by whatever kernels the program has.
#include <stg/runtime/cuda/updates.hpp>

#include <atomic>  // atomic

#include <stg/runtime/cuda/stream.hpp>  // range

namespace stg::gpu {

namespace {

std::atomic<const update_functions*> installed_functions{nullptr};

constexpr purpose why{"optimiser"};

/// Calls `update` with the functions and the device, which is the current one meanwhile.
template <class Update> void on_device(location where, Update update) {
  const update_functions* functions = installed_functions;
  if (functions == nullptr)
    throw error("the parameters lie on " + to_string(where) +
                ", and no file of this program has kernels that update them there; add the file that trains with "
                "stg_add_program(target file.cpp) in CMake");
  const auto on = device::open(where.device(), why);
  on->check_architectures(functions->architectures, why);
  const current_device now(on->calls(), on->index(), why);
  const range profiled("optimiser");
  update(*functions, *on);
}

}  // namespace

const update_functions* install_updates(const update_functions* functions) noexcept {
  return installed_functions.exchange(functions);
}

void update_sgd(location where, std::span<const stg::detail::parameter_update> all, const sgd_options& o) {
  on_device(where, [&](const update_functions& f, device& on) { f.sgd(on, all, o); });
}

void update_adam(location where, std::span<const stg::detail::parameter_update> all, const adam_options& o,
                 stg::detail::decay_of decay, stg::detail::adam_progress* progress) {
  on_device(where, [&](const update_functions& f, device& on) { f.adam(on, all, o, decay, progress); });
}

void add_scaled(location where, std::span<const stg::detail::parameter_update> all, double factor) {
  on_device(where, [&](const update_functions& f, device& on) { f.add(on, all, factor); });
}
void scale(location where, std::span<const stg::detail::parameter_update> all, double factor) {
  on_device(where, [&](const update_functions& f, device& on) { f.scale(on, all, factor); });
}
void limit(location where, std::span<const stg::detail::parameter_update> all, double most) {
  on_device(where, [&](const update_functions& f, device& on) { f.limit(on, all, most); });
}
double sum_of_squares(location where, std::span<const stg::detail::parameter_update> all) {
  double sum = 0;
  on_device(where, [&](const update_functions& f, device& on) { sum = f.squares(on, where, all); });
  return sum;
}

void count_launch(device& on, std::uint32_t* launches, stream_handle stream) {
  const update_functions* functions = installed_functions;
  if (functions == nullptr) return;
  const current_device now(on.calls(), on.index(), {"captured step"});
  functions->count(on, launches, stream);
}

}  // namespace stg::gpu
