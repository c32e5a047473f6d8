// A model in training as a case: one epoch is a full-batch step of value_and_grad and one of Adam.
#pragma once

#include "../../graphs.hpp"  // dataset
#include "work.hpp"          // work

#include <stg/base/error.hpp>  // error
#include <stg/data/npy.hpp>    // write_npy
#include <stg/stg.hpp>         // value_and_grad, adam

#include <algorithm>  // copy
#include <utility>    // move

namespace peers {

/// What a vertex is known by: random features and labels for made graphs, the data set's own for Cora.
struct vertices {
  stg::tensor<float> x;             // (vertices, features)
  stg::sparse_tensor<float> words;  // the same; a data set's alone
  stg::tensor<std::int32_t> label;
  stg::tensor<bool> known;
  int classes = 0;
};

/// Of a made graph: `width` features, 40 classes, every label known. Of Cora: row-normalised words, the public split.
inline vertices vertices_of(const case_name& which, const inputs& in, std::int64_t width) {
  if (which.graph == "cora") {
    auto data = graphs::dataset("cora");
    if (!data) throw stg::error("cora is not there; set STG_DATA_DIR");
    stg::normalize_rows(data->features);
    in.keep("x", data->features);
    in.keep("label", data->labels);
    in.keep("known", data->train);
    auto words = stg::sparse(data->features);
    return {std::move(data->features), std::move(words), std::move(data->labels), std::move(data->train),
            data->classes};
  }
  const std::int64_t n = in.graph.vertices();
  vertices made{
      in.normal("x", {n, width}, 1), {}, stg::tensor<std::int32_t>({n}), stg::tensor<bool>::full({n}, true), 40};
  for (std::int64_t v = 0; v < n; ++v) made.label(v) = static_cast<std::int32_t>((v * 2654435761) % 40);
  in.keep("label", made.label);
  in.keep("known", made.known);
  return made;
}

/// Epochs of a loss. Bind: bind(call) returns call(graph, symbol = tensor, …) without the parameters.
template <const auto& Loss, const auto& Model, class Bind, class Inference> class epoch_work final : public work {
  using parameter_set = decltype(stg::parameters<Loss>(stg::sized<"F">(1), stg::sized<"C">(1)));

 public:
  epoch_work(const inputs& in, const vertices& known, Bind bind, Inference inference)
      : initial_(stg::parameters<Loss>(stg::sized<"F">(known.x.extent(1)), stg::sized<"C">(known.classes))),
        parameters_(stg::parameters<Loss>(stg::sized<"F">(known.x.extent(1)), stg::sized<"C">(known.classes))),
        optimizer_(parameters_, {.learning_rate = 0.01}),
        bind_(std::move(bind)),
        inference_(std::move(inference)) {
    stg::initialize(initial_, 5);
    for_each(initial_, [&](std::string_view name, const auto& t) { in.keep(std::string(name), t); });
    restart();
  }
  void run() override {
    auto now = bind_([&](const auto&... args) { return step_(args..., parameters_); });
    optimizer_.step(now.gradients);
  }
  /// The logits of inference; without dropout the gradients of the first step, too.
  void write_results(const std::string& folder) override {
    restart();
    stg::write_npy(folder + "/logits.npy",
                   inference_([&](const auto&... args) { return stg::compile<Model>()(args..., parameters_); }));
    auto now = bind_([&](const auto&... args) { return step_(args..., parameters_); });
    for_each(now.gradients, [&](std::string_view name, const auto& g) {
      stg::write_npy(folder + "/gradient_" + std::string(name) + ".npy", g);
    });
  }
  std::int64_t planned_bytes() const override { return step_.bytes(); }
  std::int64_t result_bytes() const override {
    std::int64_t bytes = 0;
    for_each(parameters_, [&](std::string_view, const auto& t) { bytes += t.bytes(); });
    return bytes;
  }

 private:
  void restart() {
    constexpr int count = parameter_set::count;
    [&]<int... K>(std::integer_sequence<int, K...>) {
      (std::copy(initial_.template get<K>().begin(), initial_.template get<K>().end(),
                 parameters_.template get<K>().begin()),
       ...);
    }
    (std::make_integer_sequence<int, count>());
  }

  parameter_set initial_, parameters_;
  decltype(stg::value_and_grad<Loss>()) step_ = stg::value_and_grad<Loss>();
  stg::adam<parameter_set> optimizer_;
  Bind bind_;
  Inference inference_;
};

}  // namespace peers
