// What epochs have in common, of a model on one graph and of one over the steps of a signal: parameters that begin as
// everybody's, a step with its gradients, and Adam.
#pragma once

#include "work.hpp"  // work

#include <stg/data/npy.hpp>  // write_npy
#include <stg/stg.hpp>       // value_and_grad, adam

#include <algorithm>  // copy
#include <utility>    // move

namespace peers {

/// Epochs of a loss. Two sets of its parameters: those that it begins with, and those that it trains.
template <const auto& Loss, class Parameters> class training_work : public work {
 public:
  std::int64_t planned_bytes() const override { return step_.bytes(); }
  std::int64_t result_bytes() const override {
    std::int64_t bytes = 0;
    for_each(parameters_, [&](std::string_view, const auto& t) { bytes += t.bytes(); });
    return bytes;
  }

 protected:
  training_work(const inputs& in, Parameters initial, Parameters trained)
      : initial_(std::move(initial)),
        parameters_(std::move(trained)),
        optimizer_(parameters_, {.learning_rate = 0.01}) {
    stg::initialize(initial_, 5);
    for_each(initial_, [&](std::string_view name, const auto& t) { in.keep(std::string(name), t); });
    restart();
  }
  /// The parameters as they were in the beginning.
  void restart() {
    [&]<int... K>(std::integer_sequence<int, K...>) {
      (std::copy(initial_.template get<K>().begin(), initial_.template get<K>().end(),
                 parameters_.template get<K>().begin()),
       ...);
    }
    (std::make_integer_sequence<int, Parameters::count>());
  }
  template <class Gradients> static void write(const std::string& folder, const Gradients& gradients) {
    for_each(gradients, [&](std::string_view name, const auto& g) {
      stg::write_npy(folder + "/gradient_" + std::string(name) + ".npy", g);
    });
  }

  Parameters initial_, parameters_;
  decltype(stg::value_and_grad<Loss>()) step_ = stg::value_and_grad<Loss>();
  stg::adam<Parameters> optimizer_;
};

/// Epochs, or steps, of a loss whose parameters know their shapes. Bind: bind(call) returns call(graph, symbol =
/// tensor, …) without the parameters.
template <const auto& Loss, class Bind>
class bound_work final : public training_work<Loss, decltype(stg::parameters<Loss>())> {
 public:
  bound_work(const inputs& in, Bind bind)
      : training_work<Loss, decltype(stg::parameters<Loss>())>(in, stg::parameters<Loss>(), stg::parameters<Loss>()),
        bind_(std::move(bind)) {}
  void run() override { this->optimizer_.step(gradient().gradients); }
  /// The loss and gradients of the first step.
  void write_results(const std::string& folder) override {
    this->restart();
    auto now = gradient();
    stg::write_npy(folder + "/loss.npy", stg::tensor<float>::full({1}, now.loss));
    this->write(folder, now.gradients);
  }

 private:
  auto gradient() {
    return bind_([&](auto&& on, const auto&... args) { return this->step_(on, args..., this->parameters_); });
  }

  Bind bind_;
};

}  // namespace peers
