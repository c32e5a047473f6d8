// PyTorch's autograd over programs: the Python of torch_function.py, read when it is first needed.
#include "torch_function.hpp"

#include <stg_torch_function.hpp>  // torch_function_source, written by CMake from torch_function.py

#include "arrays.hpp"  // library_of

namespace stg::python {

namespace nb = nanobind;

bool wants_gradients(const nb::kwargs& inputs) {
  for (const auto& [name, array] : inputs) {
    if (library_of(array) != library::torch || !nb::cast<bool>(array.attr("requires_grad"))) continue;
    return nb::cast<bool>(nb::module_::import_("torch").attr("is_grad_enabled")());
  }
  return false;
}

nb::object torch_function(nb::handle program, nb::handle graph, const nb::kwargs& inputs) {
  // Read once, and kept as long as the interpreter: a static object would be destroyed behind it.
  static PyObject* const call = [] {
    nb::dict names;
    names["__builtins__"] = nb::module_::import_("builtins");
    const nb::object done = nb::steal(PyRun_String(torch_function_source, Py_file_input, names.ptr(), names.ptr()));
    if (!done.is_valid()) throw nb::python_error();
    return nb::object(names["call"]).release().ptr();
  }();
  return nb::handle(call)(program, graph, inputs);
}

}  // namespace stg::python
