// Opt-in: a model in a folder, its program as text beside its parameters, which another program runs and trains without
// compiling it.
#pragma once

// As in stg.hpp: a user's globals that a template's own names hide are no mistake.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#include <cstdint>           // uint64_t
#include <initializer_list>  // initializer_list
#include <list>              // list
#include <optional>          // optional
#include <span>              // span
#include <string>            // string
#include <string_view>       // string_view
#include <type_traits>       // is_arithmetic_v, remove_cvref_t
#include <variant>           // get, holds_alternative
#include <vector>            // vector

#include <stg/base/error.hpp>             // error
#include <stg/call/parameters.hpp>        // parameters_of
#include <stg/call/runnable.hpp>          // runnable, runnable_step, any_tensor, program_input
#include <stg/call/said.hpp>              // is_right
#include <stg/call/stored_model.hpp>      // stored_model, read_stored_model
#include <stg/data/checkpoint_files.hpp>  // array_file, file_replacement
#include <stg/dsl/symbol.hpp>             // binding

namespace stg {

namespace detail {

/// Writes a program's text with its version.
void write_program(const std::string& path, const ir::program& p);

/// The inputs of calls of a loaded model: bindings as a compiled model's, or inputs by name. It holds the tensor that a
/// number becomes.
class inputs_of_call {
 public:
  template <class... Arg> explicit inputs_of_call(const Arg&... args) { (take(args), ...); }
  std::span<const program_input> all() const { return inputs_; }

 private:
  void take(const program_input& in) { inputs_.push_back(in); }
  template <class Symbol, class T, bool Fixed> void take(const binding<Symbol, T, Fixed>& bound) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<T>>) {
      numbers_.push_back(tensor<element_t<Symbol::type>>::full({}, static_cast<element_t<Symbol::type>>(bound.value)));
      inputs_.emplace_back(Symbol::name::view(), numbers_.back());
    } else {
      inputs_.emplace_back(Symbol::name::view(), bound.value);
    }
  }

  std::vector<program_input> inputs_{};
  std::list<any_tensor> numbers_{};
};

template <class T>
concept AnInput = std::is_same_v<T, program_input> || requires {
  typename T::symbol;
};

}  // namespace detail

/// Writes a model as one folder: the program of F as text (program.stg) and every parameter as NAME.npy, which NumPy
/// and load_parameters read as well. All files are put in place at once: a load finds this model, or the one before.
/// Errors: as in save_checkpoint.
///
///   stg::save_model<gat>("cora_gat", params);
template <const auto& F, class... Named>
void save_model(const std::string& folder, const named_values<Named...>& parameters) {
#include <stg/call/look_into.inc>
  if constexpr (detail::is_right<ref<F>>) {
    constexpr bool has_all = detail::has_names_of<named_values<Named...>, parameters_of<F>>;
    static_assert(has_all, "stg: save_model takes a set with all parameters of the program, such as parameters<f>()");
    if constexpr (has_all) {
      detail::file_replacement files(folder);
      detail::write_program(files.path_of("program.stg"), canonical<ref<F>>::value.thaw());
      for_each(parameters,
               [&](std::string_view name, const auto& values) { files.write(detail::array_file(name), values); });
      files.put_in_place();
    }
  }
}

/// A model from files: called and trained by the kernels that the library holds, as a draft is, with its bits. Its
/// inputs are bound by symbols of their names, or by names; parameters are the model's own. One thread at a time.
///
///   stg::loaded_model model = stg::load_model("cora_gat");
///   const auto y = model(graph, x = X);                         // std::get<stg::tensor<float>>(y[0])
///   const auto same = model(graph, stg::program_input("x", X));
///   const auto now = model.step(graph, x = X, label = Y);       // of a loss: now.loss, now.gradients.at("W")
class loaded_model {
 public:
  /// Errors: those of read_stored_model.
  explicit loaded_model(const std::string& path, const std::string& parameters = {})
      : loaded_model(read_stored_model(path, parameters)) {}

  const ir::program& program() const { return of_.program; }
  /// By name; numbers may be written, shapes stay.
  tensors_by_name& parameters() { return of_.parameters; }
  const tensors_by_name& parameters() const { return of_.parameters; }
  /// Errors: no parameter of this name, or one of another type.
  template <class T = float> tensor<T>& parameter(std::string_view name) {
    any_tensor& found = parameter_named(name);
    if (!std::holds_alternative<tensor<T>>(found))
      throw error("the model's parameter '" + std::string(name) + "' holds numbers of another type");
    return std::get<tensor<T>>(found);
  }

  /// The outputs of the program, in their order. Errors: as in runnable.
  template <detail::AnInput... Arg> std::vector<any_tensor> operator()(const call_graph& on, const Arg&... args) const {
    return call(on, detail::inputs_of_call(args...).all());
  }
  /// The loss and its gradients, for the parameters that the program trains. Errors: as in runnable_step.
  template <detail::AnInput... Arg> runnable_step::result step(const call_graph& on, const Arg&... args) {
    return train(on, detail::inputs_of_call(args...).all());
  }
  /// Of the masks of dropout: steps are numbered from 0 again.
  void seed(std::uint64_t s);

 private:
  explicit loaded_model(stored_model of);
  std::vector<any_tensor> call(const call_graph& on, std::span<const program_input> inputs) const;
  runnable_step::result train(const call_graph& on, std::span<const program_input> inputs);
  any_tensor& parameter_named(std::string_view name);

  stored_model of_;
  runnable run_;
  std::optional<runnable_step> step_{};  // once it is asked for
  std::uint64_t seed_ = 0;
};

/// Reads a folder of save_model, or a file of a program's text and its parameters: see read_stored_model.
inline loaded_model load_model(const std::string& path, const std::string& parameters = {}) {
  return loaded_model(path, parameters);
}

}  // namespace stg

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic pop
#pragma GCC diagnostic ignored "-Wpsabi"  // to the end of the file: see base/config.hpp
#endif
