// Opt-in: programs as functions of a Python module, for arrays of NumPy, PyTorch and whoever speaks DLPack.
// stg_add_python_module(name file.cpp) in CMake makes the module; docs/python.md is its page. No header of Python's is
// read here: what speaks to Python is compiled once, in the library.
#pragma once

#include <memory>       // shared_ptr
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/door/functions.hpp>  // functions
#include <stg/door/gradients.hpp>  // cotangents_of, make_gradients

namespace stg {

/// The functions of a Python module that is being made. Names are Python's: a program, its training and a loss of one
/// name are one function, which does what the arrays ask for.
///
///   STG_PYTHON(layers, m) {               // import layers
///     m.program<gat>("gat");              // layers.gat(graph, h=H, el=L, er=R)
///     m.training<gat, h, el, er>("gat");  // the same with gradients, and layers.gat.record(...)
///     m.loss<loss>("loss");               // value, gradients = layers.loss(graph, x=X, label=Y, W=W)
///   }
class python_module : public door::functions<python_module> {
 public:
  struct state;
  explicit python_module(state& into) : state_(into) {}

  /// The same for blocks: layers.gat(batch.blocks, h=H[batch.n_id], …) has a row for each seed. They take a Graph, too.
  template <const auto& F> void program_on_blocks(std::string_view name, std::string_view text = {}) {
    add(name, text, door::make_program<F, true>());
  }
  template <const auto& F, const auto&... Wanted>
  void training_on_blocks(std::string_view name, std::string_view text = {}) {
    add(name, text, door::make_training_on_blocks<F, Wanted...>());
  }
  template <const auto& F, const auto&... Wanted>
  void loss_on_blocks(std::string_view name, std::string_view text = {}) {
    add(name, text, door::make_loss_on_blocks<F, Wanted...>());
  }
  /// The program with inputs that are bound once: now = layers.gat.fixed(graph, h=H), then now(el=L, er=R).
  template <const auto& F, const auto&... Fixed> void fixed(std::string_view name, std::string_view text = {}) {
    add(name, text, door::make_program_with_fixed<F>(stg::fixed<Fixed...>()));
  }
  /// Gradients with inputs that are bound once, and have none. What is fixed of one name is the same everywhere.
  ///
  ///   m.training<layer, W>("layer", stg::fixed<x>());  // now = layers.layer.fixed(graph, x=X), then now(W=W)
  ///   m.loss<loss>("loss", stg::fixed<x>());           // now = layers.loss.fixed(graph, x=X), then now(label=Y, W=W)
  using door::functions<python_module>::training, door::functions<python_module>::loss;
  template <const auto& F, const auto&... Wanted, class... Symbol>
  void training(std::string_view name, fixed_symbols<Symbol...> fixed, std::string_view text = {}) {
    add(name, text, door::make_training_with_fixed<F, Wanted...>(fixed));
  }
  template <const auto& F, const auto&... Wanted, class... Symbol>
  void loss(std::string_view name, fixed_symbols<Symbol...> fixed, std::string_view text = {}) {
    add(name, text, door::make_loss_with_fixed<F, Wanted...>(fixed));
  }
  /// Second derivatives: the gradients of a training's inputs as a program, which PyTorch differentiates again. First
  /// the cotangents, for each real result an input of its shape by another name, then the inputs.
  ///
  ///   m.gradients<gat, d, h, el, er>("gat");
  template <const auto& F, const auto&... Symbol> void gradients(std::string_view name, std::string_view text = {}) {
    add_gradients(name, text, door::make_gradients<F, Symbol...>(), door::cotangents_of<F, Symbol...>());
  }

 private:
  friend class door::functions<python_module>;
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::program> made);
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::training> made);
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::loss> made);
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::binder<door::program>> made);
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::binder<door::training>> made);
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::binder<door::loss>> made);
  void add_gradients(std::string_view name, std::string_view text, std::shared_ptr<door::training> made,
                     std::vector<std::string> cotangents);

  state& state_;
};

namespace detail {
/// Defined by STG_PYTHON, called when the module is imported.
void fill_python_module(python_module& m);
}  // namespace detail

}  // namespace stg

/// Begins the function that fills the module `name`, as `m`: one for each module.
#define STG_PYTHON(name, m) void stg::detail::fill_python_module([[maybe_unused]] ::stg::python_module& m)
