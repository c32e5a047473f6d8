// Training loops on a device: kernel by kernel, the same as a captured step, and the loop that a user writes, which
// brings every loss to the host.
#pragma once

#include "models.hpp"     // parameters_of
#include "on.hpp"         // compiled_for_training, place
#include "reference.hpp"  // overall_difference

#include <stg/runtime/cuda/stream.hpp>  // captured_step
#include <stg/runtime/optimizer.hpp>    // adam

#include <algorithm>    // max
#include <memory>       // unique_ptr
#include <optional>     // optional
#include <string_view>  // string_view
#include <vector>       // vector

namespace device_bench {

inline constexpr double learning_rate = 0.01;
inline constexpr std::uint64_t first_seed = 1;
inline const stg::gpu::purpose training{"bench_gpu"};

/// All arrays of a set, by position.
template <class Set> auto arrays_of(Set& set) {
  std::vector<std::remove_reference_t<decltype(set.template get<0>())>*> arrays;
  for_each(set, [&](std::string_view, auto& t) { arrays.push_back(&t); });
  return arrays;
}
/// Copies a set of any place over another.
template <class To, class From> void copy_set(To& to, const From& from) {
  const auto source = arrays_of(from);
  std::size_t k = 0;
  for (auto* t : arrays_of(to)) t->assign(*source[k++]);
}
/// The largest of the arrays' overall differences.
template <class Set> double apart(const Set& a, const Set& b) {
  const auto of_b = arrays_of(b);
  double most = 0;
  std::size_t k = 0;
  for (const auto* t : arrays_of(a))
    most = std::max(most, overall_difference(t->to(stg::host), of_b[k++]->to(stg::host)));
  return most;
}

/// A network in training on the device. Bind: bind(call, parameters) calls call(graph, bindings…). What an epoch
/// allocates, its first call allocates.
template <class Network, class Bind> class training_on_device {
 public:
  training_on_device(const parameters_of<Network>& initial, const Bind& bind, const stg::tensor<float>& one)
      : bind_(&bind),
        one_(&one),
        parameters_(initial.to(place)),
        stream_(stg::gpu::device::open(place.device(), training)),
        trainer_(compiled_for_training<Network::loss>()) {
    restart(initial);
  }

  /// Launches everything; waits for nothing.
  void epoch() {
    auto tape = (*bind_)([&](const auto&... args) { return trainer_.record(args...); }, parameters_);
    adam_->step(tape.backward(*one_));
  }
  /// As new: the parameters, no moments, the first random numbers.
  void restart(const parameters_of<Network>& initial) {
    copy_set(parameters_, initial);
    adam_.emplace(parameters_, stg::adam_options{.learning_rate = learning_rate});
    trainer_.seed(first_seed);
  }
  /// Records the next epoch, after one has run. `restart` must not come between, for it moves the moments.
  void capture() {
    captured_ = std::make_unique<stg::gpu::captured_step>(stream_, training, [&] { epoch(); });
  }
  void launch() { captured_->launch(); }

  const parameters_of<Network>& parameters() const { return parameters_; }

 private:
  const Bind* bind_;
  const stg::tensor<float>* one_;
  parameters_of<Network> parameters_;
  std::optional<stg::adam<parameters_of<Network>>> adam_;
  stg::gpu::stream stream_;
  decltype(compiled_for_training<Network::loss>()) trainer_;
  std::unique_ptr<stg::gpu::captured_step> captured_;
};

/// The loop of docs/cuda.md: each epoch waits for its loss.
template <class Network, class Bind> class training_loop {
 public:
  training_loop(const parameters_of<Network>& initial, const Bind& bind)
      : bind_(&bind),
        parameters_(initial.to(place)),
        adam_(parameters_, {.learning_rate = learning_rate}),
        step_(stg::value_and_grad<Network::loss>(place)) {
    step_.seed(first_seed);
  }
  void epoch() {
    adam_.step((*bind_)([&](const auto&... args) { return step_(args...); }, parameters_).gradients);
  }
  const parameters_of<Network>& parameters() const { return parameters_; }

 private:
  const Bind* bind_;
  parameters_of<Network> parameters_;
  stg::adam<parameters_of<Network>> adam_;
  decltype(stg::value_and_grad<Network::loss>(place)) step_;
};

}  // namespace device_bench
