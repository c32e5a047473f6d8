// Opt-in: programs as functions of a Python module, for arrays of NumPy, PyTorch and whoever speaks DLPack.
// stg_add_python_module(name file.cpp) in CMake makes the module; docs/python.md is its page. No header of Python's is
// read here: what speaks to Python is compiled once, in the library.
#pragma once

#include <memory>       // shared_ptr
#include <string_view>  // string_view

#include <stg/door/functions.hpp>  // functions

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

 private:
  friend class door::functions<python_module>;
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::program> made);
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::training> made);
  void add(std::string_view name, std::string_view text, std::shared_ptr<door::loss> made);

  state& state_;
};

namespace detail {
/// Defined by STG_PYTHON, called when the module is imported.
void fill_python_module(python_module& m);
}  // namespace detail

}  // namespace stg

/// Begins the function that fills the module `name`, as `m`: one for each module.
#define STG_PYTHON(name, m) void stg::detail::fill_python_module([[maybe_unused]] ::stg::python_module& m)
