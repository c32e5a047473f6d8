// A single layer as a case: forward into tensors that exist, or a recorded call and its gradient.
#pragma once

#include "work.hpp"  // work

#include <stg/data/npy.hpp>  // write_npy
#include <stg/stg.hpp>       // compile, compile_for_training

#include <functional>  // function
#include <utility>     // move

namespace peers {

/// Forward: `call` takes the compiled model's `into` with the inputs bound.
template <class Model, class Bind> class forward_work final : public work {
 public:
  forward_work(Model model, std::int64_t planned, Bind bind)
      : model_(std::move(model)), planned_(planned), bind_(std::move(bind)) {
    out_ = bind_([&](const auto&... args) { return model_(args...); });
  }
  void run() override {
    bind_([&](const auto&... args) {
      model_.into(out_, args...);
      return 0;
    });
  }
  void write_results(const std::string& folder) override {
    run();
    stg::write_npy(folder + "/out.npy", out_);
  }
  std::int64_t planned_bytes() const override { return planned_ + out_.bytes(); }
  std::int64_t result_bytes() const override { return out_.bytes(); }

 private:
  Model model_;
  std::int64_t planned_;
  Bind bind_;
  stg::tensor<float> out_;
};

/// Forward and gradient for one cotangent.
template <class Trainer, class Bind> class gradient_work final : public work {
 public:
  gradient_work(Trainer trainer, stg::tensor<float> cotangent, Bind bind)
      : trainer_(std::move(trainer)), cotangent_(std::move(cotangent)), bind_(std::move(bind)) {}
  void run() override {
    visit([](const auto&, const auto&) {});
  }
  void write_results(const std::string& folder) override {
    visit([&](const auto& out, const auto& gradients) {
      stg::write_npy(folder + "/out.npy", out);
      for_each(gradients, [&](std::string_view name, const auto& g) {
        stg::write_npy(folder + "/gradient_" + std::string(name) + ".npy", g);
      });
    });
  }
  std::int64_t planned_bytes() const override { return planned_; }
  std::int64_t result_bytes() const override { return results_; }

 private:
  template <class See> void visit(See see) {
    auto tape = bind_([&](const auto&... args) { return trainer_.record(args...); });
    const auto gradients = tape.backward(cotangent_);
    const auto out = tape.template output<0>();
    planned_ = tape.bytes();
    results_ = out.bytes();
    for_each(gradients, [&](std::string_view, const auto& g) { results_ += g.bytes(); });
    see(out, gradients);
  }
  Trainer trainer_;
  stg::tensor<float> cotangent_;
  Bind bind_;
  std::int64_t planned_ = 0, results_ = 0;
};

/// The case of one layer: `model` and `trainer` are what stg::compile and stg::compile_for_training give, `planned` the
/// bytes of an inference call, and bind(call) returns call(graph, symbol = tensor, …).
template <class Model, class Trainer, class Bind>
std::unique_ptr<work> layer_work(const std::string& pass, Model model, Trainer trainer, std::int64_t planned,
                                 stg::tensor<float> cotangent, Bind bind) {
  if (pass == "forward") return std::make_unique<forward_work<Model, Bind>>(std::move(model), planned, std::move(bind));
  if (pass == "both")
    return std::make_unique<gradient_work<Trainer, Bind>>(std::move(trainer), std::move(cotangent), std::move(bind));
  return nullptr;
}

}  // namespace peers
