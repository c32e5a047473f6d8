// A layer as kernels: forward into a tensor that exists, and the gradient of a recorded call.
#pragma once

#include <bench/fill.hpp>  // filled
#include <stg/stg.hpp>     // compile, compile_for_training

#include "kernels.hpp"  // kernel

#include <algorithm>  // copy
#include <memory>     // make_shared
#include <optional>   // optional

namespace instructions {

/// Numbers per vertex or edge, the same in every run.
inline stg::tensor<float> numbers(const stg::dimensions& shape, std::uint64_t seed) {
  stg::tensor<float> t(shape);
  const floats from = filled(t.size(), seed);
  std::copy(from.data(), from.data() + from.size(), t.data());
  return t;
}

/// Inference into a tensor that exists. Bind: bind(call) returns call(graph, symbol = tensor, …).
template <const auto& F, class Bind>
void add_forward(std::vector<kernel>& all, const std::string& name, std::int64_t size, Bind bind,
                 const char* each = "edge") {
  auto model = std::make_shared<decltype(stg::compile<F>())>();
  auto out = std::make_shared<stg::tensor<float>>(bind([&](const auto&... given) { return (*model)(given...); }));
  const auto into = [model, out](const auto&... given) { model->into(*out, given...); };
  all.push_back({name, size, each, [] {}, [bind, into] { bind(into); }});
}

/// The gradient program alone; the cotangent is what inference gives.
template <const auto& F, class Bind>
void add_backward(std::vector<kernel>& all, const std::string& name, std::int64_t size, Bind bind,
                  const char* each = "edge") {
  auto trainer = std::make_shared<decltype(stg::compile_for_training<F>())>();
  const auto record = [trainer](const auto&... given) { return trainer->record(given...); };
  auto tape = std::make_shared<std::optional<decltype(bind(record))>>();
  const auto forward = [](const auto&... given) { return stg::compile<F>()(given...); };
  const auto cotangent = std::make_shared<stg::tensor<float>>(bind(forward));
  all.push_back({name, size, each,
                 [=] {
                   tape->reset();  // before the next is recorded, which takes its memory
                   tape->emplace(bind(record));
                 },
                 [=] { (*tape)->backward(*cotangent); }});
}

}  // namespace instructions
