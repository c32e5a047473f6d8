// Inputs and results with types known at run time: a tensor for an input by its name, a tensor of any type.
#pragma once

#include <cstdint>      // int32_t
#include <string_view>  // string_view
#include <variant>      // variant, visit

#include <stg/runtime/binding.hpp>        // bound_input
#include <stg/runtime/edge_values.hpp>    // tensor_of_edges
#include <stg/runtime/sparse_tensor.hpp>  // sparse_tensor
#include <stg/runtime/step_graphs.hpp>    // sequence_weights
#include <stg/runtime/tensor.hpp>         // tensor

namespace stg {

/// The result of a program with types known at run time: `std::get<stg::tensor<float>>(out[0])`.
using any_tensor =
    std::variant<tensor<float>, tensor<double>, tensor<std::int32_t>, tensor<bool>, tensor<bfloat16>, tensor<float16>>;

/// A tensor for an input, by the input's name or, without a name, by its entry among the program's inputs; errors call
/// it '#5'. Refers to the tensor.
class program_input {
 public:
  template <class Tensor> program_input(std::string_view of, const Tensor& x) : name(of) { take(x); }
  template <class Tensor> program_input(int of, const Tensor& x) : entry(of) { take(x); }

  std::string_view name{};
  int entry = -1;
  scalar_type type = f32;
  bool is_sparse = false;
  bound_input bound{};

 private:
  template <class T> void take(const const_tensor<T>& x) {
    type = scalar_of<T>;
    bound = {x.data(), x.shape(), x.place()};
  }
  template <class T> void take(const sparse_tensor<T>& x) {
    type = scalar_of<T>;
    is_sparse = true;
    bound = {&x.view(), x.shape(), x.place()};
  }
  template <class Self, class T> void take(const detail::tensor_of_edges<Self, T>& x) {
    take(x.values());
    bound.edges = x.edge_identity();
  }
  void take(const sequence_weights& x) {
    bound = {x.of(), {x.of()->all_edges}, x.of()->place};
    bound.weights_of = x.of();
  }
  void take(const any_tensor& x) {
    std::visit([this](const auto& t) { take(t); }, x);
  }
};

}  // namespace stg
