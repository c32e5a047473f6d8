// A function of a module: a program, its training and its loss, as far as there are any.
#pragma once

#include <stg/door/program.hpp>  // program, training, loss

#include <nanobind/nanobind.h>  // object, handle, kwargs

#include <cstdint>  // uint64_t
#include <memory>   // shared_ptr, unique_ptr
#include <mutex>    // mutex
#include <string>   // string
#include <vector>   // vector

#include "arrays.hpp"  // seen_array, library

namespace stg::python {

/// The inputs of a call: what is seen of arrays, and of edges the values in the order of their ids.
class call_inputs {
 public:
  /// Errors: no input of a name, and those of `seen`; what is missing is the program's to say.
  /// Behind those of an earlier call, which outlive this.
  call_inputs(const door::signature& of, const door::called_with& on, const nb::dict& given,
              const call_inputs* fixed = nullptr);
  const std::vector<program_input>& all() const { return inputs_; }
  /// Of the first array.
  library arrays_of() const { return library_; }

 private:
  std::vector<seen_array> seen_{};
  std::vector<program_input> inputs_{};
  library library_ = library::other;
};

/// A recorded call, and its arrays, which it reads until it is differentiated.
struct tape {
  std::unique_ptr<door::recorded> recorded;
  std::shared_ptr<const call_inputs> inputs;
  nb::object graph{}, arrays{};
  door::signature signature{};

  nb::object outputs();
  nb::dict backward(const nb::args& cotangents);
};

/// A call whose arrays are known: made again and again, into the same memory.
struct bound_call {
  std::shared_ptr<const door::program> program;
  door::called_with on{};
  std::shared_ptr<const call_inputs> inputs;
  std::shared_ptr<std::vector<any_tensor>> results;
  nb::object graph{}, arrays{}, out{};

  nb::object operator()();
};

/// A call some of whose inputs are fixed: it has memory of its own for what it computes of them.
struct fixed_call {
  std::shared_ptr<const door::program> program;
  door::called_with on{};
  std::shared_ptr<const call_inputs> fixed;
  nb::object graph{}, arrays{};

  nb::object operator()(const nb::kwargs& inputs);
};

class function {
 public:
  explicit function(std::string name) : name_(std::move(name)) {}

  nb::object call(nb::handle graph, const nb::kwargs& inputs);
  nb::object into(nb::handle out, nb::handle graph, const nb::kwargs& inputs);
  bound_call bound(nb::handle graph, nb::handle out, const nb::kwargs& inputs);
  tape record(nb::handle graph, const nb::kwargs& inputs);
  fixed_call fixed(nb::handle graph, const nb::kwargs& inputs);
  void seed(std::uint64_t s);
  /// Error where a function has nothing to be called with, or gradients of nothing.
  void check_whole() const;
  const std::string& name() const { return name_; }
  std::string help() const;
  /// Python's declaration of the function, for editors and checkers of types.
  std::string stub() const;
  /// The inputs that backward gives gradients for.
  const door::signature& described() const;

  std::string text{};
  std::shared_ptr<door::program> program{};
  std::shared_ptr<door::training> training{};
  std::shared_ptr<door::loss> loss{};
  std::shared_ptr<door::program_with_fixed> with_fixed{};
  std::shared_ptr<function> gradients{};  // of which PyTorch takes second derivatives

 private:
  nb::object step(nb::handle graph, const nb::kwargs& inputs);

  std::string name_;
  std::mutex one_at_a_time_{};  // of training and loss, which count their calls
};

/// Adds the classes of functions and tapes to a module.
void add_functions(nb::module_& m);

}  // namespace stg::python
