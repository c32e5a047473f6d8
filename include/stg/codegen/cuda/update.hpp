// Kernels of optimisers, one launch of which updates the elements of many parameters, and of captured steps.
#pragma once

#include <cstdint>  // int64_t
#include <span>     // span

#include <stg/codegen/cuda/group.hpp>    // grid, Kernel
#include <stg/codegen/cuda/launch.hpp>   // launch_on
#include <stg/base/math.hpp>             // functions
#include <stg/runtime/cuda/updates.hpp>  // update_functions
#include <stg/runtime/update_rule.hpp>   // update

namespace stg::gpu {

namespace detail {

/// Parameters of a launch: as many as fit into a kernel's arguments with all else.
inline constexpr int most_updated = 64;
inline constexpr int updating_threads = 256;
/// Elements that a block updates.
inline constexpr std::int64_t updated_by_block = 4 * updating_threads;

template <class T> struct updated {
  T* value;
  const T* gradient;
  T *first, *second;
  std::int64_t size;
  T decay;

  STG_HOST_DEVICE std::int64_t blocks() const { return (size + updated_by_block - 1) / updated_by_block; }
};

struct square_root {
  template <class T> STG_LANEWISE T operator()(T x) const { return math::functions<T>::sqrt(x); }
};

/// One element by SGD.
template <class T> struct sgd_element {
  T rate, momentum;
  template <class Block> STG_KERNEL void operator()(Block& block, const updated<T>& p, std::int64_t i) const {
    T w = block.load(p.value + i), velocity = block.load(p.first + i);
    stg::detail::update(w, block.load_constant(p.gradient + i), velocity,
                        stg::detail::sgd_factors<T>{rate, momentum, p.decay});
    block.store(p.first + i, velocity);
    block.store(p.value + i, w);
  }
};
/// One element by Adam, of whose step the progress is.
template <class T> struct adam_element {
  stg::detail::average<T> of_first, of_second;
  T epsilon;
  const double *rate, *scale;
  template <class Block> STG_KERNEL void operator()(Block& block, const updated<T>& p, std::int64_t i) const {
    T w = block.load(p.value + i), first = block.load(p.first + i), second = block.load(p.second + i);
    const stg::detail::adam_factors<T> factors{
        of_first, of_second, static_cast<T>(block.load_constant(rate)), static_cast<T>(block.load_constant(scale)),
        epsilon,  p.decay};
    stg::detail::update(w, block.load_constant(p.gradient + i), first, second, factors, square_root());
    block.store(p.first + i, first);
    block.store(p.second + i, second);
    block.store(p.value + i, w);
  }
};

}  // namespace detail

/// Updates every element of up to most_updated parameters, whose blocks are numbered one after the other.
template <class T, class Element> struct update_kernel {
  detail::updated<T> parameters[detail::most_updated];
  std::int64_t count = 0;
  Element element;

  explicit update_kernel(const Element& element) : element(element) {}
  bool is_full() const { return count == detail::most_updated; }
  grid launched_with() const {
    std::int64_t blocks = 0;
    for (std::int64_t k = 0; k < count; ++k) blocks += parameters[k].blocks();
    return {blocks, detail::updating_threads, 0};
  }

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    std::int64_t part = block.index();
    int k = 0;
    for (; part >= parameters[k].blocks(); ++k) part -= parameters[k].blocks();
    const std::int64_t begin = part * detail::updated_by_block, left = parameters[k].size - begin;
    const std::int64_t n = left < detail::updated_by_block ? left : detail::updated_by_block;
    for (std::int64_t i = block.thread(); i < n; i += block.threads()) element(block, parameters[k], begin + i);
  }
};

/// Adam's next step begins: one thread.
struct advance_kernel {
  stg::detail::adam_progress* progress;
  double learning_rate, beta1, beta2;

  static constexpr grid launched_with() { return {1, 1, 0}; }
  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    stg::detail::adam_progress now;
    now.beta1_power = block.load(&progress->beta1_power);
    now.beta2_power = block.load(&progress->beta2_power);
    now.advance(learning_rate, beta1, beta2, detail::square_root());
    block.store(&progress->beta1_power, now.beta1_power);
    block.store(&progress->beta2_power, now.beta2_power);
    block.store(&progress->rate, now.rate);
    block.store(&progress->scale, now.scale);
  }
};

/// A captured step has been launched once more: one thread.
struct count_kernel {
  std::uint32_t* launches;

  static constexpr grid launched_with() { return {1, 1, 0}; }
  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    block.store(launches, block.load(launches) + 1);
  }
};

namespace detail {

/// Launches an update of all parameters of type T, as few times as it takes.
template <class Launcher, class T, class Element>
void update_all(device& on, std::span<const stg::detail::parameter_update> all, const Element& element) {
  update_kernel<T, Element> kernel(element);
  const auto flush = [&] {
    launch_on<Launcher>(on, kernel, on.launches_on(), {"optimiser"});
    kernel.count = 0;
  };
  for (const stg::detail::parameter_update& u : all) {
    if (u.in_double != (sizeof(T) == sizeof(double)) || u.size == 0) continue;
    if (kernel.is_full()) flush();
    kernel.parameters[kernel.count++] = {static_cast<T*>(u.value),
                                         static_cast<const T*>(u.gradient),
                                         static_cast<T*>(u.first),
                                         static_cast<T*>(u.second),
                                         u.size,
                                         static_cast<T>(u.decay)};
  }
  flush();
}

template <class Launcher>
void launch_sgd(device& on, std::span<const stg::detail::parameter_update> all, const sgd_options& o) {
  const auto update = [&]<class T>(T) {
    update_all<Launcher, T>(on, all, sgd_element<T>{static_cast<T>(o.learning_rate), static_cast<T>(o.momentum)});
  };
  update(float{});
  update(double{});
}

template <class Launcher>
void launch_adam(device& on, std::span<const stg::detail::parameter_update> all, const adam_options& o,
                 stg::detail::adam_progress* progress) {
  const advance_kernel begin{progress, o.learning_rate, o.beta1, o.beta2};
  launch_on<Launcher>(on, begin, on.launches_on(), {"optimiser"});
  const auto update = [&]<class T>(T) {
    update_all<Launcher, T>(on, all,
                            adam_element<T>{stg::detail::average<T>(o.beta1), stg::detail::average<T>(o.beta2),
                                            static_cast<T>(o.epsilon), &progress->rate, &progress->scale});
  };
  update(float{});
  update(double{});
}

template <class Launcher> void launch_count(device& on, std::uint32_t* launches, stream_handle stream) {
  launch_on<Launcher>(on, count_kernel{launches}, stream, {"captured step"});
}

}  // namespace detail

/// The updates of optimisers and captured steps by one launcher's kernels.
template <class Launcher>
inline constexpr update_functions updates_of{&detail::launch_sgd<Launcher>, &detail::launch_adam<Launcher>,
                                             &detail::launch_count<Launcher>, Launcher::architectures()};

}  // namespace stg::gpu
