// A model in training as a case: one epoch is a full-batch step of value_and_grad and one of Adam.
#pragma once

#include "../../graphs.hpp"  // dataset
#include "training.hpp"      // training_work

#include <stg/base/error.hpp>  // error
#include <stg/data/npy.hpp>    // write_npy
#include <stg/stg.hpp>         // compile

#include <type_traits>  // invoke_result_t
#include <utility>      // move

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

/// Parameters of a loss whose features and classes the data count.
template <const auto& Loss> auto parameters_of(const vertices& data) {
  return stg::parameters<Loss>(stg::sized<"F">(data.x.extent(1)), stg::sized<"C">(data.classes));
}
/// The same where the number of features stands in the program.
template <const auto& Loss> auto parameters_of_classes(const vertices& data) {
  return stg::parameters<Loss>(stg::sized<"C">(data.classes));
}

/// Epochs of a loss. Make: make(vertices) is a set of its parameters. Bind: bind(call) returns call(graph,
/// symbol = tensor, …) without them.
template <const auto& Loss, const auto& Model, class Make, class Bind, class Inference>
class epoch_work final : public training_work<Loss, std::invoke_result_t<Make, const vertices&>> {
 public:
  epoch_work(const inputs& in, const vertices& data, Make make, Bind bind, Inference inference)
      : training_work<Loss, std::invoke_result_t<Make, const vertices&>>(in, make(data), make(data)),
        bind_(std::move(bind)),
        inference_(std::move(inference)) {}
  void run() override { this->optimizer_.step(gradient().gradients); }
  /// The logits of inference; without dropout the gradients of the first step, too.
  void write_results(const std::string& folder) override {
    this->restart();
    stg::write_npy(folder + "/logits.npy",
                   inference_([&](const auto&... args) { return stg::compile<Model>()(args..., this->parameters_); }));
    this->write(folder, gradient().gradients);
  }

 private:
  auto gradient() {
    return bind_([&](const auto&... args) { return this->step_(args..., this->parameters_); });
  }

  Bind bind_;
  Inference inference_;
};

}  // namespace peers
