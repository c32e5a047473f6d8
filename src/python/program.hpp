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
  door::called_with on{};
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

/// A program, its training and its loss, as far as there are any: of a function, or of one binding of fixed inputs.
struct callable {
  std::shared_ptr<door::program> program{};
  std::shared_ptr<door::training> training{};
  std::shared_ptr<door::loss> loss{};
  std::unique_ptr<std::mutex> one_at_a_time = std::make_unique<std::mutex>();  // training and loss count their calls

  nb::object run(const door::called_with& on, const call_inputs& in) const;
  nb::object step(const door::called_with& on, const call_inputs& in);
  /// `graph` and `arrays` live as long as the tape.
  tape record(const door::called_with& on, std::shared_ptr<const call_inputs> in, nb::object graph, nb::object arrays);
  void seed(std::uint64_t s);
};

/// The makers of a function's callables with fixed inputs.
struct binders {
  std::shared_ptr<door::binder<door::program>> program{};
  std::shared_ptr<door::binder<door::training>> training{};
  std::shared_ptr<door::binder<door::loss>> loss{};

  /// The first binder of the three, for the description that they share; null if there is none.
  const door::described_program* any() const;
  /// The names of the inputs. Error where two fix others.
  std::vector<std::string> fixed(const std::string& name) const;
  callable of_one_binding() const;
};

/// Calls some of whose inputs are fixed: they have memory of their own for what is computed of these, and random
/// numbers of their own.
struct fixed_call {
  std::string name;
  callable of{};
  door::called_with on{};
  std::shared_ptr<const call_inputs> fixed;
  nb::object graph{}, arrays{};

  nb::object operator()(const nb::kwargs& inputs);
  tape record(const nb::kwargs& inputs);
  const door::signature& described() const;
};

class function {
 public:
  explicit function(std::string name) : name_(std::move(name)) {}

  nb::object call(nb::handle graph, const nb::kwargs& inputs);
  nb::object into(nb::handle out, nb::handle graph, const nb::kwargs& inputs);
  bound_call bound(nb::handle graph, nb::handle out, const nb::kwargs& inputs);
  tape record(nb::handle graph, const nb::kwargs& inputs);
  fixed_call fixed(nb::handle graph, const nb::kwargs& inputs);
  void seed(std::uint64_t s) { of.seed(s); }
  /// Error where a function has nothing to be called with, gradients of nothing, or fixes other inputs here and there.
  void check_whole() const;
  const std::string& name() const { return name_; }
  std::string help() const;
  /// Python's declaration of the function, for editors and checkers of types.
  std::string stub() const;
  /// The inputs that backward gives gradients for.
  const door::signature& described() const;
  /// The same function in float64, without fixed inputs and second derivatives; kept. Error where it is a loss.
  function& in_float64();

  std::string text{};
  callable of{};
  binders with_fixed{};
  std::shared_ptr<function> gradients{};  // of which PyTorch takes second derivatives
  std::shared_ptr<function> float64{};    // made when it is first asked for
  std::vector<std::string> cotangents{};  // of gradients: the inputs that stand for each result of the program

 private:
  std::string name_;
};

/// Adds the classes of functions and tapes to a module.
void add_functions(nb::module_& m);

}  // namespace stg::python
