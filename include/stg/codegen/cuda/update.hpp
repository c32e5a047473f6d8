// Kernels of optimisers and of gradient sets, one launch of which updates the elements of many parameters, and of
// captured steps.
#pragma once

#include <cstdint>  // int64_t
#include <span>     // span

#include <stg/codegen/cuda/features.hpp>  // add
#include <stg/codegen/cuda/group.hpp>     // grid, Kernel
#include <stg/codegen/cuda/launch.hpp>    // launch_on
#include <stg/base/math.hpp>              // functions
#include <stg/runtime/cuda/updates.hpp>   // update_functions
#include <stg/runtime/update_rule.hpp>    // update

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
  T decay, shrink;

  STG_HOST_DEVICE std::int64_t blocks() const { return (size + updated_by_block - 1) / updated_by_block; }
};

struct square_root {
  template <class T> STG_LANEWISE T operator()(T x) const { return math::functions<T>::sqrt(x); }
};

/// One element by SGD.
template <class T> struct sgd_element {
  T rate;
  stg::detail::average<T> momentum;
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
    const stg::detail::adam_factors<T> factors{of_first,
                                               of_second,
                                               static_cast<T>(block.load_constant(rate)),
                                               static_cast<T>(block.load_constant(scale)),
                                               epsilon,
                                               p.decay,
                                               p.shrink};
    stg::detail::update(w, block.load_constant(p.gradient + i), first, second, factors, square_root());
    block.store(p.first + i, first);
    block.store(p.second + i, second);
    block.store(p.value + i, w);
  }
};

/// What gradient sets take: value = value + factor · gradient, value · factor, and value within limits.
template <class T> struct added_element {
  T factor;
  template <class Block> STG_KERNEL void operator()(Block& block, const updated<T>& p, std::int64_t i) const {
    block.store(p.value + i, block.load(p.value + i) + factor * block.load_constant(p.gradient + i));
  }
};
template <class T> struct scaled_element {
  T factor;
  template <class Block> STG_KERNEL void operator()(Block& block, const updated<T>& p, std::int64_t i) const {
    block.store(p.value + i, block.load(p.value + i) * factor);
  }
};
template <class T> struct limited_element {
  T limit;
  template <class Block> STG_KERNEL void operator()(Block& block, const updated<T>& p, std::int64_t i) const {
    block.store(p.value + i, stg::detail::limited(block.load(p.value + i), limit));
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

/// One block's part of the sum of an array's squares, in double and in an order that the size alone decides.
template <class T> struct squares_kernel {
  static constexpr std::int64_t elements = 64 * detail::updating_threads;  // of a block
  const T* x;
  std::int64_t size;
  double* sums;  // (blocks)

  grid launched_with() const { return {(size + elements - 1) / elements, detail::updating_threads, 0}; }
  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const std::int64_t begin = block.index() * elements, end = begin + elements < size ? begin + elements : size;
    double mine = 0;
    for (std::int64_t i = begin + block.thread(); i < end; i += block.threads()) {
      const double value = static_cast<double>(block.load_constant(x + i));
      mine += value * value;
    }
    auto all = block.template group<detail::updating_threads>();
    const double sum = all.reduce(mine, detail::add());
    if (all.rank() == 0) block.store(sums + block.index(), sum);
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
    now.steps = block.load(&progress->steps);
    now.advance(learning_rate, beta1, beta2, detail::square_root());
    block.store(&progress->beta1_power, now.beta1_power);
    block.store(&progress->beta2_power, now.beta2_power);
    block.store(&progress->rate, now.rate);
    block.store(&progress->scale, now.scale);
    block.store(&progress->steps, now.steps);
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

/// What a parameter's weight decay is multiplied by where it goes in.
struct decay_factors {
  double gradient = 1, parameter = 0;
};

/// Launches an update of all parameters of type T, as few times as it takes.
template <class Launcher, class T, class Element>
void update_all(device& on, std::span<const stg::detail::parameter_update> all, const Element& element,
                const decay_factors& decays = {}) {
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
                                         static_cast<T>(decays.gradient * u.decay),
                                         static_cast<T>(decays.parameter * u.decay)};
  }
  flush();
}

template <class Launcher>
void launch_sgd(device& on, std::span<const stg::detail::parameter_update> all, const sgd_options& o) {
  const auto update = [&]<class T>(T) {
    update_all<Launcher, T>(on, all,
                            sgd_element<T>{static_cast<T>(o.learning_rate), stg::detail::average<T>(o.momentum)});
  };
  update(float{});
  update(double{});
}

template <class Launcher>
void launch_adam(device& on, std::span<const stg::detail::parameter_update> all, const adam_options& o,
                 stg::detail::decay_of decay, stg::detail::adam_progress* progress) {
  const decay_factors decays =
      decay == stg::detail::decay_of::gradient ? decay_factors{1, 0} : decay_factors{0, o.learning_rate};
  const advance_kernel begin{progress, o.learning_rate, o.beta1, o.beta2};
  launch_on<Launcher>(on, begin, on.launches_on(), {"optimiser"});
  const auto update = [&]<class T>(T) {
    update_all<Launcher, T>(on, all,
                            adam_element<T>{stg::detail::average<T>(o.beta1), stg::detail::average<T>(o.beta2),
                                            static_cast<T>(o.epsilon), &progress->rate, &progress->scale},
                            decays);
  };
  update(float{});
  update(double{});
}

template <class Launcher>
void launch_added(device& on, std::span<const stg::detail::parameter_update> all, double factor) {
  update_all<Launcher, float>(on, all, added_element<float>{static_cast<float>(factor)});
  update_all<Launcher, double>(on, all, added_element<double>{factor});
}
template <class Launcher>
void launch_scaled(device& on, std::span<const stg::detail::parameter_update> all, double factor) {
  update_all<Launcher, float>(on, all, scaled_element<float>{static_cast<float>(factor)});
  update_all<Launcher, double>(on, all, scaled_element<double>{factor});
}
template <class Launcher>
void launch_limited(device& on, std::span<const stg::detail::parameter_update> all, double limit) {
  update_all<Launcher, float>(on, all, limited_element<float>{static_cast<float>(limit)});
  update_all<Launcher, double>(on, all, limited_element<double>{limit});
}
/// The sum of the squares of one array after the other, each by parts.
template <class Launcher>
double sum_squares(device& on, location where, std::span<const stg::detail::parameter_update> all) {
  double sum = 0;
  const auto add_array = [&]<class T>(const T* x, std::int64_t size) {
    squares_kernel<T> kernel{x, size, nullptr};
    tensor<double> sums({kernel.launched_with().blocks}, where);
    kernel.sums = sums.data();
    launch_on<Launcher>(on, kernel, on.launches_on(), {"gradients"});
    for (const double part : sums.to(host)) sum += part;
  };
  for (const stg::detail::parameter_update& u : all) {
    if (u.size == 0) continue;
    if (u.in_double) add_array(static_cast<const double*>(u.value), u.size);
    else add_array(static_cast<const float*>(u.value), u.size);
  }
  return sum;
}

template <class Launcher> void launch_count(device& on, std::uint32_t* launches, stream_handle stream) {
  launch_on<Launcher>(on, count_kernel{launches}, stream, {"captured step"});
}

}  // namespace detail

/// The updates of optimisers and captured steps by one launcher's kernels.
template <class Launcher>
inline constexpr update_functions updates_of{&detail::launch_sgd<Launcher>,     &detail::launch_adam<Launcher>,
                                             &detail::launch_added<Launcher>,   &detail::launch_scaled<Launcher>,
                                             &detail::launch_limited<Launcher>, &detail::sum_squares<Launcher>,
                                             &detail::launch_count<Launcher>,   Launcher::architectures()};

}  // namespace stg::gpu
